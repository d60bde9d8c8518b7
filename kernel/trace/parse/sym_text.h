/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sym_text.h - addresses as text.
 *
 * Seams: with the memory reads of include/pe/kprobe.h, what the pure code asks of its
 * surroundings.  In the module they are in sym_text.c, in user space in
 * tests/unit/stubs.c.  Any context.  All cut at @size and return the length written,
 * without the NUL.
 */
#ifndef PE_SYM_TEXT_H
#define PE_SYM_TEXT_H

#include <linux/types.h>

/* "name+0xoff/0xsize [mod]", as %pS has it. */
int pe_sprint_symbol(char *buf, size_t size, unsigned long addr);
/* The name alone. */
int pe_sprint_symbol_name(char *buf, size_t size, unsigned long addr);
/* "0x" and 16 digits, as the kernel shows pointers to everybody: hashed. */
int pe_sprint_hashed(char *buf, size_t size, unsigned long addr);

#endif
