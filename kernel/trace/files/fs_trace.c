// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_trace.c - the files trace and snapshot: a header and the records, without
 * consuming them.
 *
 * The file is a seq_file over numbered lines: 0 is the header, records begin at 1.
 * It keeps its reader at its next line.  So going on costs nothing, and going back
 * starts over.  It shows the records that all CPUs had at its start, and then
 * ends.  A read past the end gets the records made since.
 *
 * Opening it for writing with O_TRUNC empties the buffer.  Writes are accepted
 * and ignored.  Writing a number to snapshot takes, frees or clears it.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/event_users.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/snapshot.h"
#include "kernel/trace/hit/snapshot_hit.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_read.h"
#include "kernel/trace/trace_instance.h"
#include "reader.h"
#include "refusal.h"

/**
 * struct trace_file - an open trace file
 * @view: the instance, and its CPU or all
 * @snapshot: it is the snapshot's file
 * @reader: at line @line; if that is the header, at the first record.  NULL: it is only written
 * @line: 0: the header
 * @ended: the end was reported
 * @paused: recording is stopped while it is open: option pause-on-trace
 */
struct trace_file {
	struct pe_view *view;
	bool snapshot;
	struct pe_reader *reader;
	loff_t line;
	bool ended;
	bool paused;
};

static void *pe_this_line(struct trace_file *trace)
{
	if (!trace->line)
		return SEQ_START_TOKEN;
	return pe_reader_peek(trace->reader) ? trace : NULL;
}

static void *pe_trace_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct trace_file *trace = m->private;

	if (trace->line)
		pe_reader_step(trace->reader);
	*pos = ++trace->line;
	return pe_this_line(trace);
}

static void *pe_trace_start(struct seq_file *m, loff_t *pos)
{
	struct trace_file *trace = m->private;
	loff_t line;
	void *v;
	int ret;

	if (!*pos || *pos < trace->line) {
		trace->line = LLONG_MAX;	/* on failure the next start tries again */
		ret = pe_reader_restart(trace->reader);
		if (ret)
			return ERR_PTR(ret);
		trace->line = 0;
	} else if (trace->ended) {
		ret = pe_reader_resume(trace->reader);
		if (ret)
			return ERR_PTR(ret);
	}
	v = pe_this_line(trace);
	while (v && trace->line < *pos) {
		if (fatal_signal_pending(current))
			return ERR_PTR(-EINTR);
		cond_resched();
		v = pe_trace_next(m, v, &line);
	}
	trace->ended = !v;
	return v;
}

static void pe_trace_stop(struct seq_file *m, void *v)
{
}

/* Shown instead of records if there are none.  Tools look for its first line. */
static void pe_show_snapshot_help(struct seq_file *m, const struct pe_view *view)
{
	seq_printf(m, "#\n# * Snapshot is %s *\n#\n# Write to this file:\n",
		   pe_snapshot_allocated(view->inst) ? "allocated" : "freed");
	if (view->cpu == PE_ALL_CPUS)
		seq_puts(m, "#  0: empty the snapshot and free its memory\n"
			    "#  1: take a snapshot, after allocating memory if needed\n"
			    "#  2: empty the snapshot, keep its memory\n");
	else
		seq_puts(m, "#  0, 1: only accepted by the snapshot of all CPUs\n"
			    "#  2: empty this CPU's snapshot\n");
}

static int pe_show_header(struct seq_file *m, struct trace_file *trace)
{
	struct pe_instance *inst = trace->view->inst;
	struct pe_buffer *buf = trace->snapshot ? pe_instance_snap(inst)
						: pe_instance_buffer(inst);
	u64 entries = 0, total = 0;
	struct pe_buffer_stats st;
	unsigned int cpu;
	int ret;

	seq_puts(m, "# tracer: nop\n"
		    "#\n");
	if (trace->snapshot && !pe_reader_peek(trace->reader)) {
		pe_show_snapshot_help(m, trace->view);
		return 0;
	}
	if (!test_bit(PE_OPT_CONTEXT_INFO, &inst->options))
		return 0;
	for_each_possible_cpu(cpu) {
		ret = pe_buffer_stats(buf, cpu, &st);
		if (ret)
			return ret;
		entries += st.rb.entries;
		total += st.rb.entries + st.rb.overrun;
	}
	seq_printf(m, "# entries-in-buffer/entries-written: %llu/%llu   #P:%u\n",
		   entries, total, num_online_cpus());
	seq_puts(m, "#\n");
	pe_record_print_columns(m, pe_instance_columns(inst));
	return 0;
}

