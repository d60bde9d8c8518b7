// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * key_print.c - a row's key as the kernel prints it in a histogram.  [P]
 *
 * Names of tasks and texts are chosen by users, so they are made safe (safe_text.h).  All else is
 * as the kernel's, to the last blank.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/print/safe_text.h"
#include "table_env.h"
#include "view.h"

#define SYMBOL_TEXT	300
#define NAME_TEXT	(16 * PE_SAFE_CHAR + 1)

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
				 const struct pe_table_row *row, const u64 *pool,
				 const struct pe_hist_field *field, unsigned int word)
{
	u64 v = local_read(&row->word[word]);

	pe_seq_safe_text(m, pe_hist_field_name(&view->hist, field));
	seq_putc(m, ':');
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

void pe_hist_print_key(struct seq_file *m, const struct pe_table_view *view,
		       const struct pe_table_row *row, const u64 *pool)
{
	unsigned int k, word = 0;
	bool stack = false;

	seq_puts(m, "{ ");
	for (k = 0; k < view->hist.nr_keys; k++) {
		if (k)
			seq_puts(m, ", ");
		stack |= view->hist.keys[k].source == PE_HIST_STACK_TRACE;
		word += pe_print_key(m, view, row, pool, &view->hist.keys[k], word);
	}
	seq_puts(m, stack ? "}" : " }");
}
