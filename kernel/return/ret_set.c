// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_set.c - which return probes a function has, and for how long.
 *
 * A function with return probes has a point (its slots), and the point has a published set:
 * an array of its probes at one time.  A call takes the set that is published when it is
 * entered, and uses that set when it returns.  So whenever a probe comes or goes, a new set
 * is published and the old one is retired.  A probe that stays loses nothing, because both
 * sets name it.  A probe that goes is taken out of all sets.  So its owner need not wait
 * for calls in progress, only for handlers (RCU).
 *
 * A retired set passes through these states.  No caller waits:
 *
 *   retired   it is not published.  Calls may be on their way to it: in
 *             ftrace's trampoline, in an entry slot, in pe_return_enter, in made
 *             code.  A quiescence lets them arrive (retire.c).
 *   draining  every call that has the set is counted in it, and no new one
 *             comes: the sum of the counters only falls.
 *   dead      the sum is 0.  When another quiescence is over, the last users have
 *             left, and it is freed.
 *
 * Each point has in itself a set without probes, the set at rest.  A call that takes it goes on in
 * the body at once.  It is published when the last probe goes, so that a slot always has a
 * set.  A BPF trampoline may have taken the entry slot's address, and may sleep for any time
 * before it goes there.  A retired point with only dead sets is
 *
 *   stale     until its slots are wanted and no task has such an address on its
 *             stack (pe_arena_scan()).  Then one more quiescence lets calls
 *             arrive that are on their way.
 *
 * A function that is probed again gets its old point again, in whatever state its old sets
 * are.  A function that never returns (do_exit()), or not for years, keeps its sets, but
 * takes one slot.
 *
 * All this is in the arena (arena/), and stays there when this module goes.
 *
 * Orders between CPUs:
 *
 * A, D and E are in return_arena.S, too, C, D and E in code that is made for sets
 * (compiled/call_piece.c), for calls that need no C code.
 *
 *   publish:A / pe_return_enter:A   release store of pe_return_slots[] / address dependency
 *           (return_arena.S).  A call that finds a set there finds it complete.
 *   pe_return_point_use:B / divert:B   release store of site->divert_to / its load, then the
 *           jump.  A hit that goes to the entry slot finds code and set complete (ret_point.c).
 *   pe_return_entry:C / pe_set_go_on:C   counting before the set is used, in a section with
 *           preemption off, or in made code / a quiescence, then the sum.  Each call that has
 *           the set is in the sum.
 *   pe_return_exit:D / pe_set_go_on:D   the last use, then counting, in a section with preemption
 *           off / a sum of 0, then a quiescence.  No call is in the section when the set is
 *           freed.
 *   pe_return_enter_probes:E / pe_kretprobe_stat:E   the count of entries, smp_wmb(), then that of
 *           returns; made code has an order of its own / returns, smp_rmb(), entries.  A return is
 *           never seen without its entry.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"
#include "kernel/probe/stat.h"
#include "kernel/return/ret_set.h"
#include "kernel/return/return.h"

#define GATHER_DELAY	(HZ / 10)	/* what is retired within it waits together */
#define DRAIN_DELAY	HZ		/* between two looks at the calls in progress; */
#define DRAIN_DELAY_MAX	(16 * HZ)	/* it doubles up to this while nothing changes */

static void pe_sets_drain(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_drain_work, pe_sets_drain);
/*
 * Under pe_arena.mutex.  @pe_drains_soon: it is queued for what is retired.  @pe_drains_end: it is
 * not wanted any more.
 */
static unsigned long pe_drain_delay = DRAIN_DELAY;
static bool pe_drains_soon, pe_drains_end;

/* ---- making ---- */

static size_t pe_counters_size(unsigned int n)
{
	return struct_size_t(struct pe_return_counters, lost, n);
}

static struct pe_return_set *pe_set_alloc(struct pe_return_point *point, unsigned int n)
{
	struct pe_return_set *set = kzalloc(struct_size(set, member, n), GFP_KERNEL);

