// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table.c - the modules' file `table`, and what becomes of it: rows by key, percentiles.
 *
 * The file has a line for each key and step of the distribution.  Rows of the same key become one
 * group; its steps are sorted, so a percentile is a walk along them.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

#define STEPS_PER_OCTAVE 32

unsigned long long step_lower(unsigned int step)
{
	if (step < 2 * STEPS_PER_OCTAVE)
		return step;
	return (unsigned long long)(step % STEPS_PER_OCTAVE + STEPS_PER_OCTAVE)
		<< (step / STEPS_PER_OCTAVE - 1);
}

unsigned int step_of(unsigned long long value)
{
	unsigned int shift;

	if (value < 2 * STEPS_PER_OCTAVE)
		return value;
	shift = 63 - __builtin_clzll(value) - 5;
	return (shift + 1) * STEPS_PER_OCTAVE + (value >> shift) - STEPS_PER_OCTAVE;
}

static unsigned long long step_width(unsigned int step)
{
	return step < 2 * STEPS_PER_OCTAVE ? 1 : 1ULL << (step / STEPS_PER_OCTAVE - 1);
}

/* ---- the file ---- */

/* \t \n \\ and \# become what they stand for. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != '\\' || !text[1]) {
			*to++ = *text;
			continue;
		}
		text++;
		*to++ = *text == 't' ? '\t' : *text == 'n' ? '\n' : *text;
	}
	*to = '\0';
}

static enum column_type type_of(const char *name)
{
	if (!strcmp(name, "str"))
		return COLUMN_TEXT;
	if (!strcmp(name, "addr"))
		return COLUMN_ADDRESS;
	if (!strcmp(name, "stack"))
		return COLUMN_STACK;
	if (!strcmp(name, "name"))
		return COLUMN_NAMED;
	return strncmp(name, "h2-", 3) ? COLUMN_NUMBER : COLUMN_STEP;
}

static const char *read_columns(struct table *t, char *line)
{
	char *word;

	while ((word = strsep(&line, "\t"))) {
		struct column *column = &t->columns[t->nr_columns];

		if (t->nr_columns++ == TABLE_COLUMNS)
			return "it has too many columns";
		column->name = strsep(&word, ":");
		column->type = type_of(strsep(&word, ":") ?: "");
		column->key = word && !strcmp(word, "key");
		if (column->type == COLUMN_STEP &&
		    strcmp(strrchr(column->name, '.') ?: "", ".step"))
			return "its distribution is of an unknown kind";
	}
	return NULL;
}

static void read_balance(struct balance *b, char *line)
{
	const struct {
		const char *name;
		unsigned long long *value;
	} words[] = {
		{ "rows", &b->rows }, { "other", &b->other },
		{ "paused", &b->paused }, { "cleared", &b->cleared }, { "filtered", &b->filtered },
	};
	char *name, *value;
	size_t i;

	while ((name = strsep(&line, "\t")) && (value = strsep(&line, "\t")))
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (!strcmp(words[i].name, name))
				*words[i].value = strtoull(value, NULL, 10);
}

/* A line that begins with #.  Unknown ones are of newer modules. */
static const char *read_head(struct table *t, char *line)
{
	const char *name = strsep(&line, "\t ");

	if (!line)
		return NULL;
	if (!strcmp(name, "#columns"))
		return t->nr_columns ? "it has columns twice" : read_columns(t, line);
	if (!strcmp(name, "#balance"))
		read_balance(&t->balance, line);
	if (!strcmp(name, "#time")) {
		double since = strtod(line, &line);

		t->now = strtod(line, NULL);
		t->seconds = t->now - since;
	}
	return NULL;
}

