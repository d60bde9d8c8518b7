// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_show.c - a histogram trigger as its file shows it.  [P]
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/print/safe_text.h"
#include "view.h"

/* ".hex", or nothing. */
static void pe_hist_show_modifier(struct seq_file *m, const struct pe_hist_field *field)
{
	if (field->mod)
		seq_printf(m, ".%s", pe_hist_mods[field->mod]);
	if (field->mod == PE_MOD_BUCKETS)
		seq_printf(m, "=%llu", field->buckets);
	if (field->source == PE_HIST_STACK_TRACE && field->depth != PE_HIST_STACK)
		seq_printf(m, ".depth=%u", field->depth);
}

static void pe_show_field(struct seq_file *m, const struct pe_hist *hist,
			  const struct pe_hist_field *field)
{
	if (field->source == PE_HIST_CONST) {
		seq_printf(m, "%llu", field->constant);
		return;
	}
	if (field->source == PE_HIST_REF && !hist->refs[field->at].full)
		seq_putc(m, '$');
	pe_seq_safe_text(m, field->source == PE_HIST_CPU ? "common_cpu" :
			 pe_hist_field_name(hist, field));
	pe_hist_show_modifier(m, field);
}

static void pe_show_vars(struct seq_file *m, const struct pe_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_vars; i++) {
		seq_putc(m, i ? ',' : ':');
		pe_seq_safe_text(m, hist->texts + hist->vars[i].name);
		seq_putc(m, '=');
		pe_show_field(m, hist, &hist->vars[i].value);
	}
}

static void pe_show_actions(struct seq_file *m, const struct pe_hist *hist)
{
	const struct pe_hist_action *action;
	unsigned int i, k;

	for (i = 0; i < hist->nr_actions; i++) {
		action = &hist->actions[i];
		seq_puts(m, action->handler == PE_HIST_ONMAX ? ":onmax(" : ":onchange(");
		pe_seq_safe_text(m, hist->texts + action->track);
		seq_puts(m, ").");
		pe_seq_safe_text(m, hist->texts + action->name);
		seq_putc(m, '(');
		for (k = 0; action->action == PE_HIST_SAVE && k < hist->nr_saves; k++) {
			if (k)
				seq_putc(m, ',');
			pe_seq_safe_text(m, hist->texts + hist->saves[k].name);
		}
		seq_putc(m, ')');
	}
}

static void pe_show_sort(struct seq_file *m, const struct pe_hist *hist,
			 const struct pe_hist_sort *sort)
{
	if (!sort->field)
		seq_puts(m, "hitcount");
	else if (sort->field <= hist->nr_vals)
		pe_show_field(m, hist, &hist->vals[sort->field - 1]);
	else
		pe_show_field(m, hist, &hist->keys[sort->field - 1 - hist->nr_vals]);
	if (sort->descending)
		seq_puts(m, ".descending");
}

void pe_hist_show(struct seq_file *m, const struct pe_hist *hist)
{
	unsigned int i;

	seq_puts(m, PE_HIST_PREFIX);
	if (hist->name[0]) {
		seq_puts(m, "name=");
		pe_seq_safe_text(m, hist->name);
		seq_putc(m, ':');
	}
	seq_puts(m, "keys=");
	for (i = 0; i < hist->nr_keys; i++) {
		if (i)
			seq_putc(m, ',');
		pe_show_field(m, hist, &hist->keys[i]);
	}
	seq_puts(m, hist->no_hitcount ? ":vals=" : ":vals=hitcount");
	for (i = 0; i < hist->nr_vals; i++) {
		if (i || !hist->no_hitcount)
			seq_putc(m, ',');
		pe_show_field(m, hist, &hist->vals[i]);
	}
	pe_show_vars(m, hist);
	seq_puts(m, ":sort=");
	for (i = 0; i < hist->nr_sorts; i++) {
		if (i)
			seq_putc(m, ',');
		pe_show_sort(m, hist, &hist->sort[i]);
	}
	seq_printf(m, ":size=%u", hist->size);
	if (hist->has_time)
		seq_printf(m, ":clock=%s", hist->clock);
	if (hist->no_hitcount)
		seq_puts(m, ":nohitcount");
	pe_show_actions(m, hist);
}

void pe_hist_show_trigger(struct seq_file *m, const struct pe_hist *hist, const char *filter,
			  bool paused)
{
	pe_hist_show(m, hist);
	if (filter)
		seq_printf(m, " if %s", filter);
	seq_puts(m, paused ? " [paused]\n" : " [active]\n");
}