	if (!set)
		return NULL;
	set->counters = __alloc_percpu(pe_counters_size(n), __alignof__(*set->counters));
	if (!set->counters) {
		kfree(set);
		return NULL;
	}
	set->n = n;
	set->plain = &pe_return_nobody;
	set->point = point;
	return set;
}

/* The frame, from its base down: set, mask if needed, data, stack words. */
static void pe_lay_out(struct pe_return_set *set)
{
	unsigned int offset = (set->n > 1 ? 2 : 1) * sizeof(long);
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		offset += ALIGN(set->member[i].rp->data_size, sizeof(long));
		set->member[i].offset = offset;
	}
	set->frame_size = offset + set->point->stack_words * sizeof(long);
	if (set->n == 1 && offset == sizeof(long))
		set->plain = set->member[0].rp;
}

static struct pe_return_set *pe_current_set(const struct pe_return_point *point)
{
	return pe_return_slots[point->slot];
}

/* The set of calls that begin now.  pe_mutex held. */
const struct pe_return_set *pe_return_set_of(const struct pe_site *site)
{
	lockdep_assert_held(&pe_mutex);
	return pe_current_set(site->point);
}

/* A set of all probes of @site, and of @more.  The site has @point, or will have it. */
static struct pe_return_set *pe_set_make(struct pe_site *site, struct pe_return_point *point,
					 struct pe_kretprobe *more)
{
	struct pe_return_set *set;
	struct pe_kprobe *kp;
	unsigned int n = 0;

	list_for_each_entry(kp, &site->probes[PE_CLIENT_RETURNS], node)
		n++;
	set = pe_set_alloc(point, n + !!more);
	if (!set)
		return NULL;
	n = 0;
	list_for_each_entry(kp, &site->probes[PE_CLIENT_RETURNS], node)
		set->member[n++].rp = pe_to_kretprobe(kp);
	if (more)
		set->member[n].rp = more;
	pe_lay_out(set);
	return set;
}

/* More of them must not put it off. */
void pe_sets_drain_soon(void)
{
	lockdep_assert_held(&pe_arena.mutex);
	if (!pe_drains_soon && !pe_drains_end)
		mod_delayed_work(pe_system_wq, &pe_drain_work, GATHER_DELAY);
	pe_drains_soon = true;
}

/* Hand @set to calls from now on.  The set before it retires, except the one at rest. */
static void pe_set_publish(struct pe_return_point *point, struct pe_return_set *set)
{
	struct pe_return_set *old = pe_current_set(point);

	lockdep_assert_held(&pe_arena.mutex);
	/* publish:A, pairs with pe_return_enter:A: the set is complete */
	smp_store_release(&pe_return_slots[point->slot], set);
	if (old == &point->rest)
		return;
	pe_drain_delay = DRAIN_DELAY;
	old->state = PE_SET_RETIRED;
	pe_sets_drain_soon();
}

static void pe_publish_new(struct pe_return_point *point, struct pe_return_set *set)
{
	mutex_lock(&pe_arena.mutex);
	set->next = point->rest.next;
	point->rest.next = set;
	pe_set_publish(point, set);
	mutex_unlock(&pe_arena.mutex);
}

/* ---- a site's probes ---- */

/*
 * A reason is a constant string, so each size of a refused frame has its own, which stays until the
 * module goes.  They are few: without the last probe, the frame was not too large.  pe_mutex.
 */
static char *pe_frame_reasons[(PE_KRETPROBE_DATA_MAX + sizeof(long)) / sizeof(long) + 1];

static const char *pe_frame_reason(unsigned int size)
{
	unsigned int i = (size - PE_FRAME_MAX) / sizeof(long);
	char **reason = pe_frame_reasons + i;

	lockdep_assert_held(&pe_mutex);
	if (WARN_ON_ONCE(i >= ARRAY_SIZE(pe_frame_reasons)))
		return "the function's return probes need too large a frame";
	if (!*reason)
		*reason = kasprintf(GFP_KERNEL,
				    "the function's return probes need a frame of %u bytes, more than %u",
				    size, PE_FRAME_MAX);
	return *reason;
}

