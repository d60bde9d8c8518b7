// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * answer.c - a table as an answer for people.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "answer.h"
#include "grid.h"
#include "preset.h"
#include "safe.h"
#include "symbols.h"
#include "units.h"
#include "words.h"
#include "worth.h"

#define BAR_WIDTH 40
#define NR_STEPS 1920	/* of 64 bits: see step_lower() */

static const double percentiles[] = { 50, 90, 99 };

#define NR_PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static void time_cell(const struct answer *a, struct grid *g, unsigned long long ns)
{
	char text[UNITS_TEXT];

	grid_cell(g, print_time(text, ns, a->r->unit));
}

static void count_cell(struct grid *g, unsigned long long count)
{
	char text[UNITS_TEXT];

	grid_cell(g, print_count(text, count));
}

/* What is in a row after its key. */
static void value_cells(const struct answer *a, struct grid *g, const struct group *group)
{
	size_t i;

	count_cell(g, group->hits);
	worth_cells(a, g, group);
	if (!a->timed)
		return;
	for (i = 0; i < NR_PERCENTILES; i++)
		time_cell(a, g, group_percentile(group, percentiles[i]));
	time_cell(a, g, group->max);
	time_cell(a, g, group->sum < 0 ? 0 : group->sum);
}

/* Innermost first, as the table has it. */
static void stack_cell(const struct answer *a, struct grid *g, const char *stack)
{
	char *all = NULL, *list = strdup(stack), *rest = list, *addr, name[256];
	const char *between = "";
	size_t size;
	FILE *out = open_memstream(&all, &size);

	while (out && rest && (addr = strsep(&rest, ","))) {
		symbols_print(a->symbols, name, sizeof(name), addr);
		fprintf(out, "%s%s", between, name);
		between = " <- ";
	}
	if (out)
		fclose(out);
	grid_cell(g, all ?: stack);
	free(all);
	free(list);
}

static void key_cell(const struct answer *a, struct grid *g, enum column_type type,
		     const char *key, const char *text)
{
	const char *form = preset_form(a->r->preset, key);
	char name[256];

	if (type == COLUMN_STACK) {
		stack_cell(a, g, text);
	} else if (type == COLUMN_ADDRESS) {
		symbols_print(a->symbols, name, sizeof(name), text);
		grid_cell(g, name);
	} else if (type == COLUMN_NAMED) {
		grid_cell(g, table_name(text));
	} else if (*form && a->words && words_print(a->words, form, strtoll(text, NULL, 0), name)) {
		grid_cell(g, name);
	} else {
		grid_cell(g, text);
	}
}

static void key_cells(const struct answer *a, struct grid *g, const struct group *group)
{
	const struct table *t = a->table;
	size_t i, column;

	for (i = 0; i < a->r->nr_keys; i++) {
		column = table_key(t, i);
		if (column < t->nr_columns)
			key_cell(a, g, t->columns[column].type, a->r->keys[i],
				 group->keys[column]);
	}
}

bool answer_has(const struct answer *a, const struct group *group, const char *text)
{
	struct grid g = {};
	bool has = false;
	size_t i;

	key_cells(a, &g, group);
	for (i = 0; i < g.nr; i++)
		if (strcasestr(g.cells[i], text))
			has = true;
	grid_free(&g);
	return has;
}

/* A row that is no key's: its name, and no more keys. */
static void name_cells(const struct answer *a, struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < a->r->nr_keys; i++)
		grid_cell(g, i ? "" : name);
}

static void headings(const struct answer *a, struct grid *g)
{
	size_t i, k;

	for (i = 0; i < a->r->nr_keys; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s", a->r->keys[i]);
		for (k = 0; name[k]; k++)
			name[k] = toupper((unsigned char)name[k]);
		grid_column(g, name, true);
	}
	grid_column(g, a->r->preset && a->r->preset->counts ? a->r->preset->counts : "CALLS",
		    false);
	worth_headings(a, g);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "P%g", percentiles[i]);
		grid_column(g, name, false);
	}
	if (a->timed) {
		grid_column(g, "MAX", false);
		grid_column(g, "TOTAL", false);
	}
}

static void print_rows(const struct answer *a, const struct group *total, FILE *out)
{
	const struct table *t = a->table;
	size_t nr = a->r->nr_keys ? t->nr : 0;	/* without keys there is the sum only */
	size_t most = a->r->rows ?: a->fit ?: nr, shown = most < nr ? most : nr;
	size_t i, left_out;
	struct group rest = {};
	struct grid g = {};
	char name[64];

	headings(a, &g);
	for (i = 0; i < shown; i++) {
		key_cells(a, &g, &t->groups[i]);
		value_cells(a, &g, &t->groups[i]);
	}
	for (; i < nr; i++) {
		rest.hits += t->groups[i].hits;
		rest.weight += t->groups[i].weight;
		if (t->groups[i].max > rest.max)
			rest.max = t->groups[i].max;
	}
	if (rest.hits) {
		snprintf(name, sizeof(name), "(%zu more)", nr - shown);
		name_cells(a, &g, name);
		count_cell(&g, rest.hits);
		worth_cells(a, &g, &rest);
		for (i = g.nr % g.nr_columns; i && i < g.nr_columns; i++)
			grid_cell(&g, "");
	}
	if (t->balance.other) {
		name_cells(a, &g, "(other)");
		count_cell(&g, t->balance.other);
		for (i = g.nr % g.nr_columns; i && i < g.nr_columns; i++)
			grid_cell(&g, "");
	}
	name_cells(a, &g, "total");
	value_cells(a, &g, total);
	left_out = grid_print(&g, a->width, out);
	if (left_out)
		fprintf(out, "(too narrow: %zu columns left out)\n", left_out);
	grid_free(&g);
	worth_note(a, total->weight, out);
}

