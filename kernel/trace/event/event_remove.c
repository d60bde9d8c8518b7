// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_remove.c - may what a command or a session names be removed, and the removal.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include "event.h"
#include "event_cmd.h"
#include "event_enable.h"
#include "event_probe.h"
#include "event_source.h"
#include "event_trigger.h"
#include "event_users.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "mirror.h"

/* Would the event lose all of its probes? */
static bool pe_batch_has_all(const struct pe_event *event)
{
	const struct pe_event_probe *probe;

	list_for_each_entry(probe, &event->probes, list) {
		if (list_empty(&probe->batch))
			return false;
		cond_resched();
	}
	return true;
}

/*
 * Would an event that is armed, or has a mirror in use, lose its last probe?  Then the batch has
 * its first one, too, and with that it is looked at: once, however many probes it has.
 */
bool pe_sources_busy(struct list_head *batch, const struct pe_instance *home)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(probe, batch, batch) {
		event = probe->event;
		cond_resched();
		if (!list_is_first(&probe->list, &event->probes) ||
		    (!pe_event_used_beside(event, home) && !pe_mirror_busy(event)) ||
		    !pe_batch_has_all(event))
			continue;
		pe_event_log_busy(event, home);
		return true;
	}
	return false;
}

/* Events that lose all of their probes do so even if they are armed. */
void pe_sources_bury(struct list_head *batch, struct pe_mirrors *mirrors)
{
	struct pe_event_probe *probe;

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(probe, batch, batch) {
		if (list_is_first(&probe->list, &probe->event->probes) &&
		    pe_batch_has_all(probe->event))
			probe->event->dying = true;
		cond_resched();
	}
	pe_triggers_clear_all(true);
	pe_sources_remove(batch, mirrors);
}

int pe_remove_batch(struct list_head *batch, struct pe_mirrors *mirrors, bool force)
{
	if (force || !pe_sources_busy(batch, NULL)) {
		pe_sources_remove(batch, mirrors);
		return 0;
	}
	pe_sources_unbatch(batch);
	return -EBUSY;
}
