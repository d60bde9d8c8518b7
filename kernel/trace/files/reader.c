// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * reader.c - records of one or all CPUs in order of time, as lines of text.
 *
 * The reader remembers the time of each CPU's oldest record, and serves the CPU with the smallest
 * time next.  The remembered times are hints.  Nothing is locked between two records, so another
 * reader or a reset may come in between.  The ring's answer counts while its reader lock is held.
 * A writer never waits for any of this.
 *
 * Events are looked up by id, under RCU, at the moment of printing.  The event
 * layer empties the buffer before an id can be used again.  So a record is
 * printed with its own event or as an unknown type, never with another event.
 */
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "files.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/hit/cmdlines.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/ring/rb.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_read.h"
#include "kernel/trace/ring/rb_page.h"
#include "kernel/trace/ring/rb_read.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "reader.h"

/**
 * struct pe_reader_cpu - a reader's place in a CPU's ring
 * @ts: time of its oldest record, a hint
 * @ready: @ts is known
 * @done: not consuming: the end was reached
 * @begun: not consuming: a record was shown
 * @it: not consuming; private to this reader
 * @page: the buffer of @it
 */
struct pe_reader_cpu {
	u64 ts;
	bool ready;
	bool done;
	bool begun;
	struct pe_rb_iter it;
	struct pe_buffer_page page;
};

/**
 * struct pe_reader - records of one CPU, or of all, merged
 * @view: the instance, and its CPU or all
 * @buf: the buffer that the instance had at the last look
 * @consuming: takes the records out
 * @snapshot: reads the instance's snapshot
 * @cur: CPU of the record to show
 * @index: its number in this view, from 0
 * @annotate: say where a CPU's buffer starts
 * @cpus: [cpu]
 */
struct pe_reader {
	struct pe_view *view;
	struct pe_buffer *buf;
	bool consuming;
	bool snapshot;
	bool annotate;
	int cur;
	unsigned long index;
	struct pe_reader_cpu cpus[];
};

void pe_reader_free(struct pe_reader *reader)
{
	unsigned int cpu;

	if (!reader)
		return;
	pe_for_each_cpu_of(cpu, reader->view->cpu)
		pe_buffer_page_free(&reader->cpus[cpu].page);
	kvfree(reader);
}

/* After a snapshot it is another buffer, and nothing known of the old one holds. */
static void pe_find_buffer(struct pe_reader *reader)
{
	struct pe_instance *inst = reader->view->inst;
	struct pe_buffer *buf = reader->snapshot ? pe_instance_snap(inst)
						 : pe_instance_buffer(inst);
	unsigned int cpu;

	if (buf == reader->buf)
		return;
	reader->buf = buf;
	pe_for_each_cpu_of(cpu, reader->view->cpu)
		reader->cpus[cpu].ready = false;
}

struct pe_reader *pe_reader_alloc(struct pe_view *view, bool consuming, bool snapshot)
{
	struct pe_reader *reader;
	unsigned int cpu;

	reader = kvzalloc(struct_size(reader, cpus, nr_cpu_ids), GFP_KERNEL);
	if (!reader)
		return NULL;
	reader->view = view;
	reader->consuming = consuming;
	reader->snapshot = snapshot;
	pe_find_buffer(reader);
	if (consuming)
		return reader;
	pe_for_each_cpu_of(cpu, view->cpu) {
		if (pe_buffer_has_ring(reader->buf, cpu) &&
		    pe_buffer_page_alloc(reader->buf, cpu, &reader->cpus[cpu].page)) {
			pe_reader_free(reader);
			return NULL;
		}
	}
	return reader;
}

static bool pe_peek_ring(struct pe_reader *reader, struct pe_rb *rb,
			 struct pe_reader_cpu *c, struct pe_rb_record *rec)
{
	c->ready = reader->consuming ? pe_rb_peek(rb, rec)
				     : pe_rb_iter_peek(&c->it, rec);
	if (c->ready)
		c->ts = rec->ts;
	else
		c->done = true;
	return c->ready;
}

static void pe_reader_refill(struct pe_reader *reader, unsigned int cpu)
{
	struct pe_reader_cpu *c = &reader->cpus[cpu];
	struct pe_rb_record rec;
	struct pe_rb *rb;

	if (reader->consuming ? !pe_buffer_maybe_data(reader->buf, cpu) : c->done)
		return;
	rb = pe_buffer_lock_reader(reader->buf, cpu);
	pe_peek_ring(reader, rb, c, &rec);
	pe_buffer_unlock_reader(reader->buf, cpu);
}

/* Return: the CPU to serve next, or -1 if all are empty. */
static int pe_find_oldest(struct pe_reader *reader)
{
	unsigned int cpu;
	u64 ts = 0;
	int found = -1;

	pe_for_each_cpu_of(cpu, reader->view->cpu) {
		struct pe_reader_cpu *c = &reader->cpus[cpu];

		if (!c->ready)
			pe_reader_refill(reader, cpu);
		if (c->ready && (found < 0 || c->ts < ts)) {
			found = cpu;
			ts = c->ts;
		}
	}
	return found;
}

static void pe_show_payload(struct seq_file *m, const struct pe_rb_record *rec)
{
	const struct pe_record_head *head = rec->data;
	struct pe_layout layout;
	struct pe_event *event;

	if (head->type == PE_PRINT_ID) {
		pe_marker_print(m, rec->data, rec->len);
		return;
	}
	if (head->type == PE_RAW_DATA_ID) {
		pe_marker_raw_print(m, rec->data, rec->len);
		return;
	}
	if (head->type == PE_STACK_ID) {
		pe_record_print_stack(m, rec->data, rec->len);
		return;
	}
	rcu_read_lock();
	event = pe_event_by_id(head->type);
	if (event) {
		pe_event_layout(event, &layout);
		pe_record_print(m, &layout, rec->data, rec->len);
	} else {
		seq_printf(m, "Unknown type %d\n", head->type);
	}
	rcu_read_unlock();
}

