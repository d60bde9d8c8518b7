// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_hit.c - is a hit within its event's limit?  [H]
 *
 * A count and a time are shared by all CPUs: so the last hit that is served is the Nth one, on
 * whatever CPU, and no CPU has hits left that another one lacks.  Hits beyond the limit only read,
 * so the more of them come, the less they wait for one another.
 *
 * An exchange that fails has been overtaken by another hit, which was served: so all hits together
 * fail no more often than the limit has hits.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <pe_arch/hit_entry.h>
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/ring/clock.h"
#include "limit_hit.h"

/*
 * The most that a hit is charged.  A virtual machine's CPU may lose much more while a hit is timed,
 * which the hit has not cost; and hits that are dearer would have to come rarely.
 */
#define DEAREST_NS	(100 * NSEC_PER_USEC)

struct pe_limit_prices pe_limit_prices __read_mostly = {
	.trap = 1000, .call = 50, .compiled = 50,
};

/* Before there is a limit, nothing is limited. */
static struct pe_limit_hits pe_limit_nothing = { .end = U64_MAX };
struct pe_limit_hits *pe_limit_all __read_mostly = &pe_limit_nothing;
unsigned int pe_limit_unlooked __read_mostly = PE_LIMIT_SAMPLE - 1;

/*
 * An interrupt between the exchange and the bits could have the hits that take all of this CPU, and
 * find the gate closed: the others' hits would be served until it ends.
 */
bool pe_limit_gate(struct pe_limit_hits *limit, enum pe_limit_why why)
{
	unsigned long flags;
	bool mine;

	raw_local_irq_save(flags);
	mine = !atomic_cmpxchg(&limit->gate, 0, why);
	if (mine && limit == pe_limit_all)
		WRITE_ONCE(pe_limit_unlooked, 0);	/* read by pe_hit_count() */
	raw_local_irq_restore(flags);
	if (mine)
		WRITE_ONCE(limit->at, ktime_get_mono_fast_ns());	/* read by pe_limit_say() */
	return mine;
}

/* First the bits: a gate that is closed is not closed again, which would clear them. */
void pe_limit_open_all(void)
{
	if (!atomic_read(&pe_limit_all->gate))
		return;
	WRITE_ONCE(pe_limit_unlooked, PE_LIMIT_SAMPLE - 1);	/* read by pe_hit_count() */
	pe_limit_reopen(pe_limit_all);
}

u64 pe_limit_clock(void)
{
	return pe_clock_now(PE_CLOCK_LOCAL, NULL);
}

static u64 pe_limit_cost_since(u64 begun)
{
	u64 ns = min_t(u64, pe_limit_clock() - begun, DEAREST_NS);

	return ns + (pe_arch_in_exception() ? pe_limit_prices.trap : pe_limit_prices.call);
}

void pe_limit_charge(struct pe_limit_hits *limit, u64 begun)
{
	this_cpu_add(limit->costs->ns, pe_limit_cost_since(begun));
}

void pe_limit_sample(struct pe_event_stat __percpu *stat, u64 begun)
{
	u64 ns = pe_limit_cost_since(begun) * PE_LIMIT_SAMPLE;

	this_cpu_add(stat->sampled, PE_LIMIT_SAMPLE);
	this_cpu_add(stat->ns, ns);
	this_cpu_add(pe_limit_all->costs->ns, ns);
}

/*
 * Hits that come as often as they may are due @step after one another.  One that comes later moves
 * the next ones; one that comes too early is not served, and moves nothing.
 */
static bool pe_limit_in_time(struct pe_limit_hits *limit, u64 step)
{
	u64 now = ktime_get_mono_fast_ns() * PE_LIMIT_PARTS, from;
	s64 next = atomic64_read(&limit->next);

	do {
		from = next;
		/* Differences, as the time in parts begins again after some years. */
		if ((s64)(from - now) > (s64)READ_ONCE(limit->burst))
			return false;
		if ((s64)(from - now) < 0)
			from = now;
	} while (!atomic64_try_cmpxchg(&limit->next, &next, from + step));
	return true;
}

static bool pe_limit_take(struct pe_limit_hits *limit, u64 end)
{
	s64 taken = atomic64_read(&limit->taken);

	do {
		if ((u64)taken >= end)
			break;
	} while (!atomic64_try_cmpxchg(&limit->taken, &taken, taken + 1));
	if ((u64)taken + 1 >= end)
		pe_limit_gate(limit, PE_LIMIT_HITS);
	return (u64)taken < end;
}

bool pe_limit_admits(struct pe_limit_hits *limit)
{
	u64 step = READ_ONCE(limit->step), end = READ_ONCE(limit->end);

	if (atomic_read(&limit->gate))
		return false;
	/* First: a hit that comes too early takes nothing. */
	if (step && !pe_limit_in_time(limit, step))
		return false;
	return end == U64_MAX || pe_limit_take(limit, end);
}
