// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * filter_env.c - the kernel's answers to filters.  Process context, except for
 * pe_env_cpus(), which is [H].
 */
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <pe/symbols.h>
#include "filter_env.h"

unsigned int pe_env_cpus(void)
{
	return nr_cpu_ids;
}

int pe_env_cpu_list(const char *list, unsigned long *set)
{
	return bitmap_parselist(list, set, nr_cpu_ids);
}

bool pe_env_function(const char *name, unsigned long addr, u64 *start, u64 *end)
{
	unsigned long first, size;

	if (name)
		addr = pe_symbol_lookup(name);
	if (!addr || !pe_symbol_at(addr, &first, &size))
		return false;
	*start = first;
	*end = first + size;
	return true;
}
