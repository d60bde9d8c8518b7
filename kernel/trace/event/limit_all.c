// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_all.c - the limit of all events together.
 *
 * It keeps a machine alive whose user has probed what is hit all the time.  Hits do not ask it,
 * unless it counts them: what they cost is found out afterwards.
 *
 *  - Timers look at what C code does, on each CPU, as they look at the limit of an event
 *    (limit_timer.c): it is dear, and they come though tasks get no time.  When it is too much they
 *    close a gate.  While it is closed, C code serves no event.
 *  - The work below looks at all hits, compiled ones as well (cost.c).  These are cheap, and go on
 *    until their events are disarmed.
 *
 * Then the dearest events are stopped, until what is left is within the limit, and the gate opens.
 * Shares and rates stay in force; hits and ttl are over when they have stopped all events.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "cost.h"
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/parse/limit_words.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "limit.h"
#include "variant.h"

#define LOOK_BUSY	(HZ / 10)	/* while hits take a tenth of what they may */
#define LOOK_IDLE	HZ
#define LOOK_LATE	(10 * HZ)
#define LOOK_SHARE	100		/* looking takes one of so many parts of the time at most */
#define LEAST_MS	50	/* for a judgement: one hit in 64 stands for the others */
#define WEIGH_MS	20
#define WHO_TEXT	(2 * PE_MAX_EVENT_NAME_LEN)

/* More than is probed on purpose, and what a machine still bears. */
static char *pe_limits_at_load = "cpu=25%,one=60%";
module_param_named(limits, pe_limits_at_load, charp, 0444);
MODULE_PARM_DESC(limits, "the limit of all events, as in the file limits, commas for blanks");

static struct pe_limit pe_limits;		/* pe_event_mutex, as the rest */
static struct pe_limit_entry pe_limits_written;
static bool pe_limits_any;			/* is an event armed? */
/* The events stopped the last time: the first one's name, and how many. */
static char pe_limits_who[WHO_TEXT];
static unsigned int pe_limits_nr;

static void pe_limits_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_limits_work, pe_limits_look);

/* ---- in force ---- */

static void pe_limits_watch(bool on)
{
	if (on == pe_limits.is_armed)
		return;
	pe_limits.is_armed = on;
	if (on)
		pe_limit_timer_add(&pe_limits);
	else
		pe_limit_timer_remove(&pe_limits);
}

static void pe_limits_put(const struct pe_limit_words *words)
{
	pe_limits_written.words = *words;
	pe_limit_begin(&pe_limits, &pe_limits_written);
	pe_limit_choose(&pe_limits);
}

static void pe_limits_hear(bool any)
{
	pe_limits_any = any;
	if (any) {
		pe_cost_begin();
		mod_delayed_work(system_unbound_wq, &pe_limits_work, LOOK_BUSY);
	}
	pe_limits_watch(any && !pe_limit_is_none(&pe_limits.words));
}

/* ---- stop ---- */

/* @sum: what all events have cost, of which @event is a part; 0: it does not matter */
static bool pe_limits_stop(struct pe_event *event, u64 sum, struct pe_change *change)
{
	struct pe_limit *limit = pe_limit_need(event);
	char share[PE_LIMIT_SHARE_TEXT];
	size_t at;

	if (!limit)
		return false;
	at = scnprintf(limit->why, sizeof(limit->why), "limits: %s", pe_limits.why);
	if (sum) {
		pe_limit_print_share(share, div64_u64(event->spent * PE_LIMIT_WHOLE, sum));
		scnprintf(limit->why + at, sizeof(limit->why) - at, ", its part %s", share);
	}
	limit->when = pe_limits.when;
	if (!pe_limits_nr++)
		snprintf(pe_limits_who, sizeof(pe_limits_who), "%s/%s", event->group,
			 event->name);
	pe_limit_stop(limit, change);
	return true;
}

