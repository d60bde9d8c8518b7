/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * symbols.h - which symbols and functions there are, and where.
 */
#ifndef PE_ENGINE_SYMBOLS_H
#define PE_ENGINE_SYMBOLS_H

#include <linux/types.h>

/**
 * struct pe_symbol - the symbols with a name
 * @count: how many functions and data have it
 * @addr: of the first one, which is the kernel's own if the kernel has any; 0 if there is none
 * @in_module: that one is a module's, so it may go, and others may get its address
 */
struct pe_symbol {
	unsigned int count;
	unsigned long addr;
	bool in_module;
};

/*
 * Symbols.  Process context; each call may take milliseconds.
 *
 * pe_functions_each(): call @fn for each symbol in text; symbols.c.
 * pe_symbol_split(): SYM of "[MOD:]SYM"; MOD goes to @modname, of @size bytes, or "".
 * pe_symbol_lookup(): the address of "[MOD:]SYM", data symbols included; 0 if unknown.
 * pe_symbol_is_percpu(): is that the address of a variable of each CPU?
 * pe_symbol_find(): all symbols with the name.
 * pe_symbol_at(): start and size of the symbol that holds @addr; false if none does.
 */
typedef int pe_function_fn(void *data, const char *modname, const char *name, unsigned long addr);
bool pe_functions_each(const char *modname, pe_function_fn *fn, void *data);
const char *pe_symbol_split(const char *name, char *modname, size_t size);
unsigned long pe_symbol_lookup(const char *name);
bool pe_symbol_is_percpu(unsigned long addr);
void pe_symbol_find(const char *name, struct pe_symbol *found);
bool pe_symbol_at(unsigned long addr, unsigned long *start, unsigned long *size);

/*
 * pe_traceable_functions(): the entries of all functions that ftrace can trace, those of
 * modules as well.  The caller frees the array with kvfree(); it may be ERR_PTR(-ENOMEM).
 * Some functions may be gone when it returns.  Process context.
 * pe_traceable_known(): does the kernel have an ftrace to ask?
 */
unsigned long *pe_traceable_functions(size_t *nr);
bool pe_traceable_known(void);

/**
 * pe_addr_on_entry() - is this a function's entry?
 * @addr: address of the function's symbol
 * @offset: bytes from it
 *
 * Return: true for offset 0, and for the first byte past a mark that the architecture puts there.
 */
bool pe_addr_on_entry(unsigned long addr, unsigned long offset);

#endif
