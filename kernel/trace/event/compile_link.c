// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * compile_link.c - what compiled hits of an event do in one instance, and whether they can.
 *
 * A hit makes a record, is counted in the table of a trigger, or both.  The values that are read
 * here stay until pe_compile_changed().
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <pe_arch/hit_code.h>
#include "compile_link.h"
#include "event.h"
#include "instance.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"

static const struct pe_filter *pe_filter_of(const struct pe_event_link *link)
{
	const struct pe_link_filter *filter;

	filter = rcu_dereference_protected(link->filter, lockdep_is_held(&pe_event_mutex));
	return filter ? &filter->program : NULL;
}

static const char *pe_cannot_link(const struct pe_event_link *link)
{
	const struct pe_limit_hits *limit = link->event->limit;

	if (pe_limit_counts(pe_limit_all))
		return "the limit of all events counts hits";
	if ((link->variant & PE_V_LIMIT) && pe_limit_counts(limit))
		return "its limit counts hits";
	if (link->variant & PE_V_MIRROR)
		return "its mirror is in use";
	if (link->variant & PE_V_PIDS)
		return "the instance filters by pid";
	if (link->variant & PE_V_STACK)
		return "the instance records stacks";
	return NULL;
}

static const char *pe_cannot_record(const struct pe_event_probe *probe,
				    const struct pe_event_link *link)
{
	const struct pe_instance *inst = link->instance;

	if (inst->clock_changes || pe_instance_buffer(inst)->clock != PE_CLOCK_LOCAL ||
	    pe_instance_snap(inst)->clock != PE_CLOCK_LOCAL)
		return "trace_clock is not local";
	return pe_hit_can_emit(&probe->program, pe_filter_of(link));
}

/* The trigger that counts the hits of @link, if it is the only one.  NULL, or why not. */
static const char *pe_find_count(const struct pe_event_link *link, struct pe_hit_count *count)
{
	const struct pe_trigger *trigger, *only = NULL;

	hlist_for_each_entry(trigger, &link->triggers, list) {
		if (!trigger->table)
			return "it has triggers";
		if (trigger->asleep)
			return "its trigger is just being made";
		if (only)
			return "it has several tables";
		only = trigger;
	}
	/* Each trigger of its own, and each that enables or disables it, holds it once. */
	if (!only || link->soft != 1)
		return "triggers enable and disable it";
	if (!pe_hist_is_plain(only->hist))
		return "its table has variables or expressions";
	*count = (struct pe_hit_count){
		.hist = only->hist, .table = only->table,
		.filter = only->filter ? &only->filter->program : NULL,
		.paused = (unsigned long)&only->paused,
	};
	return NULL;
}

static const char *pe_cannot_count(struct pe_hit_part *part, const struct pe_event_probe *probe,
				   const struct pe_event_link *link, bool entry)
{
	const char *why = pe_find_count(link, &part->count);

	part->count_only = !link->enabled;
	return why ?: pe_hit_can_count(&probe->program, &part->count,
				       entry || probe->program.is_return) ?:
	       pe_hit_can_save(&probe->program);
}

static void pe_compile_limit(struct pe_hit_part *part, struct pe_limit_hits *limit)
{
	part->gate = (unsigned long)&limit->gate;
	if (limit->timed)
		part->cost = (s64)(unsigned long __force)&limit->costs->hits;
	limit->compiled = true;
}

const char *pe_compile_link(struct pe_hit_part *part, const struct pe_event_probe *probe,
			    const struct pe_event_link *link, bool entry)
{
	const char *why = pe_cannot_link(link);

	lockdep_assert_held(&pe_event_mutex);
	*part = (struct pe_hit_part){
		.inst = (unsigned long)&link->instance->buffer,
		.tracing_on = offsetof(struct pe_instance, tracing_on) -
			      offsetof(struct pe_instance, buffer),
		.stat = (s64)(unsigned long __force)probe->stat,
		.program = &probe->program,
		.filter = pe_filter_of(link),
		.ip = probe->kp.addr,
	};
	if (!why && link->variant & PE_V_SOFT)
		why = pe_cannot_count(part, probe, link, entry);
	if (!why && !part->count_only)
		why = pe_cannot_record(probe, link);
	if (why || !(link->variant & PE_V_LIMIT))
		return why;
	/*
	 * The code would ask the limit, count, and then copy texts for all records of the hit; what
	 * the limit lets through only from the second on would lack them.
	 */
	if (part->count.hist && !part->count_only && link->event->dynamic)
		return "it has a limit, a table and texts";
	pe_compile_limit(part, link->event->limit);
	return NULL;
}
