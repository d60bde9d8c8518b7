/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * answer.h - a table as an answer for people.
 *
 * Pure: what it is made of comes from the caller.
 */
#ifndef PE_TOOL_ANSWER_H
#define PE_TOOL_ANSWER_H

#include <stdbool.h>
#include <stdio.h>
#include "functions.h"
#include "losses.h"
#include "origin.h"
#include "request.h"
#include "table.h"

struct words;

/**
 * struct answer - what an answer is made of
 * @verb: its name
 * @r: the question
 * @timed: how long calls take: verb lat
 * @table: what was counted; NULL before the first
 * @interval: it is that of an interval, from 1; 0: the total
 * @losses: what became of all hits
 * @symbols: by address; empty if no address is shown
 * @words: for names of a preset's numbers; NULL: there is none
 * @cpus: how many CPUs are asked about; 0: not known
 * @cpu_seconds: how long these were measured, together; 0: each as long as the table says
 * @width: of the terminal, 0: a file
 * @fit: rows that the terminal has room for; 0: all
 * @utf8: bars of blocks, not of #
 * @origin: where and when it was found; NULL: here and now
 * @cost: what the hits have cost, in percent of all CPUs' time; NULL: it is not known
 * @rough: times are powers of 2, so a percentile may be off by a factor of 2
 * @refused: so many functions of a pattern are left out, as they cannot be probed
 * @own: pids of the session's instance say whose hits count: all others are not asked for
 */
struct answer {
	const char *verb;
	const struct request *r;
	bool timed;
	const struct table *table;
	unsigned int interval;
	const struct losses *losses;
	const struct functions *symbols;
	struct words *words;
	unsigned int cpus;
	double cpu_seconds;
	size_t width, fit;
	const double *cost;
	bool utf8;
	const struct origin *origin;
	bool rough;
	unsigned long refused;
	bool own;
};

/**
 * answer_has() - does a row's key contain a text, as it is shown?
 * @a: the answer
 * @group: the row
 * @text: the text; letters may be large or small
 */
bool answer_has(const struct answer *a, const struct group *group, const char *text);

/** answer_print() - the table, or a histogram if there are no keys */
void answer_print(const struct answer *a, FILE *out);

#endif
