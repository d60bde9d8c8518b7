// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * own.c - trace shows what others do, not what it takes to show that.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include "own.h"

#define INTERRUPTED 0x58	/* common_flags: in a hard interrupt, a softirq, an NMI */

bool own_left_out(const struct request *r)
{
	return !r->pids && !r->tids && !r->comm && (!r->command || r->all) &&
	       !(r->most && request_form_is(r, "dat"));
}

char *own_filter(const char *filter, const char *pid)
{
	char *text;

	if (asprintf(&text, "%s%s%scommon_pid != %s || common_flags & %d%s", filter ? "(" : "",
		     filter ?: "", filter ? ") && (" : "", pid, INTERRUPTED, filter ? ")" : "") < 0)
		return NULL;
	return text;
}
