/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * base_world.h - a table's merged rows in memory of the test's own.
 */
#ifndef PE_TEST_BASE_WORLD_H
#define PE_TEST_BASE_WORLD_H

#include "harness.h"
#include "kernel/trace/table/base.h"

/* For base_free(): room for @rows rows, and @words words of their keys. */
static inline void base_make(struct pe_base *base, const struct pe_table_shape *shape,
			     unsigned int rows, size_t words)
{
	struct pe_base none = { 0 };
	struct pe_base_room room;

	pe_base_sizes(&room, shape, rows, words);
	*base = (struct pe_base){ .max_rows = rows, .pool_words = words };
	base->rows = calloc(1, room.rows);
	base->index = calloc(1, room.index);
	base->pool = calloc(1, room.pool + 1);
	pe_base_move(shape, base, &none);
}

static inline void base_free(struct pe_base *base)
{
	free(base->rows);
	free(base->index);
	free(base->pool);
}

#endif
