/* SPDX-License-Identifier: GPL-2.0 */
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
 * struct pe_probe_set - the probes of one command that names several functions
 * @head: the probe that commands and files see
 * @members: one for each function, by their @all
 * @refused: struct pe_refused, the functions that cannot be probed
 */
struct pe_probe_set {
	struct pe_event_probe *head;
	struct list_head members;
	struct list_head refused;
};

/**
 * struct pe_event_probe - one probe of an event
 * @kp: the engine's probe; of a return probe the first member of @rp
 * @rp: likewise
 * @event: its event; constant while @kp is registered
 * @set: NULL, or the set whose head or member it is; event_set.c
 * @is_head: it stands for its members, and is itself never registered: @pending is true
 * @symbol: "[MOD:]SYM[,N]", NULL if the place is an address; kp.symbol, unless @fixed
 * @fixed: the symbol's address, if it is the kernel's own, which does not move; else 0.  With
 *	@tpoint the address of its function
 * @place: "[MOD:]SYM[+off]" or "0xADDR" as kprobe_events shows it; may be @symbol itself
 * @stat: per CPU; as the next two, of a member the same as its head's
 * @program: what its hits do; has event->nargs arguments, which are shared
 * @symrefs: symbols among the arguments
 * @interpreted: why its hits are not compiled, if they are not; compile.c
 * @compiled: they have been, at some time; likewise
 * @pending: kp is not registered: its module is not loaded, or it was refused when that came
 * @tpoint: its tracepoint; NULL if it has none, or while that one's module is not loaded
 * @uses_tpoint: the tracepoint calls its function for this probe; tpoint.c
 * @maxactive: as given, for show only
 * @before: the engine's counters of earlier loads of its module; NULL: there were none
 */
struct pe_event_probe {
	struct list_head list;		/* event->probes */
	struct list_head all;		/* pe_probes, in order of definition; set->members */
	struct list_head batch;		/* while it is being removed or moved */
	union {
		struct pe_kprobe kp;
		struct pe_kretprobe rp;
	};
	struct pe_event *event;
	struct pe_probe_set *set;
	char *symbol;
	unsigned long fixed;
	char *place;
	struct pe_event_stat __percpu *stat;
	struct pe_program program;
	struct pe_symref *symrefs;
	const char *interpreted;
	u8 nr_symrefs;			/* at most PE_MAX_ARGS */
	bool compiled;
	bool pending;
	bool is_head;
	bool uses_tpoint;
	u16 maxactive;			/* at most PE_MAX_MAXACTIVE */
	struct tracepoint *tpoint;
	struct pe_engine_stat *before;
};

#endif
