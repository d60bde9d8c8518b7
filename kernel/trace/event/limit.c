// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit.c - limits that are in force.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include "event.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/trace.h"
#include "limit.h"

#define BURST_NS	(10 * NSEC_PER_MSEC)	/* hits that were not made in it may come at once */

struct pe_limit *pe_limit_of(const struct pe_event *event)
{
	return event->limit ? container_of(event->limit, struct pe_limit, hits) : NULL;
}

struct pe_limit *pe_limit_need(struct pe_event *event)
{
	struct pe_limit *limit = pe_limit_of(event);

	lockdep_assert_held(&pe_event_mutex);
	if (limit)
		return limit;
	limit = kzalloc(sizeof(*limit), GFP_KERNEL_ACCOUNT);
	if (!limit)
		return NULL;
	limit->event = event;
	limit->hits.end = U64_MAX;
	INIT_LIST_HEAD(&limit->entries);
	/* Hits look at it only if their variant says so, which is written later. */
	smp_store_release(&event->limit, &limit->hits);		/* limit:A */
	return limit;
}

int pe_limit_need_costs(struct pe_limit *limit)
{
	struct pe_limit_cost __percpu *costs;

	if (limit->hits.costs)
		return 0;
	costs = alloc_percpu_gfp(struct pe_limit_cost, GFP_KERNEL_ACCOUNT);
	if (!costs)
		return -ENOMEM;
	limit->hits.costs = costs;
	return 0;
}

struct pe_limit_entry *pe_limit_entry_of(const struct pe_event_link *link)
{
	const struct pe_limit *limit = pe_limit_of(link->event);
	struct pe_limit_entry *entry;

	if (!limit)
		return NULL;
	list_for_each_entry(entry, &limit->entries, list)
		if (entry->link == link)
			return entry;
	return NULL;
}

bool pe_limit_in_force(const struct pe_event *event)
{
	const struct pe_limit *limit = pe_limit_of(event);

	/* An event whose gate is closed will be stopped, whatever is written meanwhile. */
	return limit && (!pe_limit_is_none(&limit->words) || atomic_read(&limit->hits.gate));
}

bool pe_limit_tripped(const struct pe_event *event)
{
	const struct pe_limit *limit = pe_limit_of(event);

	return limit && limit->tripped;
}

/* ---- what is in force ---- */

static void pe_limit_set_rate(struct pe_limit *limit, u64 rate)
{
	u64 step = 0, now = ktime_get_mono_fast_ns() * PE_LIMIT_PARTS;

	if (rate)
		step = div64_u64(NSEC_PER_SEC * PE_LIMIT_PARTS + rate - 1, rate);
	if (!limit->hits.step)
		atomic64_set(&limit->hits.next, now);
	/* read by pe_limit_in_time(), pe_limit_admits() */
	WRITE_ONCE(limit->hits.burst, BURST_NS * PE_LIMIT_PARTS);
	WRITE_ONCE(limit->hits.step, step);
}

void pe_limit_choose(struct pe_limit *limit)
{
	const struct pe_limit_entry *entry;
	u64 end = U64_MAX, until = U64_MAX;

	lockdep_assert_held(&pe_event_mutex);
	limit->words = (struct pe_limit_words){};
	list_for_each_entry(entry, &limit->entries, list) {
		pe_limit_join(&limit->words, &entry->words);
		end = min(end, entry->end);
		until = min(until, entry->until ?: U64_MAX);
	}
	pe_limit_set_rate(limit, limit->words.rate);
	/* Hits that find it true find the costs as well. */
	smp_store_release(&limit->hits.timed,			/* limit:B */
			  limit->words.cpu || limit->words.one);
	WRITE_ONCE(limit->hits.end, end);
	WRITE_ONCE(limit->until, until);
}

static void pe_limit_begin_time(struct pe_limit_entry *entry)
{
	entry->until = 0;
	if (entry->words.ttl)
		entry->until = ktime_get_boottime_ns() + entry->words.ttl * NSEC_PER_SEC;
}

void pe_limit_begin(const struct pe_limit *limit, struct pe_limit_entry *entry)
{
	entry->end = U64_MAX;
	if (entry->words.hits)
		entry->end = atomic64_read(&limit->hits.taken) + entry->words.hits;
	pe_limit_begin_time(entry);
}

