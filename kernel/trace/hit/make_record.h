/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * make_record.h - a hit's record: head, arguments, room in the buffer.  [H]
 *
 * Any context, preemption off.  Functions here are inline for records that are
 * fetched straight into the buffer.  Other records are built in make_record.c.
 */
#ifndef PE_MAKE_RECORD_H
#define PE_MAKE_RECORD_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include <pe_arch/hit_entry.h>
#include "cmdlines.h"
#include "fetch.h"
#include "kernel/know/compat.h"
#include "kernel/trace/ring/rb_buffer_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "record.h"

#define PE_DEPTH_MAX	0xf

/* The sources of a record.  Only a return has @ret_ip; @saved is for it, and for $since. */
struct pe_arrival {
	const struct pe_hit *hit;
	unsigned long ret_ip;
	const u64 *saved;
};

/* A record in scratch memory, with its string data. */
struct pe_built {
	struct pe_event_probe *probe;	/* NULL, as @buf: of trace_marker, for tables */
	struct pe_instance *inst;
	struct pe_buffer *buf;		/* as it was when the hit came */
	const struct pe_hit *hit;
	void *rec;
	unsigned int len;
};

/* make_record.c */

/* Call these before the first hit, and after the last.  0 or -ENOMEM. */
int pe_record_init(void);
void pe_record_exit(void);

/* Fills all but ->ip, for a record that a task makes in a system call. */
void pe_record_head_fill(struct pe_record_head *head, u16 type);

/*
 * Make a record of at most @room bytes in scratch memory, private to this handler.  It stays until
 * the handler makes the next one.
 */
void *pe_record_make(const struct pe_event_probe *probe, const struct pe_arrival *a,
		     unsigned int room, unsigned int *len);
/* The same, for an instance. */
void pe_record_build(struct pe_built *built, struct pe_event_probe *probe,
		     struct pe_instance *inst, const struct pe_arrival *a);
/* Copies it to the buffer if it passes the link's filter; with PE_V_STACK then the stack. */
void pe_record_keep(const struct pe_event_link *link, unsigned int variant,
		    const struct pe_built *built);
/* Records the hit's stack now; this overwrites @built's record. */
void pe_record_stack(const struct pe_built *built);
u8 pe_record_interrupt_flags(unsigned int count, unsigned int softirq);

static inline u8 pe_record_resched_flags(void)
{
	u8 flags = 0;

	if (tif_need_resched())
		flags |= PE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= PE_FLAG_PREEMPT_RESCHED;
	if (pe_need_resched_lazy())
		flags |= PE_FLAG_RESCHED_LAZY;
	return flags;
}

/* common_flags: the state of the probed code, not of this handler. */
static inline u8 pe_record_flags(const struct pe_hit *hit)
{
	unsigned int count = hit->preempt_count;
	unsigned int softirq = pe_softirq_bits(count);
	u8 flags = pe_record_resched_flags();

	if (pe_arch_irqs_were_off(hit->regs))
		flags |= PE_FLAG_IRQS_OFF;
	if (unlikely(count >> SOFTIRQ_SHIFT | softirq))
		flags |= pe_record_interrupt_flags(count, softirq);
	return flags;
}

/* common_preempt_count: the depths of disabled preemption and migration. */
static inline u8 pe_record_depths(unsigned int preempt_count)
{
	unsigned int preempt = preempt_count & PREEMPT_MASK;
	unsigned int migrate = pe_migration_disabled(current);

	return min(preempt, PE_DEPTH_MAX + 0U) | min(migrate, PE_DEPTH_MAX + 0U) << 4;
}

static __always_inline void pe_record_fill_head(void *rec, const struct pe_event_probe *probe,
						const struct pe_arrival *a, bool is_return)
{
	struct pe_record_head *head = rec;

	head->type = probe->program.type;
	head->flags = pe_record_flags(a->hit);
	head->preempt_count = pe_record_depths(a->hit->preempt_count);
	head->pid = current->pid;
	head->ip = probe->kp.addr;
	if (is_return)
		((struct pe_return_head *)rec)->ret_ip = a->ret_ip;
}

static __always_inline unsigned int pe_record_fetch(void *rec, unsigned int room,
						    const struct pe_event_probe *probe,
						    const struct pe_arrival *a)
{
	const struct pe_fetch_source from = { .regs = a->hit->regs, .saved = a->saved };

	return pe_fetch_args(rec, room, &probe->program, from);
}

/* Reserves in @buf, which may meanwhile have become the instance's snapshot. */
static __always_inline void *pe_record_reserve(struct pe_event_probe *probe,
					       struct pe_instance *inst, struct pe_buffer *buf,
					       unsigned int len, struct pe_rb_handle *h)
{
	void *rec;

	if (unlikely(!READ_ONCE(inst->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return NULL;
	}
	rec = pe_buffer_reserve(buf, len, h);
	if (unlikely(!rec)) {
		if (h->fail == PE_RB_FAIL_OFF)
			this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		else
			this_cpu_inc(probe->stat->lost[PE_LOSS_FULL]);
	}
	return rec;
}

/* The name is saved before the record is visible: a reader of the record looks for it. */
static inline void pe_record_commit(struct pe_event_probe *probe, struct pe_rb_handle *h)
{
	pe_cmdline_save();
	pe_rb_commit(h);
	this_cpu_inc(probe->stat->records);
}

#endif
