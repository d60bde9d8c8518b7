/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * entries.h - what was read when calls began, until they return: a return event can read memory
 * only at the return.
 *
 * Pure.
 */
#ifndef PE_TOOL_ENTRIES_H
#define PE_TOOL_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#define ENTRIES_TEXT 48

/**
 * struct entry - of a call
 * @tid: the task
 * @lock: what it is about
 * @at: nanoseconds, when it was recorded
 * @text: what was read
 */
struct entry {
	unsigned long long tid, lock, at;
	char text[ENTRIES_TEXT];
};

/** struct entries - one of each task, if there is room; all 0 at first, for entries_free() */
struct entries {
	/* private */
	struct entry *of;
};

/** entries_note() - a call of a task begins, for a lock; 0, or -1 without memory */
int entries_note(struct entries *e, unsigned long long tid, unsigned long long lock,
		 unsigned long long at, const char *text);

/**
 * entries_take() - a call of a task has returned
 * @e: the entries
 * @tid: the task
 * @lock: for which it was
 * @at: when it returned
 * @ns: how long it took
 *
 * Return: what was read when it began, until the next entry is noted; NULL if that is not known:
 * its record was lost, or another call of the task or another task has taken its place.
 */
const char *entries_take(struct entries *e, unsigned long long tid, unsigned long long lock,
			 unsigned long long at, unsigned long long ns);

/** entries_free() - the end */
void entries_free(struct entries *e);

#endif
