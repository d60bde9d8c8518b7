// SPDX-License-Identifier: GPL-2.0
/*
 * table_print.c - a table as the kernel prints a histogram.  [P]
 *
 * Names of tasks and texts are chosen by users, so they are made safe (safe_text.h).  All else is
 * as the kernel's, to the last blank.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/print/safe_text.h"
#include "table_env.h"
#include "view.h"

#define SYMBOL_TEXT	300
#define NAME_TEXT	(16 * PE_SAFE_CHAR + 1)
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

	if (view->base.rows)
		dropped = local_read(&pe_base_other(&view->shape, &view->base)->hits);
	seq_printf(m, "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
		   view->totals[0].total, view->nr_lines, dropped);
}

/* ---- keys ---- */

static void pe_print_text(struct seq_file *m, const char *text, size_t len)
{
	char byte[2] = {};
	size_t i;

	for (i = 0; i < len; i++) {
		byte[0] = text[i];
		pe_seq_safe_text(m, byte);
	}
	len = pe_safe_columns(text, len);
	if (len < 50)
		seq_printf(m, "%*s", (int)(50 - len), "");
}

static void pe_print_name(struct seq_file *m, const local_t *words)
{
	char name[PE_NOTE_WORDS * sizeof(u64) + 1] = {}, safe[NAME_TEXT];

	memcpy(name, words, sizeof(name) - 1);
	pe_safe_text(safe, sizeof(safe), name);
	seq_printf(m, "%-16s", safe);
}

static void pe_print_stack(struct seq_file *m, const u64 *stack, unsigned int n)
{
	char symbol[SYMBOL_TEXT];

	while (n--) {
		pe_sprint_symbol(symbol, sizeof(symbol), *stack++);
		seq_printf(m, "         %s\n", symbol);
	}
}

static void pe_print_number(struct seq_file *m, const struct pe_table_view *view,
			    const struct pe_table_row *row, const struct pe_hist_field *field,
			    u64 v)
{
	char symbol[SYMBOL_TEXT];

	switch (field->mod) {
	case PE_MOD_HEX:
		seq_printf(m, "%llx", v);
		break;
	case PE_MOD_SYM:
		pe_table_symbol(symbol, sizeof(symbol), v);
		seq_printf(m, "[%llx] %-45s", v, symbol);
		break;
	case PE_MOD_SYM_OFFSET:
		pe_sprint_symbol(symbol, sizeof(symbol), v);
		seq_printf(m, "[%llx] %-55s", v, symbol);
		break;
	case PE_MOD_EXECNAME:
		pe_print_name(m, row->word + view->shape.nr_keys);
		seq_printf(m, "[%10llu]", v);
		break;
	case PE_MOD_SYSCALL:
		if (!pe_table_syscall(symbol, sizeof(symbol), v))
			strscpy(symbol, "unknown_syscall", sizeof(symbol));
		seq_printf(m, "%-30s[%3llu]", symbol, v);
		break;
	case PE_MOD_LOG2:
		seq_printf(m, "~ 2^%-2llu", v);
		break;
	case PE_MOD_BUCKETS:
		seq_printf(m, "~ %llu-%llu", v, v + field->buckets - 1);
		break;
	default:
		seq_printf(m, "%10llu", v);
	}
}

/* Returns the key's words. */
static unsigned int pe_print_key(struct seq_file *m, const struct pe_table_view *view,
				 const struct pe_table_row *row,
				 const struct pe_hist_field *field, unsigned int word)
{
	const u64 *pool = view->base.pool + row->pool;
	u64 v = local_read(&row->word[word]);

	seq_printf(m, "%s:", field->name);
	if (field->source == PE_HIST_STACK_TRACE) {
		seq_putc(m, '\n');
		pe_print_stack(m, pool + row->pool_size - v, v);
		return 1;
	}
	seq_putc(m, ' ');
	if (field->source == PE_HIST_COMM) {
		pe_print_name(m, row->word + word);
		return PE_NOTE_WORDS;
	}
	if (field->source == PE_HIST_STRING)
		pe_print_text(m, (const char *)pool, v);
	else
		pe_print_number(m, view, row, field, v);
	return 1;
}

/* ---- values ---- */

/* The share of @total that @v is, in hundredths of a percent. */
static unsigned int pe_share(u64 v, u64 total)
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
	unsigned int share = pe_share(v, total);

	if (share == NO_SHARE)
		seq_printf(m, " %s (%%):[ERROR]", name);
	else
		seq_printf(m, " %s (%%): %3u.%02u", name, share / 100, share % 100);
}

static void pe_print_bar(struct seq_file *m, const char *name, u64 v, u64 max)
{
	unsigned int share = pe_share(v, max), i;
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
	const struct pe_view_total *total = &view->totals[1 + i];
	u64 v = line->val[i];

	seq_putc(m, ' ');
	switch (field->mod) {
	case PE_MOD_PERCENT:
		pe_print_percent(m, field->name, v, total->total);
		break;
	case PE_MOD_GRAPH:
		pe_print_bar(m, field->name, v, total->max);
		break;
	case PE_MOD_HEX:
		seq_printf(m, " %s: %10llx", field->name, v);
		break;
	case PE_MOD_DIST:
		pe_print_dist(m, view, line, field->name, v);
		break;
	case PE_MOD_MAX:
	case PE_MOD_MIN:
		seq_printf(m, " %s.%s: %10llu", field->name, pe_hist_mods[field->mod], v);
		break;
	default:
		seq_printf(m, " %s: %10llu", field->name, v);
	}
}

void pe_hist_print_line(struct seq_file *m, const struct pe_table_view *view, unsigned int i)
{
	const struct pe_table_line *line = &view->lines[i];
	const struct pe_table_row *row = pe_line_row(view, line, 0);
	unsigned int k, word = 0;
	bool stack = false;

	seq_puts(m, "{ ");
	for (k = 0; k < view->hist.nr_keys; k++) {
		if (k)
			seq_puts(m, ", ");
		stack |= view->hist.keys[k].source == PE_HIST_STACK_TRACE;
		word += pe_print_key(m, view, row, &view->hist.keys[k], word);
	}
	seq_puts(m, stack ? "}" : " }");
	if (!view->hist.no_hitcount)
		seq_printf(m, " hitcount: %10llu", line->hits);
	for (k = 0; k < view->hist.nr_vals; k++)
		pe_print_val(m, view, line, k);
	seq_putc(m, '\n');
}
