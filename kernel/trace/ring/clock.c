// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * clock.c - the clocks of trace_clock.  [H]
 *
 * All functions here are called with preemption off, from any context, also
 * inside a breakpoint exception.  They use only exported functions that the
 * kernel documents as usable from NMI.  There is no indirect call, because
 * pe_clock_now() runs once per record.
 *
 * "local" is the CPU's own clock (sched_clock).  "perf" is the clock of the
 * scheduler and perf, which differs if that is not stable.  "global" is
 * "perf" made so that it never goes back between CPUs.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <pe_arch/cycles.h>
#include "clock.h"
#include "kernel/know/compat.h"
#include "rb_write.h"

const struct pe_clock pe_clocks[PE_NR_CLOCKS] = {
	[PE_CLOCK_LOCAL]	= { "local", true },
	[PE_CLOCK_GLOBAL]	= { "global", true },
	[PE_CLOCK_COUNTER]	= { "counter", false },
	[PE_CLOCK_UPTIME]	= { "uptime", false },
	[PE_CLOCK_PERF]		= { "perf", true },
	[PE_CLOCK_MONO]		= { "mono", true },
	[PE_CLOCK_MONO_RAW]	= { "mono_raw", true },
	[PE_CLOCK_BOOT]		= { "boot", true },
	[PE_CLOCK_TAI]		= { PE_TAI_CLOCK, true },
	[PE_CLOCK_CYCLES]	= { PE_ARCH_CYCLES_CLOCK, false },
};

/* The latest time that "global" gave on any CPU. */
static atomic64_t pe_global_last __cacheline_aligned_in_smp;

int pe_clock_find(const char *name)
{
	int i;

	for (i = 0; i < PE_NR_CLOCKS; i++) {
		if (pe_clocks[i].name && !strcmp(pe_clocks[i].name, name))
			return i;
	}
	return -EINVAL;
}

/*
 * A failed exchange means that another CPU, or an interrupt here, has moved
 * global_last.  Then a CPU tries again, but not forever.  A CPU that gives up
 * returns the latest time that it saw.  This is no step back for any reader of
 * the clock.
 */
static u64 pe_clock_global(void)
{
	u64 now = sched_clock_cpu(raw_smp_processor_id());
	s64 last = atomic64_read(&pe_global_last);
	unsigned int tries;

	for (tries = 0; tries < 8; tries++) {
		if ((s64)(now - last) <= 0)
			return last;
		if (atomic64_try_cmpxchg(&pe_global_last, &last, now))
			return now;
	}
	return last;
}

static noinline u64 pe_clock_other(unsigned int clock, void *data)
{
	switch (clock) {
	case PE_CLOCK_GLOBAL:
		return pe_clock_global();
	case PE_CLOCK_COUNTER:
		return atomic64_inc_return((atomic64_t *)data);
	case PE_CLOCK_UPTIME:
		return jiffies_64_to_clock_t(READ_ONCE(jiffies_64) - INITIAL_JIFFIES);
	case PE_CLOCK_PERF:
		return sched_clock_cpu(raw_smp_processor_id());
	case PE_CLOCK_MONO:
		return ktime_get_mono_fast_ns();
	case PE_CLOCK_MONO_RAW:
		return ktime_get_raw_fast_ns();
	case PE_CLOCK_BOOT:
		return ktime_get_boot_fast_ns();
	case PE_CLOCK_TAI:
		return pe_tai_ns();
	case PE_CLOCK_CYCLES:
		return pe_arch_cycles();
	default:
		return sched_clock();
	}
}

u64 pe_clock_now(unsigned int clock, void *data)
{
	if (likely(clock == PE_CLOCK_LOCAL))
		return sched_clock();
	return pe_clock_other(clock, data);
}
