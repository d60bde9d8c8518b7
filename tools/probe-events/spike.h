/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * spike.h - what was before a slow call: a part of a trace's text, and what is in it.
 *
 * Pure: the text comes from the caller.
 */
#ifndef PE_TOOL_SPIKE_H
#define PE_TOOL_SPIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct spike_line - a line of a trace
 * @at: nanoseconds
 * @task_end: where the task's name and number end; a part of the line
 * @tid: of the task
 * @event: the event's name; a part of the line
 * @event_len: its length
 * @args: what is after the event's place: NAME=VALUE
 */
struct spike_line {
	unsigned long long at;
	const char *task_end;
	long tid;
	const char *event;
	size_t event_len;
	const char *args;
};

/**
 * struct spike - what a part of a trace has
 * @from: no line is older, nanoseconds
 * @until: no line is younger
 * @tid: whose sleep is looked for
 * @records: how many lines there are
 * @first: the time of the first one
 * @whole: there were older lines: nothing of the time is missing
 * @asleep: the longest time that the task was off its CPU; 0: it was not
 * @requests: block requests whose issue and completion are there
 * @longest: of these
 * @dev: its device, as the kernel numbers it
 */
struct spike {
	unsigned long long from, until;
	long tid;
	unsigned long records;
	unsigned long long first;
	bool whole;
	unsigned long long asleep;
	unsigned long requests;
	unsigned long long longest;
	unsigned int dev;
};

/** spike_read() - understand a line; false: it is a remark, or no line of a trace */
bool spike_read(struct spike_line *l, const char *line);

/** spike_arg() - an argument of a line that is a number; false: there is none of that name */
bool spike_arg(const struct spike_line *l, const char *name, unsigned long long *value);

/**
 * spike_cut() - write the part of a trace, and look at it
 * @s: with @from, @until and @tid; the rest is set
 * @trace: the whole text of a trace
 * @out: gets the remarks of its head, and the lines of the part
 *
 * Return: 0, or -1 without memory.
 */
int spike_cut(struct spike *s, const char *trace, FILE *out);

#endif
