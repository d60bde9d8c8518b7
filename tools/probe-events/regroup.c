// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * regroup.c - rows whose keys read the same become one.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "regroup.h"
#include "symbols.h"

static void put_stack(const struct functions *symbols, const char *stack, FILE *out)
{
	char *list = strdup(stack), *rest = list, *addr, name[256];
	const char *between = "";

	while (rest && (addr = strsep(&rest, ","))) {
		symbols_print(symbols, name, sizeof(name), addr);
		fprintf(out, "%s%s", between, name);
		between = ",";
	}
	free(list);
}

static void put_name(const struct functions *symbols, enum column_type type, const char *text,
		     FILE *out)
{
	char name[256];

	if (type == COLUMN_STACK) {
		put_stack(symbols, text, out);
	} else if (type == COLUMN_ADDRESS) {
		symbols_print(symbols, name, sizeof(name), text);
		fputs(name, out);
	} else if (type == COLUMN_NAMED) {
		fputs(table_name(text), out);
	} else {
		fputs(text, out);
	}
	fputc('\0', out);
}

/* All names, one after the other; the fields are their offsets, until the text is complete. */
static int put_names(struct table *to, const struct table *from, const size_t *columns,
		     const struct functions *symbols)
{
	size_t size, i, k, n = 0;
	FILE *out = open_memstream(&to->text, &size);

	if (!out)
		return -1;
	for (i = 0; i < to->nr_columns; i++)
		put_name(symbols, COLUMN_TEXT, from->columns[columns[i]].name, out);
	for (i = 0; i < from->nr; i++)
		for (k = 0; k < to->nr_columns; k++) {
			to->fields[n++] = (char *)(uintptr_t)ftell(out);
			put_name(symbols, from->columns[columns[k]].type,
				 from->groups[i].keys[columns[k]], out);
		}
	return fclose(out);
}

static void point_to_names(struct table *to, size_t nr)
{
	char *name = to->text;
	size_t i;

	for (i = 0; i < to->nr_columns; i++, name += strlen(name) + 1)
		to->columns[i].name = name;
	for (i = 0; i < nr * to->nr_columns; i++)
		to->fields[i] = to->text + (uintptr_t)to->fields[i];
}

static int compare_keys(const void *va, const void *vb, void *table)
{
	const struct group *a = va, *b = vb;
	const struct table *t = table;
	size_t i;

	for (i = 0; i < t->nr_columns; i++) {
		int order = strcmp(a->keys[i], b->keys[i]);

		if (order)
			return order;
	}
	return 0;
}

static int compare_steps(const void *a, const void *b)
{
	return ((const struct step_count *)a)->step - ((const struct step_count *)b)->step;
}

/* The steps of several groups stand one after the other: order them, equal ones become one. */
static void join_steps(struct group *g)
{
	size_t i, nr = 0;

	qsort(g->steps, g->nr_steps, sizeof(*g->steps), compare_steps);
	for (i = 0; i < g->nr_steps; i++) {
		if (nr && g->steps[nr - 1].step == g->steps[i].step)
			g->steps[nr - 1].hits += g->steps[i].hits;
		else
			g->steps[nr++] = g->steps[i];
	}
	g->nr_steps = nr;
}

/* Groups of the same keys stand one after the other. */
static void join_groups(struct table *to, size_t nr)
{
	struct step_count *steps = to->steps;
	struct group *g = NULL;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct group part = to->groups[i];

		if (!g || compare_keys(g, &part, to)) {
			if (g)
				join_steps(g);
			g = &to->groups[to->nr++];
			*g = (struct group){ .keys = part.keys, .steps = steps };
		}
		g->hits += part.hits;
		g->sum = table_sum(g->sum, part.sum);
		g->weight += part.weight;
		g->max = part.max > g->max ? part.max : g->max;
		if (part.nr_steps)
			memcpy(steps, part.steps, part.nr_steps * sizeof(*steps));
		steps += part.nr_steps;
		g->nr_steps += part.nr_steps;
	}
	if (g)
		join_steps(g);
}

int regroup(struct table *to, const struct table *from, const size_t *columns, size_t nr,
	    const struct functions *symbols)
{
	size_t nr_steps = 1, i;

	*to = (struct table){ .balance = from->balance, .now = from->now,
			      .seconds = from->seconds, .freed = from->freed,
			      .nr_columns = nr };
	for (i = 0; i < nr; i++) {
		to->columns[i] = from->columns[columns[i]];
		if (to->columns[i].type == COLUMN_ADDRESS ||
		    to->columns[i].type == COLUMN_NAMED)
			to->columns[i].type = COLUMN_TEXT;
	}
	for (i = 0; i < from->nr; i++)
		nr_steps += from->groups[i].nr_steps;
	to->groups = calloc(from->nr + 1, sizeof(*to->groups));
	to->fields = calloc(from->nr * nr + 1, sizeof(*to->fields));
	to->steps = calloc(nr_steps, sizeof(*to->steps));
	if (!to->groups || !to->fields || !to->steps || put_names(to, from, columns, symbols)) {
		table_free(to);
		return -1;
	}
	point_to_names(to, from->nr);
	for (i = 0; i < from->nr; i++) {
		to->groups[i] = from->groups[i];
		to->groups[i].keys = &to->fields[i * nr];
	}
	qsort_r(to->groups, from->nr, sizeof(*to->groups), compare_keys, to);
	join_groups(to, from->nr);
	if (!nr && !to->nr)
		to->groups[to->nr++] = (struct group){ .keys = to->fields, .steps = to->steps };
	return 0;
}
