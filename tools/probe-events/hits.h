/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hits.h - a hit as a line: verb trace.
 */
#ifndef PE_TOOL_HITS_H
#define PE_TOOL_HITS_H

#include <stdio.h>
#include "entries.h"
#include "functions.h"
#include "locks.h"
#include "naming.h"
#include "recipe.h"
#include "records.h"
#include "request.h"
#include "words.h"

/**
 * struct hits - how hits are shown
 * @r: the question
 * @recipe: its commands
 * @rs: the reader, which knows the event
 * @naming: names of keys' numbers
 * @wall: nanoseconds from the records' clock to the time of day
 * @json: objects, not lines
 * @folded: the stack of each, for flame graphs
 * @kept: nothing: another file has the records
 * @out: gets them
 * @save: gets them as objects, too; NULL: not wanted
 * @shown: how many
 * @bare: how many of these have lost their stack
 * @words: names of numbers
 * @locks: kinds and names of locks
 * @entries: what calls have told when they began
 * @entry: that of the hit that is being shown
 * @symbols: functions by address, loaded when the first address is shown
 * @kallsyms: the text that @symbols points into
 */
struct hits {
	const struct request *r;
	const struct recipe *recipe;
	struct records *rs;
	const struct naming *naming;
	unsigned long long wall;
	bool json, folded, kept;
	FILE *out;
	FILE *save;
	unsigned long long shown, bare;
	/* private */
	struct words words;
	struct locks locks;
	struct entries entries;
	const char *entry;	/* of the hit that is being shown */
	/* loaded when the first address is shown */
	struct functions symbols;
	char *kallsyms;
};

/** hits_heading() - the line before the first */
void hits_heading(const struct hits *h);

/** hits_show() - show a record; for records_read(), with a struct hits as @ctx */
bool hits_show(void *ctx, const struct record *r);

/** hits_free() - the end */
void hits_free(struct hits *h);

#endif
