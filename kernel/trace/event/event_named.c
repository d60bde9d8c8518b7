// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_named.c - the sources that a command names that removes something.
 */
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "command.h"
#include "event.h"
#include "event_source.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "place.h"

/* An address may be given as it is, or as files show it to readers that may not see addresses. */
static bool pe_place_is_named(const struct pe_spec *spec, const struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);
	bool returns = event->is_fprobe && event->is_return;
	const struct pe_arg *args = source->one.program.args;
	char hashed[PE_PLACE_HASHED];

	if (pe_spec_matches(spec, source->place, returns, args, event->nargs))
		return true;
	if (!pe_source_is_address(source))
		return false;
	pe_sprint_hashed(hashed, sizeof(hashed), source->one.kp.addr);
	return pe_spec_matches(spec, hashed, returns, args, event->nargs);
}

static bool pe_source_is_named(const struct pe_spec *spec, const struct pe_source *source)
{
	const struct pe_event *event = pe_source_event(source);

	return (!spec->event[0] || !strcmp(spec->event, event->name)) &&
	       (!spec->group[0] || !strcmp(spec->group, event->group)) &&
	       pe_place_is_named(spec, source);
}

/*
 * With an event's full name, as the files show it, only its own are looked at: one write may
 * remove thousands of events.
 */
int pe_sources_named(const struct pe_spec *spec, pe_source_found_t found, void *data)
{
	bool is_full = spec->event[0] && spec->group[0];
	const struct pe_event *event = is_full ? pe_event_find(spec->group, spec->event) : NULL;
	struct pe_source *source = NULL;
	int ret = 0;

	lockdep_assert_held(&pe_event_mutex);
	if (is_full && !event)
		return 0;
	while (!ret && (source = pe_source_next(event, source))) {
		cond_resched();
		if (pe_source_is_named(spec, source))
			ret = found(data, source);
	}
	return ret;
}
