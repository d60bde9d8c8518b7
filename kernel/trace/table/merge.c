// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * merge.c - the rows of all banks become those of one base.  [P]
 *
 * Rows with equal keys are added, whether they are of two CPUs, of two epochs, or of a hit that
 * interrupted another one.  Each hit of a bank is added to exactly one row of the base.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include "base.h"

void pe_base_sizes(struct pe_base_room *room, const struct pe_table_shape *shape,
		   unsigned int max_rows, size_t pool_words)
{
	room->rows = (size_t)(max_rows + 1) * shape->row_size;
	room->index = (size_t)max_rows * 2 * sizeof(u32);
	room->pool = pool_words * sizeof(u64);
}

/* The place of a row in the index, or the first free one. */
static u32 *pe_find_place(const struct pe_table_shape *shape, const struct pe_base *base,
			  const struct pe_table_row *row, const u64 *pool)
{
	u32 mask = 2 * base->max_rows - 1, at;
	u64 tag = local_read(&row->tag);
	const struct pe_table_row *old;

	for (at = tag >> 32; base->index[at & mask]; at++) {
		old = pe_base_row(shape, base, base->index[at & mask] - 1);
		if ((u64)local_read(&old->tag) == tag &&
		    !memcmp(old->word, row->word, shape->nr_keys * sizeof(row->word[0])) &&
		    !memcmp(base->pool + old->pool, pool + row->pool,
			    row->pool_size * sizeof(u64)))
			break;
	}
	return &base->index[at & mask];
}

static struct pe_table_row *pe_new_row(const struct pe_table_shape *shape, struct pe_base *base,
				       const struct pe_table_row *row, const u64 *pool)
{
	struct pe_table_row *new = pe_base_row(shape, base, base->nr_rows);

	memcpy(new, row, shape->row_size);
	if (row->pool_size)
		memcpy(base->pool + base->pool_used, pool + row->pool,
		       row->pool_size * sizeof(u64));
	new->pool = base->pool_used;
	base->pool_used += row->pool_size;
	base->nr_rows++;
	return new;
}

static void pe_add_row(const struct pe_table_shape *shape, struct pe_table_row *to,
		       struct pe_table_row *row)
{
	const local_t *word = row->word + shape->nr_keys + shape->nr_notes;
	u64 val[PE_VAL_WORDS];
	unsigned int i;

	for (i = 0; i < shape->nr_vals; i++)
		val[i] = local_read(&word[i]);
	pe_row_add(shape, to, local_read(&row->hits), val);
}

static void pe_merge_row(const struct pe_table_shape *shape, struct pe_base *base,
			 struct pe_table_row *row, const u64 *pool)
{
	u32 *place = pe_find_place(shape, base, row, pool);

	if (*place) {
		pe_add_row(shape, pe_base_row(shape, base, *place - 1), row);
	} else if (base->nr_rows < base->max_rows &&
		   base->pool_used + row->pool_size <= base->pool_words) {
		pe_new_row(shape, base, row, pool);
		*place = base->nr_rows;
	} else {
		pe_add_row(shape, pe_base_other(shape, base), row);
	}
}

void pe_base_move(const struct pe_table_shape *shape, struct pe_base *to,
		  const struct pe_base *from)
{
	unsigned int i;

	to->nr_rows = 0;
	to->pool_used = 0;
	to->paused = from->paused;
	to->filtered = from->filtered;
	to->unset = from->unset;
	pe_row_clear_vals(shape, pe_base_other(shape, to));
	if (!from->rows)
		return;
	for (i = 0; i < from->nr_rows; i++) {
		pe_merge_row(shape, to, pe_base_row(shape, from, i), from->pool);
		if (!(i % 256))
			cond_resched();
	}
	pe_add_row(shape, pe_base_other(shape, to), pe_base_other(shape, from));
}

void pe_base_copy(const struct pe_table_shape *shape, struct pe_base *to,
		  const struct pe_base *from)
{
	memcpy(to->rows, from->rows, (size_t)from->nr_rows * shape->row_size);
	memcpy(pe_base_other(shape, to), pe_base_other(shape, from), shape->row_size);
	memcpy(to->pool, from->pool, from->pool_used * sizeof(u64));
	to->nr_rows = from->nr_rows;
	to->pool_used = from->pool_used;
	to->paused = from->paused;
	to->filtered = from->filtered;
	to->unset = from->unset;
}

u64 pe_base_merge(const struct pe_table_shape *shape, struct pe_base *base, struct pe_bank *bank)
{
	u64 hits = local_read(&pe_bank_other(shape, bank)->hits);
	const u64 *pool = pe_bank_pool(shape, bank);
	struct pe_table_row *row;
	unsigned int i;

	for (i = 0; i < pe_bank_all_rows(bank->nr_rows); i++) {
		row = pe_table_row(shape, bank->rows, i);
		if (local_read(&row->tag))
			pe_merge_row(shape, base, row, pool);
		hits += local_read(&row->hits);
		if (!(i % 256))
			cond_resched();
	}
	pe_add_row(shape, pe_base_other(shape, base), pe_bank_other(shape, bank));
	base->paused += local_read(&bank->paused);
	base->filtered += local_read(&bank->filtered);
	base->unset += local_read(&bank->unset);
	return hits;
}

u64 pe_base_hits(const struct pe_table_shape *shape, const struct pe_base *base)
{
	u64 hits = 0;
	unsigned int i;

	for (i = 0; i < base->nr_rows; i++)
		hits += local_read(&pe_base_row(shape, base, i)->hits);
	return hits;
}
