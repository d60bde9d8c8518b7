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
 * is one loss, too; @extra is the number of links beyond the first.  The stack of a
 * hit, where one is wanted, is a record of its own, and one more in @extra.
 *
 * The hit of a return probe is the return.  What only the entry knows, function
 * arguments and the time, it saves in the call's instance, which the engine keeps.
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
#include <linux/timekeeping.h>
#include <asm/processor-flags.h>
#include "cmdlines.h"
#include "kernel/compat.h"
#include "event_hit.h"
#include "fetch.h"
#include "kernel/trace/parse/filter.h"
#include "pids_hit.h"
#include "kernel/trace/ring/rb.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_write.h"
#include "kernel/trace/ring/rb_write.h"
#include "record.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "trigger_hit.h"

#define SCRATCH_SIZE	4096
#define DEPTH_MAX	0xf

/* What a record is made of; @ret_ip only of a return. */
struct arrival {
	const struct pe_hit *hit;
	unsigned long ret_ip;
	struct pe_fetch_source from;
};

/* A record in scratch memory, with its string data. */
struct pe_built {
	struct pe_event_probe *probe;
	struct pe_instance *inst;
	struct pe_buffer *buf;		/* as it was when the hit came */
	const struct pe_hit *hit;
	void *rec;
	unsigned int len;
};

struct scratch {
	u8 data[PE_NR_LEVELS][SCRATCH_SIZE] __aligned(8);
};

static struct scratch __percpu *scratch;

