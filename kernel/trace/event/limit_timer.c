// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_timer.c - a timer on each CPU looks at the limits of events that are armed.
 *
 * A hit that reaches a limit gates its event, and does nothing more: it may be anywhere.  While an
 * event with a limit is armed, each CPU's timer looks at all of these, in hard interrupt context:
 * so it comes though tasks get no time.  It gates events whose time is over, or whose hits take too
 * large a share of it, and queues the work that disarms.
 *
 * Shares are those of windows of 100 ms since the event was armed.  A CPU adds what its hits have
 * cost since its timer's last look to the sum of the window that is now; who brings that over the
 * limit gates the event.  So hits that take all of the time are found at the next look.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "event.h"
#include "kernel/know/compat.h"
#include "kernel/trace/hit/limit_hit.h"
#include "limit.h"

#define BUSY_NS		(10 * NSEC_PER_MSEC)
#define IDLE_NS		(50 * NSEC_PER_MSEC)
#define WINDOW_NS	(100 * NSEC_PER_MSEC)

LIST_HEAD(pe_limits_armed);
static unsigned int pe_nr_limits_armed;		/* pe_event_mutex; timers read it */

static DEFINE_PER_CPU(struct hrtimer, pe_limit_timers);
static struct work_struct *pe_limit_work;
static int pe_limit_state;

/* ---- shares ---- */

static unsigned long pe_limit_cost_sum(const struct pe_limit_cost *cost)
{
	return READ_ONCE(cost->ns) + READ_ONCE(cost->hits) * pe_limit_prices.compiled;
}

/* Return: what hits on all CPUs have cost in the window. */
static u64 pe_limit_spend(struct pe_limit *limit, u64 id, u64 ns)
{
	atomic64_t *at = &limit->spent[id % ARRAY_SIZE(limit->spent)];
	s64 old = atomic64_read(at);
	u64 word;

	do {
		word = pe_limit_window_add(old, id, ns);
		/* One that has begun to look before the others did is late. */
		if (pe_limit_window_later(word, id))
			return ns;
	} while (!atomic64_try_cmpxchg(at, &old, word));
	return pe_limit_window_sum(word);
}

static u64 pe_limit_budget(u32 share, unsigned int cpus)
{
	return div_u64(WINDOW_NS, PE_LIMIT_WHOLE) * share * cpus;
}

/* The numbers are there before the gate is closed: who finds it closed reads them. */
void pe_limit_exceed(struct pe_limit *limit, enum pe_limit_why why,
		     const struct pe_limit_reach *reach)
{
	if (atomic_read(&limit->hits.gate) || atomic_cmpxchg(&limit->claimed, 0, 1))
		return;
	/* Again: who had claimed it a moment ago has closed it. */
	if (!atomic_read(&limit->hits.gate)) {
		limit->reach = *reach;
		pe_limit_gate(&limit->hits, why);
	}
	atomic_set_release(&limit->claimed, 0);
}

static void pe_limit_check(struct pe_limit *limit, enum pe_limit_why why, u64 spent,
			   unsigned int cpus, u64 passed)
{
	const u32 share = why == PE_LIMIT_ONE ? READ_ONCE(limit->words.one) :
						READ_ONCE(limit->words.cpu);
	struct pe_limit_reach reach;

	if (!share || spent <= pe_limit_budget(share, cpus))
		return;
	reach.reached = div64_u64(spent, div_u64(WINDOW_NS, PE_LIMIT_WHOLE) * cpus);
	reach.after = div_u64(passed, NSEC_PER_MSEC);
	reach.whole = div_u64(WINDOW_NS, NSEC_PER_MSEC);
	reach.on = raw_smp_processor_id();
	pe_limit_exceed(limit, why, &reach);
}

/*
 * The cost of hits on this CPU since its last look.  If the window has begun since then, only
 * the part that is in it, as if they had come evenly: the rest was another window's.
 */
static u64 pe_limit_cost_new(struct pe_limit_cost *cost, u64 now, u64 passed)
{
	unsigned long sum = pe_limit_cost_sum(cost);
	s64 ns = sum - cost->seen, since = now - cost->looked;

	cost->seen = sum;
	cost->looked = now;
	/* pe_limit_clear() may have seen more meanwhile, and later. */
	if (ns <= 0 || since <= 0)
		return 0;
	return passed < since ? mul_u64_u64_div_u64(ns, passed, since) : ns;
}

/* Return: have there been hits on this CPU? */
static bool pe_limit_weigh(struct pe_limit *limit, u64 now)
{
	struct pe_limit_cost *cost = this_cpu_ptr(limit->hits.costs);
	u64 passed = now - READ_ONCE(limit->begun), id, all, ns;

	if ((s64)passed < 0)	/* it has begun a moment ago */
		return false;
	id = div64_u64_rem(passed, WINDOW_NS, &passed);
	ns = pe_limit_cost_new(cost, now, passed);
	if (cost->window != id)
		cost->spent = 0;
	cost->window = id;
	cost->spent += ns;
	if (!ns)	/* what all share is not touched by those that add nothing */
		return false;
	all = pe_limit_spend(limit, id, ns);
	pe_limit_check(limit, PE_LIMIT_ONE, cost->spent, 1, passed);
	pe_limit_check(limit, PE_LIMIT_CPU, all, num_online_cpus(), passed);
	return true;
}

