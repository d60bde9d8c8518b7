// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table_text.c - a table for programs.  [P]
 *
 *	#probe-events-table 1
 *	#trigger TEXT
 *	#state active|paused
 *	#time SINCE NOW mono
 *	#columns NAME:TYPE[:key] ...
 *	#balance hits N rows N other N paused N cleared N filtered N unset N
 *	#vars full N unkept N no_snapshot N	if there are variables
 *	a line for each row, with a field for each column
 *	#other HITS VALUES...		if hits had no row
 *	#end N rows
 *
 * A tab is between fields.  In texts, tab, newline and backslash are "\t", "\n" and "\\", and a
 * text that begins with # begins with "\#": its row is no line of those above.  A stack is its
 * addresses, innermost first, with commas between.  New columns go to the end.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/parse/hist.h"
#include "view.h"

#define NSEC	1000000000ULL

static void pe_put_text(struct seq_file *m, const char *text, size_t len)
{
	if (len && *text == '#')
		seq_putc(m, '\\');
	while (len-- && *text) {
		if (*text == '\t')
			seq_puts(m, "\\t");
		else if (*text == '\n')
			seq_puts(m, "\\n");
		else if (*text == '\\')
			seq_puts(m, "\\\\");
		else
			seq_putc(m, *text);
		text++;
	}
}

static void pe_put_time(struct seq_file *m, u64 ns)
{
	u64 sec = ns / NSEC;

	seq_printf(m, "\t%llu.%09llu", sec, ns - sec * NSEC);
}

static const char *pe_key_type(const struct pe_hist_field *field)
{
	switch (field->source) {
	case PE_HIST_STRING:
	case PE_HIST_COMM:
		return "str";
	case PE_HIST_STACK_TRACE:
		return "stack";
	case PE_HIST_CALLER:
		return "addr";
	case PE_HIST_NUMBER:
		if (field->mod == PE_MOD_SYM || field->mod == PE_MOD_SYM_OFFSET)
			return "addr";
		return field->is_signed && field->mod != PE_MOD_LOG2 ? "s64" : "u64";
	}
	return "u64";
}

static const char *pe_val_type(const struct pe_hist_field *field)
{
	return field->is_signed ? "s64" : "u64";
}

static const char *pe_val_kind(const struct pe_hist_field *field)
{
	return field->mod == PE_MOD_MAX ? "max" : field->mod == PE_MOD_MIN ? "min" : "sum";
}

static const char *pe_column_name(const struct pe_hist *hist, const struct pe_hist_field *field)
{
	if (field->source == PE_HIST_CPU)
		return "common_cpu";
	return field->source == PE_HIST_CONST ? "number" : pe_hist_field_name(hist, field);
}

static void pe_print_columns(struct seq_file *m, const struct pe_table_view *view)
{
	const struct pe_hist *hist = &view->hist;
	const char *name;
	const struct pe_hist_field *field;
	unsigned int i;

	seq_puts(m, "#columns");
	for (i = 0; i < hist->nr_keys; i++) {
		field = &hist->keys[i];
		seq_printf(m, "\t%s", pe_column_name(hist, field));
		if (field->mod == PE_MOD_LOG2)
			seq_puts(m, ".log2");
		seq_printf(m, ":%s:key", pe_key_type(field));
		if (field->mod == PE_MOD_EXECNAME)
			seq_puts(m, "\tcommon_comm:str");
	}
	seq_puts(m, "\thits:u64");
	if (view->shape.dist >= 0)
		seq_printf(m, "\t%s.step:h2-5:key", hist->vals[view->shape.dist].name);
	for (i = 0; i < hist->nr_vals; i++) {
		field = &hist->vals[i];
		name = pe_column_name(hist, field);
		seq_printf(m, "\t%s.%s:%s", name, pe_val_kind(field), pe_val_type(field));
		if (field->mod == PE_MOD_DIST)
			seq_printf(m, "\t%s.max:%s", name, pe_val_type(field));
	}
	seq_putc(m, '\n');
}

