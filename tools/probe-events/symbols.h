/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * symbols.h - names of addresses.  Pure: the text of kallsyms comes from the caller.
 */
#ifndef PE_TOOL_SYMBOLS_H
#define PE_TOOL_SYMBOLS_H

#include <stddef.h>
#include "functions.h"

/**
 * symbols_load() - be able to name addresses
 * @all: gets all functions by address, for functions_free()
 * @kallsyms: the text of /proc/kallsyms; cut into its words, and needed as long as @all
 *
 * Return: 0, or -1 without memory.
 */
int symbols_load(struct functions *all, char *kallsyms);

/**
 * symbols_find() - the function that an address is in
 * @all: of symbols_load()
 * @addr: the address, as 0x...
 *
 * Return: the function; NULL: none is known, or its address is hidden.
 */
const struct function *symbols_find(const struct functions *all, const char *addr);

/**
 * symbols_print() - the function that an address is in, or the address
 * @all: of symbols_load()
 * @text: gets it
 * @size: of @text
 * @addr: the address, as 0x...
 */
void symbols_print(const struct functions *all, char *text, size_t size, const char *addr);

/**
 * symbols_load_data() - be able to name variables
 * @all: gets all variables by address, for functions_free()
 * @kallsyms: the text of /proc/kallsyms; cut into its words, and needed as long as @all
 *
 * Return: 0, or -1 without memory.
 */
int symbols_load_data(struct functions *all, char *kallsyms);

/** symbols_exact() - the variable that begins at an address; NULL: none does */
const char *symbols_exact(const struct functions *all, unsigned long long addr);

#endif