static int pe_trace_show(struct seq_file *m, void *v)
{
	struct trace_file *trace = m->private;

	if (v == SEQ_START_TOKEN)
		return pe_show_header(m, trace);
	pe_reader_show(trace->reader, m);
	return 0;
}

static const struct seq_operations pe_trace_seq_ops = {
	.start	= pe_trace_start,
	.next	= pe_trace_next,
	.stop	= pe_trace_stop,
	.show	= pe_trace_show,
};

const bool pe_of_buffer, pe_of_snapshot = true;

static struct trace_file *pe_trace_file_of(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int pe_open_for_reading(struct trace_file *trace)
{
	struct pe_view *view = trace->view;

	trace->reader = pe_reader_alloc(view, false, trace->snapshot);
	if (!trace->reader)
		return -ENOMEM;
	trace->paused = !trace->snapshot && test_bit(PE_OPT_PAUSE, &view->inst->options);
	if (trace->paused)
		pe_buffers_record_disable(view->inst, cpu_possible_mask);
	return 0;
}

static int pe_trace_release(struct inode *inode, struct file *file)
{
	struct trace_file *trace = pe_trace_file_of(file);
	struct pe_view *view = trace->view;

	pe_reader_free(trace->reader);
	if (trace->paused)
		pe_buffers_record_enable(view->inst, cpu_possible_mask);
	pe_view_close(view);
	return seq_release_private(inode, file);
}

static int pe_trace_open(struct inode *inode, struct file *file)
{
	const bool *snapshot = pe_fs_how(inode);
	struct pe_view *view = pe_view_open(inode);
	struct trace_file *trace;

	if (!view)
		return -ENODEV;
	trace = __seq_open_private(file, &pe_trace_seq_ops, sizeof(*trace));
	if (!trace) {
		pe_view_close(view);
		return -ENOMEM;
	}
	trace->view = view;
	trace->snapshot = *snapshot;
	if (!(file->f_mode & FMODE_READ)) {
		file->f_mode |= FMODE_PWRITE;	/* seq_open() has cleared it */
	} else if (pe_open_for_reading(trace)) {
		pe_trace_release(inode, file);
		return -ENOMEM;
	}
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC) && !trace->snapshot)
		pe_buffers_reset(view->inst, view->cpu);
	return 0;
}

static int pe_snapshot_do(struct pe_view *view, unsigned long val)
{
	if (val > 1) {
		pe_snapshot_clear(view->inst, view->cpu);
		return 0;
	}
	if (view->cpu != PE_ALL_CPUS)
		return -EINVAL;
	return val ? pe_snapshot_take(view->inst) : pe_snapshot_free(view->inst);
}

static ssize_t pe_trace_write(struct file *file, const char __user *buf,
			      size_t count, loff_t *ppos)
{
	const struct trace_file *trace = pe_trace_file_of(file);
	struct pe_view *view = trace->view;
	const char *why = NULL;
	unsigned long val;
	char user[256];
	int ret;

	if (!trace->snapshot)
		return count;
	ret = kstrtoul_from_user(buf, count, 10, &val);
	if (!ret) {
		ret = pe_snapshot_do(view, val);
		if (ret == -EINVAL)
			why = "the snapshot of one CPU can only be emptied";
		else if (ret == -EBUSY && pe_snapshot_user(view->inst, user, sizeof(user)))
			why = user;
	}
	return pe_refused_why(view->inst, file, buf, count, ret ? ret : count, why);
}

static loff_t pe_trace_llseek(struct file *file, loff_t offset, int whence)
{
	if (pe_trace_file_of(file)->reader)
		return seq_lseek(file, offset, whence);
	file->f_pos = 0;
	return 0;
}

const struct file_operations pe_trace_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_trace_open,
	.read_iter	= seq_read_iter,
	.splice_read	= pe_splice_read,
	.write		= pe_trace_write,
	.llseek		= pe_trace_llseek,
	.release	= pe_trace_release,
};
