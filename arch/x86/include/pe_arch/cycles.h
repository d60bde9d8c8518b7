/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cycles.h - the counter of cycles that each CPU has, on x86: the TSC.  For
 * kernel/trace/ring/clock.c and event/timekeeper.c.
 */
#ifndef PE_ARCH_CYCLES_H
#define PE_ARCH_CYCLES_H

#include <linux/clocksource.h>
#include <linux/types.h>
#include <asm/msr.h>

/* The name of its clock in trace_clock, as the kernel has it. */
#define PE_ARCH_CYCLES_CLOCK	"x86-tsc"

/* [H] Not read before the loads in front of it.  get_cycles() reads the same counter. */
static __always_inline u64 pe_arch_cycles(void)
{
	return rdtsc_ordered();
}

/* Is it what the kernel's clock counts? */
static inline bool pe_arch_counts_cycles(const struct clocksource *clock)
{
	return clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC;
}

#endif
