// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * no_jumps.c - in place of the other files here, on an architecture without jumps.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seq_file.h>
#include <pe/kprobe.h>
#include <pe/listing.h>

void pe_kprobes_show_detours(struct seq_file *m)
{
	seq_puts(m, "0 of 0\n");
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_detours);

int pe_kprobes_optimize(bool on)
{
	return on ? -EOPNOTSUPP : 0;
}
EXPORT_SYMBOL_GPL(pe_kprobes_optimize);

bool pe_kprobes_optimized(void)
{
	return false;
}
EXPORT_SYMBOL_GPL(pe_kprobes_optimized);
