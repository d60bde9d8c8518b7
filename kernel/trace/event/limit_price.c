// SPDX-License-Identifier: GPL-2.0
/*
 * limit_price.c - what the way of a hit to its handler costs, and back.
 *
 * A handler can time itself, but not the exception that has brought it.  So a function of our own is
 * probed when the module is loaded, and its calls are timed with the probe and without.  The best
 * time of several counts: others may have been interrupted.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include "kernel/trace/hit/limit_hit.h"
#include "limit.h"

#define TIMES	200
#define CALLS	4	/* in each: the clock may be a coarse one */

static noinline void pe_limit_target(void)
{
	barrier();
}

static void pe_limit_no_work(struct pe_kprobe *kp, const struct pe_hit *hit)
{
}

/* ns of a call */
static u64 pe_limit_time_calls(void)
{
	u64 begun, ns, best = U64_MAX;
	unsigned long flags;
	unsigned int i, j;

	for (i = 0; i < TIMES; i++) {
		local_irq_save(flags);
		begun = pe_limit_clock();
		for (j = 0; j < CALLS; j++)
			pe_limit_target();
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
	u64 with, without = pe_limit_time_calls();

	/* Without memory, or on a kernel that refuses it, the price stays a usual one. */
	if (pe_register_kprobe(&kp))
		return;
	with = pe_limit_time_calls();
	pe_unregister_kprobe(&kp);
	pe_limit_prices.trap = with > without ? with - without : 1;
}
