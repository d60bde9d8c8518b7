// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hidden.c - the text that our writes to it hide: at sites, and in padding.
 *
 * Code that decodes text wants it as it is without probes, and no other probe may come where bytes
 * of the text are hidden.  A site knows what is hidden there (struct pe_text_site); padding is in a
 * table here.
 */
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include "kernel/engine.h"
#include "kernel/probe/hidden.h"
#include "kernel/probe/site.h"

#define ISLAND_HASH_BITS	8
#define BLOCK_BITS		4
static DEFINE_HASHTABLE(pe_islands, ISLAND_HASH_BITS);

unsigned int pe_nr_breakpoints;

void pe_hide(struct pe_hidden *hidden)
{
	lockdep_assert_held(&pe_mutex);
	hash_add_rcu(pe_islands, &hidden->node, hidden->at >> BLOCK_BITS);
}

void pe_unhide(struct pe_hidden *hidden)
{
	lockdep_assert_held(&pe_mutex);
	hash_del_rcu(&hidden->node);
}

bool pe_hidden_any(void)
{
	lockdep_assert_held(&pe_mutex);
	return pe_nr_breakpoints || !hash_empty(pe_islands);
}

static unsigned long pe_first_block(unsigned long addr)
{
	return (addr - PE_ARCH_JUMP_SIZE + 1) >> BLOCK_BITS;
}

static bool pe_islands_overlaps(const struct pe_hidden *island, unsigned long addr, size_t len)
{
	return island->at < addr + len && addr < island->at + PE_ARCH_JUMP_SIZE;
}

/* No lockdep: optprobe.c calls it where ftrace does. */
bool pe_island_in(unsigned long addr, unsigned int len)
{
	unsigned long block;
	struct pe_hidden *island;

	for (block = pe_first_block(addr); block <= (addr + len - 1) >> BLOCK_BITS; block++) {
		hash_for_each_possible_rcu_notrace(pe_islands, island, node, block) {
			if (pe_islands_overlaps(island, addr, len))
				return true;
		}
	}
	return false;
}

bool pe_jump_covers(unsigned long addr)
{
	const struct pe_site *site;
	unsigned int back;

	for (back = 0; back < PE_ARCH_WINDOW_MAX; back++) {
		site = pe_site_find(addr - back);
		if (site && pe_site_covered(site) > back)
			return true;
	}
	return false;
}

/* Put back what is in the copy of @nr bytes @was at @at. */
static void pe_put_back(u8 *code, unsigned long start, size_t len, unsigned long at, const u8 *was,
			size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (at + i - start < len)
			code[at + i - start] = was[i];
	}
}

static void pe_islands_recover(u8 *code, unsigned long start, size_t len)
{
	struct pe_hidden *island;
	unsigned long block;

	if (hash_empty(pe_islands) || !len)
		return;
	for (block = pe_first_block(start); block <= (start + len - 1) >> BLOCK_BITS; block++) {
		hash_for_each_possible(pe_islands, island, node, block)
			pe_put_back(code, start, len, island->at, island->was,
				    PE_ARCH_JUMP_SIZE);
	}
}

/* How many bytes @was our breakpoint or jump at the site hides. */
static size_t pe_hidden_by(const struct pe_site *site, const u8 **was)
{
	if (!site || !site->text)
		return 0;
#ifndef PE_NO_JUMPS
	if (site->text->jump && site->text->jump->is_put) {
		*was = site->text->jump->was;
		return pe_arch_jump_length(site->text->jump);
	}
#endif
	*was = site->text->arch.insn;
	return pe_site_is_armed(site) ? PE_ARCH_BREAKPOINT_SIZE : 0;
}

/* The same of what our breakpoint or jump at @at hides.  @least: bytes, or it is not ours. */
static void pe_site_recover(u8 *code, unsigned long start, size_t len, unsigned long at,
			    size_t least)
{
	const u8 *was;
	size_t nr = pe_hidden_by(pe_site_find(at), &was);

	if (nr >= least)
		pe_put_back(code, start, len, at, was, nr);
}

void pe_hidden_recover(u8 *code, unsigned long start, size_t len)
{
	size_t i;

	lockdep_assert_held(&pe_mutex);
	pe_arch_recover(code, start, len);
	pe_islands_recover(code, start, len);
	for (i = 1; i < PE_ARCH_WINDOW_MAX; i++)	/* a jump may begin before @start */
		pe_site_recover(code, start, len, start - i, 2);
	for (i = 0; i < len; i++) {
		if (pe_arch_is_breakpoint(code[i]))
			pe_site_recover(code, start, len, start + i, 1);
		else if (pe_arch_may_jump(code[i]))
			pe_site_recover(code, start, len, start + i, 2);
	}
}
