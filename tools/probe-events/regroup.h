/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * regroup.h - rows whose keys read the same become one.  Pure.
 *
 * Two addresses in one function are two rows of the modules' table.  Where a key is a name, they
 * are one.
 */
#ifndef PE_TOOL_REGROUP_H
#define PE_TOOL_REGROUP_H

#include "functions.h"
#include "table.h"

/**
 * regroup() - a table by some of its keys, and by names
 * @to: gets it, for table_free(); nothing of @from is needed later
 * @from: the table
 * @columns: numbers of the key columns that stay, in their new order
 * @nr: how many; 0: all becomes one row
 * @symbols: names of addresses; if it is empty, addresses stay what they are
 *
 * An address and a number with a name become a text, and a stack the list of its names.
 *
 * Return: 0, or -1 without memory.
 */
int regroup(struct table *to, const struct table *from, const size_t *columns, size_t nr,
	    const struct functions *symbols);

#endif
