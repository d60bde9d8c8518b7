/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * beside.h - the events of the verb watch: the calls, and what is recorded beside them.  Pure.
 */
#ifndef PE_TOOL_BESIDE_H
#define PE_TOOL_BESIDE_H

#include <stddef.h>
#include <stdio.h>
#include "limiting.h"
#include "losses.h"
#include "preset.h"

#define BESIDE_EVENTS (PRESET_PROBES + 3)
#define BESIDE_NAME 64

/**
 * struct beside - the events
 * @names: in the session; "lat", the calls, is the first
 * @nr: how many
 * @losses: of each, by beside_read()
 * @preset: the question's preset, or NULL
 * @what: the function or place
 * @with: what "--with" has asked for, or NULL
 */
struct beside {
	char names[BESIDE_EVENTS][BESIDE_NAME];
	size_t nr;
	struct losses losses[BESIDE_EVENTS];
	/* private */
	const struct preset *preset;
	const char *what, *with;
};

/**
 * beside_begin() - which events there are
 * @b: gets them
 * @preset: its probes are recorded beside the calls
 * @what: whose calls they are
 * @with: functions whose entries and returns are recorded, too; NULL: none
 */
void beside_begin(struct beside *b, const struct preset *preset, const char *what,
		  const char *with);

/** beside_define() - lines of a session that define and enable all but the calls */
void beside_define(const struct beside *b, FILE *out);

/** beside_limit() - lines of a session that limit all of them */
void beside_limit(const struct beside *b, const struct limits *limits, FILE *out);

/** beside_shown() - what users know an event by; @event: its name in the session */
const char *beside_shown(const struct beside *b, const char *event);

/** beside_read() - @b->losses of a session's @group, by the text of kprobe_losses */
void beside_read(struct beside *b, const char *text, const char *group);

/**
 * beside_print() - where all calls and hits have gone, without a newline
 * @b: the events, whose losses have been read
 * @counted: calls that the table had before
 * @out: gets it
 *
 * Return: how many were lost.
 */
unsigned long long beside_print(const struct beside *b, unsigned long long counted, FILE *out);

#endif