/* ---- a histogram: a row for each octave, those without calls joined ---- */

/* Full blocks, and eighths of one at the end; or #. */
static void bar_cell(struct grid *g, double share, bool utf8)
{
	char text[3 * BAR_WIDTH + 4] = "", *to = text;
	int eighths = share * BAR_WIDTH * 8 + 0.5, i;

	for (i = 0; i < eighths / 8; i++)
		to += sprintf(to, "%s", utf8 ? "\xe2\x96\x88" : "#");
	if (utf8 && eighths % 8)	/* U+2588 is a full block, U+258F an eighth */
		to += sprintf(to, "\xe2\x96%c", 0x90 - eighths % 8);
	grid_cell(g, text);
}

static unsigned int octave_of(int step)
{
	unsigned long long value = step < 0 ? 0 : step_lower(step);

	return value ? 64 - __builtin_clzll(value) : 0;
}

static unsigned long long octave_begin(unsigned int octave)
{
	return octave ? 1ULL << (octave - 1) : 0;
}

/* From one step up to another one. */
static void step_row(const struct answer *a, struct grid *g, unsigned int from, unsigned int to,
		     unsigned long long hits, double share)
{
	time_cell(a, g, step_lower(from));
	grid_cell(g, "-");
	time_cell(a, g, to < NR_STEPS ? step_lower(to) : -1ULL);
	count_cell(g, hits);
	bar_cell(g, share, a->utf8);
}

static void octave_row(const struct answer *a, struct grid *g, unsigned int from, unsigned int to,
		       unsigned long long hits, double share)
{
	time_cell(a, g, octave_begin(from));
	grid_cell(g, "-");
	time_cell(a, g, to < 64 ? octave_begin(to) : -1ULL);
	count_cell(g, hits);
	bar_cell(g, share, a->utf8);
}

static void histogram_columns(struct grid *g)
{
	grid_column(g, "FROM", false);
	grid_column(g, "", true);
	grid_column(g, "TO", false);
	grid_column(g, "CALLS", false);
	g->colours[g->nr_columns] = PAINT_BAR;
	grid_column(g, "", true);
}

/* Steps that have calls, and what is between them as one. */
static void print_steps(const struct answer *a, const struct group *total, FILE *out)
{
	unsigned long long most = 1;
	unsigned int next = 0, step;
	struct grid g = {};
	size_t i;

	for (i = 0; i < total->nr_steps; i++)
		if (total->steps[i].hits > most)
			most = total->steps[i].hits;
	histogram_columns(&g);
	for (i = 0; i < total->nr_steps; i++) {
		step = total->steps[i].step < 0 ? 0 : total->steps[i].step;
		if (i && step > next)
			step_row(a, &g, next, step, 0, 0);
		next = step + 1;
		step_row(a, &g, step, next, total->steps[i].hits,
			 (double)total->steps[i].hits / most);
	}
	grid_print(&g, 0, out);
	grid_free(&g);
}

static void print_octaves(const struct answer *a, const struct group *total, FILE *out)
{
	unsigned long long hits[65] = {}, most = 1;
	unsigned int i, first = 64, last = 0, empty;
	struct grid g = {};

	for (i = 0; i < total->nr_steps; i++) {
		unsigned int octave = octave_of(total->steps[i].step);

		hits[octave] += total->steps[i].hits;
		first = octave < first ? octave : first;
		last = octave > last ? octave : last;
		most = hits[octave] > most ? hits[octave] : most;
	}
	histogram_columns(&g);
	for (i = first; i <= last; i = empty) {
		for (empty = i; !hits[i] && empty <= last && !hits[empty]; empty++)
			;
		if (hits[i])
			empty = i + 1;
		octave_row(a, &g, i, empty, hits[i], (double)hits[i] / most);
	}
	grid_print(&g, 0, out);
	grid_free(&g);
}

static void print_summary(const struct answer *a, const struct group *total, FILE *out)
{
	static const double all[] = { 50, 90, 99, 99.9 };
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		fprintf(out, "p%g %s  ", all[i],
			print_time(text, group_percentile(total, all[i]), a->r->unit));
	fprintf(out, "max %s  (%s)\n", print_time(text, total->max, a->r->unit),
		a->rough ? "powers of 2" : "+-1.6 %");
	if (total->hits && total->sum > 0) {
		fprintf(out, "mean %s", print_time(text, total->sum / total->hits, a->r->unit));
		fprintf(out, "   total %s\n", print_time(text, total->sum, a->r->unit));
	}
}

/* It is shown when it was counted. */
static void print_clock(FILE *out)
{
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm))
		fprintf(out, "%02d:%02d:%02d ", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void answer_print(const struct answer *a, FILE *out)
{
	struct group total;

	if (table_merge(a->table, &total)) {
		fputs("no memory\n", out);
		return;
	}
	if (a->r->clock)
		print_clock(out);
	if (a->r->interval && !a->interval)
		fputs("total of ", out);
	put_safe(a->r->preset ? a->r->preset->summary : a->r->what, 0, out);
	fprintf(out, ", %.1f s\n", a->table->seconds);
	if (a->timed && !a->r->nr_keys && total.hits) {
		if (a->r->fine && !a->rough)
			print_steps(a, &total, out);
		else
			print_octaves(a, &total, out);
		print_summary(a, &total, out);
	} else {
		print_rows(a, &total, out);
	}
	free(total.steps);
}
