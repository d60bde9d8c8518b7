// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * tally.c - the tables of several intervals as one, and the order of rows.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "preset.h"
#include "tally.h"

/* ---- the sum of two tables ---- */

/* A table in the making, whose texts are its own. */
struct copy {
	struct table t;
	char *to;		/* next free byte of t.text */
	size_t nr_steps;	/* so far */
};

static bool is_key(const struct table *t, size_t column)
{
	return t->columns[column].key && t->columns[column].type != COLUMN_STEP;
}

/* By keys; -1, 0 or 1 as strcmp(). */
static int compare_keys(const struct table *t, const struct group *a, const struct group *b)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++) {
		int order = is_key(t, i) ? strcmp(a->keys[i], b->keys[i]) : 0;

		if (order)
			return order;
	}
	return 0;
}

static int compare_by_keys(const void *a, const void *b, void *table)
{
	return compare_keys(table, *(const struct group **)a, *(const struct group **)b);
}

static const struct group **sorted_groups(const struct table *t)
{
	const struct group **sorted = calloc(t->nr + 1, sizeof(*sorted));
	size_t i;

	for (i = 0; sorted && i < t->nr; i++)
		sorted[i] = &t->groups[i];
	if (sorted)
		qsort_r(sorted, t->nr, sizeof(*sorted), compare_by_keys, (void *)t);
	return sorted;
}

static size_t text_size(const struct table *t)
{
	size_t size = 1, i, k;

	for (i = 0; i < t->nr_columns; i++)
		size += strlen(t->columns[i].name) + 1;
	for (i = 0; i < t->nr; i++)
		for (k = 0; k < t->nr_columns; k++)
			if (is_key(t, k))
				size += strlen(t->groups[i].keys[k]) + 1;
	return size;
}

static size_t step_number(const struct table *t)
{
	size_t nr = 0, i;

	for (i = 0; i < t->nr; i++)
		nr += t->groups[i].nr_steps;
	return nr;
}

static char *copy_text(struct copy *c, const char *text)
{
	char *copy = c->to;

	c->to = stpcpy(copy, text) + 1;
	return copy;
}

static int copy_begin(struct copy *c, const struct table *a, const struct table *b)
{
	struct table *t = &c->t;
	size_t nr = a->nr + b->nr, i;

	t->nr_columns = b->nr_columns;
	memcpy(t->columns, b->columns, sizeof(t->columns));
	t->groups = calloc(nr + 1, sizeof(*t->groups));
	t->fields = calloc(nr * t->nr_columns + 1, sizeof(*t->fields));
	t->steps = calloc(step_number(a) + step_number(b) + 1, sizeof(*t->steps));
	t->text = malloc(text_size(a) + text_size(b));
	if (!t->groups || !t->fields || !t->steps || !t->text)
		return -1;
	c->to = t->text;
	for (i = 0; i < t->nr_columns; i++)
		t->columns[i].name = copy_text(c, b->columns[i].name);
	return 0;
}

static struct group *new_group(struct copy *c, const struct group *like)
{
	struct table *t = &c->t;
	struct group *g = &t->groups[t->nr];
	size_t i;

	g->keys = &t->fields[t->nr++ * t->nr_columns];
	g->steps = &t->steps[c->nr_steps];
	for (i = 0; i < t->nr_columns; i++)
		if (is_key(t, i))
			g->keys[i] = copy_text(c, like->keys[i]);
	return g;
}

/* Two lists of steps, each in order, as one. */
static void merge_steps(struct copy *c, struct group *g, const struct group *a,
			const struct group *b)
{
	size_t i = 0, k = 0;

	while ((a && i < a->nr_steps) || (b && k < b->nr_steps)) {
		const struct step_count *x = a && i < a->nr_steps ? &a->steps[i] : NULL;
		const struct step_count *y = b && k < b->nr_steps ? &b->steps[k] : NULL;
		struct step_count *to = &g->steps[g->nr_steps++];

		if (x && (!y || x->step <= y->step)) {
			*to = *x;
			i++;
			if (y && y->step == x->step) {
				to->hits += y->hits;
				k++;
			}
		} else {
			*to = *y;
			k++;
		}
	}
	c->nr_steps += g->nr_steps;
}

static void add_values(struct group *g, const struct group *part)
{
	if (!part)
		return;
	g->hits += part->hits;
	g->sum = table_sum(g->sum, part->sum);
	g->weight += part->weight;
	if (part->max > g->max)
		g->max = part->max;
}

static void merge_groups(struct copy *c, const struct table *a, const struct group **as,
			 const struct table *b, const struct group **bs)
{
	size_t i = 0, k = 0;

	while (i < a->nr || k < b->nr) {
		int order = i == a->nr ? 1 : k == b->nr ? -1 : compare_keys(b, as[i], bs[k]);
		const struct group *x = order <= 0 ? as[i++] : NULL;
		const struct group *y = order >= 0 ? bs[k++] : NULL;
		struct group *g = new_group(c, x ?: y);

		add_values(g, x);
		add_values(g, y);
		merge_steps(c, g, x, y);
	}
}

