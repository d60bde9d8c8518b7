/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - functions by name (symbols.c); the others are in <pe/kprobe.h>.
 *
 * All in process context.
 */
#ifndef PE_SYMBOLS_H
#define PE_SYMBOLS_H

#include <pe/kprobe.h>

/**
 * struct pe_named - functions in a list, each with a reason
 * @name: of one function; if it ends in '*', of all whose names begin with it
 * @reason: why the functions are listed
 */
struct pe_named {
	const char *name, *reason;
};

void pe_symbol_name(unsigned long addr, char *name);
bool pe_name_matches(const char *name, const char *pattern);
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n);

#endif
