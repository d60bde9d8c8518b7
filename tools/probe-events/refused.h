/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * refused.h - the modules' file kprobes/refused: functions of a pattern that cannot be probed.
 */
#ifndef PE_TOOL_REFUSED_H
#define PE_TOOL_REFUSED_H

#include <stdbool.h>
#include <stdio.h>

/**
 * refused_lines() - functions that an event lacks
 * @text: the file
 * @group: the event's group
 * @event: its name; NULL: all events of the group
 * @before: is written before each: a margin
 * @out: gets a line for each, "refused: FUNCTION REASON"; NULL: they are only counted
 *
 * Return: how many there are.
 */
unsigned long refused_lines(const char *text, const char *group, const char *event,
			    const char *before, FILE *out);

/**
 * refused_count() - how many an event lacks
 * @dir: where our files are
 * @group: the event's group
 * @event: its name; NULL: all events of the group
 * @nr: gets it
 *
 * Return: 0, or -1 after a message.
 */
int refused_count(const char *dir, const char *group, const char *event, unsigned long *nr);

/** refused_tell() - likewise; they are written to standard error */
int refused_tell(const char *dir, const char *group, const char *event);

/**
 * refused_print() - "; 22 refused (-v)", or nothing
 * @nr: how many
 * @option: there is an option -v, which is not given
 * @out: gets it
 */
void refused_print(unsigned long nr, bool option, FILE *out);

#endif
