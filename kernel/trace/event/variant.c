// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * variant.c - what a hit of an event has to do in an instance.
 *
 * A hit reads one word of each link, the variant, and does what it says.  This
 * file alone writes it, whenever one of these changes:
 *
 *	change						bits		notified by
 *	the event is enabled or disabled		RECORD		event_enable.c
 *	a trigger comes or goes, on it or for it	RECORD SOFT	event_enable.c
 *	a trigger has a filter, acts late, or counts	LOOK		event_trigger.c
 *	a filter is set or cleared			BUILD		event_filter.c
 *	a probe is registered; are there strings?	BUILD		event_probe.c
 *	the option stacktrace				BUILD STACK	fs_options.c
 *	a list of pids comes or goes			PIDS		pids.c
 *	perf or the kernel's tracefs begins or ends	MIRROR		event_enable.c
 *	  to use the event's mirror
 *	a limit comes, goes or has been reached		LIMIT, or 0	limit_file.c, limit_trip.c
 *	that of all events begins or ends to count	LIMIT		limit_all.c
 *	the clock					(compiled hits)	fs_buffer.c
 *
 * A new link begins with 0, and a link is cut after its event is disabled, so
 * instances that come and go change nothing.
 *
 * Hits themselves read what hits change: tracing_on and the buffer (triggers,
 * snapshots), and, with SOFT, link->enabled.  They also read what a change replaces by
 * another of its kind: the filter, bits in lists of pids.  A filter or list may be NULL
 * for a hit that overlaps a change.  The hit then records as if there were none.
 *
 * The word is in the link, not in memory that would be allocated anew for each change.
 * So no change can fail for want of memory: disabling must not fail.
 */
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "compile.h"
#include "event.h"
#include "instance.h"
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "limit.h"
#include "marker.h"
#include "variant.h"

static bool pe_triggers_look(const struct pe_event_link *link)
{
	const struct pe_trigger *trigger;

	hlist_for_each_entry(trigger, &link->triggers, list)
		if (trigger->filter || trigger->table || pe_trigger_is_late(trigger))
			return true;
	return false;
}

static u8 pe_variant_of(const struct pe_event_link *link)
{
	const struct pe_instance *inst = link->instance;
	u8 variant = 0;

	/* Whatever wants its hits has to wait until it is enabled again. */
	if (pe_limit_tripped(link->event))
		return 0;
	/* One of the links brings hits to the mirror: the top's, which an event always has. */
	if (inst == &pe_top && link->event->mirrored)
		variant |= PE_V_MIRROR;
	/* With ->soft, hits change ->enabled. */
	if (!link->soft && !link->enabled)
		return variant;
	variant |= PE_V_RECORD;
	if (link->soft)
		variant |= PE_V_SOFT;
	if (pe_triggers_look(link))
		variant |= PE_V_LOOK;
	if (link->event->dynamic || rcu_access_pointer(link->filter))
		variant |= PE_V_BUILD;
	if (test_bit(PE_OPT_STACKTRACE, &inst->options))
		variant |= PE_V_BUILD | PE_V_STACK;
	if (rcu_access_pointer(inst->pids[PE_PIDS_ONLY]) ||
	    rcu_access_pointer(inst->pids[PE_PIDS_NOT]))
		variant |= PE_V_PIDS;
	return variant;
}

static void pe_variant_choose(struct pe_event_link *link)
{
	u8 variant = pe_variant_of(link);

	lockdep_assert_held(&pe_event_mutex);
	if (variant && (pe_limit_in_force(link->event) || pe_limit_counts(pe_limit_all)))
		variant |= PE_V_LIMIT;
	/* read by pe_record_links(), pe_record_within(), pe_event_rest() */
	WRITE_ONCE(link->variant, variant);
}

void pe_event_changed(struct pe_event *event)
{
	struct pe_event_link *link;
	bool armed = false;

	list_for_each_entry(link, &event->links, event_list) {
		pe_variant_choose(link);
		armed |= link->variant;
	}
	pe_limit_changed(event, armed);
	/* The marker has no probe. */
	pe_limits_event_armed(event, armed && !pe_event_is_marker(event));
	pe_compile_changed(event);
}

void pe_instance_changed(struct pe_instance *inst)
{
	struct pe_event_link *link;

	list_for_each_entry(link, &inst->links, instance_list) {
		pe_variant_choose(link);
		pe_compile_changed(link->event);
		cond_resched();
	}
}