/* Time counts from then on. */
static void pe_limit_add_armed(struct pe_limit *limit)
{
	struct pe_limit_entry *entry;

	list_for_each_entry(entry, &limit->entries, list)
		pe_limit_begin_time(entry);
	pe_limit_choose(limit);
	limit->is_armed = true;
	pe_limit_timer_add(limit);
}

static void pe_limit_remove_armed(struct pe_limit *limit)
{
	limit->is_armed = false;
	pe_limit_timer_remove(limit);
}

/*
 * Nothing limits an event any more that stays armed.  A timer, or a hit, that has looked at the
 * words before may close the gate after it was found open.  Then it would not be looked at
 * until the next limit is written, which would be reached at once.
 */
static void pe_limit_remove_lifted(struct pe_limit *limit)
{
	pe_limit_remove_armed(limit);
	synchronize_rcu();
	pe_limit_reopen(&limit->hits);
}

void pe_limit_changed(const struct pe_event *event, bool armed)
{
	struct pe_limit *limit = pe_limit_of(event);

	lockdep_assert_held(&pe_event_mutex);
	if (!limit)
		return;
	if (armed && pe_limit_in_force(event)) {
		if (!limit->is_armed)
			pe_limit_add_armed(limit);
	} else if (limit->is_armed) {
		if (armed)
			pe_limit_remove_lifted(limit);
		else
			pe_limit_remove_armed(limit);
	}
}

/*
 * No timer looks at the limit of an event that is not armed.  A gate that was closed just before it
 * was disarmed would stop the event when it is armed again, whatever its limit is then.
 */
void pe_limit_open(const struct pe_event *event)
{
	struct pe_limit *limit = pe_limit_of(event);

	lockdep_assert_held(&pe_event_mutex);
	if (!limit)
		return;
	pe_limit_reopen(&limit->hits);
}

/* ---- enabled again ---- */

void pe_limit_restart(const struct pe_event *event)
{
	struct pe_limit *limit = pe_limit_of(event);
	struct pe_limit_entry *entry;

	lockdep_assert_held(&pe_event_mutex);
	if (!limit || !(limit->tripped || atomic_read(&limit->hits.gate)))
		return;
	list_for_each_entry(entry, &limit->entries, list)
		pe_limit_begin(limit, entry);
	pe_limit_choose(limit);
	pe_limit_reopen(&limit->hits);
	limit->restarts = limit->tripped;
	limit->tripped = false;
}

/* The gate does not matter: the event is not armed. */
void pe_limit_restart_undo(const struct pe_event *event)
{
	struct pe_limit *limit = pe_limit_of(event);

	if (!limit || !limit->restarts)
		return;
	limit->restarts = false;
	limit->tripped = true;
}

void pe_limit_restart_done(const struct pe_event *event)
{
	struct pe_limit *limit = pe_limit_of(event);

	if (limit)
		limit->restarts = false;
}

/* ---- all events ---- */

static unsigned int pe_limits_nr_armed;			/* that are ->weighed */
static void (*pe_limits_tell_armed)(bool any);

void pe_limits_tell_of_armed(void (*tell)(bool any))
{
	pe_limits_tell_armed = tell;
}

void pe_limits_event_armed(struct pe_event *event, bool armed)
{
	lockdep_assert_held(&pe_event_mutex);
	if (event->weighed == armed)
		return;
	event->weighed = armed;
	pe_limits_nr_armed += armed ? 1 : -1;
	if (pe_limits_nr_armed == armed)
		pe_limits_tell_armed(armed);
}

/* ---- the end ---- */

bool pe_limit_drop_link(const struct pe_event_link *link)
{
	struct pe_limit_entry *entry = pe_limit_entry_of(link);

	if (!entry)
		return false;
	list_del(&entry->list);
	kfree(entry);
	pe_limit_choose(pe_limit_of(link->event));
	return true;
}

void pe_limit_drop_event(struct pe_event *event)
{
	pe_limit_changed(event, false);
	pe_limits_event_armed(event, false);
}

void pe_limit_free(struct pe_limit_hits *hits)
{
	if (!hits)
		return;
	free_percpu(hits->costs);
	kfree(container_of(hits, struct pe_limit, hits));
}
