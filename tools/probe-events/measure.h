/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PE_TOOL_MEASURE_H
#define PE_TOOL_MEASURE_H

#include <stdio.h>
#include "screen.h"
#include "show.h"
#include "verb.h"
#include "wait.h"

/** measure_live() - show what is counted until it is over; 0, or -1 after a message */
typedef int measure_live(struct show *s, struct wait *w);

/**
 * measure() - count, show, and end
 * @verb: the verb
 * @argc: how many words, the verb included
 * @argv: the words
 * @timed: how long calls take, not only how many there are
 * @top: what shows it meanwhile; NULL: as count and lat do
 *
 * Return: the exit status.
 */
int measure(const struct verb *verb, int argc, char **argv, bool timed, measure_live *top);

/**
 * measure_again() - show what a session of count or lat has counted
 * @dir: where our files are
 * @id: its number
 * @typed: its comment: the words that were typed; cut in place
 * @out: gets it
 * @screen: what it has to fit into; NULL: standard output, whatever it is
 *
 * Return: the exit status, after a message if the table cannot be shown.
 */
int measure_again(const char *dir, const char *id, const char *typed, FILE *out,
		  const struct screen *screen);

#endif
