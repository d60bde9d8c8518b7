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
#include "kernel/trace/parse/program.h"

struct pe_event;
struct pe_symref;

/* The reasons why a hit left no record.  The engine counts recursion. */
enum pe_loss {
	PE_LOSS_OFF,		/* tracing_on was 0, tracing_cpumask, or a held buffer */
	PE_LOSS_FULL,		/* no room: no-overwrite mode, or nested too far */
	PE_LOSS_FILTER,		/* a filter said no */
	PE_LOSS_SOFT,		/* the event is disabled, armed for triggers only */
	PE_LOSS_PID,		/* set_event_pid or set_event_notrace_pid said no */
	PE_LOSS_UNLINKED,	/* reached while being enabled or disabled */
	PE_NR_LOSSES,
};

/* Written by the hit path on its own CPU, possibly nested: this_cpu ops only. */
struct pe_event_stat {
	unsigned long hits;		/* handler runs */
	unsigned long extra;		/* records wanted beyond the first: in other
					 * instances, of stacks
					 */
	unsigned long records;
	unsigned long lost[PE_NR_LOSSES];
};

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
 * @kp: the engine's probe; of a return probe the first member of @rp
 * @rp: likewise
 * @event: its event; constant while @kp is registered
 * @symbol: "[MOD:]SYM", NULL if the place is an address; kp.symbol
 * @place: "[MOD:]SYM[+off]" or "0xADDR" as kprobe_events shows it
 * @stat: per CPU
 * @program: what its hits do; has event->nargs arguments
 * @symrefs: symbols among the arguments
 * @pending: kp is not registered: its module is not loaded
 * @maxactive: as given, for show only
 * @before: the engine's counters of earlier loads of its module
 */
struct pe_event_probe {
	struct list_head list;		/* event->probes */
	struct list_head all;		/* pe_probes, in order of definition */
	struct list_head batch;		/* while it is being removed or moved */
	union {
		struct pe_kprobe kp;
		struct pe_kretprobe rp;
	};
	struct pe_event *event;
	char *symbol;
	char *place;
	struct pe_event_stat __percpu *stat;
	struct pe_program program;
	struct pe_symref *symrefs;
	unsigned int nr_symrefs;
	bool pending;
	unsigned int maxactive;
	struct pe_engine_stat before;
};

#endif
