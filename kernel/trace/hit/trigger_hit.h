/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trigger_hit.h - a trigger that is set, and its effect at a hit.
 */
#ifndef PE_TRIGGER_HIT_H
#define PE_TRIGGER_HIT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include "kernel/trace/parse/trigger.h"

struct pe_built;
struct pe_event_link;
struct pe_hist;
struct pe_link_filter;
struct pe_table_hits;

/**
 * struct pe_trigger - one trigger of a link
 * @list: in link->triggers, RCU
 * @gone: in the list of removed triggers, to be freed
 * @link: its link
 * @kind: enum pe_trigger_kind
 * @leaves: a write of a session is going to remove it; pe_event_mutex
 * @asleep: a write of a session has made it and may still fail: hits pass over it
 * @left: how often it may still act; -1: always; hits count it down
 * @target: link that it enables or disables, or whose histograms it does; we hold it armed
 *	(pe_link_arm_soft())
 * @filter: constant; NULL: it always acts
 * @filter_text: the filter as it was written; constant
 * @table: of PE_TRIGGER_HIST, what it counts in; else NULL
 * @hist: likewise, what it asks for; constant
 * @refers: the tables that @hist refers to are held
 * @paused: likewise; hits read and change it
 */
struct pe_trigger {
	struct hlist_node list;
	struct list_head gone;
	struct pe_event_link *link;
	u8 kind;
	bool leaves;
	bool asleep;
	atomic_long_t left;
	struct pe_event_link *target;
	struct pe_link_filter *filter;
	char *filter_text;
	struct pe_table_hits *table;
	const struct pe_hist *hist;
	bool refers;
	bool paused;
};

/**
 * struct pe_trigger_sums - what the triggers of a link have made of a hit
 * @late: bits of the kinds that have to act after the record, for pe_triggers_after()
 * @counted: tables that have counted it
 */
struct pe_trigger_sums {
	unsigned int late;
	unsigned int counted;
};

/* These act after the record: traceoff must not stop it, a stack must follow it. */
static inline bool pe_trigger_is_late(const struct pe_trigger *trigger)
{
	return trigger->kind == PE_TRIGGER_TRACEOFF ||
	       trigger->kind == PE_TRIGGER_STACKTRACE;
}

/* trigger_hit.c */

/**
 * pe_triggers_run() - run the triggers of a link at a hit  [H]
 * @link: the event in the instance
 * @built: the record, even if it will not be kept; NULL if no trigger of the link
 *	needs it
 */
struct pe_trigger_sums pe_triggers_run(struct pe_event_link *link,
				       const struct pe_built *built);
void pe_triggers_after(struct pe_event_link *link, unsigned int kinds,
		       const struct pe_built *built);		/* [H] */

/**
 * pe_triggers_marked() - run the triggers of trace_marker
 * @link: of the marker
 * @rec: the record, which has been written
 * @len: bytes of @rec
 *
 * Context: a task, preemption off.
 * Return: is the writer's stack to follow?
 */
bool pe_triggers_marked(struct pe_event_link *link, const void *rec, unsigned int len);

#endif
