/* SPDX-License-Identifier: GPL-2.0 */
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
#include "request.h"
#include "table.h"

/**
 * struct answer - what an answer is made of
 * @r: the question
 * @timed: how long calls take: verb lat
 * @table: what was counted
 * @losses: what became of all hits
 * @symbols: by address; empty if no address is shown
 * @width: of the terminal, 0: a file
 * @utf8: bars of blocks, not of #
 * @own: pids of the session's instance say whose hits count: all others are not asked for
 */
struct answer {
	const struct request *r;
	bool timed;
	const struct table *table;
	const struct losses *losses;
	const struct functions *symbols;
	size_t width;
	bool utf8;
	bool own;
};

/** answer_print() - the table, or a histogram if there are no keys */
void answer_print(const struct answer *a, FILE *out);

/** answer_lost() - how many hits were lost: had to be counted, and are in no row */
unsigned long long answer_lost(const struct answer *a);

/**
 * answer_balance() - where all hits have gone, a line or two
 * @a: the answer
 * @out: gets it
 *
 * Return: how many hits were lost, as answer_lost().
 */
unsigned long long answer_balance(const struct answer *a, FILE *out);

#endif