/* Return: is there memory for it? */
static bool pe_limits_stop_all(struct pe_change *change)
{
	struct pe_event *event;
	bool done = true;

	list_for_each_entry(event, &pe_events, list) {
		if (event->weighed && !pe_limits_stop(event, 0, change))
			done = false;
		cond_resched();
	}
	return done;
}

static u64 pe_limits_most(u64 *sum)
{
	const struct pe_event *event;
	u64 most = 0;

	*sum = 0;
	list_for_each_entry(event, &pe_events, list) {
		if (!event->weighed)
			continue;
		most = max(most, event->spent);
		*sum += event->spent;
	}
	return most;
}

/*
 * The dearest one, then those that cost half as much at least, and so on, until they cost @allowed
 * at most.
 */
static bool pe_limits_stop_dearest(u64 allowed, struct pe_change *change)
{
	struct pe_event *event;
	u64 sum, least = pe_limits_most(&sum), all = sum;
	bool done = true;

	for (; least && sum > allowed; least /= 2) {
		list_for_each_entry(event, &pe_events, list) {
			if (!event->weighed || event->spent < least)
				continue;
			sum -= event->spent;
			done = pe_limits_stop(event, all, change) && done;
			event->spent = 0;
			cond_resched();
			if (sum <= allowed)
				break;
		}
	}
	return done;
}

/*
 * The event that cost so much is not known for sure: it has moved to another CPU, or pauses.  If it
 * has been stopped or disabled meanwhile, others must not be stopped for it.
 */
static bool pe_limits_stop_notable(u64 allowed, struct pe_change *change)
{
	struct pe_event *event;
	u64 sum, most = pe_limits_most(&sum);

	if (!list_empty(&change->moving) || !most || most < allowed / 2)
		return true;
	list_for_each_entry(event, &pe_events, list)
		if (event->weighed && event->spent == most)
			return pe_limits_stop(event, sum, change);
	return true;
}

static u64 pe_limits_allowed(u64 whole, u32 share)
{
	return div_u64(whole, PE_LIMIT_WHOLE) * share;
}

static bool pe_limits_stop_on(int cpu, u32 share, struct pe_change *change)
{
	u64 allowed, sum;

	if (cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu)) {
		allowed = pe_limits_allowed(pe_cost_weigh_on(cpu, WEIGH_MS), share);
		pe_limits_most(&sum);
		if (sum > allowed)
			return pe_limits_stop_dearest(allowed, change);
	}
	/* All CPUs together may cost more than one may, which says nothing. */
	pe_cost_weigh();
	return pe_limits_stop_notable(pe_limits_allowed(pe_cost_last.interval, share), change);
}

static bool pe_limits_stop_some(struct pe_change *change)
{
	u64 allowed, sum;

	if (atomic_read(&pe_limits.hits.gate) == PE_LIMIT_ONE)
		return pe_limits_stop_on(pe_limits.reach.on, pe_limits.words.one, change);
	pe_cost_weigh();
	allowed = pe_limits_allowed(pe_cost_last.interval * num_online_cpus(),
				    pe_limits.words.cpu);
	pe_limits_most(&sum);
	if (sum > allowed)
		return pe_limits_stop_dearest(allowed, change);
	return pe_limits_stop_notable(allowed, change);
}

/*
 * Earlier costs do not count any more: the events that had them have been stopped.  The timers
 * stop until the gate is open: one that saw the old words would close it.
 */
static void pe_limits_open(void)
{
	pe_limits_watch(false);
	synchronize_rcu();
	pe_limit_open_all();
	pe_cost_begin();
	pe_limits_watch(pe_limits_any && !pe_limit_is_none(&pe_limits.words));
}

static bool pe_limits_serve(struct pe_change *change)
{
	struct pe_limit_words words = pe_limits.words;

	pe_limit_say(&pe_limits);
	pe_limits_nr = 0;
	switch (atomic_read(&pe_limits.hits.gate)) {
	case PE_LIMIT_CPU:
	case PE_LIMIT_ONE:
		return pe_limits_stop_some(change);
	}
	if (!pe_limits_stop_all(change))
		return false;
	words.hits = 0;
	words.ttl = 0;
	pe_limits_put(&words);
	return true;
}

