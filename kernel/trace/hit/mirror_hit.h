/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * mirror_hit.h - a mirror: an event as one of the kernel's own events, and its hits.
 */
#ifndef PE_MIRROR_HIT_H
#define PE_MIRROR_HIT_H

#include <linux/percpu.h>
#include <linux/types.h>
#include "kernel/know/tracing.h"

struct pe_arrival;
struct pe_event_probe;

#if PE_HAVE_TRACING

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

struct pe_event;

/*
 * The fate of hits at the kernel's side, for each listener: perf with BPF is one, and each
 * instance of tracefs that has the event enabled.  Written by the hit path: this_cpu ops only.
 */
struct pe_mirror_stat {
	unsigned long sent;		/* taken */
	unsigned long unheard;		/* no listener on this CPU, or to this task */
	unsigned long refused;		/* no room: nested, full, or recording is off */
};

/* An instance of the kernel's tracefs that has the event enabled. */
struct pe_mirror_file {
	struct list_head list;		/* mirror->files, RCU */
	struct trace_event_file *file;
};

/**
 * struct pe_mirror - an event as one of the kernel's
 * @call: what the kernel has in its list of events
 * @class: likewise; each mirror has its own, because fields belong to it
 * @define: makes the fields
 * @tp: the kernel takes the event's name from it.  No probe registers at it.  Without one,
 *	BPF programs for tracepoints could not be attached.
 * @event: referenced
 * @types: memory for the types of fields that are arrays
 * @perf: perf has the event open; read by the hit path
 * @files: struct pe_mirror_file, RCU
 * @holders: who has opened it through perf
 * @stat: per CPU
 * @list: mirror.c's, while it is being removed
 *
 * The kernel's mutex (pe_tracing_lock()) guards all but @stat.
 */
struct pe_mirror {
	struct trace_event_call call;
	struct trace_event_class class;
	struct trace_event_fields define[2];
	struct tracepoint tp;
	struct pe_event *event;
	char *types;
	bool perf;
	struct list_head files;
	struct list_head holders;
	struct pe_mirror_stat __percpu *stat;
	struct list_head list;
};

/**
 * pe_mirror_hit() - give a hit to those who listen at the kernel's side  [H]
 * @probe: of an event whose variant has PE_V_MIRROR
 * @a: the hit
 *
 * Context: any, preemption off.
 */
void pe_mirror_hit(struct pe_event_probe *probe, const struct pe_arrival *a);

#else
static inline void pe_mirror_hit(struct pe_event_probe *probe, const struct pe_arrival *a)
{
}
#endif

#endif
