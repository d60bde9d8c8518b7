// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_options.c - trace_options and options/.
 *
 * Names and order are those of the kernel's trace_options, and there is a file for each that any
 * supported kernel has: scripts put options where they want them, mostly where they are.  An option
 * that has no effect here, and would have one there, cannot be changed; error_log says why.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "files.h"
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/pids.h"
#include "kernel/trace/event/variant.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/trace_instance.h"
#include "link_file.h"
#include "refusal.h"
#include "small_file.h"

/**
 * struct option - an option of the kernel
 * @name: its name
 * @kind: what it is
 * @unlisted: it has a file only, as in the kernel while "nop" is the tracer
 * @on: at the beginning, and always if it is OPT_FIXED
 * @bit: of the instance, if it is OPT_BIT
 * @why: it cannot be changed, if it is OPT_FIXED
 *
 * OPT_OVERWRITE is a bit of the buffer.  OPT_TRACER has an effect in the kernel only with tracers
 * that do not exist here: it can be switched, as there, and is in the instance's tracer_options.
 */
struct option {
	const char *name;
	enum { OPT_BIT, OPT_OVERWRITE, OPT_TRACER, OPT_FIXED } kind;
	bool unlisted, on;
	enum pe_option bit;
	const char *why;
};

#define BIT_OF(n, b)	{ .name = n, .kind = OPT_BIT, .bit = b }
#define TRACER(n, o)	{ .name = n, .kind = OPT_TRACER, .on = o }
#define TRACER_FILE(n, o)	{ .name = n, .kind = OPT_TRACER, .on = o, .unlisted = true }
#define FIXED(n, o, w)	{ .name = n, .kind = OPT_FIXED, .on = o, .why = w }

static const char pe_one_way[] = "the format of records is fixed";
static const char pe_kernel_stacks[] = "only kernel stacks are recorded";
static const char pe_other_records[] = "trace_printk() is not recorded here";

static const struct option pe_option_rows[] = {
	TRACER("print-parent", true),
	FIXED("sym-offset", false, pe_one_way),
	FIXED("sym-addr", false, pe_one_way),
	FIXED("verbose", false, pe_one_way),
	FIXED("raw", false, pe_one_way),
	FIXED("hex", false, pe_one_way),
	FIXED("bin", false, pe_one_way),
	FIXED("block", false, "use poll() to wait for records"),
	FIXED("fields", false, pe_one_way),
	FIXED("trace_printk", true, pe_other_records),
	BIT_OF("annotate", PE_OPT_ANNOTATE),
	FIXED("userstacktrace", false, pe_kernel_stacks),
	FIXED("sym-userobj", false, pe_kernel_stacks),
	FIXED("printk-msg-only", false, pe_one_way),
	BIT_OF("context-info", PE_OPT_CONTEXT_INFO),
	FIXED("latency-format", false, pe_one_way),
	FIXED("record-cmd", true, "task names are always recorded"),
	BIT_OF("record-tgid", PE_OPT_TGID),
	{ .name = "overwrite", .kind = OPT_OVERWRITE },
	BIT_OF("disable_on_free", PE_OPT_DISABLE_ON_FREE),
	BIT_OF("irq-info", PE_OPT_IRQ_INFO),
	BIT_OF("markers", PE_OPT_MARKERS),
	BIT_OF("event-fork", PE_OPT_EVENT_FORK),
	FIXED("trace_printk_dest", true, pe_other_records),
	BIT_OF("pause-on-trace", PE_OPT_PAUSE),
	FIXED("hash-ptr", true, "records contain no pointers to hash"),
	TRACER("function-trace", true),
	TRACER("function-fork", false),
	TRACER("display-graph", false),
	BIT_OF("stacktrace", PE_OPT_STACKTRACE),
	TRACER("test_nop_accept", false),
	FIXED("test_nop_refuse", false, "it exists to be refused"),
	TRACER_FILE("blk_cgname", false),
	TRACER_FILE("blk_cgroup", false),
	TRACER_FILE("blk_classic", false),
	TRACER_FILE("branch", false),
	TRACER_FILE("func-no-repeats", false),
	TRACER_FILE("func_stack_trace", false),
	TRACER_FILE("funcgraph-abstime", false),
	TRACER_FILE("funcgraph-cpu", true),
	TRACER_FILE("funcgraph-duration", true),
	TRACER_FILE("funcgraph-irqs", true),
	TRACER_FILE("funcgraph-overhead", true),
	TRACER_FILE("funcgraph-overrun", false),
	TRACER_FILE("funcgraph-proc", false),
	TRACER_FILE("funcgraph-retval", false),
	TRACER_FILE("funcgraph-retval-hex", false),
	TRACER_FILE("funcgraph-tail", false),
	TRACER_FILE("graph-time", true),
	TRACER_FILE("sleep-time", true),
};

#define NR_OPTIONS	ARRAY_SIZE(pe_option_rows)

static bool pe_option_get(const struct pe_instance *inst, unsigned int i)
{
	switch (pe_option_rows[i].kind) {
	case OPT_BIT:
		return test_bit(pe_option_rows[i].bit, &inst->options);
	case OPT_OVERWRITE:
		return READ_ONCE(pe_instance_buffer(inst)->overwrite);
	case OPT_TRACER:
		return pe_option_rows[i].on ^ test_bit(i, &inst->tracer_options);
	default:
		return pe_option_rows[i].on;
	}
}