static void pe_limits_act(struct pe_change *change)
{
	bool done = pe_limits_serve(change);

	/* First: with an open gate they would be served until they are disarmed. */
	pe_limit_stopped(change);
	/* Timers queue the work again while the gate is closed. */
	if (done)
		pe_limits_open();
}

/* Timers have closed the gate.  A look at too short a time says little. */
static void pe_limits_trip(struct pe_change *change)
{
	if (pe_cost_since_look() < WEIGH_MS * NSEC_PER_MSEC)
		msleep(WEIGH_MS);
	pe_cost_look();
	pe_limits_act(change);
}

/* Timers have found limits that are reached, of events or of all. */
static void pe_limits_disarm(struct work_struct *work)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	struct pe_limit *limit, *next;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry_safe(limit, next, &pe_limits_armed, armed) {
		if (limit->event && atomic_read(&limit->hits.gate)) {
			pe_limit_say(limit);
			pe_limit_stop(limit, &change);
		}
		cond_resched();
	}
	if (atomic_read(&pe_limits.hits.gate))
		pe_limits_trip(&change);
	else
		pe_limit_stopped(&change);
	mutex_unlock(&pe_event_mutex);
}

static DECLARE_WORK(pe_limits_disarm_work, pe_limits_disarm);

/* ---- look ---- */

static u64 pe_limits_share(u64 ns, u64 whole)
{
	return whole ? div64_u64(ns, max_t(u64, div_u64(whole, PE_LIMIT_WHOLE), 1)) : 0;
}

/* Hits have taken @share of the time, of which they may take @most. */
static void pe_limits_check(u64 share, u32 most, enum pe_limit_why why, int cpu)
{
	unsigned int ms = div_u64(pe_cost_last.interval, NSEC_PER_MSEC);
	const struct pe_limit_reach reach = {
		.reached = min_t(u64, share, U32_MAX), .after = ms, .whole = ms, .on = cpu,
	};

	if (most && share > most)
		pe_limit_exceed(&pe_limits, why, &reach);
}

/* Worth to be looked at often?  What is not limited is not. */
static bool pe_limits_is_near(u64 share, u32 most)
{
	return most && share * 10 > most;
}

/* Return: when to look again. */
static unsigned long pe_limits_judge(void)
{
	u64 interval = pe_cost_last.interval;
	u64 cpu = pe_limits_share(pe_cost_last.ns, interval * num_online_cpus());
	u64 one = pe_limits_share(pe_cost_last.most, interval);
	struct pe_change change = PE_CHANGE_INIT(change);

	pe_limits_check(cpu, pe_limits.words.cpu, PE_LIMIT_CPU, 0);
	pe_limits_check(one, pe_limits.words.one, PE_LIMIT_ONE, pe_cost_last.on);
	/* Also if timers have closed it: another look would not see what this one has seen. */
	if (atomic_read(&pe_limits.hits.gate))
		pe_limits_act(&change);
	if (pe_limits_is_near(cpu, pe_limits.words.cpu) ||
	    pe_limits_is_near(one, pe_limits.words.one))
		return LOOK_BUSY;
	return LOOK_IDLE;
}

static void pe_limits_look(struct work_struct *work)
{
	unsigned long delay, took;
	u64 begun;

	mutex_lock(&pe_event_mutex);
	/* A change of the limit, or a stop, has begun the time anew. */
	if (pe_limits_any && pe_cost_since_look() < LEAST_MS * NSEC_PER_MSEC) {
		mod_delayed_work(system_unbound_wq, &pe_limits_work, LOOK_BUSY);
	} else if (pe_limits_any) {
		begun = ktime_get_mono_fast_ns();
		pe_cost_look();
		took = nsecs_to_jiffies(ktime_get_mono_fast_ns() - begun);
		delay = max(pe_limits_judge(), took * LOOK_SHARE);
		mod_delayed_work(system_unbound_wq, &pe_limits_work,
				 min_t(unsigned long, delay, LOOK_LATE));
	}
	mutex_unlock(&pe_event_mutex);
}

