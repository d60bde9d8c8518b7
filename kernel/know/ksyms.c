// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ksyms.c - find kernel symbols that are not exported.
 *
 * kallsyms_lookup_name() is not exported, but sprint_symbol() is.  The two come from
 * one object file of the kernel.  So:
 *
 *   1. walk the addresses around sprint_symbol(), in both directions, in steps
 *      of the alignment of functions, and ask sprint_symbol() for the name of
 *      each, until one says "kallsyms_lookup_name+0x0";
 *   2. make a static call of it, and use that to find all the others.
 *
 * Nothing is called through a pointer: CPUs that want a mark where indirect calls lead find none
 * at a function that the kernel never calls so.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "kernel/know/ksyms.h"

#define SCAN_STEP	PE_ARCH_FUNCTION_ALIGN
#define SCAN_REACH	(64 * 1024)

static bool pe_is_lookup_name(unsigned long addr)
{
	static const char want[] = "kallsyms_lookup_name+0x0/";
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, addr);
	return !strncmp(name, want, sizeof(want) - 1);
}

static unsigned long pe_scan_for_lookup_name(void)
{
	unsigned long base = (unsigned long)sprint_symbol & ~(SCAN_STEP - 1UL);
	unsigned long off;

	for (off = 0; off < SCAN_REACH; off += SCAN_STEP) {
		if (pe_is_lookup_name(base - off))
			return base - off;
		if (pe_is_lookup_name(base + off))
			return base + off;
	}
	return 0;
}

/* Each that is missing is named: a new kernel lacks several. */
static bool pe_is_missing(const char *name)
{
	pr_err("this kernel has no symbol %s, which is needed\n", name);
	return true;
}

#define KSYM_RESOLVE(name, required, ...)				\
	do {								\
		unsigned long addr = pe_ksym_address(#name);		\
									\
		if (addr) {						\
			static_call_update(pe_ks_##name,		\
					   (pe_ks_t_##name *)addr);	\
			pe_ksym_found[PE_KSYM_##name] = true;		\
		} else if (required) {					\
			missing = pe_is_missing(#name);			\
		}							\
	} while (0);

#define KSYM_RESOLVE_DATA(name, required, type)				\
	do {								\
		pe_ks_data.name = (type *)pe_ksym_address(#name);	\
		if (!pe_ks_data.name && (required))			\
			missing = pe_is_missing(#name);			\
	} while (0);

/* Return: is one missing? */
static bool pe_resolve_all(void)
{
	bool missing = false;

	PE_KSYM_FUNCS(KSYM_RESOLVE)
	KSYM_RESOLVE(module_kallsyms_on_each_symbol, 1)
	PE_KSYM_DATA(KSYM_RESOLVE_DATA)
	return missing;
}

/**
 * pe_ksyms_init() - find all symbols; the module's first step
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOENT if a required symbol is missing (its name is logged).
 */
int pe_ksyms_init(void)
{
	unsigned long addr = pe_scan_for_lookup_name();

	if (!addr) {
		pr_err("cannot find kallsyms_lookup_name near sprint_symbol\n");
		return -ENOENT;
	}
	static_call_update(pe_ks_kallsyms_lookup_name,
			   (pe_ks_t_kallsyms_lookup_name *)addr);

	return pe_resolve_all() ? -ENOENT : 0;
}
