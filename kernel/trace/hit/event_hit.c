// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_hit.c - bring a hit's record to the instances and triggers that want it.  [H]
 *
 * A hit makes one record in each instance that has the event enabled.  Every
 * test checks this sum, per probe and CPU:
 *
 *	hits + extra = records + mirrored + counted + sum of lost[]
 *
 * Each enabled link gives one record or one counted loss.  A hit without an
 * enabled link is one loss.  @extra is the number of links beyond the first.
 * The stack of a hit, if wanted, is a record of its own, and one more in
 * @extra.  So is each table that counts it, but the first of an event that is not enabled.
 *
 * Listeners at the kernel's side get a hit through the event's mirror.  That is one
 * more wanted, and ->mirrored is what came of it; mirror_hit.c counts the rest.
 *
 * The hit of a return probe is the return.  The entry saves what only the entry
 * knows, arguments and the time, in the call's frame, which the engine keeps.
 *
 * This file does what each link's variant says (event/variant.c chooses it);
 * make_record.[ch] make the records.
 */
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include "elapsed.h"
#include "event_hit.h"
#include "fetch.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_write.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "limit_hit.h"
#include "make_record.h"
#include "mirror_hit.h"
#include "pids_hit.h"
#include "since.h"
#include "trigger_hit.h"

const char *const pe_loss_names[PE_NR_LOSSES] = {
	[PE_LOSS_OFF] = "off",
	[PE_LOSS_FULL] = "full",
	[PE_LOSS_FILTER] = "filter",
	[PE_LOSS_SOFT] = "soft",
	[PE_LOSS_PID] = "pid",
	[PE_LOSS_UNLINKED] = "unlinked",
	[PE_LOSS_LIMITED] = "limited",
};

static __always_inline void pe_record_fixed(struct pe_event_probe *probe,
					    struct pe_instance *inst,
					    const struct pe_arrival *a, bool is_return)
{
	unsigned int len = probe->program.fixed;
	struct pe_buffer *buf = pe_instance_buffer(inst);
	struct pe_rb_handle h __uninitialized;
	void *rec = pe_record_reserve(probe, inst, buf, len, &h);

	if (!rec)
		return;
	pe_record_fill_head(rec, probe, a, is_return);
	pe_record_fetch(rec, len, probe, a);
	pe_record_commit(probe, &h);
}

static bool pe_wanted_pid(struct pe_event_probe *probe, const struct pe_event_link *link,
			  unsigned int variant)
{
	if (!(variant & PE_V_PIDS) || pe_pids_want(link->instance))
		return true;
	this_cpu_inc(probe->stat->lost[PE_LOSS_PID]);
	return false;
}

static void pe_record_one(struct pe_event_probe *probe, struct pe_event_link *link,
			  unsigned int variant, const struct pe_arrival *a)
{
	struct pe_built built __uninitialized;

	if (!pe_wanted_pid(probe, link, variant))
		return;
	if (!(variant & PE_V_BUILD)) {
		pe_record_fixed(probe, link->instance, a, probe->program.is_return);
		return;
	}
	/* Skip fetching, and a string's faults, if recording is off. */
	if (unlikely(!READ_ONCE(link->instance->tracing_on))) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
		return;
	}
	pe_record_build(&built, probe, link->instance, a);
	pe_record_keep(link, variant, &built);
}

/* An event that is not enabled wants the record only if no table has counted the hit. */
static void pe_tables_counted(struct pe_event_probe *probe, unsigned int counted, bool enabled)
{
	if (!enabled && !counted) {
		this_cpu_inc(probe->stat->lost[PE_LOSS_SOFT]);
		return;
	}
	this_cpu_add(probe->stat->counted, counted);
	this_cpu_add(probe->stat->extra, enabled ? counted : counted - 1);
}