/*
 * What `take` has cut off before is "cleared" in the next table.  Paused and filtered hits are
 * counted from the beginning.
 */
static struct balance sum_balance(const struct balance *sum, const struct balance *part)
{
	unsigned long long taken = sum->rows + sum->other;

	return (struct balance){
		.rows = sum->rows + part->rows, .other = sum->other + part->other,
		.cleared = part->cleared > taken ? part->cleared - taken : 0,
		.paused = part->paused, .filtered = part->filtered,
		.frees = sum->frees + part->frees,
	};
}

int tally_add(struct table *sum, const struct table *part)
{
	const struct group **as = sorted_groups(sum), **bs = sorted_groups(part);
	struct copy c = {};
	int ret = as && bs ? copy_begin(&c, sum, part) : -1;

	if (!ret) {
		merge_groups(&c, sum, as, part, bs);
		c.t.now = part->now;
		c.t.seconds = sum->seconds + part->seconds;
		c.t.freed = sum->freed + part->freed;
		c.t.balance = sum_balance(&sum->balance, &part->balance);
		table_free(sum);
		*sum = c.t;
	} else {
		table_free(&c.t);
	}
	free(as);
	free(bs);
	return ret;
}

/*
 * The next table knows what was cut off before it; but what had no room, and what was taken out of
 * rows, is in no row of it.
 */
void tally_clear(struct table *sum)
{
	const struct balance b = { .other = sum->balance.other, .frees = sum->balance.frees };

	table_free(sum);
	sum->balance = b;
}

/* ---- order ---- */

static const struct {
	const char *name;
	double percent;		/* of a percentile, else 0 */
} values[] = {
	{ "calls", 0 }, { "max", 0 }, { "total", 0 }, { "p50", 50 }, { "p90", 90 }, { "p99", 99 },
};

#define NR_VALUES (sizeof(values) / sizeof(*values))

struct order {
	const struct table *t;
	size_t value;		/* of values[]; NR_VALUES: a key */
	size_t column;
	bool worth;		/* calls are in order of what they are worth */
	bool reverse;
};

static unsigned long long value_of(const struct group *g, size_t value)
{
	if (value == 0)
		return g->hits;
	if (value == 1)
		return g->max;
	if (value == 2)
		return g->sum > 0 ? g->sum : 0;
	return group_percentile(g, values[value].percent);
}

/* Of 64 bits, with a sign or without one. */
static int compare_numbers(const char *a, const char *b)
{
	unsigned long long x = strtoull(a, NULL, 0), y = strtoull(b, NULL, 0);

	if ((*a == '-') != (*b == '-'))
		return *a == '-' ? -1 : 1;
	return (x > y) - (x < y);	/* below 0, too: two's complement */
}

static int compare_texts(const struct order *o, const char *a, const char *b)
{
	if (o->t->columns[o->column].type != COLUMN_NUMBER &&
	    o->t->columns[o->column].type != COLUMN_NAMED)
		return strcmp(a, b);
	return compare_numbers(a, b);
}

static int compare_groups(const void *va, const void *vb, void *order)
{
	const struct group *a = va, *b = vb;
	const struct order *o = order;
	int way = 0;

	if (o->value < NR_VALUES) {
		unsigned long long x = o->worth ? a->weight : value_of(a, o->value);
		unsigned long long y = o->worth ? b->weight : value_of(b, o->value);

		way = (x < y) - (x > y);
	} else {
		way = compare_texts(o, a->keys[o->column], b->keys[o->column]);
	}
	if (o->reverse)
		way = -way;
	return way ?: compare_keys(o->t, a, b);
}

/* A number of values[], or after these one of the question's keys. */
static const char *find_column(const struct request *r, bool timed, size_t *found)
{
	size_t i;

	for (i = 0; i < NR_VALUES; i++)
		if ((timed || !i) && !strcmp(r->sort ?: "calls", values[i].name)) {
			*found = i;
			return NULL;
		}
	for (i = 0; i < r->nr_keys; i++)
		if (!strcmp(r->sort, r->keys[i])) {
			*found = NR_VALUES + i;
			return NULL;
		}
	return timed ? "-s wants a column: calls p50 p90 p99 max total, or a key" :
		       "-s wants a column: calls, or a key";
}

const char *tally_check(const struct request *r, bool timed)
{
	size_t found;

	return find_column(r, timed, &found);
}

const char *tally_sort(struct table *t, const struct request *r, bool timed)
{
	struct order o = {
		.t = t, .reverse = r->reverse,
		.worth = !r->sort && r->preset && (r->preset->weigh || r->preset->spent),
	};
	const char *wrong = find_column(r, timed, &o.value);

	if (wrong)
		return wrong;
	if (o.value >= NR_VALUES) {
		o.column = table_key(t, o.value - NR_VALUES);
		o.value = NR_VALUES;
		if (o.column == t->nr_columns)
			return "the table has no such key";
	}
	if (t->nr)
		qsort_r(t->groups, t->nr, sizeof(*t->groups), compare_groups, &o);
	return NULL;
}
