// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_buffer.c - small files of an instance: sizes, clock, switches, statistics.
 *
 * A read from the start makes a file's text anew.  A write is a number or a
 * word, at any file position: tools keep such files open and write repeatedly.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>
#include "files.h"
#include "kernel/trace/event/buffers.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/event/variant.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_read.h"
#include "kernel/trace/ring/rb_resize.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

/*
 * Serialises writers of a switch, and of a clock, with all that follows.  Inside are, one after the
 * other, pe_event_mutex, and the instance's snap_mutex with the buffers' locks.
 */
static DEFINE_MUTEX(pe_switch_mutex);

/* --- tracing_on ---------------------------------------------------------- */

static void pe_tracing_on_show(struct seq_file *m, const struct pe_view *view)
{
	seq_printf(m, "%d\n", READ_ONCE(view->inst->tracing_on));
}

static int pe_tracing_on_store(struct pe_view *view, unsigned long val)
{
	struct pe_instance *inst = view->inst;

	mutex_lock(&pe_switch_mutex);
	WRITE_ONCE(inst->tracing_on, !!val);	/* read by pe_record_one(), pe_told_to_stop() */
	if (!val) {
		/* Handlers run with preemption off: all handlers that saw it on end here. */
		synchronize_rcu();
		pe_buffers_wake(inst);
	}
	mutex_unlock(&pe_switch_mutex);
	return 0;
}

const struct pe_small_file pe_tracing_on_file = {
	.show = pe_tracing_on_show,
	.number = pe_tracing_on_store,
};

/* --- buffer_size_kb, buffer_total_size_kb -------------------------------- */

static void pe_size_show(struct seq_file *m, const struct pe_view *view)
{
	struct pe_buffer *buf = pe_instance_buffer(view->inst);
	unsigned long kb = pe_buffer_size_kb(buf, view->cpu);

	if (view->cpu == PE_ALL_CPUS && !kb)
		seq_puts(m, "X\n");
	else if (view->cpu == PE_ALL_CPUS && !READ_ONCE(view->inst->expanded))
		seq_printf(m, "%lu (expanded: %u)\n", kb, PE_BUFFER_DEFAULT_KB);
	else
		seq_printf(m, "%lu\n", kb);
}

static int pe_size_store(struct pe_view *view, unsigned long kb)
{
	return pe_buffers_resize(view->inst, kb, view->cpu);
}

const struct pe_small_file pe_size_file = { .show = pe_size_show, .number = pe_size_store };

static void pe_total_show(struct seq_file *m, const struct pe_view *view)
{
	struct pe_buffer *buf = pe_instance_buffer(view->inst);
	unsigned long kb = pe_buffer_total_kb(buf);

	if (READ_ONCE(view->inst->expanded))
		seq_printf(m, "%lu\n", kb);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", kb,
			   (unsigned long)PE_BUFFER_DEFAULT_KB * pe_buffer_nr_rings(buf));
}

const struct pe_small_file pe_total_size_file = { .show = pe_total_show };

/* --- buffer_percent ------------------------------------------------------ */

static void pe_percent_show(struct seq_file *m, const struct pe_view *view)
{
	seq_printf(m, "%u\n", READ_ONCE(view->inst->buffer_percent));
}

static int pe_percent_store(struct pe_view *view, unsigned long percent)
{
	if (percent > 100)
		return -EINVAL;
	WRITE_ONCE(view->inst->buffer_percent, percent);	/* read by pe_pages_wanted() */
	/* Readers that wait for less than before check again. */
	pe_buffers_wake(view->inst);
	return 0;
}

const struct pe_small_file pe_percent_file = {.show = pe_percent_show, .number = pe_percent_store};

/* --- buffer_subbuf_size_kb ----------------------------------------------- */

static void pe_subbuf_show(struct seq_file *m, const struct pe_view *view)
{
	seq_printf(m, "%lu\n",
		   (1UL << READ_ONCE(pe_instance_buffer(view->inst)->page_shift)) >> 10);
}

/* Rounds up to the next power of two of pages. */
static int pe_subbuf_store(struct pe_view *view, unsigned long kb)
{
	unsigned int shift;

	if (!kb || kb > (1UL << PE_BUFFER_MAX_SHIFT) >> 10)
		return -EINVAL;
	shift = max_t(unsigned int, order_base_2(kb << 10), PAGE_SHIFT);
	return pe_buffers_set_page_shift(view->inst, shift);
}

const struct pe_small_file pe_subbuf_file = { .show = pe_subbuf_show, .number = pe_subbuf_store };

/* --- free_buffer --------------------------------------------------------- */

/*
 * For a program that records: it keeps this file open.  However the program
 * ends, its buffer's memory is freed, and with disable_on_free tracing stops.
 */
