// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table_read.c - read tables, clear them, and say how large they are.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "base.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"
#include "table.h"
#include "table_internal.h"
#include "vars.h"
#include "view.h"

static u64 pe_all_hits(const struct pe_table *table)
{
	const struct pe_table_shape *shape = &table->hits.shape;

	if (!table->base.rows)
		return 0;
	return pe_base_hits(shape, &table->base) +
	       local_read(&pe_base_other(shape, &table->base)->hits);
}

/* The base's rows have been seen, or are not wanted any more.  @map: for variables, or NULL. */
static void pe_table_empty(struct pe_table *table, struct pe_vars_map *map)
{
	table->cleared += pe_all_hits(table);
	table->since = ktime_get_ns();
	pe_base_free(&table->base);
	pe_vars_replace(&table->hits, map);
}

/* For pe_table_empty(): 0, or -ENOMEM. */
static int pe_empty_map(const struct pe_table *table, struct pe_vars_map **map)
{
	*map = table->hits.vars ? pe_vars_new(&table->hits.shape, &table->hist) : NULL;
	return table->hits.vars && !*map ? -ENOMEM : 0;
}

int pe_table_clear(struct pe_table *table)
{
	struct pe_vars_map *map;
	int ret;

	mutex_lock(&pe_tables_mutex);
	ret = pe_empty_map(table, &map);
	if (!ret) {
		pe_table_cut(table);
		ret = table->flipped ? -ENOMEM : 0;
	}
	if (!ret)
		pe_table_empty(table, map);
	else
		pe_vars_free(map);
	mutex_unlock(&pe_tables_mutex);
	return ret;
}

static int pe_view_copy(struct pe_table_view *view, const struct pe_table *table)
{
	const struct pe_base *from = &table->base;

	if (!from->rows)
		return 0;
	if (pe_base_alloc(&view->base, &view->shape, roundup_pow_of_two(max(from->nr_rows, 1U)),
			  max(from->pool_used, (size_t)1)))
		return -ENOMEM;
	pe_base_copy(&view->shape, &view->base, from);
	return 0;
}

static int pe_view_fill(struct pe_table_view *view, struct pe_table *table, bool take)
{
	unsigned int rows = max(table->base.nr_rows, 1U);
	struct pe_vars_map *map;

	view->shape = table->hits.shape;
	view->since = table->since;
	view->now = ktime_get_ns();
	view->cleared = table->cleared;
	view->merged = table->merged;
	view->order = kvcalloc(rows, sizeof(*view->order), GFP_KERNEL_ACCOUNT);
	view->lines = kvcalloc(rows, sizeof(*view->lines), GFP_KERNEL_ACCOUNT);
	if (!view->order || !view->lines || pe_view_copy(view, table))
		return -ENOMEM;
	view->base.paused = table->base.paused;
	view->base.filtered = table->base.filtered;
	view->base.unset = table->base.unset;
	if (pe_vars_view(view, table->hits.vars) || (take && pe_empty_map(table, &map)))
		return -ENOMEM;
	if (take)
		pe_table_empty(table, map);
	return 0;
}

struct pe_table_view *pe_table_view(struct pe_table *table, const struct pe_hist *hist, bool take)
{
	struct pe_table_view *view = kzalloc(sizeof(*view), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!view)
		return ERR_PTR(-ENOMEM);
	view->hist = *hist;
	mutex_lock(&pe_tables_mutex);
	pe_table_cut(table);
	ret = table->flipped ? -ENOMEM : pe_view_fill(view, table, take);
	mutex_unlock(&pe_tables_mutex);
	if (ret) {
		pe_table_view_free(view);
		return ERR_PTR(ret);
	}
	return view;
}

void pe_table_view_free(struct pe_table_view *view)
{
	pe_base_free(&view->base);
	kvfree(view->order);
	kvfree(view->lines);
	kvfree(view->kept);
	kfree(view->filter);
	kfree(view);
}

u64 pe_table_merged(const struct pe_table *table)
{
	return READ_ONCE(table->merged);
}

static size_t pe_table_bytes(const struct pe_table *table)
{
	size_t bytes = sizeof(*table) + nr_cpu_ids * sizeof(*table->hits.banks);
	struct pe_base_room room = {};
	const struct pe_bank *bank;
	unsigned int cpu, i;

	for_each_cpu(cpu, &pe_table_cpus) {
		for (i = 0; i < 2; i++) {
			bank = pe_bank_of(table, cpu, i);
			if (bank)
				bytes += pe_bank_size(&table->hits.shape, bank->nr_rows);
		}
	}
	if (table->base.rows)
		pe_base_sizes(&room, &table->hits.shape, table->base.max_rows,
			      table->base.pool_words);
	return bytes + room.rows + room.index + room.pool + pe_vars_bytes(table->hits.vars);
}

size_t pe_tables_memory(void)
{
	const struct pe_table *table;
	size_t bytes = 0;

	mutex_lock(&pe_tables_mutex);
	list_for_each_entry(table, &pe_tables, list)
		bytes += pe_table_bytes(table);
	mutex_unlock(&pe_tables_mutex);
	return bytes;
}
