/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_stat.h - the counters of an event's hits.
 */
#ifndef PE_TRACE_HIT_STAT_H
#define PE_TRACE_HIT_STAT_H

/* The reasons why a hit left no record.  The engine counts recursion. */
enum pe_loss {
	PE_LOSS_OFF,		/* tracing_on was 0, tracing_cpumask, or a held buffer */
	PE_LOSS_FULL,		/* no room: no-overwrite mode, or nested too far */
	PE_LOSS_FILTER,		/* a filter said no */
	PE_LOSS_SOFT,		/* the event is disabled, armed for triggers only */
	PE_LOSS_PID,		/* set_event_pid or set_event_notrace_pid said no */
	PE_LOSS_UNLINKED,	/* reached while being enabled or disabled */
	PE_LOSS_LIMITED,	/* beyond its event's limit */
	PE_NR_LOSSES,
};

/* Written by the hit path on its own CPU, possibly nested: this_cpu ops only. */
struct pe_event_stat {
	unsigned long hits;		/* handler runs */
	unsigned long extra;		/* what is wanted beyond the first: records in
					 * other instances, of stacks; counts in tables
					 */
	unsigned long records;
	unsigned long both;		/* of compiled code: one of @hits and of @records */
	unsigned long lost[PE_NR_LOSSES];
	unsigned long mirrored;		/* given to the event's mirror */
	unsigned long counted;		/* in a table of a histogram trigger */
	unsigned long sampled;		/* hits for which those stand that C code has timed */
	unsigned long ns;		/* what these have cost */
};

#endif
