/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * base.h - all rows of a table, merged from its CPUs' banks.
 *
 * Process context only.  The rows are as those of a bank; an index finds them by their hash.
 *
 *   base.c	its memory
 *   merge.c	add a bank's rows
 *   fit.c	which triggers may share a table
 *   view.c	rows in the order in which they are shown
 */
#ifndef PE_TABLE_BASE_H
#define PE_TABLE_BASE_H

#include <linux/types.h>
#include "kernel/trace/hit/table_hit.h"

/**
 * struct pe_base - rows of a table
 * @rows: room for @max_rows, and the row of all others; NULL: there has been no hit
 * @index: 2 * @max_rows numbers of rows from 1 on; 0 is no row
 * @pool: texts and stacks
 * @nr_rows: rows that are used
 * @max_rows: a power of 2
 * @pool_used: words
 * @pool_words: likewise, the room
 * @paused: hits that came while a trigger was paused
 * @filtered: hits that did not pass a trigger's filter
 * @unset: hits that found a variable not set
 */
struct pe_base {
	void *rows;
	u32 *index;
	u64 *pool;
	u32 nr_rows;
	u32 max_rows;
	size_t pool_used;
	size_t pool_words;
	u64 paused;
	u64 filtered;
	u64 unset;
};

/* base.c */

/* An empty base with so much room.  0 or -ENOMEM. */
int pe_base_alloc(struct pe_base *base, const struct pe_table_shape *shape,
		  unsigned int max_rows, size_t pool_words);
void pe_base_free(struct pe_base *base);	/* it is empty then */

/* fit.c */

/* May @hist count in the table that @first has made?  Both are from pe_hist_finish(). */
bool pe_table_fits(const struct pe_hist *first, const struct pe_hist *hist);

/* merge.c */

static inline struct pe_table_row *pe_base_row(const struct pe_table_shape *shape,
					       const struct pe_base *base, unsigned int i)
{
	return pe_table_row(shape, base->rows, i);
}

static inline struct pe_table_row *pe_base_other(const struct pe_table_shape *shape,
						 const struct pe_base *base)
{
	return pe_base_row(shape, base, base->max_rows);
}

/**
 * struct pe_base_room - the sizes of a base's memory
 * @rows: bytes of ->rows
 * @index: of ->index
 * @pool: of ->pool
 */
struct pe_base_room {
	size_t rows;
	size_t index;
	size_t pool;
};

/* The sizes of a base with room for so many rows and pool words. */
void pe_base_sizes(struct pe_base_room *room, const struct pe_table_shape *shape,
		   unsigned int max_rows, size_t pool_words);

/**
 * pe_base_copy() - copy all rows, to be read only: @to has no index
 * @shape: of the table
 * @to: empty, with room for all
 * @from: has rows
 */
void pe_base_copy(const struct pe_table_shape *shape, struct pe_base *to,
		  const struct pe_base *from);

/**
 * pe_base_move() - move all rows to more room
 * @shape: of the table
 * @to: its three arrays, zeroed, and their sizes; all else is filled
 * @from: may be empty; its arrays can be freed then
 */
void pe_base_move(const struct pe_table_shape *shape, struct pe_base *to,
		  const struct pe_base *from);

/**
 * pe_base_merge() - add the rows of a bank
 * @shape: of the table
 * @base: has room, or what does not fit goes to the row of all others
 * @bank: which nothing writes meanwhile
 *
 * Return: hits that have come to the base.
 */
u64 pe_base_merge(const struct pe_table_shape *shape, struct pe_base *base,
		  struct pe_bank *bank);

/* Hits in rows, that of all others not counted. */
u64 pe_base_hits(const struct pe_table_shape *shape, const struct pe_base *base);

#endif
