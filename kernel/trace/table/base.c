// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * base.c - the memory of a table's base.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "base.h"

void pe_base_free(struct pe_base *base)
{
	kvfree(base->rows);
	kvfree(base->index);
	kvfree(base->pool);
	base->rows = NULL;
	base->index = NULL;
	base->pool = NULL;
	base->nr_rows = 0;
	base->max_rows = 0;
	base->pool_used = 0;
	base->pool_words = 0;
}

int pe_base_alloc(struct pe_base *base, const struct pe_table_shape *shape,
		  unsigned int max_rows, size_t pool_words)
{
	struct pe_base_room room;

	pe_base_sizes(&room, shape, max_rows, pool_words);
	base->max_rows = max_rows;
	base->pool_words = pool_words;
	base->rows = kvzalloc(room.rows, GFP_KERNEL_ACCOUNT);
	base->index = kvzalloc(room.index, GFP_KERNEL_ACCOUNT);
	base->pool = kvzalloc(room.pool, GFP_KERNEL_ACCOUNT);
	if (base->rows && base->index && base->pool)
		return 0;
	pe_base_free(base);
	return -ENOMEM;
}
