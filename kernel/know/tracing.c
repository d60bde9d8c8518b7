// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * tracing.c - the kernel's own events, as far as modules cannot reach them.
 *
 * Modules may add events, but the mutex that this asks for is not exported, nor is the list
 * of events.  The kernel does not look whether a name is free.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include "kernel/know/ksyms.h"
#include "kernel/know/tracing.h"

int pe_tracing_lock(void)
{
	if (!pe_ks_data.event_mutex || !pe_ks_data.ftrace_events)
		return -EOPNOTSUPP;
	mutex_lock(pe_ks_data.event_mutex);
	return 0;
}
EXPORT_SYMBOL_GPL(pe_tracing_lock);

void pe_tracing_unlock(void)
{
	mutex_unlock(pe_ks_data.event_mutex);
}
EXPORT_SYMBOL_GPL(pe_tracing_unlock);

bool pe_tracing_has_event(const char *group, const char *name)
{
	struct trace_event_call *call;
	const char *other;

	lockdep_assert_held(pe_ks_data.event_mutex);
	list_for_each_entry(call, pe_ks_data.ftrace_events, list) {
		other = trace_event_name(call);
		if (other && !strcmp(other, name) && !strcmp(call->class->system, group))
			return true;
	}
	return false;
}
EXPORT_SYMBOL_GPL(pe_tracing_has_event);

void pe_tracing_reset(void)
{
	if (pe_ks_has(tracing_reset_all_online_cpus))
		pe_ks(tracing_reset_all_online_cpus)();
}
EXPORT_SYMBOL_GPL(pe_tracing_reset);
