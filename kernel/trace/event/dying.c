// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * dying.c - what is cut off, because its session has ended.
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include "dying.h"
#include "event.h"
#include "event_enable.h"
#include "event_source.h"
#include "event_trigger.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "mirror.h"

/* Events that stay, for now, and links in instances that do: nothing is enabled there. */
static void pe_dying_disable(void)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	struct pe_event *event;

	list_for_each_entry(event, &pe_events, list) {
		if (!event->dying || pe_mirror_busy(event))
			pe_change_disable_dying(&change, event);
		cond_resched();
	}
	pe_change_disarm(&change);
}

void pe_dying_cut(struct pe_mirrors *mirrors)
{
	struct pe_source *source;
	LIST_HEAD(batch);

	lockdep_assert_held(&pe_event_mutex);

	/* First, because a trigger might enable an event again. */
	pe_triggers_clear_all(true);
	pe_dying_disable();
	list_for_each_entry(source, &pe_sources, all) {
		if (pe_source_event(source)->dying && !pe_mirror_busy(pe_source_event(source)))
			pe_source_batch(source, &batch);
		cond_resched();
	}
	if (!list_empty(&batch))
		pe_sources_remove(&batch, mirrors);
}
