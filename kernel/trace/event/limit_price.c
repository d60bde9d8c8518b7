// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_price.c - what the way of a hit to its handler costs, and back.
 *
 * A handler can time itself, but not the exception that has brought it.  So a function of our own
 * is probed when the module is loaded, and its calls are timed with the probe and without.  The
 * best time of several counts: others may have been interrupted.
 *
 * A compiled hit does not time itself, which would cost as much again.  It has a fixed price: that
 * of a function here that does what most of these hits do, in about as many instructions, on this
 * machine.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include "kernel/probe/hit.h"
#include "kernel/trace/hit/limit_hit.h"
#include "limit.h"

#define TIMES	200
#define CALLS	4	/* in each: the clock may be a coarse one */

static noinline void pe_limit_target(void)
{
	barrier();
}

static void __pe_hit_text pe_limit_no_work(struct pe_kprobe *kp, const struct pe_hit *hit)
{
}

/* A clock, a record of 32 bytes, some counters, and what decides that there is a record. */
static noinline void pe_limit_typical(void)
{
	static struct {
		u64 time, words[4];
		unsigned long counters[4];
		unsigned int switches[8];
	} rec;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rec.switches); i++)
		if (READ_ONCE(rec.switches[i]))
			return;
	/* As at a hit, no store is left out.  Only read by pe_limit_typical(). */
	WRITE_ONCE(rec.time, pe_limit_clock());
	for (i = 0; i < ARRAY_SIZE(rec.words); i++)
		WRITE_ONCE(rec.words[i], rec.time + i);
	for (i = 0; i < ARRAY_SIZE(rec.counters); i++)
		/* read by pe_limit_typical() */
		WRITE_ONCE(rec.counters[i], rec.counters[i] + 1);
}

/* ns of a call */
static u64 pe_limit_time_calls(void (*call)(void))
{
	u64 begun, ns, best = U64_MAX;
	unsigned long flags;
	unsigned int i, j;

	for (i = 0; i < TIMES; i++) {
		local_irq_save(flags);
		begun = pe_limit_clock();
		for (j = 0; j < CALLS; j++)
			call();
		ns = pe_limit_clock() - begun;
		local_irq_restore(flags);
		best = min(best, ns);
	}
	return best / CALLS;
}

void pe_limit_prices_measure(void)
{
	struct pe_kprobe kp = {
		.addr = (unsigned long)pe_limit_target, .handler = pe_limit_no_work,
		.flags = PE_KPROBE_NESTS | PE_KPROBE_ALWAYS,
	};
	u64 with, without = pe_limit_time_calls(pe_limit_target);

	pe_limit_prices.compiled = max_t(u64, pe_limit_time_calls(pe_limit_typical), 1);
	/* Without memory, or on a kernel that refuses it, the price stays a usual one. */
	if (pe_register_kprobe(&kp))
		return;
	with = pe_limit_time_calls(pe_limit_target);
	pe_unregister_kprobe(&kp);
	pe_limit_prices.trap = with > without ? with - without : 1;
}
