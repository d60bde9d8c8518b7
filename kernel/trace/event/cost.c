// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cost.c - what hits cost: their number times a price.
 *
 * Hits count themselves, and no more.  C code times one in PE_LIMIT_SAMPLE, which stands for as
 * many.  The other hits, a source's @rest, have the price of those, or that of compiled hits if
 * there is code for them.  So a price needs no step in a hit that is not timed.
 *
 * Readers and the limits look at all sources now and then.  A look moves the hits that came since
 * the last one; so prices may change, and what has been counted at an old one stays.  A CPU keeps
 * only sums: the rest of all sources at the price of compiled hits, as that of all others is less
 * than a sample.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include "compile.h"
#include "cost.h"
#include "event.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

/* Steps of a hit that C code serves, before one has been timed: it does more than compiled code. */
#define ASSUMED		4

/**
 * struct cpu_cost - what hits have cost on a CPU
 * @rest: of all sources, at the last look
 * @now: the same, during a look
 * @timed: ns of those that have been timed, at the last look
 */
struct cpu_cost {
	unsigned long rest;
	unsigned long now;
	unsigned long timed;
};

struct pe_cost_look pe_cost_last;
static struct cpu_cost *pe_cost_cpus;		/* of each possible CPU */
static u64 pe_cost_looked;			/* when the last look began; ns, monotonic */

/* Hits for which no timed one stands. */
static unsigned long pe_cost_rest(const struct pe_event_stat *stat)
{
	long hits = READ_ONCE(stat->hits) + READ_ONCE(stat->both) - READ_ONCE(stat->sampled);

	return max(hits, 0L);
}

/* Sums of all CPUs.  Each source adds its part to the rest of each CPU. */
struct cost_sum {
	unsigned long rest, timed, sampled;
};

static struct cost_sum pe_cost_sum(const struct pe_source *source)
{
	struct cost_sum sum = {};
	const struct pe_event_stat *stat;
	unsigned long rest;
	int cpu;

	for_each_possible_cpu(cpu) {
		stat = per_cpu_ptr(source->one.stat, cpu);
		rest = pe_cost_rest(stat);
		pe_cost_cpus[cpu].now += rest;
		sum.rest += rest;
		sum.timed += READ_ONCE(stat->ns);
		sum.sampled += READ_ONCE(stat->sampled);
	}
	return sum;
}

static bool pe_cost_is_compiled(const struct pe_source *source)
{
	const struct pe_event_probe *probe;

	list_for_each_entry(probe, &source->probes, mine) {
		if (pe_compile_is_live(probe))
			return true;
		cond_resched();
	}
	return false;
}

static unsigned int pe_cost_price(const struct pe_source *source, const struct cost_sum *sum)
{
	if (pe_cost_is_compiled(source))
		return pe_limit_prices.compiled;
	if (sum->sampled)
		return div64_ul(sum->timed, sum->sampled);
	return pe_limit_prices.call + ASSUMED * pe_limit_prices.compiled;
}

const char *pe_cost_price_is(const struct pe_source *source)
{
	if (pe_cost_is_compiled(source))
		return "compiled";
	return source->cost.timed ? "timed" : "assumed";
}

void pe_cost_update(struct pe_source *source)
{
	const struct cost_sum sum = pe_cost_sum(source);
	struct pe_cost *cost = &source->cost;
	unsigned int price, before = cost->price;
	s64 ns;

	lockdep_assert_held(&pe_event_mutex);
	cost->price = pe_cost_price(source, &sum);
	/* They may have been compiled, though they are not any more. */
	price = before ? min(before, cost->price) : cost->price;
	/* A hit that has just been timed takes others out of the rest. */
	ns = (s64)(sum.timed - cost->timed) + (s64)(sum.rest - cost->rest) * price;
	cost->rest = sum.rest;
	cost->timed = sum.timed;
	if (ns < 0)
		return;
	cost->ns += ns;
	cost->run += ns;
}

/* ---- looks ---- */

/* The cost of hits of all sources on a CPU since the last look; the next begins now. */
static u64 pe_cost_look_on(int cpu)
{
	struct cpu_cost *cost = &pe_cost_cpus[cpu];
	unsigned long timed = READ_ONCE(per_cpu_ptr(pe_limit_all->costs, cpu)->ns);
	s64 rest = cost->now - cost->rest;
	u64 ns = timed - cost->timed;

	cost->timed = timed;
	cost->rest = cost->now;
	/* Nothing is known of removed sources. */
	return rest > 0 ? ns + rest * pe_limit_prices.compiled : ns;
}

static void pe_cost_look_at_cpus(struct pe_cost_look *look)
{
	u64 ns;
	int cpu;

	for_each_possible_cpu(cpu) {
		ns = pe_cost_look_on(cpu);
		if (ns <= look->most)
			continue;
		look->most = ns;
		look->on = cpu;
	}
}

void pe_cost_look(void)
{
	struct pe_cost_look look = {};
	struct pe_source *source;
	u64 begun;
	int cpu;

	lockdep_assert_held(&pe_event_mutex);
	for_each_possible_cpu(cpu)
		pe_cost_cpus[cpu].now = 0;
	begun = ktime_get_mono_fast_ns();
	list_for_each_entry(source, &pe_sources, all) {
		pe_cost_update(source);
		source->cost.last = source->cost.run;
		source->cost.run = 0;
		look.ns += source->cost.last;
		cond_resched();
	}
	pe_cost_look_at_cpus(&look);
	/* Others may run in between: whenever hits were read, they are from this time. */
	look.interval = ktime_get_mono_fast_ns() - pe_cost_looked;
	pe_cost_looked = begun;
	pe_cost_last = look;
}

u64 pe_cost_since_look(void)
{
	return ktime_get_mono_fast_ns() - pe_cost_looked;
}

void pe_cost_begin(void)
{
	pe_cost_look();
	pe_cost_last = (struct pe_cost_look){};
}

/* ---- whose hits? ---- */

static void pe_cost_forget(void)
{
	struct pe_event *event;

	list_for_each_entry(event, &pe_events, list)
		event->spent = 0;
}

void pe_cost_weigh(void)
{
	const struct pe_source *source;

	lockdep_assert_held(&pe_event_mutex);
	pe_cost_forget();
	list_for_each_entry(source, &pe_sources, all)
		pe_source_event(source)->spent += source->cost.last;
}

static u64 pe_cost_here(const struct pe_source *source, int cpu)
{
	const struct pe_event_stat *stat = per_cpu_ptr(source->one.stat, cpu);

	return READ_ONCE(stat->ns) + (u64)pe_cost_rest(stat) * source->cost.price;
}

u64 pe_cost_weigh_on(int cpu, unsigned int ms)
{
	struct pe_source *source;
	u64 begun;
	s64 ns;

	lockdep_assert_held(&pe_event_mutex);
	pe_cost_forget();
	begun = ktime_get_mono_fast_ns();
	list_for_each_entry(source, &pe_sources, all)
		source->cost.here = pe_cost_here(source, cpu);
	msleep(ms);
	list_for_each_entry(source, &pe_sources, all) {
		ns = pe_cost_here(source, cpu) - source->cost.here;
		pe_source_event(source)->spent += max_t(s64, ns, 0);
	}
	return ktime_get_mono_fast_ns() - begun;
}

int pe_cost_init(void)
{
	pe_cost_cpus = kcalloc(nr_cpu_ids, sizeof(*pe_cost_cpus), GFP_KERNEL);
	return pe_cost_cpus ? 0 : -ENOMEM;
}

void pe_cost_exit(void)
{
	kfree(pe_cost_cpus);
}