/* ---- its file ---- */

static void pe_limits_tell_events(void)
{
	struct pe_event *event;

	list_for_each_entry(event, &pe_events, list) {
		pe_event_changed(event);
		cond_resched();
	}
}

int pe_limits_set(const char *text)
{
	struct pe_parse_err err = {};
	struct pe_limit_words words;
	bool counted;
	int ret = pe_limit_parse(&words, text, &err);

	if (ret) {
		pe_error_log("limits", text, &err);
		return ret;
	}
	mutex_lock(&pe_event_mutex);
	counted = pe_limit_counts(&pe_limits.hits);
	pe_limits_put(&words);
	pe_limits_open();
	pe_limits.why[0] = '\0';
	if (counted || pe_limit_counts(&pe_limits.hits))
		pe_limits_tell_events();
	mutex_unlock(&pe_event_mutex);
	return 0;
}

void pe_limits_show(struct seq_file *m)
{
	char text[PE_LIMIT_TEXT];

	mutex_lock(&pe_event_mutex);
	pe_limit_print(text, &pe_limits.words);
	seq_printf(m, "%s\n", text);
	if (pe_limits.why[0]) {
		seq_printf(m, "tripped: %s at %llu.%03u:", pe_limits.why,
			   div_u64(pe_limits.when, NSEC_PER_SEC),
			   (unsigned int)(div_u64(pe_limits.when, NSEC_PER_MSEC) % MSEC_PER_SEC));
		if (!pe_limits_nr)
			seq_puts(m, " no event, all have become quiet");
		else
			seq_printf(m, " %s", pe_limits_who);
		if (pe_limits_nr > 1)
			seq_printf(m, " and %u more", pe_limits_nr - 1);
		seq_putc(m, '\n');
	}
	mutex_unlock(&pe_event_mutex);
}

static int pe_limits_from_parameter(void)
{
	struct pe_parse_err err = {};
	char text[PE_LIMIT_TEXT];
	struct pe_limit_words words;
	int ret;

	if (strscpy(text, pe_limits_at_load, sizeof(text)) < 0)
		return -EINVAL;
	strreplace(text, ',', ' ');
	ret = pe_limit_parse(&words, text, &err);
	if (ret) {
		pr_err("probe_events: limits=%s: %s\n", pe_limits_at_load,
		       err.detail ?: "no limit");
		return ret;
	}
	mutex_lock(&pe_event_mutex);
	pe_limits_put(&words);
	mutex_unlock(&pe_event_mutex);
	return 0;
}

int pe_limits_init(void)
{
	int ret = pe_cost_init();

	if (ret)
		return ret;
	INIT_LIST_HEAD(&pe_limits.entries);
	list_add(&pe_limits_written.list, &pe_limits.entries);
	ret = pe_limit_need_costs(&pe_limits) ?: pe_limits_from_parameter();
	if (!ret)
		ret = pe_limit_timers_init(&pe_limits_disarm_work);
	if (ret) {
		free_percpu(pe_limits.hits.costs);
		pe_cost_exit();
		return ret;
	}
	pe_limit_all = &pe_limits.hits;
	pe_limits_tell_of_armed(pe_limits_hear);
	return 0;
}

void pe_limits_exit(void)
{
	pe_limit_timers_exit();
	cancel_work_sync(&pe_limits_disarm_work);
	cancel_delayed_work_sync(&pe_limits_work);
	WARN_ON(pe_limits_any);
	free_percpu(pe_limits.hits.costs);
	pe_cost_exit();
}
