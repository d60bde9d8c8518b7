// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * view.c - rows in the order in which a table shows them.  [P]
 *
 * The rows are first sorted by their keys.  Then the steps of a distribution follow one another,
 * and become one line.  Lines are sorted as the trigger says.  Equal lines stay in the order of
 * keys, where the kernel's order is that of its hash.
 *
 * There may be 131,072 rows, and sorting takes a second then.  So each comparison lets other tasks
 * run: the caller may sleep.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/types.h>
#include "view.h"

const char *const pe_percentiles[4] = { "p50", "p90", "p99", "p99.9" };

static int pe_compare_words(u64 a, u64 b, bool is_signed)
{
	u64 sign = is_signed ? 1ULL << 63 : 0;

	a ^= sign;
	b ^= sign;
	return a < b ? -1 : a > b;
}

static int pe_compare_texts(const struct pe_table_view *view, const struct pe_table_row *a,
			    const struct pe_table_row *b, unsigned int word)
{
	const char *s = (const char *)(view->base.pool + a->pool);
	const char *t = (const char *)(view->base.pool + b->pool);
	size_t len = local_read(&a->word[word]), other = local_read(&b->word[word]);
	int ret = memcmp(s, t, min(len, other));

	return ret ? ret : pe_compare_words(len, other, false);
}

/* The last words of a row's pool are those of its stack. */
static int pe_compare_stacks(const struct pe_table_view *view, const struct pe_table_row *a,
			     const struct pe_table_row *b, unsigned int word)
{
	unsigned int n = local_read(&a->word[word]), m = local_read(&b->word[word]), i;
	const u64 *s = view->base.pool + a->pool + a->pool_size - n;
	const u64 *t = view->base.pool + b->pool + b->pool_size - m;

	for (i = 0; i < min(n, m); i++)
		if (s[i] != t[i])
			return pe_compare_words(s[i], t[i], false);
	return pe_compare_words(n, m, false);
}

static int pe_compare_names(const struct pe_table_row *a, const struct pe_table_row *b,
			    unsigned int word)
{
	return memcmp(&a->word[word], &b->word[word], PE_NOTE_WORDS * sizeof(u64));
}

/* Key @nr, which begins at key word @word. */
static int pe_compare_key(const struct pe_table_view *view, const struct pe_table_row *a,
			  const struct pe_table_row *b, unsigned int nr, unsigned int word)
{
	const struct pe_hist_field *field = &view->hist.keys[nr];

	switch (field->source) {
	case PE_HIST_STRING:
		return pe_compare_texts(view, a, b, word);
	case PE_HIST_STACK_TRACE:
		return pe_compare_stacks(view, a, b, word);
	case PE_HIST_COMM:
		return pe_compare_names(a, b, word);
	}
	return pe_compare_words(local_read(&a->word[word]), local_read(&b->word[word]),
				field->is_signed);
}

static unsigned int pe_words_of(const struct pe_hist_field *key)
{
	return key->source == PE_HIST_COMM ? PE_NOTE_WORDS : 1;
}

static int pe_compare_keys(const struct pe_table_view *view, const struct pe_table_row *a,
			   const struct pe_table_row *b)
{
	unsigned int i, word = 0;
	int ret = 0;

	for (i = 0; i < view->hist.nr_keys && !ret; i++) {
		ret = pe_compare_key(view, a, b, i, word);
		word += pe_words_of(&view->hist.keys[i]);
	}
	return ret;
}

static int pe_compare_rows(const void *a, const void *b, const void *data)
{
	const struct pe_table_view *view = data;
	const struct pe_table_row *r = pe_base_row(&view->shape, &view->base, *(const u32 *)a);
	const struct pe_table_row *s = pe_base_row(&view->shape, &view->base, *(const u32 *)b);
	unsigned int step = view->shape.nr_keys - 1;
	int ret = pe_compare_keys(view, r, s);

	cond_resched();
	if (ret || view->shape.dist < 0)
		return ret;
	return pe_compare_words(local_read(&r->word[step]), local_read(&s->word[step]), false);
}

/* A line's key: only what is asked for by name, so the steps do not count. */
static int pe_compare_line_key(const struct pe_table_view *view, const struct pe_table_line *a,
			       const struct pe_table_line *b, unsigned int nr)
{
	unsigned int i, word = 0;

	for (i = 0; i < nr; i++)
		word += pe_words_of(&view->hist.keys[i]);
	return pe_compare_key(view, pe_line_row(view, a, 0), pe_line_row(view, b, 0), nr, word);
}

static int pe_compare_by(const struct pe_table_view *view, const struct pe_table_line *a,
			 const struct pe_table_line *b, const struct pe_hist_sort *sort)
{
	unsigned int nr = sort->field;
	const struct pe_hist_field *val;

	if (!nr)
		return pe_compare_words(a->hits, b->hits, false);
	nr--;
	if (nr >= view->hist.nr_vals)
		return pe_compare_line_key(view, a, b, nr - view->hist.nr_vals);
	/* The kernel's sums have no sign. */
	val = &view->hist.vals[nr];
	return pe_compare_words(a->val[nr], b->val[nr], val->is_signed && val->mod >= PE_MOD_DIST);
}

