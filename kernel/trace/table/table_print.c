// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table_print.c - a table as the kernel prints a histogram, to the last blank.  [P]
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include "kernel/trace/parse/hist.h"
#include "view.h"

#define BAR		20
#define HUNDRED		10000		/* percent, in hundredths */
#define NO_SHARE	(~0U)

void pe_hist_print_head(struct seq_file *m, const struct pe_table_view *view)
{
	seq_puts(m, "# event histogram\n#\n# trigger info: ");
	pe_hist_show_trigger(m, &view->hist, view->filter, view->paused);
	seq_puts(m, "#\n\n");
}

void pe_hist_print_totals(struct seq_file *m, const struct pe_table_view *view)
{
	u64 dropped = 0;

	pe_hist_print_snapshot(m, view);
	if (view->base.rows)
		dropped = local_read(&pe_base_other(&view->shape, &view->base)->hits);
	seq_printf(m, "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
		   view->totals[0].total, view->nr_lines, dropped);
}

/* The share of @total that @v is, in hundredths of a percent. */
static unsigned int pe_share_of(u64 v, u64 total)
{
	if (total && v < ~0ULL / HUNDRED)
		return v * HUNDRED / total;
	total /= HUNDRED;
	if (total)
		return v / total;
	return v ? NO_SHARE : 0;
}

static void pe_print_percent(struct seq_file *m, const char *name, u64 v, u64 total)
{
	unsigned int share = pe_share_of(v, total);

	if (share == NO_SHARE)
		seq_printf(m, " %s (%%):[ERROR]", name);
	else
		seq_printf(m, " %s (%%): %3u.%02u", name, share / 100, share % 100);
}

static void pe_print_bar(struct seq_file *m, const char *name, u64 v, u64 max)
{
	unsigned int share = pe_share_of(v, max), i;
	char bar[BAR + 1];

	if (share == NO_SHARE) {
		seq_printf(m, " %s: %20s", name, "[ERROR]");
		return;
	}
	for (i = 0; i < BAR; i++)
		bar[i] = i < share * BAR / HUNDRED ? '#' : ' ';
	bar[BAR] = 0;
	seq_printf(m, " %s: %s", name, bar);
}

static void pe_print_dist(struct seq_file *m, const struct pe_table_view *view,
			  const struct pe_table_line *line, const char *name, u64 sum)
{
	struct pe_view_dist dist;
	unsigned int i;

	pe_view_dist(&dist, view, line);
	seq_printf(m, " %s: count %llu sum %lld min %llu", name, dist.count, (s64)sum, dist.min);
	for (i = 0; i < ARRAY_SIZE(dist.at); i++)
		seq_printf(m, " %s %llu", pe_percentiles[i], dist.at[i]);
	seq_printf(m, " max %llu", dist.max);
	if (dist.negative)
		seq_printf(m, " negative %llu", dist.negative);
}

static void pe_print_val(struct seq_file *m, const struct pe_table_view *view,
			 const struct pe_table_line *line, unsigned int i)
{
	const struct pe_hist_field *field = &view->hist.vals[i];
	const char *name = pe_hist_field_name(&view->hist, field);
	const struct pe_view_total *total = &view->totals[1 + i];
	u64 v = line->val[i];

	/* As in the kernel, sums of expressions are only there to sort by. */
	if (field->source == PE_HIST_EXPR)
		return;
	seq_putc(m, ' ');
	switch (field->mod) {
	case PE_MOD_PERCENT:
		pe_print_percent(m, name, v, total->total);
		break;
	case PE_MOD_GRAPH:
		pe_print_bar(m, name, v, total->max);
		break;
	case PE_MOD_HEX:
		seq_printf(m, " %s: %10llx", name, v);
		break;
	case PE_MOD_DIST:
		pe_print_dist(m, view, line, name, v);
		break;
	case PE_MOD_MAX:
	case PE_MOD_MIN:
		seq_printf(m, " %s.%s: %10llu", name, pe_hist_mods[field->mod], v);
		break;
	default:
		seq_printf(m, " %s: %10llu", name, v);
	}
}

void pe_hist_print_line(struct seq_file *m, const struct pe_table_view *view, unsigned int i)
{
	const struct pe_table_line *line = &view->lines[i];
	const struct pe_table_row *row = pe_line_row(view, line, 0);
	unsigned int k;

	pe_hist_print_key(m, view, row, view->base.pool + row->pool);
	if (!view->hist.no_hitcount)
		seq_printf(m, " hitcount: %10llu", line->hits);
	for (k = 0; k < view->hist.nr_vals; k++)
		pe_print_val(m, view, line, k);
	pe_hist_print_actions(m, view, i);
	seq_putc(m, '\n');
}
