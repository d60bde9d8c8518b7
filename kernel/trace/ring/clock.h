/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * clock.h - the clocks of trace_clock, with the names and meanings of the
 * kernel's Documentation/trace/ftrace.rst.
 */
#ifndef PE_CLOCK_H
#define PE_CLOCK_H

#include <linux/types.h>

enum pe_clock_id {
	PE_CLOCK_LOCAL,
	PE_CLOCK_GLOBAL,
	PE_CLOCK_COUNTER,
	PE_CLOCK_UPTIME,
	PE_CLOCK_PERF,
	PE_CLOCK_MONO,
	PE_CLOCK_MONO_RAW,
	PE_CLOCK_BOOT,
	PE_CLOCK_TAI,
	PE_CLOCK_CYCLES,
	PE_NR_CLOCKS,
};

/**
 * struct pe_clock - a row of the table
 * @name: as in trace_clock
 * @in_ns: nanoseconds, printed as seconds; otherwise printed as a plain number
 */
struct pe_clock {
	const char *name;
	bool in_ns;
};

/* The clocks, in the order of trace_clock. */
extern const struct pe_clock pe_clocks[PE_NR_CLOCKS];

/* Return: an enum pe_clock_id, or -EINVAL. */
int pe_clock_find(const char *name);

/**
 * pe_clock_now() - read a clock  [H]
 * @clock: enum pe_clock_id; any other value reads PE_CLOCK_LOCAL
 * @data: the atomic64_t that PE_CLOCK_COUNTER counts in; unused by the others
 *
 * Any context, preemption off.  Seam: clock.c in the module, the test in user space.
 */
u64 pe_clock_now(unsigned int clock, void *data);

#endif
