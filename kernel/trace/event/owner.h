/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * owner.h - what belongs to a session, and who may change it.
 *
 * An event belongs to the session that has defined it, or to none.  Only its session may add
 * probes to it or remove it.  In the instance in which its session works, only the session may
 * switch it, or give it a filter or triggers.  In other instances every writer may.
 *
 * An event or an instance whose owner has ended is dying: it is cut off, and nothing in it can be
 * switched on again.  It is freed as soon as nothing else uses it.
 *
 * Callers hold pe_event_mutex.
 */
#ifndef PE_OWNER_H
#define PE_OWNER_H

#include <linux/types.h>
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_session.h"

#define PE_OWNER_TEXT	64

/* May @by (NULL: no session) switch the event in an instance? */
static inline bool pe_event_may(const struct pe_event *event, const struct pe_instance *inst,
				const struct pe_session *by)
{
	return !event->session || event->session == by || event->session->home != inst;
}

/* Is there nothing to switch any more: are the event or the instance dead or dying? */
static inline bool pe_link_gone(const struct pe_event_link *link)
{
	return link->event->dead || link->event->dying || link->instance->dying;
}

/* Armed, or stopped by a limit with triggers that are there or that have it as their target. */
static inline bool pe_link_used(const struct pe_event_link *link)
{
	return link->variant || link->soft;
}

/* owner.c */

/* "session N of COMM-PID" in @text, as the error's detail.  Return: the error. */
enum pe_parse_errno pe_event_owner_error(const struct pe_event *event, char text[PE_OWNER_TEXT]);

#endif
