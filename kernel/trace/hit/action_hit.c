// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * action_hit.c - variables and actions of a histogram trigger at a hit.  [H]
 *
 * Any context, preemption off, which is also the RCU section for the map: table/vars.c frees
 * one after a grace period.
 */
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "action_hit.h"
#include "count_hit.h"
#include "kernel/trace/trace_instance.h"
#include "make_record.h"
#include "snapshot_hit.h"
#include "table_hit.h"
#include "trigger_hit.h"
#include "vars_hit.h"

bool pe_refs_read(u64 *values, const struct pe_hist *hist, unsigned int nr_words,
		  const struct pe_table_key *key)
{
	const struct pe_hist_ref *ref;
	struct pe_vars_map *map;
	struct pe_vars_row *row;
	unsigned int i;

	for (i = 0; i < hist->nr_refs; i++) {
		ref = &hist->refs[i];
		map = READ_ONCE(ref->table->vars);	/* pe_vars:D */
		row = pe_vars_find(map, key, nr_words);
		if (!row || !pe_vars_read(map, row, ref->var, ref->once, &values[i]))
			return false;
	}
	return true;
}

/* ---- what actions keep ---- */

/* A hit of a trigger. */
struct hit {
	const struct pe_hist *hist;
	const struct pe_vars_map *map;
	const struct pe_table_key *key;
	const struct pe_table_from *from;
};

static void pe_save_one(u64 *word, const struct hit *h, const struct pe_hist_field *field)
{
	unsigned int len;
	const char *text;

	switch (pe_saved_words(field)) {
	case PE_SAVED_TEXT:
		len = pe_table_text(field, h->from, &text);
		memset(word, 0, PE_SAVED_TEXT * sizeof(u64));
		memcpy(word, text, len);
		break;
	case PE_NOTE_WORDS:
		memcpy(word, h->from->comm, sizeof(h->from->comm));
		break;
	default:
		*word = pe_table_number(h->hist, field, h->from);
	}
}

/* The fields that save() names. */
static void pe_fill_saves(const struct pe_vars_fill *how, u64 *word)
{
	const struct hit *h = how->data;
	unsigned int i;

	for (i = 0; i < h->hist->nr_saves; i++) {
		pe_save_one(word, h, &h->hist->saves[i].value);
		word += pe_saved_words(&h->hist->saves[i].value);
	}
}

/* The key, and the task's name, as a row of a table has them. */
static void pe_fill_key(const struct pe_vars_fill *how, u64 *word)
{
	const struct hit *h = how->data;

	pe_vars_write_key(h->map, word, h->key);
	word += h->map->nr_keys + h->map->texts + h->map->depth;
	memcpy(word, h->key->note, sizeof(h->key->note));
}

static void pe_action_run(const struct hit *h, struct pe_vars_map *map, struct pe_vars_row *row,
			  unsigned int i, u64 v, struct pe_vars_spare *spare,
			  struct pe_instance *inst)
{
	const struct pe_hist_action *action = &h->hist->actions[i];
	const struct pe_vars_fill saves = { .fill = pe_fill_saves, .data = h };
	const struct pe_vars_fill key = { .fill = pe_fill_key, .data = h };

	if (!pe_vars_track(map, row, i, action->handler, v, &saves, spare) ||
	    action->action != PE_HIST_SNAPSHOT)
		return;
	/* As in the kernel, a snapshot is of the largest, or of a change, of all keys. */
	if (!pe_vars_wants(map, pe_vars_all(map), i, action->handler, v))
		return;
	/* The value kept is the snapshot's: both change while the bit is held, or none. */
	if (!pe_snapshot_begin(inst)) {
		atomic_long_inc(&map->no_snapshot);
		return;
	}
	if (pe_vars_track(map, pe_vars_all(map), i, action->handler, v, &key, spare))
		pe_snapshot_exchange(inst);
	pe_snapshot_end(inst);
}

void pe_vars_hit(const struct pe_trigger *trigger, const struct pe_built *built,
		 const struct pe_table_key *key, const struct pe_table_from *from)
{
	struct pe_table_hits *table = trigger->table;
	struct pe_vars_map *map = READ_ONCE(table->vars);	/* pe_vars:D */
	const struct pe_hist *hist = trigger->hist;
	const struct hit h = { .hist = hist, .map = map, .key = key, .from = from };
	unsigned int context = built->probe ? built->hit->level : PE_VARS_MARK;
	struct pe_vars_spare *spare = &this_cpu_ptr(map->spares)->of_context[context];
	struct pe_vars_row *row = pe_vars_get(map, key, spare);
	u64 v[PE_HIST_VARS];
	unsigned int i;

	if (!row)
		return;
	for (i = 0; i < hist->nr_vars; i++) {
		v[i] = pe_table_number(hist, &hist->vars[i].value, from);
		pe_vars_set(map, row, i, v[i]);
	}
	for (i = 0; i < hist->nr_actions; i++)
		pe_action_run(&h, map, row, i, v[hist->actions[i].var], spare, built->inst);
}
