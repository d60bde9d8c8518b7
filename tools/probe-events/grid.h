/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * grid.h - a table of texts, in columns.  Pure.
 */
#ifndef PE_TOOL_GRID_H
#define PE_TOOL_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "paint.h"

#define GRID_COLUMNS 12

/**
 * struct grid - the texts
 * @nr_columns: how many columns
 * @left: columns that begin at the left; numbers end at the right
 * @colours: of columns
 * @cells: of all rows, for free(); a row is not shown before its last cell is there
 * @nr: how many cells
 * @room: for how many there is memory
 * @failed: there was no memory for one
 */
struct grid {
	size_t nr_columns;
	bool left[GRID_COLUMNS];
	enum paint colours[GRID_COLUMNS];
	char **cells;
	size_t nr, room;
	bool failed;
};

/** grid_column() - one more column, with its heading; all columns come before any cell */
void grid_column(struct grid *g, const char *heading, bool left);

/** grid_cell() - the next text, row by row; as put_safe() writes it */
void grid_cell(struct grid *g, const char *text);

/**
 * grid_print() - show it
 * @g: the texts
 * @width: of the lines, 0: as wide as they are.  What is too wide is cut in the middle of the
 *	   widest column that begins at the left, down to 16; then columns at the right are
 *	   left out.
 * @out: gets it
 *
 * Return: how many columns were left out.
 */
size_t grid_print(const struct grid *g, size_t width, FILE *out);

/** grid_free() - the end */
void grid_free(struct grid *g);

#endif
