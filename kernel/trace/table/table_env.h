/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table_env.h - the kernel's answers to printers of tables.
 *
 * Seams: table_env.c in the module, tests/unit/stubs.c in user space.
 */
#ifndef PE_TABLE_ENV_H
#define PE_TABLE_ENV_H

#include <linux/types.h>

/* "name [module]", as %ps prints it; cut at @size. */
int pe_table_symbol(char *buf, size_t size, unsigned long addr);
/* "sys_NAME" of a system call's number; false: there is none, or its name is not known. */
bool pe_table_syscall(char *buf, size_t size, u64 nr);

#endif
