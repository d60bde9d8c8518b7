/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table.h - tables: what the hits of histogram triggers are counted in.
 *
 *   table.c		life; banks, merges, cuts
 *   vars.c		variables
 *   table_env.c	the kernel's answers to printers
 *
 * Process context.
 */
#ifndef PE_TABLE_H
#define PE_TABLE_H

#include <linux/types.h>
#include <linux/wait.h>

struct pe_hist;
struct pe_table;
struct pe_table_hits;
struct pe_table_view;

/* table.c */

/* Readers that wait for a merge. */
extern wait_queue_head_t pe_tables_wait;

int pe_hist_tables_init(void);	/* 0 or -errno */
void pe_hist_tables_exit(void);	/* no table is left */

/**
 * pe_table_may_take() - may a trigger count in the table of its name?
 * @hist: what it asks for
 *
 * It must fit what the first one has asked for, and not refer to a variable of the table: then it
 * would hold what it counts in, and could never be removed.
 *
 * Return: also true if the trigger has no name, or there is no such table.
 */
bool pe_table_may_take(const struct pe_hist *hist);

/**
 * pe_table_get() - a table for a trigger
 * @hist: what the trigger asks for.  If a table has its name, it must fit
 * @clock: enum pe_clock_id
 *
 * Return: the table, for pe_table_put(); ERR_PTR(-ENOMEM).
 */
struct pe_table *pe_table_get(const struct pe_hist *hist, unsigned int clock);
/* No hit uses it any more on behalf of this trigger. */
void pe_table_put(struct pe_table *table);

/* Another trigger reads its variables: it stays until that has gone, too. */
void pe_table_refer(struct pe_table *table);
void pe_table_unrefer(struct pe_table *table);
unsigned int pe_table_refs(const struct pe_table *table);

/* The part of a table that hits see, and back. */
struct pe_table_hits *pe_table_hits(struct pe_table *table);
struct pe_table *pe_table_of(struct pe_table_hits *hits);

/* Forget all hits that came before now.  It waits for hits. */
int pe_table_clear(struct pe_table *table);	/* 0, or -ENOMEM: nothing has been cleared */

/**
 * pe_table_view() - what a table has counted up to now
 * @table: the table
 * @hist: what the trigger asks for, of which it is seen
 * @take: and clear it, at the same moment
 *
 * It waits for hits.  The caller sets ->filter and ->paused.
 *
 * Return: for pe_table_view_free(); ERR_PTR(-ENOMEM), and then nothing has been cleared.
 */
struct pe_table_view *pe_table_view(struct pe_table *table, const struct pe_hist *hist, bool take);
void pe_table_view_free(struct pe_table_view *view);

/* How many hits have come to be seen, ever. */
u64 pe_table_merged(const struct pe_table *table);

/* Bytes of all tables. */
size_t pe_tables_memory(void);

#endif
