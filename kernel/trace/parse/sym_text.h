/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * sym_text.h - addresses as text.
 *
 * Seams: pure code calls these, and the memory reads of include/pe/kprobe.h.
 * The module's are in sym_text.c, those of user space in tests/unit/stubs.c.
 * Any context.  Each cuts its text at @size and returns the length written,
 * without the NUL.
 */
#ifndef PE_SYM_TEXT_H
#define PE_SYM_TEXT_H

#include <linux/types.h>

/* "name+0xoff/0xsize [mod]", as %pS prints it. */
int pe_sprint_symbol(char *buf, size_t size, unsigned long addr);
/* The name alone. */
int pe_sprint_symbol_name(char *buf, size_t size, unsigned long addr);
/* "0x" and 16 digits, hashed as the kernel's %p prints pointers. */
int pe_sprint_hashed(char *buf, size_t size, unsigned long addr);

#endif
