// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * no_code.c - in place of the other files here, on an architecture that compiles no hits.
 */
#include <linux/export.h>
#include <pe/code.h>
#include <pe/kretprobe.h>

void pe_code_usage(struct pe_code_usage *usage)
{
	*usage = (struct pe_code_usage){};
}
EXPORT_SYMBOL_GPL(pe_code_usage);

/* Calls have one way only. */
void pe_kretprobes_settle(void)
{
}
EXPORT_SYMBOL_GPL(pe_kretprobes_settle);