/*
 * Serve a link with triggers, or one that triggers enable and disable.  A trigger's
 * effect counts for this hit, as in the kernel.  The rules depend on whether a
 * trigger must see the record (PE_V_LOOK):
 *
 *			must see it		need not
 *   event enabled		after triggers		before and after triggers
 *   recording on		before triggers		after triggers
 *   a hit's snapshot	has its record		does not have it
 *   unwanted tasks	run no triggers		run triggers
 */
static noinline void pe_record_soft(struct pe_event_probe *probe, struct pe_event_link *link,
				    unsigned int variant, const struct pe_arrival *a)
{
	bool enabled = READ_ONCE(link->enabled);
	struct pe_trigger_sums sums;
	struct pe_built built __uninitialized;
	bool on;

	if (!(variant & PE_V_LOOK)) {
		pe_triggers_run(link, NULL);
		if (enabled && READ_ONCE(link->enabled))
			pe_record_one(probe, link, variant, a);
		else
			this_cpu_inc(probe->stat->lost[PE_LOSS_SOFT]);
		return;
	}
	if (!pe_wanted_pid(probe, link, variant))
		return;
	on = READ_ONCE(link->instance->tracing_on);
	pe_record_build(&built, probe, link->instance, a);
	sums = pe_triggers_run(link, &built);
	enabled = READ_ONCE(link->enabled);
	pe_tables_counted(probe, sums.counted, enabled);
	if (enabled && !on)
		this_cpu_inc(probe->stat->lost[PE_LOSS_OFF]);
	else if (enabled)
		pe_record_keep(link, variant, &built);
	if (sums.late)
		pe_triggers_after(link, sums.late, &built);
}

/* Takes words, not a struct pe_arrival: pe_event_hit_record()'s need not be in memory then. */
static noinline void pe_record_other(struct pe_event_probe *probe, struct pe_event_link *link,
				     unsigned int variant, const struct pe_hit *hit,
				     unsigned long ret_ip, const u64 *saved)
{
	const struct pe_arrival a = { .hit = hit, .ret_ip = ret_ip, .saved = saved };

	if (likely(!(variant & (PE_V_MIRROR | PE_V_SOFT)))) {
		pe_record_one(probe, link, variant, &a);
		return;
	}
	if (variant & PE_V_MIRROR) {
		pe_mirror_hit(probe, &a);
		variant &= ~PE_V_MIRROR;
		if (!variant)
			return;
		this_cpu_inc(probe->stat->extra);
	}
	if (variant & PE_V_SOFT)
		pe_record_soft(probe, link, variant, &a);
	else
		pe_record_one(probe, link, variant, &a);
}

/* The limit of a hit's event, or NULL.  @begun: for pe_limit_charge(); 0: hits are not timed. */
static struct pe_limit_hits *pe_limit_of_hit(const struct pe_event_probe *probe, u64 *begun)
{
	struct pe_limit_hits *limit;

	smp_rmb();	/* the variant comes after the limit: limit:A */
	limit = probe->event->limit;
	/* A hit that finds it true finds the costs as well. */
	*begun = limit && smp_load_acquire(&limit->timed) ? pe_limit_clock() : 0; /* limit:B */
	return limit;
}

/* The rest of a hit, from a link on.  If it is beyond a limit, it is a loss for each. */
static void pe_record_within(struct pe_event_probe *probe, struct pe_event_link *link,
			     const struct pe_hit *hit, unsigned long ret_ip, const u64 *saved,
			     bool serve)
{
	unsigned int variant;
	bool wanted = false;

	list_for_each_entry_from_rcu(link, &probe->event->links, event_list) {
		variant = READ_ONCE(link->variant) & ~PE_V_LIMIT;
		if (!variant)
			continue;
		if (wanted)
			this_cpu_inc(probe->stat->extra);
		wanted = true;
		if (serve)
			pe_record_other(probe, link, variant, hit, ret_ip, saved);
		else
			this_cpu_inc(probe->stat->lost[PE_LOSS_LIMITED]);
	}
	if (!wanted)
		this_cpu_inc(probe->stat->lost[PE_LOSS_UNLINKED]);
}

