/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * calls.h - the modules' file inside of an event.  Pure: the text comes from the caller.
 */
#ifndef PE_TOOL_CALLS_H
#define PE_TOOL_CALLS_H

#include <stdbool.h>

/**
 * struct call_line - a call in progress
 * @pid: of the task
 * @comm: its name
 * @state: a letter
 * @ns: for how long
 * @exact: it has certainly not ended
 * @cpu: where the task runs, or "-"
 * @func: the function, MOD:FUNC of a module
 * @args: the event's arguments: NAME=VALUE, with blanks between
 */
struct call_line {
	long pid;
	const char *comm;
	char state;
	unsigned long long ns;
	bool exact;
	const char *cpu;
	const char *func;
	const char *args;
};

/**
 * calls_next() - the next call
 * @text: where to go on in the file's text, which is cut into its words; moved on
 * @call: gets it: parts of the text
 *
 * Return: false if there is none left.
 */
bool calls_next(char **text, struct call_line *call);

/** calls_arg() - an argument that is a number; false: there is none of that name */
bool calls_arg(const struct call_line *call, const char *name, unsigned long long *value);

/** calls_last() - the text of an argument, which has to be the last one; NULL: there is none */
const char *calls_last(const struct call_line *call, const char *name);

/**
 * calls_in_flight() - how many calls the event's counters have in progress
 * @text: the file's text, before calls_next() has cut it
 * @in_flight: gets it
 *
 * Return: false if the text says something else, such as that it could not be told.
 */
bool calls_in_flight(const char *text, unsigned long *in_flight);

#endif