static const char *read_row(struct table *t, char *line, size_t *nr)
{
	char **fields = &t->fields[*nr * t->nr_columns];
	size_t i;

	for (i = 0; i < t->nr_columns; i++) {
		fields[i] = strsep(&line, "\t");
		if (!fields[i])
			return "a row has too few fields";
		if (t->columns[i].type == COLUMN_TEXT)
			unescape(fields[i]);
	}
	++*nr;
	return NULL;
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

/* All lines up to "#end"; the fields of *nr rows. */
static const char *read_lines(struct table *t, char *text, size_t *nr)
{
	size_t most = count_lines(text);
	const char *wrong = NULL;
	char *line;

	if (strncmp(text, "#probe-events-table 1\n", 22))
		return "it is of an unknown kind";
	while (!wrong && (line = strsep(&text, "\n"))) {
		if (!strncmp(line, "#end ", 5))
			return strtoull(line + 5, NULL, 10) == *nr ? NULL : "it lacks rows";
		if (!*line && !text)	/* after the last newline */
			break;
		if (*line == '#') {
			wrong = read_head(t, line);
		} else if (!t->nr_columns) {
			wrong = "it has no columns";
		} else {
			if (!t->fields)
				t->fields = calloc(most * t->nr_columns, sizeof(*t->fields));
			wrong = t->fields ? read_row(t, line, nr) : "there is no memory for it";
		}
	}
	return wrong ?: "it is cut off";
}

/* ---- groups ---- */

/* Keys are before it, those that a shape has hidden, too; names of other values have a dot. */
size_t table_hits(const struct table *t)
{
	size_t i = t->nr_columns;

	while (i--)
		if (!t->columns[i].key && !strcmp(t->columns[i].name, "hits"))
			return i;
	return t->nr_columns;
}

static bool same_keys(const struct table *t, char **a, char **b)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (t->columns[i].key && t->columns[i].type != COLUMN_STEP && strcmp(a[i], b[i]))
			return false;
	return true;
}

static int compare_rows(const void *va, const void *vb, void *table)
{
	char **a = *(char ***)va, **b = *(char ***)vb;
	const struct table *t = table;
	size_t i;

	for (i = 0; i < t->nr_columns; i++) {
		int order = t->columns[i].key && t->columns[i].type != COLUMN_STEP ?
			    strcmp(a[i], b[i]) : 0;

		if (order)
			return order;
	}
	return 0;
}

static int compare_steps(const void *a, const void *b)
{
	return ((const struct step_count *)a)->step - ((const struct step_count *)b)->step;
}

static int compare_groups(const void *va, const void *vb)
{
	const struct group *a = va, *b = vb;

	return (a->hits < b->hits) - (a->hits > b->hits);
}

long long table_sum(long long a, long long b)
{
	long long sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? LLONG_MIN : LLONG_MAX;
}

/* Add a row to its group: hits, then step, sum and maximum, if there are. */
static void add_row(const struct table *t, struct group *g, char **row)
{
	size_t of_hits = table_hits(t), i;
	unsigned long long hits = 0;
	bool summed = false;

	for (i = 0; i < t->nr_columns; i++) {
		const char *end = strrchr(t->columns[i].name, '.') ?: "";

		if (i == of_hits) {
			hits = strtoull(row[i], NULL, 10);
			g->hits += hits;
		} else if (t->columns[i].type == COLUMN_STEP) {
			g->steps[g->nr_steps++] = (struct step_count){
				strcmp(row[i], "neg") ? atoi(row[i]) : -1, hits };
		} else if (!t->columns[i].key && !strcmp(end, ".sum") && !summed) {
			g->sum = table_sum(g->sum, strtoll(row[i], NULL, 10));
			summed = true;
		} else if (!t->columns[i].key && !strcmp(end, ".max")) {
			long long max = strtoll(row[i], NULL, 10);

			if (max > 0 && (unsigned long long)max > g->max)
				g->max = max;
		}
	}
}

/* The rows in another shape; *weights: of each, for free(). */
static int reshape(struct table *t, size_t nr, const struct table_shape *shape,
		   unsigned long long **weights)
{
	size_t i;

	*weights = calloc(nr ?: 1, sizeof(**weights));
	if (!*weights || shape->begin(shape->ctx, t, nr))
		return -1;
	for (i = 0; i < nr; i++) {
		char **fields = &t->fields[i * t->nr_columns];

		shape->frees(shape->ctx, t, fields);
		(*weights)[i] = shape->weight(shape->ctx, t, fields);
		shape->row(shape->ctx, t, fields);
	}
	return 0;
}

/* It has had frees only, which are taken out. */
static bool is_empty(const struct table *t, char **row)
{
	size_t hits = table_hits(t);

	return t->balance.frees && hits < t->nr_columns && !strcmp(row[hits], "0");
}

