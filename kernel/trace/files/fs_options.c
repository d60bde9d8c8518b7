// SPDX-License-Identifier: GPL-2.0
/*
 * fs_options.c - trace_options and options/: only what really has an effect.
 *
 * Names and order are those of the kernel's trace_options.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/event/buffers.h"
#include "files.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/event/pids.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "small_file.h"
#include "kernel/trace/trace_instance.h"

enum {
	ANNOTATE, CONTEXT_INFO, RECORD_TGID, OVERWRITE, DISABLE_ON_FREE, IRQ_INFO, MARKERS,
	EVENT_FORK, PAUSE, STACKTRACE, NR_NAMES,
};

static const char *const names[NR_NAMES] = {
	"annotate", "context-info", "record-tgid", "overwrite", "disable_on_free", "irq-info",
	"markers", "event-fork", "pause-on-trace", "stacktrace",
};

/* overwrite lives in the buffer, the others in the instance. */
static const enum pe_option bits[NR_NAMES] = {
	[ANNOTATE] = PE_OPT_ANNOTATE,
	[CONTEXT_INFO] = PE_OPT_CONTEXT_INFO,
	[RECORD_TGID] = PE_OPT_TGID,
	[DISABLE_ON_FREE] = PE_OPT_DISABLE_ON_FREE,
	[IRQ_INFO] = PE_OPT_IRQ_INFO,
	[MARKERS] = PE_OPT_MARKERS,
	[EVENT_FORK] = PE_OPT_EVENT_FORK,
	[PAUSE] = PE_OPT_PAUSE,
	[STACKTRACE] = PE_OPT_STACKTRACE,
};

static bool option_get(const struct pe_instance *inst, unsigned int i)
{
	if (i == OVERWRITE)
		return READ_ONCE(pe_instance_buffer(inst)->overwrite);
	return test_bit(bits[i], &inst->options);
}

static int option_set(struct pe_instance *inst, unsigned int i, bool on)
{
	if (i == EVENT_FORK)
		return pe_pids_follow(inst, on);
	if (i == OVERWRITE)
		pe_buffers_set_overwrite(inst, on);
	else
		assign_bit(bits[i], &inst->options, on);
	return 0;
}

unsigned int pe_instance_columns(const struct pe_instance *inst)
{
	return (test_bit(PE_OPT_TGID, &inst->options) ? PE_COLUMN_TGID : 0) |
	       (test_bit(PE_OPT_IRQ_INFO, &inst->options) ? PE_COLUMN_FLAGS : 0);
}

/* --- trace_options ------------------------------------------------------- */

static int options_show(struct seq_file *m, void *v)
{
	const struct pe_view *view = m->private;
	unsigned int i;

	for (i = 0; i < NR_NAMES; i++)
		seq_printf(m, "%s%s\n", option_get(view->inst, i) ? "" : "no", names[i]);
	return 0;
}

static int options_store(struct pe_view *view, char *word)
{
	bool on = strncmp(word, "no", 2);
	int i = match_string(names, NR_NAMES, on ? word : word + 2);

	if (i < 0)
		return -EINVAL;
	return option_set(view->inst, i, on);
}

PE_WORD_FILE(options, pe_options_fops);

/* --- options/ ------------------------------------------------------------ */

static int option_store(struct pe_view *view, unsigned int i, unsigned long val)
{
	if (val > 1)
		return -EINVAL;
	return option_set(view->inst, i, val);
}

#define OPTION_FILE(name, i)						\
	static int name##_show(struct seq_file *m, void *v)		\
	{								\
		const struct pe_view *view = m->private;		\
									\
		seq_printf(m, "%d\n", option_get(view->inst, i));	\
		return 0;						\
	}								\
	static int name##_store(struct pe_view *view, unsigned long val) \
	{								\
		return option_store(view, i, val);			\
	}								\
	PE_NUMBER_FILE(name, pe_##name##_fops)

OPTION_FILE(annotate, ANNOTATE);
OPTION_FILE(context_info, CONTEXT_INFO);
OPTION_FILE(record_tgid, RECORD_TGID);
OPTION_FILE(overwrite, OVERWRITE);
OPTION_FILE(disable_on_free, DISABLE_ON_FREE);
OPTION_FILE(irq_info, IRQ_INFO);
OPTION_FILE(markers, MARKERS);
OPTION_FILE(event_fork, EVENT_FORK);
OPTION_FILE(pause, PAUSE);
OPTION_FILE(stacktrace, STACKTRACE);

int pe_options_files(struct pe_instance *inst)
{
	static const struct pe_fs_file table[] = {
		{ "annotate",		PE_FS_RW, &pe_annotate_fops },
		{ "context-info",	PE_FS_RW, &pe_context_info_fops },
		{ "event-fork",		PE_FS_RW, &pe_event_fork_fops },
		{ "irq-info",		PE_FS_RW, &pe_irq_info_fops },
		{ "markers",		PE_FS_RW, &pe_markers_fops },
		{ "overwrite",		PE_FS_RW, &pe_overwrite_fops },
		{ "record-tgid",	PE_FS_RW, &pe_record_tgid_fops },
		{ "disable_on_free",	PE_FS_RW, &pe_disable_on_free_fops },
		{ "pause-on-trace",	PE_FS_RW, &pe_pause_fops },
		{ "stacktrace",		PE_FS_RW, &pe_stacktrace_fops },
		{}
	};
	struct pe_node *dir = pe_fs_mkdir(inst->dir, "options", PE_FS_DIR);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return pe_fs_create_files(dir, table, &inst->views[0]);
}
