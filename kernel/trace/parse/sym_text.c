// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sym_text.c - addresses as text, for the printers and for symstr.  [H]
 *
 * The kernel's %pS looks the address up without locks that a hit could wait for
 * (modules under RCU), and uses about 600 bytes of stack.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sym_text.h"

int pe_sprint_symbol(char *buf, size_t size, unsigned long addr)
{
	return scnprintf(buf, size, "%pS", (void *)addr);
}

int pe_sprint_hashed(char *buf, size_t size, unsigned long addr)
{
	return scnprintf(buf, size, "0x%p", (void *)addr);
}

int pe_sprint_symbol_name(char *buf, size_t size, unsigned long addr)
{
	int len = scnprintf(buf, size, "%ps", (void *)addr);
	char *module = strchr(buf, ' ');

	if (!module)
		return len;
	*module = 0;
	return module - buf;
}