static int pe_compare_lines(const void *a, const void *b, const void *data)
{
	const struct pe_table_line *l = a, *k = b;
	const struct pe_table_view *view = data;
	unsigned int i;
	int ret;

	cond_resched();
	for (i = 0; i < view->hist.nr_sorts; i++) {
		ret = pe_compare_by(view, l, k, &view->hist.sort[i]);
		if (ret)
			return view->hist.sort[i].descending ? -ret : ret;
	}
	return pe_compare_words(l->first, k->first, false);
}

static void pe_line_add(struct pe_table_view *view, struct pe_table_line *line,
			const struct pe_table_row *row)
{
	const struct pe_table_shape *shape = &view->shape;
	unsigned int i, word;
	u64 v;

	line->hits += local_read(&row->hits);
	for (i = 0; i < view->hist.nr_vals; i++) {
		word = pe_val_word(shape, i);
		v = local_read(&row->word[word]);
		switch (shape->op[word - shape->nr_keys - shape->nr_notes]) {
		case PE_OP_SUM:
			line->val[i] += v;
			break;
		case PE_OP_MAX:
		case PE_OP_MAX_SIGNED:
			if (!line->nr || pe_compare_words(v, line->val[i],
							  view->hist.vals[i].is_signed) > 0)
				line->val[i] = v;
			break;
		default:
			if (!line->nr || pe_compare_words(v, line->val[i],
							  view->hist.vals[i].is_signed) < 0)
				line->val[i] = v;
		}
	}
	line->nr++;
}

static void pe_totals_add(struct pe_table_view *view, const struct pe_table_line *line)
{
	unsigned int i;
	u64 v;

	for (i = 0; i <= view->hist.nr_vals; i++) {
		v = i ? line->val[i - 1] : line->hits;
		view->totals[i].total += v;
		view->totals[i].max = max(view->totals[i].max, v);
	}
}

void pe_view_sort(struct pe_table_view *view)
{
	const struct pe_table_row *row, *before = NULL;
	struct pe_table_line *line = view->lines;
	unsigned int i;

	view->nr_lines = 0;
	for (i = 0; i < view->base.nr_rows; i++)
		view->order[i] = i;
	sort_r(view->order, view->base.nr_rows, sizeof(*view->order), pe_compare_rows, NULL, view);
	for (i = 0; i < view->base.nr_rows; i++, before = row) {
		row = pe_base_row(&view->shape, &view->base, view->order[i]);
		if (!before || pe_compare_keys(view, before, row)) {
			line = &view->lines[view->nr_lines++];
			*line = (struct pe_table_line){ .first = i };
		}
		pe_line_add(view, line, row);
		cond_resched();
	}
	for (i = 0; i < view->nr_lines; i++)
		pe_totals_add(view, &view->lines[i]);
	sort_r(view->lines, view->nr_lines, sizeof(*view->lines), pe_compare_lines, NULL, view);
}

/* ---- a distribution ---- */

static unsigned int pe_row_step(const struct pe_table_view *view, const struct pe_table_row *row)
{
	return local_read(&row->word[view->shape.nr_keys - 1]);
}

/* The number of hits, of @count, that are at or below the percentile: at least 1. */
static u64 pe_percentile_rank(unsigned int percentile, u64 count)
{
	static const u16 per_mille[] = { 500, 900, 990, 999 };

	return count - mul_u64_u64_div_u64(count, 1000 - per_mille[percentile], 1000);
}

static u64 pe_step_middle(unsigned int step, u64 max)
{
	return min(pe_step_lower(step) + pe_step_width(step) / 2, max);
}

void pe_view_dist(struct pe_view_dist *dist, const struct pe_table_view *view,
		  const struct pe_table_line *line)
{
	unsigned int i, step, k = 0, word = pe_val_word(&view->shape, view->shape.dist);
	const struct pe_table_row *row;
	u64 below = 0, v;

	*dist = (struct pe_view_dist){};
	for (i = 0; i < line->nr; i++) {
		row = pe_line_row(view, line, i);
		if (pe_row_step(view, row) == PE_STEP_NEG) {
			dist->negative += local_read(&row->hits);
			continue;
		}
		dist->count += local_read(&row->hits);
		v = local_read(&row->word[word + 1]);
		dist->max = max(dist->max, v);
	}
	for (i = 0; i < line->nr; i++) {
		row = pe_line_row(view, line, i);
		step = pe_row_step(view, row);
		if (step == PE_STEP_NEG)
			continue;
		if (!below)
			dist->min = pe_step_lower(step);
		below += local_read(&row->hits);
		while (k < ARRAY_SIZE(dist->at) && below >= pe_percentile_rank(k, dist->count))
			dist->at[k++] = pe_step_middle(step, dist->max);
	}
}
