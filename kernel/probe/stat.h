/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * stat.h - counters that each CPU increments for itself (stat.c).
 */
#ifndef PE_STAT_H
#define PE_STAT_H

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>

/*
 * Each CPU has its per-CPU memory in units of its own, which begin with a page and are no shorter
 * than this.  So counters of one CPU may share a cache line, but never with another CPU's.
 */
static_assert(PCPU_MIN_UNIT_SIZE % SMP_CACHE_BYTES == 0);

/* Defined in the arena.  Counts since probe_core was loaded. */
DECLARE_PER_CPU(unsigned long, pe_unwatched);

/* [H] A hit that cannot be served: RCU is not watching, or does not wait for this CPU. */
static __always_inline void pe_count_unwatched(void)
{
	this_cpu_inc(pe_unwatched);
}

/* Any context. */
static inline unsigned long pe_counter_sum(const unsigned long __percpu *counter)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return sum;
}

#endif