/* A timer that has not left it yet may write after this: limit_window.h copes with that. */
static void pe_limit_clear(struct pe_limit *limit)
{
	struct pe_limit_cost *cost;
	unsigned int i;
	int cpu;

	limit->begun = ktime_get_mono_fast_ns();
	for (i = 0; i < ARRAY_SIZE(limit->spent); i++)
		atomic64_set(&limit->spent[i], 0);
	if (!limit->hits.costs)
		return;
	for_each_possible_cpu(cpu) {
		cost = per_cpu_ptr(limit->hits.costs, cpu);
		cost->seen = pe_limit_cost_sum(cost);
		cost->looked = limit->begun;
		cost->window = 0;
		cost->spent = 0;
	}
}

/* ---- timers ---- */

/* Return: have there been hits that are timed? */
static bool pe_limit_look_at(struct pe_limit *limit, u64 now, u64 boot)
{
	bool busy = false;

	if (boot >= READ_ONCE(limit->until))
		pe_limit_gate(&limit->hits, PE_LIMIT_TTL);
	if (smp_load_acquire(&limit->hits.timed))		/* limit:B */
		busy = pe_limit_weigh(limit, now);
	if (atomic_read(&limit->hits.gate))
		queue_work(system_unbound_wq, pe_limit_work);
	return busy;
}

static enum hrtimer_restart pe_limit_look(struct hrtimer *timer)
{
	u64 now = ktime_get_mono_fast_ns(), boot = ktime_get_boottime_ns();
	struct pe_limit *limit;
	bool busy = false;

	/* Its CPU has gone, and it came here. */
	if (timer != this_cpu_ptr(&pe_limit_timers) || !READ_ONCE(pe_nr_limits_armed))
		return HRTIMER_NORESTART;
	rcu_read_lock();
	list_for_each_entry_rcu(limit, &pe_limits_armed, armed)
		busy |= pe_limit_look_at(limit, now, boot);
	rcu_read_unlock();
	hrtimer_forward_now(timer, ns_to_ktime(busy ? BUSY_NS : IDLE_NS));
	return HRTIMER_RESTART;
}

/*
 * With interrupts off.  One that is queued is left alone: changes that never end would put it off
 * for ever.
 */
static void pe_limit_start(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&pe_limit_timers);

	if (!hrtimer_is_queued(timer))
		hrtimer_start(timer, ns_to_ktime(BUSY_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

/* On that CPU.  The task that arms the first event later interrupts it. */
static int pe_limit_cpu_comes(unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	/* Also if it is queued: when the CPU went, another one may have got it. */
	if (READ_ONCE(pe_nr_limits_armed))
		hrtimer_start(this_cpu_ptr(&pe_limit_timers), ns_to_ktime(BUSY_NS),
			      HRTIMER_MODE_REL_PINNED_HARD);
	local_irq_restore(flags);
	return 0;
}

static int pe_limit_cpu_goes(unsigned int cpu)
{
	hrtimer_cancel(per_cpu_ptr(&pe_limit_timers, cpu));
	return 0;
}

/* ---- what they look at ---- */

void pe_limit_timer_add(struct pe_limit *limit)
{
	lockdep_assert_held(&pe_event_mutex);
	pe_limit_clear(limit);
	list_add_tail_rcu(&limit->armed, &pe_limits_armed);
	WRITE_ONCE(pe_nr_limits_armed, pe_nr_limits_armed + 1);	/* read by pe_limit_look() */
	if (pe_nr_limits_armed == 1)
		on_each_cpu(pe_limit_start, NULL, 1);
}

/*
 * It may be added again before a timer has left it: then this timer, going on from it, comes to
 * the end of the list early, once.
 */
void pe_limit_timer_remove(struct pe_limit *limit)
{
	lockdep_assert_held(&pe_event_mutex);
	list_del_rcu(&limit->armed);
	WRITE_ONCE(pe_nr_limits_armed, pe_nr_limits_armed - 1);	/* read by pe_limit_look() */
}

int pe_limit_timers_init(struct work_struct *work)
{
	struct hrtimer *timer;
	int cpu;

	pe_limit_work = work;
	for_each_possible_cpu(cpu) {
		timer = per_cpu_ptr(&pe_limit_timers, cpu);
		pe_hrtimer_setup(timer, pe_limit_look, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
	}
	pe_limit_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/probe_events:limits",
						   pe_limit_cpu_comes, pe_limit_cpu_goes);
	return min(pe_limit_state, 0);
}

void pe_limit_timers_exit(void)
{
	int cpu;

	WARN_ON(!list_empty(&pe_limits_armed));
	cpuhp_remove_state_nocalls(pe_limit_state);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(per_cpu_ptr(&pe_limit_timers, cpu));
}