static int pe_free_open(struct inode *inode, struct file *file)
{
	file->private_data = pe_view_open(inode);
	return file->private_data ? 0 : -ENODEV;
}

static ssize_t pe_free_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	return count;
}

static int pe_free_release(struct inode *inode, struct file *file)
{
	struct pe_view *view = file->private_data;

	if (test_bit(PE_OPT_DISABLE_ON_FREE, &view->inst->options))
		pe_tracing_on_store(view, 0);
	pe_buffers_resize(view->inst, 1, PE_ALL_CPUS);
	pe_view_close(view);
	return 0;
}

const struct file_operations pe_free_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_free_open,
	.write		= pe_free_write,
	.llseek		= default_llseek,
	.release	= pe_free_release,
};

/* --- trace_clock --------------------------------------------------------- */

static void pe_clock_show(struct seq_file *m, const struct pe_view *view)
{
	unsigned int i, active = READ_ONCE(pe_instance_buffer(view->inst)->clock);

	for (i = 0; i < PE_NR_CLOCKS; i++) {
		if (pe_clocks[i].name)
			seq_printf(m, i == active ? "%s[%s]" : "%s%s", i ? " " : "",
				   pe_clocks[i].name);
	}
	seq_putc(m, '\n');
}

/*
 * Compiled hits know the clock: none is compiled before both buffers have it.  That may take as
 * long as readers do, so pe_event_mutex is not held.
 */
static void pe_set_clock_changes(struct pe_instance *inst, bool on)
{
	mutex_lock(&pe_event_mutex);
	inst->clock_changes = on;
	pe_instance_changed(inst);
	mutex_unlock(&pe_event_mutex);
}

static int pe_clock_store(struct pe_view *view, char *word)
{
	int clock = pe_clock_find(word);

	if (clock < 0)
		return clock;
	mutex_lock(&pe_switch_mutex);
	pe_set_clock_changes(view->inst, true);
	pe_buffers_set_clock(view->inst, clock);
	pe_set_clock_changes(view->inst, false);
	mutex_unlock(&pe_switch_mutex);
	return 0;
}

const struct pe_small_file pe_clock_file = { .show = pe_clock_show, .word = pe_clock_store };

/* --- timestamp_mode ------------------------------------------------------ */

/* Records have the time since the record before; full times are between them. */
const struct pe_small_file pe_timestamp_mode_file = { .text = "[delta] absolute\n" };

/* --- current_tracer, available_tracers ----------------------------------- */

/*
 * There are only events, and nop is the tracer that does nothing besides.  A
 * user who chooses it is about to record, so the buffer gets its size, as the
 * kernel's does.
 */
static int pe_tracer_store(struct pe_view *view, char *word)
{
	return strcmp(word, "nop") ? -EINVAL : pe_buffers_expand(view->inst);
}

const struct pe_small_file pe_tracer_file = { .text = "nop\n", .word = pe_tracer_store };
const struct pe_small_file pe_tracers_file = { .text = "nop\n" };

/* --- per_cpu/cpuN/stats -------------------------------------------------- */

static void pe_show_time(struct seq_file *m, const char *what, u64 ts, bool in_ns)
{
	u32 usecs;
	u64 secs;

	if (!in_ns) {
		seq_printf(m, "%s ts: %llu\n", what, ts);
		return;
	}
	ts += 500;		/* to the next microsecond, as the kernel's file */
	secs = div_u64_rem(div_u64(ts, NSEC_PER_USEC), USEC_PER_SEC, &usecs);
	seq_printf(m, "%s ts: %5llu.%06u\n", what, secs, usecs);
}

static int pe_stats_show(struct seq_file *m)
{
	const struct pe_view *view = m->private;
	struct pe_buffer *buf = pe_instance_buffer(view->inst);
	bool in_ns = pe_clocks[READ_ONCE(buf->clock)].in_ns;
	struct pe_buffer_stats st;
	int ret = pe_buffer_stats(buf, view->cpu, &st);

	if (ret)
		return ret;
	seq_printf(m, "entries: %llu\n", st.rb.entries);
	seq_printf(m, "overrun: %llu\n", st.rb.overrun);
	seq_printf(m, "commit overrun: %llu\n", st.rb.commit_overrun);
	seq_printf(m, "bytes: %llu\n", st.rb.bytes);
	pe_show_time(m, "oldest event", st.oldest_ts, in_ns);
	pe_show_time(m, "now", st.now_ts, in_ns);
	seq_printf(m, "dropped events: %llu\n", st.rb.dropped_events);
	seq_printf(m, "read events: %llu\n", st.rb.read_events);
	return 0;
}

const struct pe_small_file pe_stats_file = { .try_show = pe_stats_show };
