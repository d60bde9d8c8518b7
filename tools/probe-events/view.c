// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * view.c - a table, before its rows are joined: addresses become those of functions; a preset's
 * stacks become callers, and its locks get names.
 *
 * Rows that differ only in what is not shown become one: where in a function a call is, the frames
 * of a lock's own functions, the address of each process's mmap_lock, the order of pages.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "symbols.h"
#include "view.h"

#define TEXT LOCKS_TEXT	/* a text of a row */
#define TEXTS 3		/* that are made, at most */

/* A key of the question by its name; nr_columns: it is none. */
static size_t key_column(const struct view *v, const struct table *t, const char *key)
{
	size_t i;

	for (i = 0; i < v->r->nr_keys; i++)
		if (!strcmp(v->r->keys[i], key))
			return table_key(t, i);
	return t->nr_columns;
}

/* A column by its name; a value's ends in ".sum", if @sum. */
static size_t find_column(const struct table *t, const char *name, bool sum)
{
	size_t i, len = name ? strlen(name) : 0;

	for (i = 0; name && i < t->nr_columns; i++)
		if (!strncmp(t->columns[i].name, name, len) &&
		    !strcmp(t->columns[i].name + len, sum ? ".sum" : ""))
			return i;
	return t->nr_columns;
}

/* Its rows are joined as if it were not there; false if it is not. */
static bool hide(struct table *t, size_t column)
{
	if (column < t->nr_columns)
		t->columns[column].key = false;
	return column < t->nr_columns;
}

static bool is_address(const struct column *c)
{
	return c->type == COLUMN_ADDRESS || c->type == COLUMN_STACK;
}

static bool has_addresses(const struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr_columns && !is_address(&t->columns[i]); i++)
		;
	return i < t->nr_columns;
}

static int begin(void *ctx, struct table *t, size_t rows)
{
	struct view *v = ctx;
	const struct preset *p = v->preset;

	v->caller = p->skip.nr ? key_column(v, t, "caller") : t->nr_columns;
	v->lock = p->beside[0] ? key_column(v, t, p->beside[0]) : t->nr_columns;
	v->weigh = find_column(t, p->weigh, false);
	v->spent = find_column(t, p->spent, true);
	v->freed = find_column(t, p->frees, true);
	v->mm = find_column(t, p->beside[1], false);
	if (v->mm < t->nr_columns && v->mm != v->lock)
		hide(t, v->mm);
	hide(t, v->weigh);
	if (v->caller < t->nr_columns)
		t->columns[v->caller].type = COLUMN_TEXT;
	if (v->lock < t->nr_columns)
		t->columns[v->lock].type = COLUMN_TEXT;
	t->text = malloc(rows * TEXTS * TEXT + 1);
	v->to = t->text;
	return v->to && (!(p->skip.nr || has_addresses(t)) || !v->load(v->ctx)) ? 0 : -1;
}

static unsigned long long number(char **fields, size_t column)
{
	return strtoull(fields[column], NULL, 0);
}

/* So many of the row's hits; 0 if they have no weight. */
static unsigned long long weighed(const struct view *v, const struct table *t, char **fields,
				  unsigned long long hits)
{
	return v->weigh < t->nr_columns ? hits << (number(fields, v->weigh) & 63) : 0;
}

static unsigned long long weight(void *ctx, const struct table *t, char **fields)
{
	const struct view *v = ctx;
	size_t hits = table_hits(t);

	if (v->spent < t->nr_columns)
		return number(fields, v->spent);
	return hits < t->nr_columns ? weighed(v, t, fields, number(fields, hits)) : 0;
}

/* A row's text, and the room after it. */
static char *keep(struct view *v, const char *text)
{
	char *kept = v->to;

	v->to += snprintf(kept, TEXT, "%s", text) < TEXT ? strlen(kept) + 1 : TEXT;
	return kept;
}

/* The first function that is not skipped; the last one if all are. */
static void print_caller(const struct view *v, char *stack, char *name, size_t size)
{
	char *addr;

	*name = '\0';
	while ((addr = strsep(&stack, ","))) {
		symbols_print(v->symbols, name, size, addr);
		if (!preset_skips(v->preset, name))
			break;
	}
}

static void frees(void *ctx, struct table *t, char **fields)
{
	size_t hits = table_hits(t);
	unsigned long long freed;
	struct view *v = ctx;
	char left[24];

	if (v->freed == t->nr_columns || hits == t->nr_columns)
		return;
	freed = number(fields, v->freed);
	snprintf(left, sizeof(left), "%llu", number(fields, hits) - freed);
	fields[hits] = keep(v, left);
	t->balance.frees += freed;
	t->freed += weighed(v, t, fields, freed);
}

/* Each address becomes that where its function begins: no longer a text, so it is done in place. */
static void round_addresses(const struct view *v, char *text)
{
	char *to = text, *addr;

	while ((addr = strsep(&text, ","))) {
		const struct function *f = symbols_find(v->symbols, addr);
		bool last = !text;

		if (f)
			snprintf(to, strlen(addr) + 1, "0x%llx", f->addr);
		else
			memmove(to, addr, strlen(addr) + 1);
		to += strlen(to);
		if (!last)
			*to++ = ',';
	}
}

static void row(void *ctx, const struct table *t, char **fields)
{
	struct view *v = ctx;
	char text[256];
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (is_address(&t->columns[i]))
			round_addresses(v, fields[i]);
	if (v->caller < t->nr_columns) {
		print_caller(v, fields[v->caller], text, sizeof(text));
		fields[v->caller] = keep(v, text);
	}
	if (v->lock < t->nr_columns) {
		locks_print(&v->locks, v->preset, number(fields, v->lock),
			    v->mm < t->nr_columns ? number(fields, v->mm) : 0, text);
		fields[v->lock] = keep(v, text);
	}
}

void view_begin(struct view *v, const struct request *r, const struct functions *symbols,
		int (*load)(void *ctx), void *ctx)
{
	static const struct preset none;

	*v = (struct view){
		.preset = r->preset ?: &none, .r = r, .symbols = symbols, .load = load, .ctx = ctx,
		.shape = { .begin = begin, .frees = frees, .row = row, .weight = weight,
			   .ctx = v },
	};
}

void view_end(struct view *v)
{
	locks_free(&v->locks);
}
