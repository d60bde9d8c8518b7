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

/** worth_headings() - up to three columns more, or none */
void worth_headings(const struct answer *a, struct grid *g);

/** worth_cells() - these columns of a row */
void worth_cells(const struct answer *a, struct grid *g, const struct group *group);

/** worth_note() - a line below the table, or none; @weight: of all rows */
void worth_note(const struct answer *a, unsigned long long weight, FILE *out);

#endif