static int pe_set_bit_option(struct pe_instance *inst, enum pe_option bit, bool on)
{
	if (bit == PE_OPT_EVENT_FORK)
		return pe_pids_follow(inst, on);
	/* No variant depends on the others, so they need not wait for a long enable. */
	if (bit != PE_OPT_STACKTRACE) {
		assign_bit(bit, &inst->options, on);
		return 0;
	}
	mutex_lock(&pe_event_mutex);
	assign_bit(bit, &inst->options, on);
	pe_instance_changed(inst);
	mutex_unlock(&pe_event_mutex);
	return 0;
}

/* As it is written to trace_options. */
static int pe_refuse_change(struct pe_instance *inst, const struct option *option)
{
	const struct pe_parse_err err = { .code = PE_ERR_OPTION_FIXED, .detail = option->why };
	char text[32];

	scnprintf(text, sizeof(text), "%s%s", option->on ? "no" : "", option->name);
	pe_error_log_in(inst, "trace_options", text, &err);
	return -EINVAL;
}

static int pe_option_set(struct pe_instance *inst, unsigned int i, bool on)
{
	const struct option *option = &pe_option_rows[i];

	static_assert(NR_OPTIONS <= BITS_PER_TYPE(inst->tracer_options));
	switch (option->kind) {
	case OPT_BIT:
		return pe_set_bit_option(inst, option->bit, on);
	case OPT_OVERWRITE:
		pe_buffers_set_overwrite(inst, on);
		return 0;
	case OPT_TRACER:
		assign_bit(i, &inst->tracer_options, on ^ option->on);
		return 0;
	default:
		return on == option->on ? 0 : pe_refuse_change(inst, option);
	}
}

unsigned int pe_instance_columns(const struct pe_instance *inst)
{
	return (test_bit(PE_OPT_TGID, &inst->options) ? PE_COLUMN_TGID : 0) |
	       (test_bit(PE_OPT_IRQ_INFO, &inst->options) ? PE_COLUMN_FLAGS : 0);
}

/* --- trace_options ------------------------------------------------------- */

static void pe_options_show(struct seq_file *m, const struct pe_view *view)
{
	unsigned int i;

	for (i = 0; i < NR_OPTIONS; i++) {
		if (!pe_option_rows[i].unlisted)
			seq_printf(m, "%s%s\n", pe_option_get(view->inst, i) ? "" : "no",
				   pe_option_rows[i].name);
	}
}

/* Return: NR_OPTIONS if there is none of that name. */
static unsigned int pe_option_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (!pe_option_rows[i].unlisted && !strcmp(name, pe_option_rows[i].name))
			break;
	return i;
}

static ssize_t pe_options_write(struct file *file, const char __user *buf, size_t count)
{
	struct pe_instance *inst = pe_small_view(file)->inst;
	char word[64];
	ssize_t ret = pe_fs_copy_word(word, sizeof(word), buf, count);
	unsigned int i;
	bool on;

	if (ret < 0)
		return pe_refused(inst, file, buf, count, ret);
	on = strncmp(word, "no", 2);
	i = pe_option_find(word + (on ? 0 : 2));
	if (i == NR_OPTIONS)
		return pe_refused_why(inst, file, buf, count, -EINVAL,
				      "read the file for the values it accepts");
	return pe_option_set(inst, i, on) ?: count;
}

const struct pe_small_file pe_options_file = {
	.show = pe_options_show,
	.write = pe_options_write,
	.tells = true,
};

/* --- options/ ------------------------------------------------------------ */

static const struct pe_small_file pe_option_files[NR_OPTIONS];

static unsigned int pe_option_of(const struct file *file)
{
	return pe_small_how(file) - pe_option_files;
}

static void pe_option_show(struct seq_file *m, const struct pe_view *view)
{
	seq_printf(m, "%d\n", pe_option_get(view->inst, pe_option_of(m->file)));
}

static ssize_t pe_option_write(struct file *file, const char __user *buf, size_t count)
{
	struct pe_instance *inst = pe_small_view(file)->inst;
	bool on;
	int ret = pe_parse_switch(buf, count, &on);

	if (ret)
		return pe_refused(inst, file, buf, count, ret);
	return pe_option_set(inst, pe_option_of(file), on) ?: count;
}

static const struct pe_small_file pe_option_files[NR_OPTIONS] = {
	[0 ... NR_OPTIONS - 1] = {
		.show = pe_option_show,
		.write = pe_option_write,
		.tells = true,
	},
};

int pe_options_files(struct pe_instance *inst)
{
	struct pe_node *dir = pe_fs_mkdir(inst->dir, "options", PE_FS_DIR);
	unsigned int i;
	int ret = 0;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	for (i = 0; i < NR_OPTIONS && !ret; i++) {
		const struct pe_fs_file file[] = {{pe_option_rows[i].name, PE_FS_RW,
						   &pe_small_fops, &pe_option_files[i]},
						  {}};

		ret = pe_fs_create_files(dir, file, &inst->views[0]);
	}
	return ret;
}
