// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * marker.c - the event of trace_marker, ftrace:print.
 *
 * It has no probes.  Users do not define, enable or remove it, so it is not in the registry of
 * events.  Its links, one in each instance, are there to have triggers.
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include "event.h"
#include "event_link.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/trace.h"
#include "marker.h"

static struct pe_event pe_marker = {
	.list = LIST_HEAD_INIT(pe_marker.list),
	.group = "ftrace",
	.name = "print",
	.id = PE_PRINT_ID,
	.ref = REFCOUNT_INIT(1),
	.probes = LIST_HEAD_INIT(pe_marker.probes),
	.links = LIST_HEAD_INIT(pe_marker.links),
};

bool pe_event_is_marker(const struct pe_event *event)
{
	return event == &pe_marker;
}

struct pe_event_link *pe_marker_link(struct pe_instance *inst)
{
	struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);
	mutex_lock(&pe_name_mutex);
	link = pe_link_add(&pe_marker, inst);
	mutex_unlock(&pe_name_mutex);
	return link;
}
