// SPDX-License-Identifier: GPL-2.0
/*
 * event_hit.c - decide which instances and triggers want a hit's record.  [H]
 *
 * A hit makes one record in each instance that has the event enabled.  Every
 * test checks this sum, per probe and CPU:
 *
 *	hits + extra = records + sum of lost[]
 *
 * Each enabled link gives one record or one counted loss.  A hit without an
 * enabled link is one loss.  @extra is the number of links beyond the first.
 * The stack of a hit, if wanted, is a record of its own, and one more in
 * @extra.
 *
 * The hit of a return probe is the return.  The entry saves what only the entry
 * knows, arguments and the time, in the call's frame, which the engine keeps.
 *
 * This file decides what wants a record; make_record.[ch] make it.
 */
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/ktime.h>
#include "event_hit.h"
#include "fetch.h"
#include "make_record.h"
#include "pids_hit.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "trigger_hit.h"

const char *const pe_loss_names[PE_NR_LOSSES] = {
	[PE_LOSS_OFF] = "off",
	[PE_LOSS_FULL] = "full",
	[PE_LOSS_FILTER] = "filter",
	[PE_LOSS_SOFT] = "soft",
	[PE_LOSS_PID] = "pid",
	[PE_LOSS_UNLINKED] = "unlinked",
};

static __always_inline void record_fixed(struct pe_event_probe *probe,
					 struct pe_instance *inst,
					 const struct pe_arrival *a, bool is_return)
{
	unsigned int len = probe->event->record_fixed;
	struct pe_buffer *buf = pe_instance_buffer(inst);
	struct pe_rb_handle h __uninitialized;
	void *rec = pe_record_reserve(probe, inst, buf, len, &h);

	if (!rec)
		return;
	pe_record_fill_head(rec, probe, a, is_return);
	pe_record_fetch(rec, len, probe, a);
	pe_record_commit(probe, &h);
}

static __always_inline void record_one(struct pe_event_probe *probe,
				       struct pe_event_link *link,
				       const struct pe_arrival *a, bool is_return)
{
	if (unlikely(probe->dynamic || rcu_access_pointer(link->filter) ||
		     pe_record_wants_stack(link->instance)))
		pe_record_scratch(probe, link, a);
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

/* For an instance with a list of pids. */
static noinline void record_by_pid(struct pe_event_probe *probe,
				   struct pe_event_link *link, const struct pe_arrival *a)
{
	if (wanted_pid(probe, link->instance))
		record_one(probe, link, a, probe->event->is_return);
}

/*
 * For a link with triggers, or one that triggers enable and disable.  Their
 * effects count for this hit, as in the kernel.  The rules depend on whether a
 * trigger must see the record (triggers_look):
 *
 *			must see it		need not
 *   event enabled		after triggers		before and after triggers
 *   recording on		before triggers		after triggers
 *   a hit's snapshot	has its record		does not have it
 *   unwanted tasks	run no triggers		run triggers
 */
static noinline void record_soft(struct pe_event_probe *probe,
				 struct pe_event_link *link, const struct pe_arrival *a)
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
	pe_record_build(&built, probe, link->instance, a);
	late = pe_triggers_run(link, built.rec, built.len);
	if (!READ_ONCE(link->enabled))
		this_cpu_inc(probe->stat->lost[PE_LOSS_SOFT]);
	else if (!on)
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
	else
		pe_record_keep(link, &built);
	if (late)
		pe_triggers_after(link, late, &built);
}

/* One record or one counted loss for each link that wants it. */
static __always_inline void record(struct pe_event_probe *probe, const struct pe_arrival *a,
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
		else if (unlikely(data_race(link->instance->by_pid)))	/* one compare */
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
 * Any context, preemption off, which is also the RCU section for the links.
 */
void pe_event_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct pe_event_probe *probe = container_of(kp, struct pe_event_probe, kp);
	const struct pe_arrival a = { .hit = hit, .from.regs = hit->regs };

	record(probe, &a, false);
}

/**
 * pe_event_entry() - entry handler of return probes that save something
 * pe_event_entry() - entry handler of return probes that save something
 * @rp: inside a struct pe_event_probe
 * @hit: registers and context of the entry
 * @data: probe->nr_saved words of the call's frame
 *
 * Context: as pe_event_hit().
 * Return: true: every return is wanted.
 */
bool pe_event_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	const struct pe_event_probe *probe = container_of(rp, struct pe_event_probe, rp);
	u64 *saved = data;

	pe_fetch_saved(saved, probe->saved, probe->nr_saved, hit->regs);
	/* Last here, and first at the return: our own time is not the function's. */
	if (probe->time_word >= 0)
		saved[probe->time_word] = ktime_get_mono_fast_ns();
	return true;
}

/**
 * pe_event_return() - handler of every return probe that belongs to an event
 * @rp: inside a struct pe_event_probe
 * @hit: registers and context of the return
 * @ret_ip: the address to which the function returns
 * @data: as pe_event_entry() left it
 *
 * Context: as pe_event_hit().
 */
void pe_event_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		     unsigned long ret_ip, void *data)
{
	struct pe_event_probe *probe = container_of(rp, struct pe_event_probe, rp);
	const struct pe_arrival a = {
		.hit = hit,
		.ret_ip = ret_ip,
		.from = { .regs = hit->regs, .saved = data },
	};
	u64 *saved = data;

	/* Once, so that the records in all instances have the same value. */
	if (probe->time_word >= 0)
		saved[probe->time_word] = ktime_get_mono_fast_ns() - saved[probe->time_word];
	record(probe, &a, true);
}