void pe_record_show(struct seq_file *m, const struct pe_instance *inst,
		    const struct pe_buffer *buf, unsigned int cpu, const struct pe_rb_record *rec)
{
	const struct pe_record_head *head = rec->data;

	if (test_bit(PE_OPT_CONTEXT_INFO, &inst->options)) {
		char comm[16];
		struct pe_record_origin origin = {
			.comm = comm,
			.tgid = pe_cmdline_find(head->pid, comm),
			.cpu = cpu,
			.ts = rec->ts,
			.in_ns = pe_clocks[buf->clock].in_ns,
			.columns = pe_instance_columns(inst),
		};

		pe_record_print_head(m, rec->data, &origin);
	}
	pe_show_payload(m, rec);
}

static void pe_show_record(struct pe_reader *reader, unsigned int cpu,
			   const struct pe_rb_record *rec, struct seq_file *m)
{
	if (rec->lost)
		seq_printf(m, "CPU:%u [LOST %llu EVENTS]\n", cpu, rec->lost);
	/* As the kernel has it, not for the first two records. */
	if (reader->annotate && !reader->cpus[cpu].begun && reader->index > 1)
		seq_printf(m, "##### CPU %u buffer started ####\n", cpu);
	if (WARN_ON_ONCE(rec->len < PE_RECORD_COMMON))
		return;
	pe_record_show(m, reader->view->inst, reader->buf, cpu, rec);
}

/* The caller holds the reader lock.  1: done; 0: it is another record now; -ENOSPC. */
static int pe_consume_from(struct pe_reader *reader, unsigned int cpu,
			   struct pe_rb *rb, struct seq_file *m)
{
	struct pe_reader_cpu *c = &reader->cpus[cpu];
	struct pe_rb_record rec;
	size_t count = m->count;
	u64 ts = c->ts;

	if (!pe_peek_ring(reader, rb, c, &rec) || rec.ts > ts)
		return 0;
	pe_show_record(reader, cpu, &rec, m);
	if (seq_has_overflowed(m)) {
		m->count = count;
		return -ENOSPC;
	}
	pe_rb_consume(rb);
	pe_peek_ring(reader, rb, c, &rec);
	return 1;
}

int pe_reader_consume(struct pe_reader *reader, struct seq_file *m)
{
	int cpu, ret;

	do {
		struct pe_rb *rb;

		pe_find_buffer(reader);
		cpu = pe_find_oldest(reader);
		if (cpu < 0)
			return 0;
		rb = pe_buffer_lock_reader(reader->buf, cpu);
		ret = pe_consume_from(reader, cpu, rb, m);
		pe_buffer_unlock_reader(reader->buf, cpu);
	} while (!ret);
	return ret;
}

/* Return: 1 if records were overwritten, else 0; -ENOMEM. */
static int pe_any_overrun(struct pe_buffer *buf)
{
	struct pe_buffer_stats st;
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu) {
		ret = pe_buffer_stats(buf, cpu, &st);
		if (ret || st.rb.overrun)
			return ret ?: 1;
	}
	return 0;
}

/* Let all iterators end where the rings end now.  @on: go on with those that can. */
static int pe_move_ends(struct pe_reader *reader, bool on)
{
	unsigned int cpu;

	pe_find_buffer(reader);
	pe_for_each_cpu_of(cpu, reader->view->cpu) {
		struct pe_reader_cpu *c = &reader->cpus[cpu];
		struct pe_rb *rb;

		c->done = true;
		c->ready = false;
		if (!pe_buffer_has_ring(reader->buf, cpu))
			continue;
		rb = pe_buffer_lock_with_page(reader->buf, cpu, &c->page);
		if (!rb)
			return -ENOMEM;
		if (!on || c->it.rb != rb || !pe_rb_iter_extend(&c->it))
			pe_rb_iter_start(&c->it, rb, c->page.data);
		pe_buffer_unlock_reader(reader->buf, cpu);
		c->done = false;
		c->begun = c->begun && on;
	}
	return 0;
}

int pe_reader_restart(struct pe_reader *reader)
{
	int ret = pe_move_ends(reader, false);

	reader->index = 0;
	if (!ret && test_bit(PE_OPT_ANNOTATE, &reader->view->inst->options))
		ret = pe_any_overrun(reader->buf);
	reader->annotate = ret > 0;
	return min(ret, 0);
}

int pe_reader_resume(struct pe_reader *reader)
{
	return pe_move_ends(reader, true);
}

bool pe_reader_peek(struct pe_reader *reader)
{
	reader->cur = pe_find_oldest(reader);
	return reader->cur >= 0;
}

void pe_reader_show(struct pe_reader *reader, struct seq_file *m)
{
	struct pe_reader_cpu *c = &reader->cpus[reader->cur];
	struct pe_rb_record rec;
	struct pe_rb *rb = pe_buffer_lock_reader(reader->buf, reader->cur);

	if (pe_peek_ring(reader, rb, c, &rec))
		pe_show_record(reader, reader->cur, &rec, m);
	pe_buffer_unlock_reader(reader->buf, reader->cur);
}

void pe_reader_step(struct pe_reader *reader)
{
	struct pe_reader_cpu *c = &reader->cpus[reader->cur];
	struct pe_rb_record rec;
	struct pe_rb *rb = pe_buffer_lock_reader(reader->buf, reader->cur);

	pe_rb_iter_next(&c->it);
	pe_peek_ring(reader, rb, c, &rec);
	pe_buffer_unlock_reader(reader->buf, reader->cur);
	c->begun = true;
	reader->index++;
}
