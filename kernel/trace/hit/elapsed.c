// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * elapsed.c - the time that a call has taken.  [P][H]
 *
 * While the kernel's clock counts cycles, a difference of two counts is a time, at the rate that
 * the clock has at the return.  Before that ends, counts are stopped: @skew becomes 0.  The last
 * count of which the kernel's time is known stays.  When counts begin again, they do where the
 * kernel's clock is then.  So they never tell the time that the counter alone has seen.
 *
 * Orders between CPUs:
 *
 *   stop:A / since:A   @last, the number of stops, then 0 in skew / skew, the number, then @last.
 *		Who sees 0 sees the time of the last count.  Two stops write two places: a place is
 *		written again after counts have begun after a later stop, and they begin after all
 *		that had preemption off at that stop has ended.
 *   look:B / compiled code   factor, then skew / skew, then factor, which so is never 0.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/types.h>
#include "elapsed.h"

struct pe_elapsed pe_elapsed;

static struct pe_elapsed_tick pe_hit_elapsed_tick;	/* the last one */
static bool pe_elapsed_asleep;
static unsigned int pe_nr_stops;

/*
 * A count, and the kernel's time then, by the number of stops; valid while skew is 0 but for the
 * first time.
 */
static struct pe_elapsed_pair {
	u64 count, ns;
} pe_elapsed_lasts[2];

static struct pe_elapsed_pair *pe_elapsed_last(unsigned int stops)
{
	return &pe_elapsed_lasts[stops & 1];
}

/* Differences of less than 2^62 cycles, of either sign.  [H] */
static s64 pe_elapsed_ns_of(s64 cycles)
{
	return (s64)((__int128)cycles * (s64)READ_ONCE(pe_elapsed.factor) >> PE_ELAPSED_SHIFT);
}

/* [H] */
static s64 pe_hit_elapsed_since(u64 word)
{
	const struct pe_elapsed_pair *last;
	u64 skew;

	if ((s64)word >= 0)
		return pe_elapsed_mono() - word;
	skew = READ_ONCE(pe_elapsed.skew);
	if (skew)
		return pe_elapsed_ns_of(pe_elapsed_cycles() + skew - word);
	smp_rmb();						/* since:A */
	last = pe_elapsed_last(READ_ONCE(pe_nr_stops));
	return pe_elapsed_mono() - last->ns + pe_elapsed_ns_of(last->count - word);
}

u64 pe_elapsed_since(u64 word)
{
	s64 ns = pe_hit_elapsed_since(word);

	/* Clocks of two CPUs, or a clock that is being adjusted, may go back a little. */
	return ns < 0 ? 0 : ns;
}

static void pe_elapsed_stop(void)
{
	struct pe_elapsed_pair *last = pe_elapsed_last(pe_nr_stops + 1);

	if (!pe_elapsed.skew)
		return;
	last->count = pe_hit_elapsed_tick.cycle + pe_elapsed.skew;
	last->ns = pe_hit_elapsed_tick.ns;
	smp_wmb();						/* stop:A */
	WRITE_ONCE(pe_nr_stops, pe_nr_stops + 1);
	smp_wmb();						/* stop:A */
	WRITE_ONCE(pe_elapsed.skew, 0);	/* read by pe_hit_elapsed_since() */
}

static bool pe_elapsed_usable(const struct pe_elapsed_tick *t)
{
	return t->is_cycles && t->mult && t->shift <= PE_ELAPSED_SHIFT;
}

void pe_elapsed_look(const struct pe_elapsed_tick *now)
{
	if (!pe_elapsed_usable(now) || now->slept != pe_hit_elapsed_tick.slept)
		pe_elapsed_stop();
	pe_hit_elapsed_tick = *now;
	if (!pe_elapsed_usable(now))
		return;
	/* read by pe_elapsed_ns_of() */
	WRITE_ONCE(pe_elapsed.factor, (u64)now->mult << (PE_ELAPSED_SHIFT - now->shift));
	smp_wmb();						/* look:B */
}

void pe_elapsed_sleeps(bool on)
{
	pe_elapsed_asleep = on;
	if (on)
		pe_elapsed_stop();
}

bool pe_elapsed_may_begin(unsigned int *stops, bool *first)
{
	*stops = pe_nr_stops;
	*first = !pe_elapsed_last(pe_nr_stops)->count;
	return pe_elapsed_usable(&pe_hit_elapsed_tick) && !pe_elapsed_asleep && !pe_elapsed.skew;
}

void pe_elapsed_begin(unsigned int stops)
{
	const struct pe_elapsed_pair *last = pe_elapsed_last(pe_nr_stops);
	u64 count = PE_ELAPSED_FIRST, skew, ns = 0;

	if (stops != pe_nr_stops || !pe_elapsed_usable(&pe_hit_elapsed_tick) || pe_elapsed_asleep ||
	    pe_elapsed.skew)
		return;
	/* A change of the rate may put the kernel's time back a little: no quotient of that. */
	if (pe_hit_elapsed_tick.ns > last->ns)
		ns = pe_hit_elapsed_tick.ns - last->ns;
	if (last->count)
		count = last->count +
			mul_u64_u64_div_u64(ns, 1ULL << PE_ELAPSED_SHIFT, pe_elapsed.factor);
	skew = count - pe_hit_elapsed_tick.cycle;
	WRITE_ONCE(pe_elapsed.skew, skew ?: 1);	/* read by pe_hit_elapsed_since() */
}