/**
 * pe_return_link() - add a return probe to a site
 * @site: of a function's entry, prepared
 * @rp: becomes reachable; at once if the site's returns are armed
 */
struct pe_refusal pe_return_link(struct pe_site *site, struct pe_kretprobe *rp)
{
	struct pe_return_point *point = site->point;
	struct pe_refusal r = PE_ACCEPT;
	struct pe_return_set *set;

	lockdep_assert_held(&pe_mutex);
	if (list_count_nodes(&site->probes[PE_CLIENT_RETURNS]) >= PE_KRETPROBES_MAX)
		return PE_REFUSE(ENOSPC, "too many return probes on one function");
	if (site->posts && site->mech->follow)
		return PE_REFUSE(EBUSY, "a probe on the first instruction has a post handler");
	if (!point)
		r = pe_return_point_make(&point, site);
	if (r.err)
		return r;
	set = pe_set_make(site, point, rp);
	if (!set)
		r = PE_REFUSE(ENOMEM, NULL);
	else if (set->frame_size > PE_FRAME_MAX)
		r = PE_REFUSE(ENOSPC, pe_frame_reason(set->frame_size));
	if (r.err) {
		pe_return_set_free(set);
		if (!site->point)
			pe_return_point_drop(point);
		return r;
	}
	pe_publish_new(point, set);
	list_add_tail(&rp->kp.node, &site->probes[PE_CLIENT_RETURNS]);
	if (!site->point)
		pe_return_point_use(site, point);
	return r;
}

/**
 * pe_return_unlink() - remove a return probe from a site
 * @site: where it was linked
 * @rp: its handlers may still run until an RCU grace period has passed
 *
 * Without memory for a smaller set, the old set stays, with an empty place.
 */
void pe_return_unlink(struct pe_site *site, struct pe_kretprobe *rp)
{
	struct pe_return_point *point = site->point;
	struct pe_return_set *set;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	list_del_init(&rp->kp.node);
	if (!point)
		return;		/* linking it has failed */
	set = list_empty(&site->probes[PE_CLIENT_RETURNS]) ? NULL : pe_set_make(site, point, NULL);
	if (set)
		pe_publish_new(point, set);
	mutex_lock(&pe_arena.mutex);
	pe_for_each_set(set, point) {
		/* read by pe_return_leave */
		if (set->plain == rp)
			WRITE_ONCE(set->plain, &pe_return_nobody);
		for (i = 0; i < set->n; i++) {
			/* read by pe_return_leave_probes() */
			if (set->member[i].rp == rp)
				WRITE_ONCE(set->member[i].rp, NULL);
		}
	}
	mutex_unlock(&pe_arena.mutex);
}

/**
 * pe_return_retire() - the site has no return probes and its returns are disarmed
 * @site: may get a new point at once
 */
void pe_return_retire(struct pe_site *site)
{
	struct pe_return_point *point = site->point;

	lockdep_assert_held(&pe_mutex);
	if (!point || !list_empty(&site->probes[PE_CLIENT_RETURNS]))
		return;
	pe_call_lose_point(site);
	WRITE_ONCE(site->divert_to, 0);		/* read at divert:B */
	site->point = NULL;
	mutex_lock(&pe_arena.mutex);
	point->retired = true;
	pe_set_publish(point, &point->rest);
	mutex_unlock(&pe_arena.mutex);
}

/* ---- dying ---- */

