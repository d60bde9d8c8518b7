// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trigger_hit.c - the effects of triggers at a hit.  [H]
 *
 * Any context, preemption off, which is also the RCU section for the list.  A
 * trigger only sets flags, exchanges two buffers, counts in a table, or makes a record.
 */
#include <linux/rculist.h>
#include <linux/smp.h>
#include "count_hit.h"
#include "filter_hit.h"
#include "kernel/trace/parse/trigger.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "make_record.h"
#include "snapshot_hit.h"
#include "trigger_hit.h"

/* Take one of the remaining counts; false if there is none. */
static bool pe_take_count(struct pe_trigger *trigger)
{
	long left = atomic_long_read(&trigger->left);

	do {
		if (left <= 0)
			return left == -1;
	} while (!atomic_long_try_cmpxchg(&trigger->left, &left, left - 1));
	return true;
}

/* A flag that does not change uses no count. */
static bool pe_set_flag(struct pe_trigger *trigger, bool *flag, bool to)
{
	if (READ_ONCE(*flag) == to || !pe_take_count(trigger))
		return false;
	WRITE_ONCE(*flag, to);	/* read by pe_record_one(), pe_record_soft() */
	return true;
}

/* A snapshot that could not be taken at this moment uses no count. */
static void pe_take_snapshot(struct pe_trigger *trigger, struct pe_instance *inst)
{
	if (!pe_take_count(trigger) || pe_snapshot_hit(inst))
		return;
	if (atomic_long_read(&trigger->left) != -1)
		atomic_long_inc(&trigger->left);
}

static void pe_pause_tables(struct pe_event_link *target, bool paused)
{
	struct pe_trigger *trigger;

	hlist_for_each_entry_rcu(trigger, &target->triggers, list, true)
		if (trigger->table)
			WRITE_ONCE(trigger->paused, paused);	/* read by pe_count_wants() */
}

/* @built: for late triggers, otherwise NULL. */
static void pe_trigger_hit_act(struct pe_event_link *link, struct pe_trigger *trigger,
			       const struct pe_built *built)
{
	switch (trigger->kind) {
	case PE_TRIGGER_TRACEON:
		pe_set_flag(trigger, &link->instance->tracing_on, true);
		break;
	case PE_TRIGGER_TRACEOFF:
		if (pe_set_flag(trigger, &link->instance->tracing_on, false))
			pe_waits_wake_soon(link->instance->waits);
		break;
	case PE_TRIGGER_SNAPSHOT:
		pe_take_snapshot(trigger, link->instance);
		break;
	case PE_TRIGGER_STACKTRACE:
		if (pe_take_count(trigger))
			pe_record_stack(built);
		break;
	case PE_TRIGGER_ENABLE:
	case PE_TRIGGER_DISABLE:
		pe_set_flag(trigger, &trigger->target->enabled,
			    trigger->kind == PE_TRIGGER_ENABLE);
		break;
	case PE_TRIGGER_ENABLE_HIST:
	case PE_TRIGGER_DISABLE_HIST:
		if (pe_take_count(trigger))
			pe_pause_tables(trigger->target, trigger->kind == PE_TRIGGER_DISABLE_HIST);
		break;
	}
}

/* If @rec is NULL, a trigger with a filter was set while this hit was in progress. */
static bool pe_trigger_hit_fits(const struct pe_trigger *trigger, const void *rec, unsigned int len)
{
	if (!trigger->filter)
		return true;
	return rec && pe_filter_match(&trigger->filter->program, rec, len,
				      raw_smp_processor_id());
}

struct pe_trigger_sums pe_triggers_run(struct pe_event_link *link, const struct pe_built *built)
{
	struct pe_trigger_sums sums = {};
	struct pe_trigger *trigger;

	hlist_for_each_entry_rcu(trigger, &link->triggers, list, true) {
		if (READ_ONCE(trigger->asleep))
			continue;
		if (trigger->table) {
			sums.counted += built && pe_count_hit(trigger, built);
			continue;
		}
		if (!pe_trigger_hit_fits(trigger, built ? built->rec : NULL,
					 built ? built->len : 0))
			continue;
		if (pe_trigger_is_late(trigger))
			sums.late |= 1U << trigger->kind;
		else
			pe_trigger_hit_act(link, trigger, NULL);
	}
	return sums;
}

void pe_triggers_after(struct pe_event_link *link, unsigned int kinds,
		       const struct pe_built *built)
{
	struct pe_trigger *trigger;

	hlist_for_each_entry_rcu(trigger, &link->triggers, list, true)
		if ((kinds >> trigger->kind & 1) && !READ_ONCE(trigger->asleep))
			pe_trigger_hit_act(link, trigger, built);
}

/* Without its callers: hist_trigger.c refuses what wants them. */
static void pe_count_mark(const struct pe_event_link *link, const struct pe_trigger *trigger,
			  const void *rec, unsigned int len)
{
	static const struct pe_hit hit = { .level = PE_LEVEL_TASK };
	const struct pe_built built = {
		.inst = link->instance, .hit = &hit, .rec = (void *)rec, .len = len,
	};

	pe_count_hit(trigger, &built);
}

bool pe_triggers_marked(struct pe_event_link *link, const void *rec, unsigned int len)
{
	struct pe_trigger *trigger;
	bool stack = false;

	hlist_for_each_entry_rcu(trigger, &link->triggers, list, true) {
		if (READ_ONCE(trigger->asleep))
			continue;
		if (trigger->table) {
			pe_count_mark(link, trigger, rec, len);
			continue;
		}
		if (!pe_trigger_hit_fits(trigger, rec, len))
			continue;
		if (trigger->kind == PE_TRIGGER_STACKTRACE)
			stack |= pe_take_count(trigger);
		else
			pe_trigger_hit_act(link, trigger, NULL);
	}
	return stack;
}
