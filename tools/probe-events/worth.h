/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * worth.h - what the hits of a preset are worth: pages, or time.  Pure.
 */
#ifndef PE_TOOL_WORTH_H
#define PE_TOOL_WORTH_H

#include <stdio.h>
#include "answer.h"
#include "grid.h"

/**
 * enum worth - what a row's hits are worth, together: struct group's @weight
 * @WORTH_NONE: they are counted only
 * @WORTH_PAGES: pages
 * @WORTH_TIME: nanoseconds, a part of all that the CPUs had; the longest is @max
 */
enum worth { WORTH_NONE, WORTH_PAGES, WORTH_TIME };

/** worth_of() - of the rows of an answer */
enum worth worth_of(const struct answer *a);

/** worth_cpu_seconds() - how long all CPUs that are asked about were measured, together */
double worth_cpu_seconds(const struct answer *a);

/** worth_share() - such a time in percent of that */
double worth_share(const struct answer *a, unsigned long long weight);

/** worth_columns() - how many a table has for it */
size_t worth_columns(const struct answer *a);

/** worth_mb() - pages as MB */
double worth_mb(unsigned long long pages);

/** worth_headings() - up to three columns more, or none */
void worth_headings(const struct answer *a, struct grid *g);

/** worth_cells() - these columns of a row */
void worth_cells(const struct answer *a, struct grid *g, const struct group *group);

/** worth_note() - a line below the table, or none; @weight: of all rows */
void worth_note(const struct answer *a, unsigned long long weight, FILE *out);

#endif
