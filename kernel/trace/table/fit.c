// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fit.c - which triggers may share a table.  [P]
 */
#include <linux/types.h>
#include "base.h"
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/parse/hist.h"

/*
 * Hits write what their own trigger says, with what is looked up, and into room, as the first
 * trigger's shape has them.
 */
bool pe_table_fits(const struct pe_hist *first, const struct pe_hist *hist)
{
	struct pe_table_shape a, b;

	if (!pe_hist_same(first, hist) || !pe_hist_same_saves(first, hist))
		return false;
	pe_table_shape(&a, first);
	pe_table_shape(&b, hist);
	return a.needs == b.needs;
}
