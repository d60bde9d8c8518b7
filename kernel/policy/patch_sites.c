// SPDX-License-Identifier: GPL-2.0
/*
 * patch_sites.c - where jump labels and static calls rewrite the kernel's own text.
 *
 * Both have tables of their sites, which are sorted by key.  So the kernel searches them from
 * end to end, and decodes each jump label's instruction on the way.  The table here is a map of
 * the text (table.c), with a bit for each UNIT bytes in which a site begins.  It only rules out:
 * where the bit is set, the caller has to ask the kernel.
 *
 * The kernel's own tables do not change after boot.  Modules have tables of their own, which
 * come and go; the map does not speak of their text.
 */
#include <linux/bitops.h>
#include <linux/jump_label.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/static_call_types.h>
#include "kernel/ksyms.h"
#include "kernel/policy/policy.h"
#include "kernel/table.h"

#define UNIT		16ul
#define SITE_MAX	6ul	/* bytes that are rewritten, or more */

/* Of the kernel's text; an address that is not there has a large one. */
static unsigned long pe_offset_of(unsigned long addr)
{
	return addr - (unsigned long)pe_ks_data._stext;
}

static unsigned long pe_patch_sites_text_size(void)
{
	return pe_offset_of((unsigned long)pe_ks_data._etext);
}

static void pe_patch_sites_mark(unsigned long *map, unsigned long addr)
{
	unsigned long offset = pe_offset_of(addr);

	if (offset < pe_patch_sites_text_size())
		__set_bit(offset / UNIT, map);
}

/* Return: false if the kernel has jump labels, but their table was not found. */
static bool pe_patch_sites_mark_jump_labels(unsigned long *map)
{
#ifdef CONFIG_JUMP_LABEL
	const struct jump_entry *e;

	if (!pe_ks_data.__start___jump_table || !pe_ks_data.__stop___jump_table)
		return false;
	for (e = pe_ks_data.__start___jump_table; e < pe_ks_data.__stop___jump_table; e++)
		pe_patch_sites_mark(map, jump_entry_code(e));
#endif
	return true;
}

/* The same of static calls.  The table has distances from its own entries. */
static bool pe_mark_static_calls(unsigned long *map)
{
#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
	const struct static_call_site *s;

	if (!pe_ks_data.__start_static_call_sites || !pe_ks_data.__stop_static_call_sites)
		return false;
	for (s = pe_ks_data.__start_static_call_sites; s < pe_ks_data.__stop_static_call_sites; s++)
		pe_patch_sites_mark(map, (unsigned long)&s->addr + s->addr);
#endif
	return true;
}

static void *pe_map_make(void)
{
	unsigned long *map;

	if (!pe_ks_data._stext || !pe_ks_data._etext)
		return NULL;
	map = kvcalloc(BITS_TO_LONGS(DIV_ROUND_UP(pe_patch_sites_text_size(), UNIT)), sizeof(*map),
		       GFP_KERNEL | __GFP_NOWARN);
	if (!map || (pe_patch_sites_mark_jump_labels(map) && pe_mark_static_calls(map)))
		return map;
	kvfree(map);
	return NULL;
}

static struct pe_table pe_map_table = { .make = pe_map_make };

/**
 * pe_patch_site_may_be() - may a jump label or a static call own a byte?
 * @start: the first one
 * @last: the last one
 *
 * Context: process, may sleep.  Return: false if none does.
 */
bool pe_patch_site_may_be(unsigned long start, unsigned long last)
{
	unsigned long first = pe_offset_of(start) - (SITE_MAX - 1), end = pe_offset_of(last), bit;
	const unsigned long *map;
	bool may = true;

	if (first >= pe_patch_sites_text_size() || end >= pe_patch_sites_text_size() || first > end)
		return true;
	map = pe_table_ask(&pe_map_table);
	if (map) {
		bit = find_next_bit(map, end / UNIT + 1, first / UNIT);
		may = bit <= end / UNIT;
	}
	pe_table_asked();
	return may;
}
