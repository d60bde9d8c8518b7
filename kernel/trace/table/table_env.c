// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table_env.c - the kernel's answers to printers of tables.
 *
 * The kernel's names of system calls are in data that is not exported.  But its table of their
 * functions is among its symbols, and the functions are named after the calls.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/unistd.h>
#include <pe/nofault.h>
#include <pe/symbols.h>
#include "table_env.h"

int pe_table_symbol(char *buf, size_t size, unsigned long addr)
{
	return scnprintf(buf, size, "%ps", (void *)addr);
}

bool pe_table_syscall(char *buf, size_t size, u64 nr)
{
	unsigned long table = pe_symbol_lookup("sys_call_table"), function;
	char *name;

	if (!table || nr >= NR_syscalls ||
	    !pe_read_nofault(&function, table + nr * sizeof(function), sizeof(function)))
		return false;
	scnprintf(buf, size, "%ps", (void *)function);
	name = strstr(buf, "sys_");
	if (!name || !strcmp(name, "sys_ni_syscall"))
		return false;
	memmove(buf, name, strlen(name) + 1);
	return true;
}
