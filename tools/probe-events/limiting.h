/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limiting.h - what a question may cost: words for the modules' limits.
 *
 * Pure: nothing here touches the system, but the environment.
 */
#ifndef PE_TOOL_LIMITS_H
#define PE_TOOL_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#define LIMITS_TEXT 160

/**
 * struct limits - options of a question
 * @cpu: of --cpu: share of all CPUs' time; NULL: the default
 * @one: of --one: share of one CPU's time, likewise
 * @rate: of --rate: hits in a second; NULL: any
 * @ttl: of --ttl: nanoseconds; 0: for ever
 * @none: --no-limit: no default
 * @no_rate: none by default: with -M, what it leaves out would look like hits after the end
 */
struct limits {
	const char *cpu;
	const char *one;
	const char *rate;
	unsigned long long ttl;
	bool none;
	bool no_rate;
};

/**
 * limits_option() - an option of ours
 * @l: gets it
 * @name: the option: "--cpu"
 * @value: the next word, or NULL
 * @used: set if it was one of its value
 *
 * Return: NULL, or what is wrong: a static text.  An option that is none of ours is "".
 */
const char *limits_option(struct limits *l, const char *name, const char *value, bool *used);

/**
 * limits_words() - as the modules take them
 * @l: the options
 * @hits: so many hits at most; 0: any number
 * @text: gets them, LIMITS_TEXT bytes
 *
 * What no option says, the variable PROBE_EVENTS_LIMIT says, or it is cpu=2% one=25%.
 *
 * Return: false: there is no limit.
 */
bool limits_words(const struct limits *l, unsigned long hits, char *text);

/**
 * limits_line() - the same as a line of a session
 * @l: the options
 * @hits: so many hits at most; 0: any number
 * @event: its name
 * @line: gets it, or "", LIMITS_TEXT + 64 bytes
 */
void limits_line(const struct limits *l, unsigned long hits, const char *event, char *line);

/* Is what a limit says, @why, an ordinary end: none, or that of -M @hits? */
bool limits_is_end(const char *why, unsigned long hits);

/* What to do if a limit has been reached; @why is the modules' reason. */
const char *limits_advice(const char *why);

#endif
