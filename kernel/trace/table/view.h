/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * view.h - what a table had counted at one moment, to be shown.
 *
 *   view.c		lines in the order that the trigger asks for
 *   hist_show.c	the trigger's text
 *   table_print.c	the text of hist
 *   key_print.c	a row's key, in it
 *   action_print.c	what actions have kept, in it
 *   table_text.c	the text of table
 */
#ifndef PE_TABLE_VIEW_H
#define PE_TABLE_VIEW_H

#include <linux/types.h>
#include "base.h"
#include "kernel/trace/parse/hist.h"

struct seq_file;

/**
 * struct pe_table_line - a line: one row, or all steps of a distribution
 * @first: the number of its first row in view->order
 * @nr: rows
 * @hits: in all of them
 * @val: of each value the sum, the maximum or the minimum
 */
struct pe_table_line {
	u32 first;
	u32 nr;
	u64 hits;
	u64 val[PE_HIST_VALS];
};

/**
 * struct pe_view_total - of all lines
 * @total: sum
 * @max: the largest
 */
struct pe_view_total {
	u64 total;
	u64 max;
};

/**
 * struct pe_table_view - a table at one moment
 * @hist: the trigger
 * @filter: text of its filter, NULL: none
 * @paused: is it?
 * @shape: of the rows
 * @base: a copy of its own
 * @since: ns, monotonic clock: when the table was made, or cleared
 * @now: likewise: the moment
 * @merged: pe_table_merged() at the same moment
 * @cleared: hits that are not in @base because the table has been cleared since it was made
 * @order: numbers of rows
 * @lines: in the order in which they are shown
 * @nr_lines: of them
 * @totals: of the hits, then of each value
 * @kept: what actions have kept, for pe_view_kept(); NULL: the trigger has none
 * @kept_words: words of one action and row
 * @has_vars: it has variables; the next three are of their map
 * @no_vars: hits that found no room there
 * @unkept: values that an action could not keep
 * @no_snapshot: snapshots that could not be taken
 */
struct pe_table_view {
	struct pe_hist hist;
	const char *filter;
	bool paused;
	struct pe_table_shape shape;
	struct pe_base base;
	u64 since;
	u64 now;
	u64 cleared;
	u64 merged;
	u32 *order;
	struct pe_table_line *lines;
	u32 nr_lines;
	struct pe_view_total totals[1 + PE_HIST_VALS];
	u64 *kept;
	unsigned int kept_words;
	bool has_vars;
	u64 no_vars;
	u64 unkept;
	u64 no_snapshot;
};

/*
 * Data that action @k has kept of row @i, or, after the last row, of all keys: 1 if there is any, a
 * value, and saved fields or a key.
 */
static inline u64 *pe_view_kept(const struct pe_table_view *view, unsigned int i, unsigned int k)
{
	return view->kept + ((size_t)i * view->hist.nr_actions + k) * view->kept_words;
}

/* view.c */

/* Fill ->lines, ->totals and ->order, which have room for base.nr_rows entries.  May sleep. */
void pe_view_sort(struct pe_table_view *view);

/* Row @i of a line. */
static inline struct pe_table_row *pe_line_row(const struct pe_table_view *view,
					       const struct pe_table_line *line, unsigned int i)
{
	return pe_base_row(&view->shape, &view->base, view->order[line->first + i]);
}

/* The first value word of value @i. */
static inline unsigned int pe_val_word(const struct pe_table_shape *shape, unsigned int i)
{
	return shape->nr_keys + shape->nr_notes + i + (shape->dist >= 0 && i > shape->dist);
}

/**
 * struct pe_view_dist - what is shown of a distribution
 * @negative: hits with a negative value; the other members leave them out
 * @count: all others
 * @min: lower bound of the smallest's step
 * @max: the largest value
 * @at: the middles of the steps that have 50, 90, 99 and 99.9 percent at or below them
 */
struct pe_view_dist {
	u64 negative;
	u64 count;
	u64 min;
	u64 max;
	u64 at[4];
};

extern const char *const pe_percentiles[4];

void pe_view_dist(struct pe_view_dist *dist, const struct pe_table_view *view,
		  const struct pe_table_line *line);

/* hist_show.c: a trigger's text, without its filter and state. */
void pe_hist_show(struct seq_file *m, const struct pe_hist *hist);
/* The same with both, and a newline. */
void pe_hist_show_trigger(struct seq_file *m, const struct pe_hist *hist, const char *filter,
			  bool paused);

/* table_print.c */
void pe_hist_print_head(struct seq_file *m, const struct pe_table_view *view);
void pe_hist_print_line(struct seq_file *m, const struct pe_table_view *view, unsigned int i);
void pe_hist_print_totals(struct seq_file *m, const struct pe_table_view *view);

/* action_print.c: after the values of line @i. */
void pe_hist_print_actions(struct seq_file *m, const struct pe_table_view *view, unsigned int i);
/* After all lines. */
void pe_hist_print_snapshot(struct seq_file *m, const struct pe_table_view *view);

/* key_print.c: @pool has the row's text and stack. */
void pe_hist_print_key(struct seq_file *m, const struct pe_table_view *view,
		       const struct pe_table_row *row, const u64 *pool);

/* table_text.c */
void pe_table_print_head(struct seq_file *m, const struct pe_table_view *view);
void pe_table_print_row(struct seq_file *m, const struct pe_table_view *view, unsigned int i);
void pe_table_print_end(struct seq_file *m, const struct pe_table_view *view);

#endif
