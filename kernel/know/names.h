/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * names.h - functions by name (symbols.c), symbols of modules (module_names.c) and of the kernel
 * (name_index.c); the others are in <pe/kprobe.h>.
 *
 * All in process context.
 */
#ifndef PE_KNOW_NAMES_H
#define PE_KNOW_NAMES_H

#include <pe/kprobe.h>

/**
 * struct pe_named - functions in a list, each with a reason
 * @name: of one function; if it ends in '*', of all functions with names that begin so
 * @reason: why the functions are listed
 * @must: the kernel must have it, since it is configured so: if not, it has it under another name
 * @or: the other name that is known; it has a row of its own
 */
struct pe_named {
	const char *name, *reason;
	bool must;
	const char *or;
};

void pe_symbol_name(unsigned long addr, char *name);
bool pe_name_matches(const char *name, const char *pattern);
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n);
bool pe_kernel_has(const char *name, const char *or);
bool pe_named_complete(const struct pe_named *list, unsigned int n);

/* policy/blacklist.c: is it code or data of ours, or of a protected module?  Any context. */
bool pe_prober_owns(unsigned long addr);

/* traceable.c: is @addr an instruction that ftrace patches?  Process context. */
bool pe_ftrace_owns(unsigned long addr);

/* module_names.c */

/* Not 0: the search ends. */
typedef int pe_module_symbol_t(void *data, const char *name, unsigned long addr);

/* Call @fn for every symbol of the module @modname; NULL: of all modules. */
void pe_module_symbols(const char *modname, pe_module_symbol_t *fn, void *data);
bool pe_module_may_have(const char *name);
void pe_module_names_forget(void);

/* For tables of names.  The hash is not 0. */
u32 pe_name_hash(const char *name);
int pe_count_name(void *data, const char *name, unsigned long addr);	/* a size_t at @data */

/* name_index.c */

/* Call @fn for every symbol of the kernel itself.  Return: what the last call has returned. */
int pe_kernel_symbols(pe_module_symbol_t *fn, void *data);
/* Not 0: the search ends. */
typedef int pe_match_t(void *data, unsigned long addr);

/*
 * Call @fn for every symbol of the kernel itself with a name, in the order of their addresses.  It
 * must look for no symbols.
 */
void pe_kernel_matches(const char *name, pe_match_t *fn, void *data);

#endif
