/* SPDX-License-Identifier: GPL-2.0 */
/*
 * set.h - what return/set.c and return/point.c know of each other.
 */
#ifndef PE_RETURN_SET_H
#define PE_RETURN_SET_H

#include <linux/list.h>
#include <linux/mutex.h>
#include "kernel/return/return.h"

/* All sets and points, their lists and slots; inside pe_mutex; never held while waiting. */
extern struct mutex pe_return_mutex;

/* return/set.c */
struct pe_return_set *pe_return_set_alloc(struct pe_site *site, struct pe_return_point *point,
					  unsigned int n);
void pe_return_set_free(struct pe_return_set *set);
void pe_return_flush_sets(void);
void pe_return_wait_for_arrivals(void);

/* return/point.c: all that exist; those that nothing but a late call needs */
extern struct list_head pe_return_points, pe_return_stale;

struct pe_refusal pe_return_point_make(struct pe_return_point **made, struct pe_site *site);
void pe_return_point_use(struct pe_site *site, struct pe_return_point *point);
void pe_return_point_drop(struct pe_return_point *point);
void pe_return_points_free(struct list_head *list);

#endif
