// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * vars.c - the life of variables of tables, and what of them is shown.
 *
 * Barriers: pe_vars:D.  A map is whole before a hit finds it; one that clearing has replaced is
 * freed after a grace period.
 *
 * pe_tables_mutex is held, except where it is said.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "base.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/hit/vars_hit.h"
#include "kernel/trace/parse/hist.h"
#include "vars.h"
#include "view.h"

bool pe_vars_refused(const struct pe_hist *hist)
{
	struct pe_table_shape shape;
	struct pe_vars_map map;

	if (!pe_hist_has_vars(hist))
		return false;
	pe_table_shape(&shape, hist);
	pe_vars_shape(&map, &shape, hist, hist->size, nr_cpu_ids * PE_VARS_CONTEXTS);
	return pe_vars_too_large(&map);
}

struct pe_vars_map *pe_vars_new(const struct pe_table_shape *shape, const struct pe_hist *hist)
{
	struct pe_vars_map *map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);
	u64 *words;

	if (!map)
		return NULL;
	pe_vars_shape(map, shape, hist, hist->size, nr_cpu_ids * PE_VARS_CONTEXTS);
	map->spares = alloc_percpu_gfp(struct pe_vars_spares, GFP_KERNEL_ACCOUNT);
	words = kvcalloc(pe_vars_words(map), sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (words)
		pe_vars_init(map, words);
	if (map->spares && words)
		return map;
	kvfree(words);
	free_percpu(map->spares);
	kfree(map);
	return NULL;
}

void pe_vars_free(struct pe_vars_map *map)
{
	if (!map)
		return;
	kvfree(map->slots);
	free_percpu(map->spares);
	kfree(map);
}

void pe_vars_replace(struct pe_table_hits *table, struct pe_vars_map *map)
{
	struct pe_vars_map *old = table->vars;

	if (!map)
		return;
	/* Pairs with a hit's READ_ONCE(), on whose result its reads depend. */
	smp_store_release(&table->vars, map);	/* pe_vars:D */
	synchronize_rcu();
	pe_vars_free(old);
}

size_t pe_vars_bytes(const struct pe_vars_map *map)
{
	if (!map)
		return 0;
	return sizeof(*map) + pe_vars_words(map) * sizeof(u64) +
	       nr_cpu_ids * sizeof(struct pe_vars_spares);
}

/* ---- what is shown ---- */

/* The key of a row. */
static void pe_key_of_row(struct pe_table_key *key, const struct pe_table_view *view,
			  const struct pe_table_row *row)
{
	const u64 *pool = view->base.pool + row->pool;
	unsigned int i, word = 0;

	*key = (struct pe_table_key){};
	for (i = 0; i < view->hist.nr_keys; i++, word++) {
		switch (view->hist.keys[i].source) {
		case PE_HIST_STRING:
			key->text = (const char *)pool;
			key->text_len = local_read(&row->word[word]);
			break;
		case PE_HIST_STACK_TRACE:
			key->nr_stack = local_read(&row->word[word]);
			key->stack = pool + row->pool_size - key->nr_stack;
			break;
		case PE_HIST_COMM:
			word++;
		}
	}
	for (i = 0; i < word; i++)
		key->word[i] = local_read(&row->word[i]);
}

static void pe_view_row(struct pe_table_view *view, const struct pe_vars_map *map,
			const struct pe_vars_row *row, unsigned int i)
{
	unsigned int k;
	u64 *to;

	for (k = 0; k < view->hist.nr_actions; k++) {
		to = pe_view_kept(view, i, k);
		to[0] = pe_vars_kept(map, row, k, to + 1);
	}
}

int pe_vars_view(struct pe_table_view *view, const struct pe_vars_map *map)
{
	unsigned int nr = view->hist.nr_actions, i;
	const struct pe_vars_row *row;
	struct pe_table_key key;

	if (!map)
		return 0;
	view->has_vars = true;
	view->no_vars = atomic_long_read(&map->full);
	view->unkept = atomic_long_read(&map->unkept);
	view->no_snapshot = atomic_long_read(&map->no_snapshot);
	if (!nr)
		return 0;
	view->kept_words = 1 + map->node_words;
	view->kept = kvcalloc((size_t)(view->base.nr_rows + 1) * nr,
			      view->kept_words * sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (!view->kept)
		return -ENOMEM;
	pe_view_row(view, map, pe_vars_all(map), view->base.nr_rows);
	for (i = 0; i < view->base.nr_rows; i++) {
		pe_key_of_row(&key, view, pe_base_row(&view->shape, &view->base, i));
		row = pe_vars_find(map, &key, map->nr_keys);
		if (row)
			pe_view_row(view, map, row, i);
		cond_resched();
	}
	return 0;
}
