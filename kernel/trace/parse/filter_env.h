/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * filter_env.h - the kernel's answers to filters.
 */
#ifndef PE_FILTER_ENV_H
#define PE_FILTER_ENV_H

#include <linux/types.h>

/*
 * Seams: filter_env.c in the module, tests/unit/stubs.c in user space.
 *
 * pe_env_cpus() is the number of possible CPUs.  pe_env_cpu_list() fills @set
 * (as many bits, in longs) from a list like "0-3,7"; 0 or -errno.
 * pe_env_function() finds the function called @name, or the one at @addr if
 * @name is NULL.  It returns false if there is none.
 */
unsigned int pe_env_cpus(void);
int pe_env_cpu_list(const char *list, unsigned long *set);
bool pe_env_function(const char *name, unsigned long addr, u64 *start, u64 *end);

#endif
