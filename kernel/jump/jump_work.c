// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jump_work.c - when breakpoints become jumps: the work item, and kprobes/optimization.
 *
 * After a kick all sites are looked through, slice by slice.  A round prepares jumps, waits, and
 * writes those that pend: all of them together, as the wait takes a second or more.  The rounds go
 * on
 *
 *   - at once, if sites have to be looked at again, or a detour has become free (jump.c);
 *   - every ten seconds, while sites may become jumps for a reason that is not reported to us, or
 *     while there are jumps: a hit of one can only leave a note (jump_hit.c).
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/jump/jump.h"
#include "kernel/know/compat.h"
#include "kernel/mech/mech.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"

#define KICK_DELAY	(HZ / 10)
#define LOOK_AGAIN	(10 * HZ)	/* for changes that are not reported to us */
#define MOST_AT_ONCE	128	/* about so many sites are examined without releasing pe_mutex */

static bool pe_jump_work_optimizing = true;	/* kprobes/optimization; pe_mutex */

/* Buckets of pe_sites that have not been looked through since the last kick; pe_mutex. */
static unsigned int pe_jump_work_unseen;
/* Some of these have not been looked through since a kick, only since a timer ran; pe_mutex. */
static bool pe_jump_work_kicked;
/* Among the others are some that have to be tried again; pe_mutex. */
static bool pe_jump_work_again;
/* A run is due KICK_DELAY after the first kick since the last one began; pe_mutex. */
static bool pe_jump_work_due;

static void pe_jump_work_optimize(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_optimize_work, pe_jump_work_optimize);

/* Brings a run forward that is to come later.  More kicks must not put it off. */
void pe_jump_look_soon(void)
{
	lockdep_assert_held(&pe_mutex);
	if (!pe_jump_work_due)
		mod_delayed_work(pe_system_wq, &pe_optimize_work, KICK_DELAY);
	pe_jump_work_due = true;
}

void pe_jump_kick(void)
{
	lockdep_assert_held(&pe_mutex);
	pe_jump_work_unseen = HASH_SIZE(pe_sites);
	pe_jump_work_kicked = true;
	pe_jump_look_soon();
}

static bool pe_any_candidate(void)
{
	struct pe_site *site;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		if (pe_jump_is_candidate(site))
			return true;
	}
	return false;
}

/**
 * struct round - what one run of the work item has found
 * @pending: jumps pend
 * @on: there are jumps
 * @looked: buckets of pe_sites that it has looked through
 */
struct round {
	bool pending, on;
	unsigned int looked;
};

/* As many as are examined at once, from where the last time has ended. */
static void pe_prepare_slice(struct round *round)
{
	static unsigned int bucket;
	unsigned int examined = 0;
	struct pe_site *site;
	int err;

	for (; pe_jump_work_unseen && examined < MOST_AT_ONCE;
	     pe_jump_work_unseen--, round->looked++) {
		hlist_for_each_entry(site, &pe_sites[bucket], hash) {
			if (!pe_jump_is_candidate(site))
				continue;
			examined++;
			err = pe_jump_prepare(site);
			round->pending |= !err;
			pe_jump_work_again |= err == -EAGAIN;
		}
		bucket = (bucket + 1) % HASH_SIZE(pe_sites);
	}
	pe_jump_work_kicked = pe_jump_work_kicked && pe_jump_work_unseen;
	pe_arch_targets_rest();
}

const char *pe_jump_why_none(void)
{
	if (!pe_jump_work_optimizing)
		return "kprobes/optimization is 0";
	return pe_optprobe_guards() ? NULL : "kprobes of the kernel cannot be kept away";
}

static bool pe_may_optimize(void)
{
	return !pe_jump_why_none();
}

bool pe_jumps_are_settled(void)
{
	struct pe_site *site;
	int bucket;

	lockdep_assert_held(&pe_mutex);
	if (!pe_may_optimize())
		return true;
	hash_for_each(pe_sites, bucket, site, hash) {
		if (pe_jump_is_pending(site))
			return false;
	}
	/* When these are free, sites are examined again: there is room, and padding. */
	return !pe_jump_work_kicked && !pe_detours_any_leaving();
}

/* Return: is there more to look at?  Others may have pe_mutex before it goes on. */
static bool pe_prepare_some(struct round *round)
{
	bool more;

	pe_lock_text();
	if (pe_may_optimize())
		pe_prepare_slice(round);
	/* Kicks that never end must not keep those that pend from being written. */
	more = pe_jump_work_unseen && round->looked < HASH_SIZE(pe_sites) && pe_may_optimize();
	pe_unlock_text();
	return more;
}

/* Return: is there anything to wait for? */
static bool pe_jump_work_begin_round(struct round *round)
{
	pe_lock_text();
	round->on = pe_jump_look_at_all();
	pe_unlock_text();
	while (pe_prepare_some(round))
		cond_resched();
	pe_lock_text();
	if (pe_may_optimize())
		pe_jump_switch_on(true);
	pe_unlock_text();
	return round->pending;
}

static void pe_end_round(const struct round *round)
{
	pe_lock_text();
	if (pe_may_optimize())
		pe_jump_switch_on(false);
	if (pe_jump_work_unseen && pe_may_optimize()) {
		mod_delayed_work(pe_system_wq, &pe_optimize_work, KICK_DELAY);
	} else if (pe_jump_work_again || round->on || round->pending) {
		if (pe_jump_work_again)
			pe_jump_work_unseen = HASH_SIZE(pe_sites);
		pe_jump_work_again = false;
		mod_delayed_work(pe_system_wq, &pe_optimize_work, LOOK_AGAIN);
	}
	pe_unlock_text();
}

static void pe_jump_work_optimize(struct work_struct *work)
{
	struct round round = {};
	bool wanted;

	mutex_lock(&pe_mutex);
	pe_jump_work_due = false;
	wanted = pe_may_optimize() && pe_any_candidate();
	mutex_unlock(&pe_mutex);
	if (wanted)
		pe_arch_targets_prepare();
	if (pe_jump_work_begin_round(&round))
		pe_retire_wait();	/* nothing is in their windows */
	pe_end_round(&round);
}

/* No site is left.  Sleeps until no task is in a detour; each that is free kicks. */
void pe_jumps_exit(void)
{
	cancel_delayed_work_sync(&pe_optimize_work);
	pe_retire_drain();
	cancel_delayed_work_sync(&pe_optimize_work);
	pe_arch_targets_exit();
}

/* ---- kprobes/optimization ---- */

int pe_kprobes_optimize(bool on)
{
	mutex_lock(&pe_mutex);
	pe_jump_work_optimizing = on;
	if (on)
		pe_jump_kick();
	else
		pe_jump_take_off_all();
	mutex_unlock(&pe_mutex);
	return 0;
}
EXPORT_SYMBOL_GPL(pe_kprobes_optimize);

bool pe_kprobes_optimized(void)
{
	return READ_ONCE(pe_jump_work_optimizing);
}
EXPORT_SYMBOL_GPL(pe_kprobes_optimized);
