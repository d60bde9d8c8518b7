/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * ret_set.h - functions that return/ret_set.c and return/ret_point.c have for each other.
 */
#ifndef PE_RET_SET_H
#define PE_RET_SET_H

#include <linux/list.h>
#include "kernel/return/return.h"

/* return/ret_set.c */
void pe_return_hurry_sets(void);
void pe_sets_drain_soon(void);
bool pe_return_is_stale(const struct pe_return_point *point);

/* return/ret_point.c */
struct pe_refusal pe_return_point_make(struct pe_return_point **made, struct pe_site *site);
void pe_return_point_use(struct pe_site *site, struct pe_return_point *point);
void pe_return_point_drop(struct pe_return_point *point);
void pe_return_points_let_go(void);

#endif