void pe_kretprobe_usage(struct pe_kretprobe_usage *usage)
{
	const struct pe_return_point *point;
	const struct pe_return_set *set;

	*usage = (struct pe_kretprobe_usage){};
	mutex_lock(&pe_arena.mutex);
	list_for_each_entry(point, &pe_arena.points, list) {
		usage->functions++;
		pe_for_each_set(set, point)
			usage->sets++;
		usage->in_flight += pe_return_calls(point);
	}
	list_for_each_entry(point, &pe_arena.stale, list) {
		pe_for_each_set(set, point)
			usage->sets++;
	}
	mutex_unlock(&pe_arena.mutex);
}
EXPORT_SYMBOL_GPL(pe_kretprobe_usage);

static size_t pe_set_memory(const struct pe_return_set *set)
{
	return ksize(set) + pe_counters_size(set->n) * num_possible_cpus();
}

static size_t pe_points_memory(const struct list_head *points)
{
	const struct pe_return_point *point;
	const struct pe_return_set *set;
	size_t bytes = 0;

	list_for_each_entry(point, points, list) {
		bytes += ksize(point) + ksize(point->insn);
		pe_for_each_set(set, point)
			bytes += pe_set_memory(set);
	}
	return bytes;
}

size_t pe_return_memory(void)
{
	size_t bytes;

	mutex_lock(&pe_arena.mutex);
	bytes = pe_points_memory(&pe_arena.points) + pe_points_memory(&pe_arena.stale);
	mutex_unlock(&pe_arena.mutex);
	return bytes;
}

static void pe_set_add_returns(const struct pe_return_set *set, unsigned int i,
			       struct pe_kretprobe_stat *sum)
{
	sum->returns += pe_counter_sum(&set->counters->returns);
	sum->dropped += pe_counter_sum(&set->counters->lost[i]);
}

/*
 * Sum up what sets have counted for a registered probe: its returns, or its entries and not its
 * returns.  pe_arena.mutex held, also while the probe's own counters are read: they have what
 * dead sets had counted.
 */
void pe_return_add_counts(const struct pe_kretprobe *rp, bool entries,
			  struct pe_kretprobe_stat *sum)
{
	const struct pe_site *site = rp->kp.site;
	struct pe_return_set *set;
	unsigned int i;

	lockdep_assert_held(&pe_arena.mutex);
	if (!site || !site->point)
		return;
	pe_for_each_set(set, site->point) {
		for (i = 0; i < set->n; i++) {
			if (set->member[i].rp != rp)
				continue;
			if (entries)
				sum->entries += pe_counter_sum(&set->counters->entries);
			else
				pe_set_add_returns(set, i, sum);
		}
	}
}

/* Add what a dead set has counted to probes that are still registered; pe_arena.mutex. */
static void pe_keep_counts(const struct pe_return_set *set)
{
	struct pe_kretprobe *rp;
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		struct pe_kretprobe_stat sum = {};

		rp = set->member[i].rp;
		if (!rp)
			continue;
		pe_set_add_returns(set, i, &sum);
		this_cpu_add(rp->stat->entries, pe_counter_sum(&set->counters->entries));
		this_cpu_add(rp->stat->returns, sum.returns);
		this_cpu_add(rp->stat->dropped, sum.dropped);
	}
}

/* Calls can have an address of its slots only from long ago.  pe_arena.mutex held. */
bool pe_return_is_stale(const struct pe_return_point *point)
{
	const struct pe_return_set *set;

	lockdep_assert_held(&pe_arena.mutex);
	pe_for_each_set(set, point) {
		if (set->state != PE_SET_DEAD)
			return false;
	}
	return point->retired;
}

/*
 * Move the set to its next states.  @waited: a quiescence has passed since this was called for all
 * sets with false.  Return: can the set be freed?
 */
static bool pe_set_go_on(struct pe_return_set *set, bool waited)
{
	if (set->waits && waited) {
		if (set->state == PE_SET_DEAD)
			return true;
		set->state = PE_SET_DRAINING;	/* pe_set_go_on:C */
	}
	if (set->state == PE_SET_DRAINING && !pe_return_set_calls(set))
		set->state = PE_SET_DEAD;	/* pe_set_go_on:D */
	set->waits = !waited && (set->state == PE_SET_RETIRED || set->state == PE_SET_DEAD);
	return false;
}

