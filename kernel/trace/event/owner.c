// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * owner.c - who owns an event, in words.
 */
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_session.h"
#include "owner.h"

enum pe_parse_errno pe_event_owner_error(const struct pe_event *event, char text[PE_OWNER_TEXT])
{
	const struct pe_session *session = event->session;

	if (!session) {
		scnprintf(text, PE_OWNER_TEXT, "it belongs to no session");
		return PE_ERR_EVENT_NOT_OWNED;
	}
	scnprintf(text, PE_OWNER_TEXT, "session %u of %s-%d", session->nr, session->comm,
		  pid_vnr(session->pid));
	return PE_ERR_EVENT_OWNED;
}
