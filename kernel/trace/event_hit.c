// SPDX-License-Identifier: GPL-2.0
/*
 * event_hit.c - from a hit to records in the buffers.  [H]
 *
 * A hit makes one record in each instance that has the event enabled.  The sum
 * that every test checks, per probe and CPU:
 *
 *	hits + extra = records + sum of lost[]
 *
 * Each enabled link gives one record or one counted loss; no enabled link at all
 * is one loss, too; @extra is the number of links beyond the first.
 *
 * A record of fixed size is fetched straight into the buffer.  The size of one
 * with strings is known only after fetching, and a filter looks at a record that
 * may never be: these are built in scratch memory and then copied.  There is one
 * scratch block per CPU and level of context; the engine runs at most one handler
 * per level at a time, so a block is private to the handler that uses it, whatever
 * interrupts it.
 */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/processor-flags.h>
#include "kernel/compat.h"
#include "event_filter.h"
#include "rb_buffer.h"
#include "record.h"
#include "trace.h"

#define SCRATCH_SIZE	4096
#define DEPTH_MAX	0xf

struct scratch {
	u8 data[PE_NR_LEVELS][SCRATCH_SIZE] __aligned(8);
};

static struct scratch __percpu *scratch;

const char *const pe_loss_names[PE_NR_LOSSES] = {
	[PE_LOSS_OFF] = "off",
	[PE_LOSS_FULL] = "full",
	[PE_LOSS_FILTER] = "filter",
	[PE_LOSS_UNLINKED] = "unlinked",
};

int pe_event_hit_init(void)
{
	scratch = alloc_percpu(struct scratch);
	return scratch ? 0 : -ENOMEM;
}

void pe_event_hit_exit(void)
{
	free_percpu(scratch);
}

/* Of common_flags, what no plain task shows. */
static noinline u8 interrupt_flags(unsigned int count, unsigned int softirq)
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

/* common_flags: the state of the probed code, not that of this handler. */
static u8 context_flags(const struct pe_hit *hit)
{
	unsigned int count = hit->preempt_count;
	unsigned int softirq = pe_softirq_bits(count);
	u8 flags = 0;

	if (!(hit->regs->flags & X86_EFLAGS_IF))
		flags |= PE_FLAG_IRQS_OFF;
	if (unlikely(count >> SOFTIRQ_SHIFT | softirq))
		flags |= interrupt_flags(count, softirq);
	if (tif_need_resched())
		flags |= PE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= PE_FLAG_PREEMPT_RESCHED;
	if (pe_need_resched_lazy())
		flags |= PE_FLAG_RESCHED_LAZY;
	return flags;
}

/* common_preempt_count: how often preemption, and migration, is disabled. */
static u8 context_depths(const struct pe_hit *hit)
{
	unsigned int preempt = hit->preempt_count & PREEMPT_MASK;
	unsigned int migrate = current->migration_disabled;

	return min(preempt, DEPTH_MAX + 0U) | min(migrate, DEPTH_MAX + 0U) << 4;
}

static void fill_head(struct pe_record_head *head, const struct pe_event_probe *probe,
		      const struct pe_hit *hit)
{
	head->type = probe->event->id;
	head->flags = context_flags(hit);
	head->preempt_count = context_depths(hit);
	head->pid = current->pid;
	head->ip = probe->kp.addr;
}

static unsigned int fetch(void *rec, unsigned int room, struct pe_event_probe *probe,
			  const struct pe_hit *hit)
{
	const struct pe_event *event = probe->event;

	return pe_fetch_args(rec, room, event->record_fixed, probe->args,
			     event->nargs, probe->pool, hit->regs);
}

static __always_inline void *reserve(struct pe_event_probe *probe,
				     struct pe_instance *inst, unsigned int len,
				     struct pe_rb_handle *h)
{
	void *rec;

	if (unlikely(!READ_ONCE(inst->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return NULL;
	}
	rec = pe_buffer_reserve(inst->buffer, len, h);
	if (unlikely(!rec)) {
		if (h->fail == PE_RB_FAIL_OFF)
			this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		else
			this_cpu_inc(probe->stat->lost[PE_LOSS_FULL]);
	}
	return rec;
}

static void commit(struct pe_event_probe *probe, struct pe_instance *inst,
		   struct pe_rb_handle *h)
{
	pe_buffer_commit(inst->buffer, h);
	this_cpu_inc(probe->stat->records);
	pe_cmdline_save();
}

static void record_fixed(struct pe_event_probe *probe, struct pe_instance *inst,
			 const struct pe_hit *hit)
{
	unsigned int len = probe->event->record_fixed;
	struct pe_rb_handle h __uninitialized;
	void *rec = reserve(probe, inst, len, &h);

	if (!rec)
		return;
	fill_head(rec, probe, hit);
	fetch(rec, len, probe, hit);
	commit(probe, inst, &h);
}

/* @filter: or NULL */
static noinline void record_scratch(struct pe_event_probe *probe,
				    struct pe_instance *inst,
				    const struct pe_link_filter *filter,
				    const struct pe_hit *hit)
{
	unsigned int cpu = raw_smp_processor_id();
	struct pe_buffer_cpu *bc = pe_buffer_cpu(inst->buffer, cpu);
	unsigned int room = min(pe_rb_max_len(&bc->rb), SCRATCH_SIZE + 0U);
	void *block = this_cpu_ptr(scratch)->data[hit->level];
	struct pe_rb_handle h __uninitialized;
	unsigned int len;
	void *rec;

	/* Spare the fetching, a string's faults included, when it is in vain. */
	if (unlikely(!READ_ONCE(inst->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return;
	}
	fill_head(block, probe, hit);
	len = fetch(block, room, probe, hit);
	if (filter && !pe_filter_match(&filter->program, block, len, cpu)) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_FILTER]);
		return;
	}
	rec = reserve(probe, inst, len, &h);
	if (!rec)
		return;
	memcpy(rec, block, len);
	commit(probe, inst, &h);
}

/**
 * pe_event_hit() - handler of every probe that belongs to an event
 * @kp: inside a struct pe_event_probe
 * @hit: registers and context
 *
 * Any context, preemption off: that is also the RCU section for the links.
 */
void pe_event_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct pe_event_probe *probe = container_of(kp, struct pe_event_probe, kp);
	const struct pe_link_filter *filter;
	struct pe_event_link *link;
	bool wanted = false;

	this_cpu_inc(probe->stat->hits);
	list_for_each_entry_rcu(link, &probe->event->links, event_list, true) {
		if (!READ_ONCE(link->enabled))
			continue;
		if (unlikely(wanted))
			this_cpu_inc(probe->stat->extra);
		wanted = true;
		filter = rcu_dereference_raw(link->filter);
		if (unlikely(probe->dynamic || filter))
			record_scratch(probe, link->instance, filter, hit);
		else
			record_fixed(probe, link->instance, hit);
	}
	if (unlikely(!wanted))
		this_cpu_inc(probe->stat->lost[PE_LOSS_UNLINKED]);
}