static int make_groups(struct table *t, size_t nr, const unsigned long long *weights)
{
	char ***rows = calloc(nr ?: 1, sizeof(*rows));
	struct group *g = NULL;
	size_t i, used = 0;

	t->groups = calloc(nr ?: 1, sizeof(*t->groups));
	t->steps = calloc(nr ?: 1, sizeof(*t->steps));
	if (!rows || !t->groups || !t->steps) {
		free(rows);
		return -1;
	}
	for (i = 0; i < nr; i++)
		if (!is_empty(t, &t->fields[i * t->nr_columns]))
			rows[used++] = &t->fields[i * t->nr_columns];
	qsort_r(rows, used, sizeof(*rows), compare_rows, t);
	for (i = 0; i < used; i++) {
		if (!g || !same_keys(t, g->keys, rows[i])) {
			g = &t->groups[t->nr++];
			g->keys = rows[i];
			g->steps = &t->steps[i];
		}
		add_row(t, g, rows[i]);
		if (weights)
			g->weight += weights[(rows[i] - t->fields) / t->nr_columns];
	}
	free(rows);
	for (i = 0; i < t->nr; i++)
		qsort(t->groups[i].steps, t->groups[i].nr_steps, sizeof(*t->steps), compare_steps);
	qsort(t->groups, t->nr, sizeof(*t->groups), compare_groups);
	return 0;
}

const char *table_read_as(struct table *t, char *text, const struct table_shape *shape)
{
	unsigned long long *weights = NULL;
	const char *wrong;
	size_t nr = 0;

	*t = (struct table){};
	wrong = read_lines(t, text, &nr);
	if (!wrong && ((shape && reshape(t, nr, shape, &weights)) || make_groups(t, nr, weights)))
		wrong = "there is no memory for it";
	free(weights);
	if (wrong)
		table_free(t);
	return wrong;
}

const char *table_read(struct table *t, char *text)
{
	return table_read_as(t, text, NULL);
}

const char *table_name(const char *text)
{
	const char *blank = strchr(text, ' ');

	return blank ? blank + 1 : text;
}

void table_free(struct table *t)
{
	free(t->fields);
	free(t->groups);
	free(t->steps);
	free(t->text);
	free(t->names);
	*t = (struct table){};
}

bool table_same(const struct table *t, const struct group *a, const struct group *b)
{
	return same_keys(t, a->keys, b->keys);
}

size_t table_key(const struct table *t, size_t key)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (t->columns[i].key && t->columns[i].type != COLUMN_STEP && !key--)
			break;
	return i;
}

bool table_has_keys(const struct table *t, size_t nr)
{
	size_t last = table_key(t, nr ? nr - 1 : 0);

	return last < t->nr_columns && table_key(t, nr ?: 1) == t->nr_columns &&
	       (nr || !strcmp(t->columns[last].name, "common_cpu"));
}

int table_merge(const struct table *t, struct group *g)
{
	size_t i, k, nr = 0;

	*g = (struct group){};
	for (i = 0; i < t->nr; i++)
		nr += t->groups[i].nr_steps;
	g->steps = calloc(nr ?: 1, sizeof(*g->steps));
	if (!g->steps)
		return -1;
	for (i = 0; i < t->nr; i++) {
		const struct group *part = &t->groups[i];

		g->hits += part->hits;
		g->sum = table_sum(g->sum, part->sum);
		g->weight += part->weight;
		if (part->max > g->max)
			g->max = part->max;
		memcpy(g->steps + g->nr_steps, part->steps, part->nr_steps * sizeof(*g->steps));
		g->nr_steps += part->nr_steps;
	}
	qsort(g->steps, nr, sizeof(*g->steps), compare_steps);
	for (i = 0, k = 0; i < nr; i++) {	/* equal steps become one */
		if (k && g->steps[k - 1].step == g->steps[i].step)
			g->steps[k - 1].hits += g->steps[i].hits;
		else
			g->steps[k++] = g->steps[i];
	}
	g->nr_steps = k;
	return 0;
}

unsigned long long group_percentile(const struct group *g, double percent)
{
	unsigned long long all = 0, seen = 0, rank, value;
	unsigned int tenths = lround(10 * percent);
	size_t i;

	for (i = 0; i < g->nr_steps; i++)
		all += g->steps[i].hits;
	/* As whole numbers: 99.9 / 100 is a little more than 999 / 1000. */
	rank = all / 1000 * tenths + (all % 1000 * tenths + 999) / 1000;
	if (!rank)
		rank = 1;
	for (i = 0; i < g->nr_steps; i++) {
		seen += g->steps[i].hits;
		if (seen < rank)
			continue;
		if (g->steps[i].step < 0)
			return 0;
		value = step_lower(g->steps[i].step) + step_width(g->steps[i].step) / 2;
		return value < g->max ? value : g->max;
	}
	return 0;
}
