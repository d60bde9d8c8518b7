/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trace_probe.h - a probe of an event, and the counters of its hits.
 */
#ifndef PE_TRACE_PROBE_H
#define PE_TRACE_PROBE_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include <pe/kretprobe.h>
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/parse/program.h"

struct pe_event;
struct pe_source;
struct pe_symref;
struct tracepoint;

/**
 * struct pe_engine_stat - the engine's counters of a probe's hits
 * @missed: not served because a handler was running
 * @calls: entries that were served; as the next three, 0 unless a return probe
 * @returns: the handler has run
 * @no_stack: entries not served: too little stack was left for a frame
 * @dropped: returns not served: disabled meanwhile, or a handler was running
 *
 * Calls in flight are calls - returns - dropped.  This includes calls that will
 * never return.
 */
struct pe_engine_stat {
	unsigned long missed;
	unsigned long calls;
	unsigned long returns;
	unsigned long no_stack;
	unsigned long dropped;
};

/**
 * struct pe_event_probe - one probe of an event
 * @list: in event->probes
 * @mine: in source->probes
 * @batch: while it is being removed or moved
 * @kp: the engine's probe; of a return probe the first member of @rp
 * @rp: likewise
 * @event: its event; constant while @kp is registered, as the next three
 * @source: what it was defined by
 * @stat: per CPU; of one of several the same as its source's
 * @program: what its hits do; has event->nargs arguments, which are the source's
 * @symbol: "[MOD:]SYM[,N]", NULL if the place is an address; kp.symbol, unless @fixed
 * @fixed: the symbol's address, if it is the kernel's own, which does not move; else 0.  Of a
 *	tracepoint the address of its function
 * @interpreted: why its hits are not compiled, if they are not; compile.c
 * @pending: kp is not registered: its module is not loaded, or it was refused when that came
 * @tpoint: its tracepoint; NULL if it has none, or while that one's module is not loaded
 * @uses_tpoint: the tracepoint calls its function for this probe; tpoint.c
 * @phase: which of its hits are timed; likewise as its source's
 * @before: the engine's counters of earlier loads of its module; NULL: there were none
 */
struct pe_event_probe {
	struct list_head list;
	struct list_head mine;
	struct list_head batch;
	union {
		struct pe_kprobe kp;
		struct pe_kretprobe rp;
	};
	struct pe_event *event;
	struct pe_source *source;
	struct pe_event_stat __percpu *stat;
	struct pe_program program;
	char *symbol;
	unsigned long fixed;
	const char *interpreted;
	bool pending;
	bool uses_tpoint;
	u8 phase;
	struct tracepoint *tpoint;
	struct pe_engine_stat *before;
};

/**
 * struct pe_cost - what the hits of a source have cost; event/cost.c
 * @ns: in all
 * @run: since the last look
 * @last: between the last two looks
 * @here: up to a moment, on one CPU
 * @rest: hits that were known then and have not been timed, and no other stands for them
 * @timed: ns of those that have been timed, likewise
 * @price: of one of @rest; ns
 */
struct pe_cost {
	u64 ns;
	u64 run;
	u64 last;
	u64 here;
	unsigned long rest;
	unsigned long timed;
	unsigned int price;
};

/**
 * struct pe_source - what one command has defined: a line of the files
 * @all: in pe_sources, in order of definition
 * @retired: in place of @all when it is removed; compile.c
 * @probes: one at least while commands and files see it, by their @mine; in order of address if
 *	there are several
 * @place: "[MOD:]SYM[+off]" or "0xADDR" as kprobe_events shows it; may be @one's symbol itself
 * @refused: struct pe_refused, the functions that cannot be probed
 * @nr_symrefs: symbols among its arguments: pe_source_symrefs(); at most PE_MAX_ARGS
 * @several: the place names functions, and each has a probe of its own: @one is none of them
 * @compiled: a hit has been compiled, at some time; compile.c
 * @maxactive: as given, for show only; at most PE_MAX_MAXACTIVE
 * @cost: what its hits have cost
 * @one: its event, counters and program; and the probe, unless there are @several.  These begin
 *	with a copy of the three
 *
 * It owns all of its probes, and what they point to.  Its event may have other sources.
 */
struct pe_source {
	union {
		struct list_head all;
		struct callback_head retired;
	};
	struct list_head probes;
	char *place;
	struct list_head refused;
	u8 nr_symrefs;
	bool several;
	bool compiled;
	u16 maxactive;
	struct pe_cost cost;
	struct pe_event_probe one;
};

/* A function that cannot be probed. */
struct pe_refused {
	struct list_head list;
	const char *reason;		/* a constant string, or NULL */
	char name[];
};

/* The name of its place: of one of several, its function. */
static inline const char *pe_event_probe_name(const struct pe_event_probe *probe)
{
	return probe->source->several ? probe->symbol : probe->source->place;
}

static inline struct pe_event *pe_source_event(const struct pe_source *source)
{
	return source->one.event;
}

/* Not each reader may see it then. */
static inline bool pe_source_is_address(const struct pe_source *source)
{
	return !source->several && !source->one.symbol;
}

#endif