/* Let the point's sets go on.  Return: a bit for each state in which one is. */
static unsigned int pe_point_go_on(struct pe_return_point *point, bool waited)
{
	struct pe_return_set *set, **at = &point->rest.next;
	unsigned int states = 0;

	while ((set = *at)) {
		if (pe_set_go_on(set, waited)) {
			*at = set->next;
			pe_keep_counts(set);
			pe_return_set_free(set);
		} else {
			states |= BIT(set->state);
			at = &set->next;
		}
	}
	return states;
}

/* Let all sets go on.  A stale point may still have dead ones.  Return: the same. */
static unsigned int pe_sets_go_on(bool waited)
{
	struct pe_return_point *point, *next;
	unsigned int states = 0;

	mutex_lock(&pe_arena.mutex);
	pe_drains_soon = pe_drains_soon && waited;
	list_for_each_entry(point, &pe_arena.stale, list)
		states |= pe_point_go_on(point, waited);
	list_for_each_entry_safe(point, next, &pe_arena.points, list) {
		states |= pe_point_go_on(point, waited);
		if (pe_return_is_stale(point))
			list_move_tail(&point->list, &pe_arena.stale);
	}
	mutex_unlock(&pe_arena.mutex);
	return states & ~BIT(PE_SET_PUBLISHED);
}

/* Return: the same.  One at a time: it is the work's, or that has ended. */
static unsigned int pe_sets_round(void)
{
	unsigned int states = pe_sets_go_on(false);

	if (!(states & ~BIT(PE_SET_DRAINING)))
		return states;
	pe_retire_wait();
	return pe_sets_go_on(true);
}

static void pe_sets_drain(struct work_struct *work)
{
	unsigned int states = pe_sets_round();

	mutex_lock(&pe_arena.mutex);
	if (states & ~BIT(PE_SET_DRAINING)) {
		pe_sets_drain_soon();
	} else if (states && !pe_drains_soon && !pe_drains_end) {
		mod_delayed_work(pe_system_wq, &pe_drain_work, pe_drain_delay);
		pe_drain_delay = min(2 * pe_drain_delay, (unsigned long)DRAIN_DELAY_MAX);
	}
	mutex_unlock(&pe_arena.mutex);
}

/* Slots are scarce: all points become stale that can.  No mutex is held. */
void pe_return_hurry_sets(void)
{
	mod_delayed_work(pe_system_wq, &pe_drain_work, 0);
	flush_delayed_work(&pe_drain_work);
}

/* Called once, at load.  Looks after calls that were in progress when the engine went. */
int pe_return_init(void)
{
	int cpu, err;

	for_each_possible_cpu(cpu)
		per_cpu(pe_arena_idle, cpu) = pe_ks(idle_task)(cpu);
	err = pe_arena_attach(PE_ARENA_VERSION, pe_return_enter_probes, pe_return_leave_probes);
	if (!err && !list_empty(&pe_arena.points))
		mod_delayed_work(pe_system_wq, &pe_drain_work, pe_drain_delay);
	return err;
}

/**
 * pe_return_exit_sets() - no call will need this module from now on
 *
 * All points are retired.  Does not wait for calls in progress: the arena stays for them.
 */
void pe_return_exit_sets(void)
{
	unsigned int i;

	mutex_lock(&pe_arena.mutex);
	pe_drains_end = true;
	mutex_unlock(&pe_arena.mutex);
	cancel_delayed_work_sync(&pe_drain_work);
	while (pe_sets_round() & ~BIT(PE_SET_DRAINING))
		;
	for (i = 0; i < ARRAY_SIZE(pe_frame_reasons); i++)
		kfree(pe_frame_reasons[i]);
	pe_return_points_let_go();
	pe_arena_detach();
}
