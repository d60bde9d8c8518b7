// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * make_record.c - records that are built before they are kept.  [H]
 *
 * A record of fixed size is fetched straight into the buffer.  Others are built
 * in scratch memory and then copied: the size of a record with strings is known
 * only after fetching.  And a filter looks at a record that may not be kept.
 * There is one scratch block per CPU and level of context.  The engine runs at
 * most one handler per level at a time, so a block is private to its handler,
 * whatever interrupts it.
 */
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "filter_hit.h"
#include "kernel/trace/ring/rb.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "make_record.h"
#include "record.h"

#define SCRATCH_SIZE	4096

struct scratch {
	u8 data[PE_NR_LEVELS][SCRATCH_SIZE] __aligned(8);
};

static struct scratch __percpu *pe_make_record_scratch;

int pe_record_init(void)
{
	pe_make_record_scratch = alloc_percpu(struct scratch);
	return pe_make_record_scratch ? 0 : -ENOMEM;
}

void pe_record_exit(void)
{
	free_percpu(pe_make_record_scratch);
}

/* The bits of common_flags that a plain task does not have. */
u8 pe_record_interrupt_flags(unsigned int count, unsigned int softirq)
{
	u8 flags = 0;

	if (count & NMI_MASK)
		flags |= PE_FLAG_NMI;
	if (count & HARDIRQ_MASK)
		flags |= PE_FLAG_HARDIRQ;
	if (softirq & SOFTIRQ_OFFSET)
		flags |= PE_FLAG_SOFTIRQ;
	if (softirq >> (SOFTIRQ_SHIFT + 1))
		flags |= PE_FLAG_BH_OFF;
	return flags;
}

/* The caller is a task with interrupts, softirqs and preemption on. */
void pe_record_head_fill(struct pe_record_head *head, u16 type)
{
	head->type = type;
	head->flags = pe_record_resched_flags();
	head->preempt_count = pe_record_depths(0);
	head->pid = current->pid;
}

/* Bytes that fit into both a scratch block and a sub-buffer. */
static unsigned int pe_scratch_room(struct pe_buffer *buf)
{
	struct pe_buffer_cpu *bc = pe_buffer_cpu(buf, raw_smp_processor_id());

	return min(pe_rb_max_len(&bc->rb), SCRATCH_SIZE + 0U);
}

void *pe_record_make(const struct pe_event_probe *probe, const struct pe_arrival *a,
		     unsigned int room, unsigned int *len)
{
	void *block = this_cpu_ptr(pe_make_record_scratch)->data[a->hit->level];

	pe_record_fill_head(block, probe, a, probe->program.is_return);
	*len = pe_record_fetch(block, room, probe, a);
	return block;
}

void pe_record_build(struct pe_built *built, struct pe_event_probe *probe,
		     struct pe_instance *inst, const struct pe_arrival *a)
{
	built->probe = probe;
	built->inst = inst;
	built->buf = pe_instance_buffer(inst);
	built->hit = a->hit;
	built->rec = pe_record_make(probe, a, pe_scratch_room(built->buf), &built->len);
}

/* The stack record reuses the record's head and its place in the scratch block. */
void pe_record_stack(const struct pe_built *built)
{
	struct pe_stack_record *stack = built->rec;
	struct pe_event_probe *probe = built->probe;
	struct pe_rb_handle h __uninitialized;
	unsigned int len, max;
	void *rec;

	this_cpu_inc(probe->stat->extra);
	/* Skip the walk if recording is off. */
	if (unlikely(!READ_ONCE(built->inst->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return;
	}
	max = (pe_scratch_room(built->buf) - sizeof(*stack)) / sizeof(stack->caller[0]);
	stack->type = PE_STACK_ID;
	stack->size = pe_hit_stack(built->hit, probe->program.is_return, stack->caller, max);
	stack->unused = 0;
	len = struct_size(stack, caller, stack->size);
	rec = pe_record_reserve(probe, built->inst, built->buf, len, &h);
	if (!rec)
		return;
	memcpy(rec, stack, len);
	pe_record_commit(probe, &h);
}

void pe_record_keep(const struct pe_event_link *link, unsigned int variant,
		    const struct pe_built *built)
{
	const struct pe_link_filter *filter = rcu_dereference_raw(link->filter);
	struct pe_event_probe *probe = built->probe;
	struct pe_rb_handle h __uninitialized;
	void *rec;

	if (filter && !pe_filter_match(&filter->program, built->rec, built->len,
				       raw_smp_processor_id())) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_FILTER]);
		return;
	}
	rec = pe_record_reserve(probe, built->inst, built->buf, built->len, &h);
	if (!rec)
		return;
	memcpy(rec, built->rec, built->len);
	pe_record_commit(probe, &h);
	if (variant & PE_V_STACK)
		pe_record_stack(built);
}