/* The same if there is a limit to ask: once, for all links. */
static noinline void pe_record_limited(struct pe_event_probe *probe, struct pe_event_link *link,
				       const struct pe_hit *hit, unsigned long ret_ip,
				       const u64 *saved)
{
	u64 begun;
	struct pe_limit_hits *limit = pe_limit_of_hit(probe, &begun);
	bool serve = (!limit || pe_limit_admits(limit)) && pe_limit_admits(pe_limit_all);

	pe_record_within(probe, link, hit, ret_ip, saved, serve);
	if (begun)
		pe_limit_charge(limit, begun);
}

/* One record or one counted loss for each link that wants it. */
static __always_inline void pe_record_links(struct pe_event_probe *probe,
					    const struct pe_hit *hit, unsigned long ret_ip,
					    const u64 *saved, bool is_return)
{
	const struct pe_arrival a = { .hit = hit, .ret_ip = ret_ip, .saved = saved };
	struct pe_event_link *link;
	unsigned int variant;
	bool wanted = false;

	list_for_each_entry_rcu(link, &probe->event->links, event_list, true) {
		variant = READ_ONCE(link->variant);
		if (!variant)
			continue;
		if (unlikely(wanted))
			this_cpu_inc(probe->stat->extra);
		wanted = true;
		if (likely(variant == PE_V_RECORD)) {
			pe_record_fixed(probe, link->instance, &a, is_return);
		} else if (likely(!(variant & PE_V_LIMIT))) {
			pe_record_other(probe, link, variant, hit, ret_ip, saved);
		} else {
			pe_record_limited(probe, link, hit, ret_ip, saved);
			break;
		}
	}
	if (unlikely(!wanted))
		this_cpu_inc(probe->stat->lost[PE_LOSS_UNLINKED]);
}

/*
 * Count a hit.  Return: is it to be looked at, as it may be one of those that are timed, or the
 * gate of all events is closed?
 */
static __always_inline bool pe_hit_count(const struct pe_event_probe *probe)
{
	struct pe_event_stat __percpu *stat = probe->stat;

	this_cpu_inc(stat->hits);
	return !((raw_cpu_read(stat->hits) + probe->phase) & READ_ONCE(pe_limit_unlooked));
}

/* Of those to be looked at: is it to be timed?  It stands for hits that there have been. */
static bool pe_hit_is_sample(const struct pe_event_probe *probe)
{
	unsigned long hits = raw_cpu_read(probe->stat->hits);

	return (hits + probe->phase) % PE_LIMIT_SAMPLE == 0 && hits >= PE_LIMIT_SAMPLE;
}

/* No event is served? */
static bool pe_hit_is_gated(void)
{
	return atomic_read(&pe_limit_all->gate);
}

static noinline void pe_record_unusual(struct pe_event_probe *probe, const struct pe_hit *hit,
				       unsigned long ret_ip, const u64 *saved)
{
	struct pe_event_link *first;
	u64 begun;

	if (pe_hit_is_gated()) {
		first = list_entry_rcu(probe->event->links.next, struct pe_event_link, event_list);
		pe_record_within(probe, first, hit, ret_ip, saved, false);
		return;
	}
	begun = pe_hit_is_sample(probe) ? pe_limit_clock() : 0;
	pe_record_links(probe, hit, ret_ip, saved, probe->program.is_return);
	if (begun)
		pe_limit_sample(probe->stat, begun);
}

static __always_inline void pe_event_hit_record(struct pe_event_probe *probe,
						const struct pe_hit *hit, unsigned long ret_ip,
						const u64 *saved, bool is_return)
{
	if (unlikely(pe_hit_count(probe)))
		pe_record_unusual(probe, hit, ret_ip, saved);
	else
		pe_record_links(probe, hit, ret_ip, saved, is_return);
}

