// SPDX-License-Identifier: GPL-2.0
/*
 * hidden.c - the text that our writes to it hide: at sites, and in padding.
 *
 * Code that decodes text wants it as it is without probes, and no other probe may come where bytes
 * of the text are hidden.  A site knows what is hidden there (struct pe_text_site); padding is in a
 * table here.
 */
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "kernel/kprobes.h"
#include "kernel/probe/hidden.h"
#include "kernel/probe/site.h"

#define ISLAND_HASH_BITS	8
#define BLOCK_BITS		4
static DEFINE_HASHTABLE(pe_islands, ISLAND_HASH_BITS);

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

bool pe_islands_any(void)
{
	lockdep_assert_held(&pe_mutex);
	return !hash_empty(pe_islands);
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

static void pe_island_recover(const struct pe_hidden *island, u8 *code, unsigned long start,
			      size_t len)
{
	unsigned int i;

	for (i = 0; i < PE_ARCH_JUMP_SIZE; i++) {
		if (island->at + i - start < len)
			code[island->at + i - start] = island->was[i];
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
			pe_island_recover(island, code, start, len);
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
	return pe_site_is_armed(site);
}

void pe_hidden_recover(u8 *code, unsigned long start, size_t len)
{
	const u8 *was;
	size_t i, nr;

	lockdep_assert_held(&pe_mutex);
	pe_islands_recover(code, start, len);
	for (i = 1; i < PE_ARCH_WINDOW_MAX; i++) {	/* a jump may begin before @start */
		nr = pe_hidden_by(pe_site_find(start - i), &was);
		if (nr > i)
			memcpy(code, was + i, min(len, nr - i));
	}
}

/* If text at a site with a breakpoint looks like a jump, the jump is not ours. */
bool pe_hidden_at_site(u8 *code, unsigned long start, size_t len, bool breakpoint)
{
	const struct pe_site *site = pe_site_find(start);
	const u8 *was;
	size_t nr = pe_hidden_by(site, &was);
	bool jump = nr > 1;

	if (nr && (jump || breakpoint))
		memcpy(code, was, min(len, nr));
	return jump || (site && breakpoint);
}
