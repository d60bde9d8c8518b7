/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table_internal.h - a table, for table.c and table_read.c.
 */
#ifndef PE_TABLE_INTERNAL_H
#define PE_TABLE_INTERNAL_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "base.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

/**
 * struct pe_table - a table
 * @hits: what hits see
 * @list: in pe_tables
 * @users: triggers that count in it, and those that refer to its variables
 * @refs: those that refer to its variables
 * @hist: what the first of them has asked for
 * @base: all rows that have been merged
 * @since: when it was made or cleared
 * @cleared: hits that clearing has taken away
 * @merged: hits that have come to @base, ever
 * @bank_rows: of banks to be made
 * @epoch: its last bit says which banks hits count in
 * @flipped: banks of the other epoch wait to be merged
 */
struct pe_table {
	struct pe_table_hits hits;
	struct list_head list;
	unsigned int users;
	unsigned int refs;
	struct pe_hist hist;
	struct pe_base base;
	u64 since;
	u64 cleared;
	u64 merged;
	unsigned int bank_rows;
	unsigned int epoch;
	bool flipped;
};

extern struct mutex pe_tables_mutex;
extern struct list_head pe_tables;
extern cpumask_t pe_table_cpus;		/* that have ever been online */

/* table.c, under pe_tables_mutex */

/* A CPU's bank of an epoch, or NULL. */
struct pe_bank *pe_bank_of(const struct pe_table *table, unsigned int cpu, unsigned int epoch);
/* All hits up to now are in the base then; or ->flipped says that there was no memory. */
void pe_table_cut(struct pe_table *table);

#endif
