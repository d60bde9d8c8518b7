// SPDX-License-Identifier: GPL-2.0
/*
 * limit.c - limits that are in force, and the timer that looks at them.
 *
 * A hit that reaches a limit gates its event, and does nothing more: it may be anywhere.  While an
 * event with a limit is armed, a timer looks at all of these, in hard interrupt context: so it comes
 * though tasks get no time.  It gates events whose time is over, and queues the work that disarms.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/trace.h"
#include "event.h"
#include "limit.h"

#define LOOK_NS		(50 * NSEC_PER_MSEC)
#define BURST_NS	(10 * NSEC_PER_MSEC)	/* hits that were not made in it may come at once */

LIST_HEAD(pe_limits_armed);

/* Guards the next ones; a leaf, taken with interrupts off. */
static DEFINE_RAW_SPINLOCK(pe_limit_lock);
static unsigned int pe_nr_limits_armed;
static bool pe_limit_timer_runs;

static struct hrtimer pe_limit_timer;
static struct work_struct *pe_limit_work;

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

	/* Who is gated will be stopped, whatever is written meanwhile. */
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

/* ---- the timer ---- */

/* Return: is there something to disarm? */
static bool pe_limit_look(struct pe_limit *limit, u64 now)
{
	if (now >= READ_ONCE(limit->until))
		pe_limit_gate(&limit->hits, PE_LIMIT_TTL);
	return atomic_read(&limit->hits.gate);
}

static enum hrtimer_restart pe_limit_timer_look(struct hrtimer *timer)
{
	u64 now = ktime_get_boottime_ns();
	struct pe_limit *limit;
	bool more;

	rcu_read_lock();
	list_for_each_entry_rcu(limit, &pe_limits_armed, armed)
		if (pe_limit_look(limit, now))
			queue_work(system_unbound_wq, pe_limit_work);
	rcu_read_unlock();

	raw_spin_lock(&pe_limit_lock);
	more = pe_nr_limits_armed;
	pe_limit_timer_runs = more;
	raw_spin_unlock(&pe_limit_lock);
	if (!more)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(LOOK_NS));
	return HRTIMER_RESTART;
}

/* It must not be started again while it runs: changes that never end would put it off for ever. */
static void pe_limit_count_armed(int n)
{
	unsigned long flags;
	bool start;

	raw_spin_lock_irqsave(&pe_limit_lock, flags);
	pe_nr_limits_armed += n;
	start = pe_nr_limits_armed && !pe_limit_timer_runs;
	pe_limit_timer_runs |= start;
	raw_spin_unlock_irqrestore(&pe_limit_lock, flags);
	if (start)
		hrtimer_start(&pe_limit_timer, ns_to_ktime(LOOK_NS), HRTIMER_MODE_REL_HARD);
}

/* Time counts from then on. */
static void pe_limit_add_armed(struct pe_limit *limit)
{
	struct pe_limit_entry *entry;

	list_for_each_entry(entry, &limit->entries, list)
		pe_limit_begin_time(entry);
	pe_limit_choose(limit);
	limit->is_armed = true;
	list_add_tail_rcu(&limit->armed, &pe_limits_armed);
	pe_limit_count_armed(1);
}

/*
 * It may be added again before the timer has left it: then the timer, going on from it, comes to
 * the end of the list early, once.
 */
static void pe_limit_remove_armed(struct pe_limit *limit)
{
	limit->is_armed = false;
	list_del_rcu(&limit->armed);
	pe_limit_count_armed(-1);
}

void pe_limit_changed(const struct pe_event *event, bool armed)
{
	struct pe_limit *limit = pe_limit_of(event);

	lockdep_assert_held(&pe_event_mutex);
	if (!limit)
		return;
	armed &= pe_limit_in_force(event);
	if (armed && !limit->is_armed)
		pe_limit_add_armed(limit);
	else if (!armed && limit->is_armed)
		pe_limit_remove_armed(limit);
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
	WRITE_ONCE(limit->hits.at, 0);
	atomic_set(&limit->hits.gate, 0);
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

void pe_limit_drop_event(const struct pe_event *event)
{
	pe_limit_changed(event, false);
}

void pe_limit_free(struct pe_event *event)
{
	kfree(pe_limit_of(event));
}

void pe_limits_init(struct work_struct *work)
{
	pe_limit_work = work;
	hrtimer_init(&pe_limit_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	pe_limit_timer.function = pe_limit_timer_look;
}

void pe_limits_exit(void)
{
	WARN_ON(!list_empty(&pe_limits_armed));
	hrtimer_cancel(&pe_limit_timer);
}