/* Once in a hit, so that the records in all instances have the same value. */
static u64 pe_since_of_hit(const struct pe_event_probe *probe)
{
	return pe_since_hit(this_cpu_ptr(probe->event->since));
}

static noinline void pe_event_hit_since(struct pe_event_probe *probe, const struct pe_hit *hit)
{
	u64 since = pe_since_of_hit(probe);

	pe_event_hit_record(probe, hit, 0, &since, false);
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

	if (unlikely(probe->program.since_word >= 0))
		pe_event_hit_since(probe, hit);
	else
		pe_event_hit_record(probe, hit, 0, NULL, false);
}

/* A record that compiled code has left, of an event with a limit that counts no hits. */
static noinline void pe_rest_limited(const struct pe_event_rest *r, unsigned int variant,
				     const struct pe_hit *hit, const u64 *saved)
{
	u64 begun;
	struct pe_limit_hits *limit = pe_limit_of_hit(r->probe, &begun);

	if (limit && atomic_read(&limit->gate)) {
		this_cpu_inc(r->probe->stat->lost[PE_LOSS_LIMITED]);
		return;
	}
	pe_record_other(r->probe, r->link, variant & ~PE_V_LIMIT, hit,
			instruction_pointer(hit->regs), saved);
	if (begun)
		pe_limit_charge(limit, begun);
}

/**
 * pe_event_rest() - do what compiled code has left of a hit
 * @hit: registers and context
 * @rest: a struct pe_event_rest, and those after it
 * @base: of the call's frame, at a return
 *
 * The code was up to date when preemption was off already, so links and variants are those for
 * which it was made, or have just changed.
 *
 * Context: as pe_event_hit().
 */
void pe_event_rest(const struct pe_hit *hit, const void *rest, void *base)
{
	const struct pe_event_rest *r = rest;
	struct pe_event_probe *probe;
	unsigned int variant;
	u64 begun;

	do {
		probe = r->probe;
		begun = 0;
		if (r->extra) {
			this_cpu_inc(probe->stat->extra);
		} else {
			if (unlikely(pe_hit_count(probe)) && pe_hit_is_sample(probe))
				begun = pe_limit_clock();
		}
		variant = READ_ONCE(r->link->variant);
		if (unlikely(!variant))
			this_cpu_inc(probe->stat->lost[PE_LOSS_UNLINKED]);
		else if (unlikely(pe_hit_is_gated()))
			this_cpu_inc(probe->stat->lost[PE_LOSS_LIMITED]);
		else if (unlikely(variant & PE_V_LIMIT))
			pe_rest_limited(r, variant, hit, base - r->data_at);
		else
			pe_record_other(probe, r->link, variant, hit,
					instruction_pointer(hit->regs), base - r->data_at);
		if (unlikely(begun))
			pe_limit_sample(probe->stat, begun);
	} while (!r++->last);
}

/**
 * pe_event_entry() - entry handler of return probes that save something
 * @rp: inside a struct pe_event_probe
 * @hit: registers and context of the entry
 * @data: program.nr_saved words of the call's frame
 *
 * Context: as pe_event_hit().
 * Return: true: every return is wanted.
 */
bool pe_event_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	const struct pe_program *program =
		&container_of(rp, struct pe_event_probe, rp)->program;
	u64 *saved = data;

	pe_fetch_saved(saved, program, hit->regs);
	/* Last here, first at the return: so the time of our own code does not count. */
	if (program->time_word >= 0)
		saved[program->time_word] = pe_elapsed_mono();
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
	int time_word = probe->program.time_word;
	u64 *saved = data;

	/* Once, so that the records in all instances have the same value. */
	if (time_word >= 0)
		saved[time_word] = pe_elapsed_since(saved[time_word]);
	if (unlikely(probe->program.since_word >= 0))
		saved[probe->program.since_word] = pe_since_of_hit(probe);
	pe_event_hit_record(probe, hit, ret_ip, saved, true);
}
