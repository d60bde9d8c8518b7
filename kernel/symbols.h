/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - functions by name (symbols.c); the rest of it is in <pe/kprobe.h>.
 *
 * All process context.
 */
#ifndef PE_SYMBOLS_H
#define PE_SYMBOLS_H

#include <pe/kprobe.h>

/**
 * struct pe_named - functions in a list, and what the list says of them
 * @name: of one function; with '*' at its end, of all whose names begin with it
 * @reason: what is said
 */
struct pe_named {
	const char *name, *reason;
};

void pe_symbol_name(unsigned long addr, char *name);
bool pe_name_matches(const char *name, const char *pattern);
const char *pe_named_reason(unsigned long addr, const struct pe_named *list, unsigned int n);

#endif
