// SPDX-License-Identifier: GPL-2.0
/*
 * no_jumps.c - in place of the other files here, on an architecture without jumps.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/seq_file.h>
#include <pe/kprobe.h>
#include "kernel/jump/jump.h"

void pe_jump_kick(void)
{
}

int pe_jump_make_way(struct list_head *sites, struct pe_site **culprit)
{
	*culprit = NULL;
	return 0;
}

void pe_jump_take_off(struct list_head *sites)
{
}

void pe_jump_forget(void)
{
}

void pe_jump_release(struct pe_site *site)
{
}

void pe_jump_site_changes(struct pe_site *site)
{
}

void pe_jump_site_gone(const struct pe_site *site)
{
}

size_t pe_jump_memory(const struct pe_site *site)
{
	return 0;
}

bool pe_jump_is_on(const struct pe_site *site)
{
	return false;
}

bool pe_jump_is_short(const struct pe_site *site)
{
	return false;
}

bool pe_jump_is_lost(const struct pe_site *site)
{
	return false;
}

const char *pe_jump_why_not(const struct pe_site *site)
{
	return "this architecture has no jumps";
}

bool pe_jumps_are_settled(void)
{
	return true;
}

void pe_jumps_exit(void)
{
}

size_t pe_detours_memory(void)
{
	return 0;
}

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
