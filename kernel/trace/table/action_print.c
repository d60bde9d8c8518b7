// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * action_print.c - what the actions of a histogram trigger have kept, as the kernel prints it.  [P]
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/hit/vars_hit.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/print/safe_text.h"
#include "view.h"

#define SAVED_BYTES	(PE_SAVED_TEXT * sizeof(u64))

static void pe_print_saved_text(struct seq_file *m, const char *name, const u64 *word,
				unsigned int words)
{
	char text[SAVED_BYTES + 1] = {};
	size_t columns;

	memcpy(text, word, words * sizeof(u64));
	seq_printf(m, "  %s: ", name);
	pe_seq_safe_text(m, text);
	columns = pe_safe_columns(text, strlen(text));
	if (columns < 32)
		seq_printf(m, "%*s", (int)(32 - columns), "");
}

/* @kept: is anything?  If not, the kernel prints "(null)" for a text. */
static void pe_print_saves(struct seq_file *m, const struct pe_hist *hist, const u64 *word,
			   bool kept)
{
	const struct pe_hist_var *save;
	unsigned int i, words;

	for (i = 0; i < hist->nr_saves; i++, word += words) {
		save = &hist->saves[i];
		words = pe_saved_words(&save->value);
		if (words > 1 && !kept)
			seq_printf(m, "  %s: %-32s", hist->texts + save->name, "(null)");
		else if (words > 1)
			pe_print_saved_text(m, hist->texts + save->name, word, words);
		else
			seq_printf(m, "  %s: %10llu", hist->texts + save->name, *word);
	}
}

void pe_hist_print_actions(struct seq_file *m, const struct pe_table_view *view, unsigned int i)
{
	const struct pe_hist_action *action;
	const u64 *kept;
	unsigned int k;

	for (k = 0; view->kept && k < view->hist.nr_actions; k++) {
		action = &view->hist.actions[k];
		if (action->action == PE_HIST_SNAPSHOT)
			continue;
		kept = pe_view_kept(view, view->order[view->lines[i].first], k);
		seq_printf(m, "\n\t%s: %10llu",
			   action->handler == PE_HIST_ONMAX ? "max" : "changed", kept[1]);
		pe_print_saves(m, &view->hist, kept + 2, kept[0]);
	}
}

/* The key that is kept has its words one after the other, as a row has. */
static void pe_print_kept_key(struct seq_file *m, const struct pe_table_view *view,
			      const u64 *word)
{
	unsigned int keys = pe_table_words(&view->shape);
	const u64 *text = word + keys;
	unsigned int texts = view->shape.texts ? PE_SAVED_TEXT : 0, k, n = 0, at = 0;
	const u64 *note = text + texts + view->shape.depth;
	u64 room[sizeof(struct pe_table_row) / sizeof(u64) + PE_KEY_WORDS + PE_NOTE_WORDS] = {};
	struct pe_table_row *row = (struct pe_table_row *)room;
	unsigned int i;

	for (i = 0; i < keys; i++)
		local_set(&row->word[i], word[i]);
	for (i = 0; i < PE_NOTE_WORDS; i++)
		local_set(&row->word[view->shape.nr_keys + i], note[i]);
	/* A row's stack is at the end of its texts and stacks. */
	for (k = 0; k < view->hist.nr_keys; k++) {
		if (view->hist.keys[k].source == PE_HIST_STACK_TRACE)
			n = word[at];
		at += view->hist.keys[k].source == PE_HIST_COMM ? PE_NOTE_WORDS : 1;
	}
	row->pool_size = texts + n;
	pe_hist_print_key(m, view, row, text);
}

void pe_hist_print_snapshot(struct seq_file *m, const struct pe_table_view *view)
{
	const struct pe_hist_action *action;
	const u64 *kept;
	unsigned int k;

	for (k = 0; view->kept && k < view->hist.nr_actions; k++) {
		action = &view->hist.actions[k];
		kept = pe_view_kept(view, view->base.nr_rows, k);
		if (action->action != PE_HIST_SNAPSHOT || !kept[0])
			continue;
		seq_puts(m, "\nSnapshot taken (see tracing/snapshot).  Details:\n");
		seq_printf(m, "\ttriggering value { %s(%s) }: %10llu",
			   action->handler == PE_HIST_ONMAX ? "onmax" : "onchange",
			   view->hist.texts + action->track, kept[1]);
		seq_puts(m, "\ttriggered by event with key: ");
		pe_print_kept_key(m, view, kept + 2);
		seq_putc(m, '\n');
	}
}
