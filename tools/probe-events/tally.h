/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * tally.h - the tables of several intervals as one, and the order of rows.  Pure.
 */
#ifndef PE_TOOL_TALLY_H
#define PE_TOOL_TALLY_H

#include "request.h"
#include "table.h"

/**
 * tally_add() - add an interval's table
 * @sum: the tables so far, for table_free(); all 0 before the first
 * @part: the next one, which `take` has cut off; of the same trigger
 *
 * Rows of one key become one, equal steps of a distribution likewise.  Nothing of @part is needed
 * later.
 *
 * Return: 0, or -1 without memory: then @sum is as it was.
 */
int tally_add(struct table *sum, const struct table *part);

/** tally_clear() - the sum begins anew; the next table that is added has to be cut off */
void tally_clear(struct table *sum);

/**
 * tally_sort() - the rows' order
 * @t: the table
 * @r: its options -s and -r
 * @timed: there are times: verb lat
 *
 * Values begin with the greatest, keys with the smallest: numbers by value, texts by letters.
 *
 * Return: NULL, or what is wrong with the column's name: a static text.
 */
const char *tally_sort(struct table *t, const struct request *r, bool timed);

/** tally_check() - what is wrong with option -s; NULL: nothing */
const char *tally_check(const struct request *r, bool timed);

#endif
