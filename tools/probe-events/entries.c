// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * entries.c - what was read when calls began, until they return.
 *
 * Returns that a filter refuses are not seen, and tasks end: so there is one place for many tasks,
 * and the last that comes has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include "entries.h"

#define PLACES 16384

/*
 * The record of a call's begin and the begin of its time are two readings of the clock, and all
 * that stops a CPU can come between: interrupts, a host that runs another guest (4 ms were seen).
 * As long as no begin is lost, the last one is the call's own, and this is not needed; when one is,
 * it tells an earlier wait for the same lock, unless that was as short a time ago as this.
 */
#define SLACK 1000000000ULL

static struct entry *place_of(struct entries *e, unsigned long long tid)
{
	return &e->of[tid % PLACES];
}

int entries_note(struct entries *e, unsigned long long tid, unsigned long long lock,
		 unsigned long long at, const char *text)
{
	struct entry *entry;

	if (!e->of)
		e->of = calloc(PLACES, sizeof(*e->of));
	if (!e->of)
		return -1;
	entry = place_of(e, tid);
	entry->tid = tid;
	entry->lock = lock;
	entry->at = at;
	snprintf(entry->text, sizeof(entry->text), "%s", text);
	return 0;
}

const char *entries_take(struct entries *e, unsigned long long tid, unsigned long long lock,
			 unsigned long long at, unsigned long long ns)
{
	struct entry *entry = e->of ? place_of(e, tid) : NULL;

	/* An older one is that of another call, whose return was not seen. */
	if (!entry || !entry->at || entry->tid != tid || entry->lock != lock || entry->at > at ||
	    entry->at + ns + SLACK < at)
		return NULL;
	entry->at = 0;
	return entry->text;
}

void entries_free(struct entries *e)
{
	free(e->of);
	e->of = NULL;
}
