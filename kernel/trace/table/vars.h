/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * vars.h - variables of tables.  Process context, under pe_tables_mutex.
 */
#ifndef PE_TABLE_VARS_H
#define PE_TABLE_VARS_H

#include <linux/types.h>

struct pe_hist;
struct pe_table_hits;
struct pe_table_shape;
struct pe_table_view;
struct pe_vars_map;

/* vars.c */

/* Would the variables of a trigger, from pe_hist_finish(), take too much memory? */
bool pe_vars_refused(const struct pe_hist *hist);

/* Room for the variables of a trigger's table; NULL: no memory. */
struct pe_vars_map *pe_vars_new(const struct pe_table_shape *shape, const struct pe_hist *hist);
void pe_vars_free(struct pe_vars_map *map);	/* no hit uses it; NULL is nothing */

/* Hits use @map, which is empty, from now on; NULL: nothing changes.  It waits for hits. */
void pe_vars_replace(struct pe_table_hits *table, struct pe_vars_map *map);

size_t pe_vars_bytes(const struct pe_vars_map *map);

/* Copy what actions have kept to view->kept, for each row of view->base.  0 or -ENOMEM. */
int pe_vars_view(struct pe_table_view *view, const struct pe_vars_map *map);

#endif