void pe_table_print_head(struct seq_file *m, const struct pe_table_view *view)
{
	u64 rows = pe_base_hits(&view->shape, &view->base), other = 0;

	if (view->base.rows)
		other = local_read(&pe_base_other(&view->shape, &view->base)->hits);
	seq_puts(m, "#probe-events-table 1\n#trigger\t");
	pe_hist_show(m, &view->hist);
	if (view->filter)
		seq_printf(m, " if %s", view->filter);
	seq_printf(m, "\n#state\t%s\n#time", view->paused ? "paused" : "active");
	pe_put_time(m, view->since);
	pe_put_time(m, view->now);
	seq_puts(m, "\tmono\n");
	pe_print_columns(m, view);
	seq_printf(m, "#balance\thits\t%llu\trows\t%llu\tother\t%llu\tpaused\t%llu\tcleared\t%llu\tfiltered\t%llu\tunset\t%llu\n",
		   rows + other + view->base.paused + view->cleared + view->base.filtered +
		   view->base.unset, rows, other, view->base.paused, view->cleared,
		   view->base.filtered, view->base.unset);
	if (view->has_vars)
		seq_printf(m, "#vars\tfull\t%llu\tunkept\t%llu\tno_snapshot\t%llu\n",
			   view->no_vars, view->unkept, view->no_snapshot);
}

static void pe_print_vals(struct seq_file *m, const struct pe_table_view *view,
			  const struct pe_table_row *row)
{
	const struct pe_table_shape *shape = &view->shape;
	unsigned int i, word;
	u64 v;

	for (i = 0; i < view->hist.nr_vals; i++) {
		word = pe_val_word(shape, i);
		v = local_read(&row->word[word]);
		seq_printf(m, view->hist.vals[i].is_signed ? "\t%lld" : "\t%llu", v);
		if (i != shape->dist)
			continue;
		v = local_read(&row->word[word + 1]);
		seq_printf(m, view->hist.vals[i].is_signed ? "\t%lld" : "\t%llu", v);
	}
}

static void pe_put_key(struct seq_file *m, const struct pe_table_view *view,
		       const struct pe_table_row *row, const struct pe_hist_field *field,
		       unsigned int *word)
{
	const u64 *pool = view->base.pool + row->pool;
	u64 v = local_read(&row->word[*word]);
	unsigned int i;

	switch (field->source) {
	case PE_HIST_STRING:
		pe_put_text(m, (const char *)pool, v);
		break;
	case PE_HIST_COMM:
		pe_put_text(m, (const char *)&row->word[*word], PE_NOTE_WORDS * sizeof(u64));
		++*word;
		break;
	case PE_HIST_STACK_TRACE:
		for (i = 0; i < v; i++)
			seq_printf(m, i ? ",0x%llx" : "0x%llx", pool[row->pool_size - v + i]);
		break;
	default:
		if (!strcmp(pe_key_type(field), "addr"))
			seq_printf(m, "0x%llx", v);
		else if (!strcmp(pe_key_type(field), "s64"))
			seq_printf(m, "%lld", v);
		else
			seq_printf(m, "%llu", v);
		if (field->mod == PE_MOD_EXECNAME) {
			seq_putc(m, '\t');
			pe_put_text(m, (const char *)&row->word[view->shape.nr_keys],
				    PE_NOTE_WORDS * sizeof(u64));
		}
	}
	++*word;
}

/* Row @i, in the order of keys. */
void pe_table_print_row(struct seq_file *m, const struct pe_table_view *view, unsigned int i)
{
	const struct pe_table_row *row;
	unsigned int k, word = 0;

	row = pe_base_row(&view->shape, &view->base, view->order[i]);
	for (k = 0; k < view->hist.nr_keys; k++) {
		pe_put_key(m, view, row, &view->hist.keys[k], &word);
		seq_putc(m, '\t');
	}
	seq_printf(m, "%llu", (u64)local_read(&row->hits));
	if (view->shape.dist >= 0) {
		if (local_read(&row->word[word]) == PE_STEP_NEG)
			seq_puts(m, "\tneg");
		else
			seq_printf(m, "\t%llu", (u64)local_read(&row->word[word]));
	}
	pe_print_vals(m, view, row);
	seq_putc(m, '\n');
}

void pe_table_print_end(struct seq_file *m, const struct pe_table_view *view)
{
	const struct pe_table_row *other;

	if (view->base.rows) {
		other = pe_base_other(&view->shape, &view->base);
		if (local_read(&other->hits)) {
			seq_printf(m, "#other\t%llu", (u64)local_read(&other->hits));
			pe_print_vals(m, view, other);
			seq_putc(m, '\n');
		}
	}
	seq_printf(m, "#end %u rows\n", view->base.nr_rows);
}
