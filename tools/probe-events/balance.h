/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * balance.h - all hits, and where they have gone.  Pure.
 */
#ifndef PE_TOOL_BALANCE_H
#define PE_TOOL_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct answer;

/**
 * struct sums - hits = counted + frees + others + inside + later + lost
 * @hits: all that came
 * @counted: in rows
 * @frees: give back what those that are counted take
 * @others: not asked for: refused by the filter, or of other tasks
 * @inside: calls that have not returned
 * @later: came after the table was read
 * @lost: had to be counted, and are in no row
 */
struct sums {
	unsigned long long hits, counted, frees, others, inside, later, lost;
};

/** balance_make() - the sums of an answer, whose table and losses have been read */
void balance_make(const struct answer *a, struct sums *s);

/**
 * balance_loss() - a way in which hits can be lost
 * @a: the answer
 * @i: which, from 0
 * @hits: gets how many were
 *
 * Return: its name; NULL if there are no more.
 */
const char *balance_loss(const struct answer *a, size_t i, unsigned long long *hits);

/** balance_knows() - is this one of the ways, by the name that it has in JSON? */
bool balance_knows(const char *name);

/**
 * balance_print() - a line for people
 * @a: the answer
 * @out: gets it
 *
 * Return: how many hits were lost.
 */
unsigned long long balance_print(const struct answer *a, FILE *out);

#endif
