// SPDX-License-Identifier: GPL-2.0
/*
 * fs_options.c - trace_options and options/: only options that have an effect.
 *
 * Names and order are those of the kernel's trace_options.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/variant.h"
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

/* overwrite is a bit of the buffer, the others are bits of the instance. */
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
	if (i == OVERWRITE) {
		pe_buffers_set_overwrite(inst, on);
		return 0;
	}
	/* No variant depends on the others, so they need not wait for a long enable. */
	if (bits[i] != PE_OPT_STACKTRACE) {
		assign_bit(bits[i], &inst->options, on);
		return 0;
	}
	mutex_lock(&pe_event_mutex);
	assign_bit(bits[i], &inst->options, on);
	pe_instance_changed(inst);
	mutex_unlock(&pe_event_mutex);
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

const struct pe_small_file pe_options_file = { .show = options_show, .word = options_store };

/* --- options/ ------------------------------------------------------------ */

static const struct pe_small_file option_files[NR_NAMES];

static unsigned int option_of(const struct file *file)
{
	return pe_small_how(file) - option_files;
}

static int option_show(struct seq_file *m, void *v)
{
	const struct pe_view *view = m->private;

	seq_printf(m, "%d\n", option_get(view->inst, option_of(m->file)));
	return 0;
}

static ssize_t option_write(struct file *file, const char __user *buf, size_t count)
{
	unsigned long val;
	int ret = kstrtoul_from_user(buf, count, 10, &val);

	if (!ret)
		ret = val > 1 ? -EINVAL :
				option_set(pe_small_view(file)->inst, option_of(file), val);
	return ret ? ret : count;
}

static const struct pe_small_file option_files[NR_NAMES] = {
	[0 ... NR_NAMES - 1] = { .show = option_show, .write = option_write },
};

int pe_options_files(struct pe_instance *inst)
{
	static const struct pe_fs_file table[] = {
		{ "annotate",		PE_FS_RW, &pe_small_fops, &option_files[ANNOTATE] },
		{ "context-info",	PE_FS_RW, &pe_small_fops, &option_files[CONTEXT_INFO] },
		{ "event-fork",		PE_FS_RW, &pe_small_fops, &option_files[EVENT_FORK] },
		{ "irq-info",		PE_FS_RW, &pe_small_fops, &option_files[IRQ_INFO] },
		{ "markers",		PE_FS_RW, &pe_small_fops, &option_files[MARKERS] },
		{ "overwrite",		PE_FS_RW, &pe_small_fops, &option_files[OVERWRITE] },
		{ "record-tgid",	PE_FS_RW, &pe_small_fops, &option_files[RECORD_TGID] },
		{ "disable_on_free",	PE_FS_RW, &pe_small_fops, &option_files[DISABLE_ON_FREE] },
		{ "pause-on-trace",	PE_FS_RW, &pe_small_fops, &option_files[PAUSE] },
		{ "stacktrace",		PE_FS_RW, &pe_small_fops, &option_files[STACKTRACE] },
		{}
	};
	struct pe_node *dir = pe_fs_mkdir(inst->dir, "options", PE_FS_DIR);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return pe_fs_create_files(dir, table, &inst->views[0]);
}