const char *const pe_loss_names[PE_NR_LOSSES] = {
	[PE_LOSS_OFF] = "off",
	[PE_LOSS_FULL] = "full",
	[PE_LOSS_FILTER] = "filter",
	[PE_LOSS_SOFT] = "soft",
	[PE_LOSS_PID] = "pid",
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

static u8 resched_flags(void)
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

/* common_flags: the state of the probed code, not that of this handler. */
static u8 context_flags(const struct pe_hit *hit)
{
	unsigned int count = hit->preempt_count;
	unsigned int softirq = pe_softirq_bits(count);
	u8 flags = resched_flags();

	if (!(hit->regs->flags & X86_EFLAGS_IF))
		flags |= PE_FLAG_IRQS_OFF;
	if (unlikely(count >> SOFTIRQ_SHIFT | softirq))
		flags |= interrupt_flags(count, softirq);
	return flags;
}

/* common_preempt_count: how often preemption, and migration, is disabled. */
static u8 context_depths(unsigned int preempt_count)
{
	unsigned int preempt = preempt_count & PREEMPT_MASK;
	unsigned int migrate = current->migration_disabled;

	return min(preempt, DEPTH_MAX + 0U) | min(migrate, DEPTH_MAX + 0U) << 4;
}

/* The caller has interrupts, softirqs and preemption on. */
void pe_record_head_fill(struct pe_record_head *head, u16 type)
{
	head->type = type;
	head->flags = resched_flags();
	head->preempt_count = context_depths(0);
	head->pid = current->pid;
}

static __always_inline void fill_head(void *rec, const struct pe_event_probe *probe,
				      const struct arrival *a, bool is_return)
{
	struct pe_record_head *head = rec;

	head->type = probe->event->id;
	head->flags = context_flags(a->hit);
	head->preempt_count = context_depths(a->hit->preempt_count);
	head->pid = current->pid;
	head->ip = probe->kp.addr;
	if (is_return)
		((struct pe_return_head *)rec)->ret_ip = a->ret_ip;
}

static unsigned int fetch(void *rec, unsigned int room, struct pe_event_probe *probe,
			  const struct arrival *a)
{
	const struct pe_event *event = probe->event;

	return pe_fetch_args(rec, room, event->record_fixed, probe->args,
			     event->nargs, probe->pool, &a->from);
}

/* In @buf, which may have become the instance's snapshot by now. */
static __always_inline void *reserve(struct pe_event_probe *probe,
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

/* The name first: whom the commit wakes looks for it. */
static void commit(struct pe_event_probe *probe, struct pe_buffer *buf,
		   struct pe_rb_handle *h)
{
	pe_cmdline_save();
	pe_buffer_commit(buf, h);
	this_cpu_inc(probe->stat->records);
}

static __always_inline void record_fixed(struct pe_event_probe *probe,
					 struct pe_instance *inst,
					 const struct arrival *a, bool is_return)
{
	unsigned int len = probe->event->record_fixed;
	struct pe_buffer *buf = pe_instance_buffer(inst);
	struct pe_rb_handle h __uninitialized;
	void *rec = reserve(probe, inst, buf, len, &h);

	if (!rec)
		return;
	fill_head(rec, probe, a, is_return);
	fetch(rec, len, probe, a);
	commit(probe, buf, &h);
}

/* Bytes that fit into a scratch block, and into a sub-buffer. */
static unsigned int scratch_room(struct pe_buffer *buf)
{
	struct pe_buffer_cpu *bc = pe_buffer_cpu(buf, raw_smp_processor_id());

	return min(pe_rb_max_len(&bc->rb), SCRATCH_SIZE + 0U);
}

static void build(struct pe_built *built, struct pe_event_probe *probe,
		  struct pe_instance *inst, const struct arrival *a)
{
	void *block = this_cpu_ptr(scratch)->data[a->hit->level];

	built->probe = probe;
	built->inst = inst;
	built->buf = pe_instance_buffer(inst);
	built->hit = a->hit;
	built->rec = block;
	fill_head(block, probe, a, probe->event->is_return);
	built->len = fetch(block, scratch_room(built->buf), probe, a);
}

static bool stack_option(const struct pe_instance *inst)
{
	return READ_ONCE(inst->options) & BIT(PE_OPT_STACKTRACE);
}

/* It gets the record's head and takes its place in the scratch block. */
void pe_record_stack(const struct pe_built *built)
{
	struct pe_stack_record *stack = built->rec;
	struct pe_event_probe *probe = built->probe;
	struct pe_rb_handle h __uninitialized;
	unsigned int len, max;
	void *rec;

	this_cpu_inc(probe->stat->extra);
	/* Spare the walk when it is in vain. */
	if (unlikely(!READ_ONCE(built->inst->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return;
	}
	max = (scratch_room(built->buf) - sizeof(*stack)) / sizeof(stack->caller[0]);
	stack->type = PE_STACK_ID;
	stack->size = pe_hit_stack(built->hit, probe->event->is_return, stack->caller, max);
	stack->unused = 0;
	len = struct_size(stack, caller, stack->size);
	rec = reserve(probe, built->inst, built->buf, len, &h);
	if (!rec)
		return;
	memcpy(rec, stack, len);
	commit(probe, built->buf, &h);
}

static void keep(const struct pe_event_link *link, const struct pe_built *built)
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
	rec = reserve(probe, built->inst, built->buf, built->len, &h);
	if (!rec)
		return;
	memcpy(rec, built->rec, built->len);
	commit(probe, built->buf, &h);
	if (stack_option(built->inst))
		pe_record_stack(built);
}

static noinline void record_scratch(struct pe_event_probe *probe,
				    struct pe_event_link *link, const struct arrival *a)
{
	struct pe_built built;

	/* Spare the fetching, a string's faults included, when it is in vain. */
	if (unlikely(!READ_ONCE(link->instance->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return;
	}
	build(&built, probe, link->instance, a);
	keep(link, &built);
}

static __always_inline void record_one(struct pe_event_probe *probe,
				       struct pe_event_link *link,
				       const struct arrival *a, bool is_return)
{
	if (unlikely(probe->dynamic || rcu_access_pointer(link->filter) ||
		     stack_option(link->instance)))
		record_scratch(probe, link, a);
	else
		record_fixed(probe, link->instance, a, is_return);
}

static bool wanted_pid(struct pe_event_probe *probe, const struct pe_instance *inst)
{
	if (!READ_ONCE(inst->by_pid) || pe_pids_want(inst))
		return true;
	this_cpu_inc(probe->stat->lost[PE_LOSS_PID]);
	return false;
}

/* Where a list of pids has a say. */
static noinline void record_by_pid(struct pe_event_probe *probe,
				   struct pe_event_link *link, const struct arrival *a)
{
	if (wanted_pid(probe, link->instance))
		record_one(probe, link, a, probe->event->is_return);
}

/*
 * With triggers, or enabled and disabled by some.  What they switch counts for this
 * hit as it does in the kernel: an event that is disabled by now makes no record;
 * where a trigger has to see the record, one that is enabled by now makes one, and
 * recording must have been on before; where none has to, the other way round.
 * Likewise the record is in the snapshot that it causes only where a trigger sees it,
 * and hits of unwanted tasks run triggers only where none does.
 */
static noinline void record_soft(struct pe_event_probe *probe,
				 struct pe_event_link *link, const struct arrival *a)
{
	bool enabled = READ_ONCE(link->enabled);
	struct pe_built built;
	unsigned int late;
	bool on;

	if (!READ_ONCE(link->triggers_look)) {
		pe_triggers_run(link, NULL, 0);
		if (enabled && READ_ONCE(link->enabled))
			record_by_pid(probe, link, a);
		else
			this_cpu_inc(probe->stat->lost[PE_LOSS_SOFT]);
		return;
	}
	if (!wanted_pid(probe, link->instance))
		return;
	on = READ_ONCE(link->instance->tracing_on);
	build(&built, probe, link->instance, a);
	late = pe_triggers_run(link, built.rec, built.len);
	if (!READ_ONCE(link->enabled))
		this_cpu_inc(probe->stat->lost[PE_LOSS_SOFT]);
	else if (!on)
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
	else
		keep(link, &built);
	if (late)
		pe_triggers_after(link, late, &built);
}

/* One record or one counted loss for each link that wants it. */
static __always_inline void record(struct pe_event_probe *probe, const struct arrival *a,
				   bool is_return)
{
	struct pe_event_link *link;
	bool wanted = false, soft;

	this_cpu_inc(probe->stat->hits);
	list_for_each_entry_rcu(link, &probe->event->links, event_list, true) {
		soft = READ_ONCE(link->soft);
		if (!soft && !READ_ONCE(link->enabled))
			continue;
		if (unlikely(wanted))
			this_cpu_inc(probe->stat->extra);
		wanted = true;
		if (unlikely(soft))
			record_soft(probe, link, a);
		else if (unlikely(data_race(link->instance->by_pid)))	/* one cmp */
			record_by_pid(probe, link, a);
		else
			record_one(probe, link, a, is_return);
	}
	if (unlikely(!wanted))
		this_cpu_inc(probe->stat->lost[PE_LOSS_UNLINKED]);
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
	const struct arrival a = { .hit = hit, .from.regs = hit->regs };

	record(probe, &a, false);
}

/**
 * pe_event_entry() - entry handler of return probes that save something
 * @rp: inside a struct pe_event_probe
 * @hit: registers and context of the entry
 * @data: probe->nr_saved words of the call's instance
 *
 * Context: as pe_event_hit().
 * Return: true: every return is wanted.
 */
bool pe_event_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	const struct pe_event_probe *probe = container_of(rp, struct pe_event_probe, rp);
	u64 *saved = data;

	pe_fetch_saved(saved, probe->saved, probe->nr_saved, hit->regs);
	/* Last, and first at the return: what we do is not the function's time. */
	if (probe->time_word >= 0)
		saved[probe->time_word] = ktime_get_mono_fast_ns();
	return true;
}

/**
 * pe_event_return() - handler of every return probe that belongs to an event
 * @rp: inside a struct pe_event_probe
 * @hit: registers and context of the return
 * @ret_ip: where the function returns to
 * @data: as pe_event_entry() left it
 *
 * Context: as pe_event_hit().
 */
void pe_event_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		     unsigned long ret_ip, void *data)
{
	struct pe_event_probe *probe = container_of(rp, struct pe_event_probe, rp);
	const struct arrival a = {
		.hit = hit,
		.ret_ip = ret_ip,
		.from = { .regs = hit->regs, .saved = data },
	};
	u64 *saved = data;

	/* Done once, so that all instances' records say the same. */
	if (probe->time_word >= 0)
		saved[probe->time_word] = ktime_get_mono_fast_ns() - saved[probe->time_word];
	record(probe, &a, true);
}
