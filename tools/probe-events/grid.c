// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * grid.c - a table of texts, in columns.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "safe.h"

#define LEAST_WIDTH 16
#define GAP 2

/* Names are what others have chosen. */
void grid_cell(struct grid *g, const char *text)
{
	if (g->nr == g->room) {
		size_t room = g->room * 2 + 64;
		char **more = reallocarray(g->cells, room, sizeof(*more));

		if (!more) {
			g->failed = true;
			return;
		}
		g->cells = more;
		g->room = room;
	}
	g->cells[g->nr] = safe_text(text);
	if (g->cells[g->nr])
		g->nr++;
	else
		g->failed = true;
}

void grid_column(struct grid *g, const char *heading, bool left)
{
	g->left[g->nr_columns++] = left;
	grid_cell(g, heading);
}

/* Columns of a text on the screen: continuation bytes of UTF-8 take none. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static size_t sum_of(const size_t *widths, size_t nr)
{
	size_t sum = GAP * (nr - 1), i;

	for (i = 0; i < nr; i++)
		sum += widths[i];
	return sum;
}

/* Texts are cut; if that is not enough, columns are left out at the right.  How many stay? */
static size_t fit(const struct grid *g, size_t *widths, size_t width)
{
	size_t nr = g->nr_columns, i;

	while (width && sum_of(widths, nr) > width) {
		size_t widest = GRID_COLUMNS;

		for (i = 0; i < nr; i++)
			if (g->left[i] && widths[i] > LEAST_WIDTH &&
			    (widest == GRID_COLUMNS || widths[i] > widths[widest]))
				widest = i;
		if (widest != GRID_COLUMNS)
			widths[widest]--;
		else if (nr > 1)
			nr--;
		else
			break;
	}
	return nr;
}

/* The part of a text from column @from on, @width columns of it. */
static void print_part(const char *text, size_t from, size_t width, FILE *out)
{
	size_t at = 0;

	for (; *text; text++) {
		bool begins = (*text & 0xc0) != 0x80;

		at += begins;
		if (at > from && at <= from + width)
			fputc(*text, out);
	}
}

/* @blanks are due before it; what is due after it comes with the next text of the line. */
static void print_cell(const char *text, size_t width, bool left, enum paint colour, size_t *blanks,
		       FILE *out)
{
	size_t is = width_of(text), pad = is < width ? width - is : 0;

	if (!left)
		*blanks += pad;
	if (is)
		fprintf(out, "%*s", (int)*blanks, "");
	if (is && colour)
		paint(colour, out);
	if (is > width) {
		size_t head = (width - 1) / 2, tail = width - 1 - head;

		print_part(text, 0, head, out);
		fputc('~', out);
		print_part(text, is - tail, tail, out);
	} else {
		fputs(text, out);
	}
	if (is && colour)
		paint(PAINT_NONE, out);
	*blanks = (is ? 0 : *blanks) + (left ? pad : 0);
}

size_t grid_print(const struct grid *g, size_t width, FILE *out)
{
	size_t widths[GRID_COLUMNS] = {}, whole = g->nr - g->nr % g->nr_columns, i, blanks = 0;
	size_t stay;

	for (i = 0; i < whole; i++) {
		size_t is = width_of(g->cells[i]);

		if (is > widths[i % g->nr_columns])
			widths[i % g->nr_columns] = is;
	}
	stay = fit(g, widths, width);
	for (i = 0; i < whole; i++) {
		size_t column = i % g->nr_columns;

		if (column >= stay)
			continue;
		print_cell(g->cells[i], widths[column], g->left[column], g->colours[column],
			   &blanks, out);
		blanks += GAP;
		if (column == stay - 1) {
			fputc('\n', out);
			blanks = 0;
		}
	}
	return g->nr_columns - stay;
}

void grid_free(struct grid *g)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		free(g->cells[i]);
	free(g->cells);
	*g = (struct grid){};
}
