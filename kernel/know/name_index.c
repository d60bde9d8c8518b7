// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * name_index.c - the kernel's own symbols, by name.
 *
 * Since 6.2 the kernel has them sorted by name.  An older one uncompresses all names, one after the
 * other, until the one that is looked for comes.  Loading the engine looks for 200 names.  So
 * there is an index for such a kernel: a hash of each name, in a place that the hash chooses, and
 * the address.  It is a table that is freed when nothing has been looked for (lookup_cache.c).
 *
 * A hash is not a name.  The kernel knows which symbol is at an address, and tells it quickly; if
 * it tells another name than the one that is looked for, that may be another name of the same
 * address.  Then all symbols are looked at, as without an index.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "kernel/know/ksyms.h"
#include "kernel/know/lookup_cache.h"
#include "kernel/know/names.h"

#if PE_HAVE_SYMBOL_FN_NO_MODULE
int pe_kernel_symbols(pe_module_symbol_t *fn, void *data)
{
	return pe_ks(kallsyms_on_each_symbol)(fn, data);
}
#else
struct walk {
	pe_module_symbol_t *fn;
	void *data;
};

static int pe_walk_symbol(void *data, const char *name, struct module *mod, unsigned long addr)
{
	const struct walk *walk = data;

	return mod ? 0 : walk->fn(walk->data, name, addr);
}

int pe_kernel_symbols(pe_module_symbol_t *fn, void *data)
{
	struct walk walk = { .fn = fn, .data = data };

	return pe_ks(kallsyms_on_each_symbol)(pe_walk_symbol, &walk);
}
#endif

#if PE_HAVE_KALLSYMS_MATCH
void pe_kernel_matches(const char *name, pe_match_t *fn, void *data)
{
	pe_ks(kallsyms_on_each_match_symbol)(fn, name, data);
}

unsigned long pe_ksym_address(const char *name)
{
	return pe_ks(kallsyms_lookup_name)(name);
}
#else
/**
 * struct place - a symbol
 * @hash: of its name; 0: nothing is here
 * @addr: sign-extended, its address: the kernel's image and per-CPU variables are at the ends
 */
struct place {
	u32 hash;
	s32 addr;
};

/**
 * struct index - the table
 * @room: symbols that fit, with every fifth place free
 * @nr: symbols in it
 * @mask: places, less one; a power of two, less one
 * @places: by the low bits of hashes, or the next that was free.  Symbols of one name are there in
 *	the order of the kernel's table, which is that of addresses
 */
struct index {
	size_t room, nr;
	u32 mask;
	struct place places[];
};

struct match {
	const char *name;
	pe_match_t *fn;
	void *data;
};

/* Not 0, which ends the walk: it does not fit. */
static int pe_index_add(void *data, const char *name, unsigned long addr)
{
	struct index *index = data;
	u32 hash = pe_name_hash(name);
	u32 i = hash & index->mask;

	if (++index->nr > index->room || (unsigned long)(long)(s32)addr != addr)
		return 1;
	while (index->places[i].hash)
		i = (i + 1) & index->mask;
	index->places[i] = (struct place){ hash, addr };
	return 0;
}

static void *pe_index_make(void)
{
	struct index *index;
	size_t room = 0, places;

	pe_kernel_symbols(pe_count_name, &room);
	places = roundup_pow_of_two(room + room / 4 + 1);
	index = kvzalloc(struct_size(index, places, places), GFP_KERNEL | __GFP_NOWARN);
	if (!index)
		return NULL;
	index->room = room;
	index->mask = places - 1;
	if (!pe_kernel_symbols(pe_index_add, index))
		return index;
	kvfree(index);
	return NULL;
}

static struct pe_lookup pe_index_table = { .make = pe_index_make };

/* Call @fn for each symbol with the hash of a name.  Return: what its last call has returned. */
static int pe_index_each(const struct index *index, const struct match *match)
{
	u32 hash = pe_name_hash(match->name);
	u32 i = hash & index->mask;
	int ret = 0;

	for (; index->places[i].hash && !ret; i = (i + 1) & index->mask) {
		if (index->places[i].hash == hash)
			ret = match->fn(match->data, (long)index->places[i].addr);
	}
	return ret;
}

/* Not 0: the kernel tells another name than @data. */
static int pe_is_another(void *data, unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, addr);
	return strcmp(name, data);
}

static bool pe_index_knows(const struct index *index, const char *name)
{
	struct match others = { .name = name, .fn = pe_is_another, .data = (void *)name };

	return !pe_index_each(index, &others);
}

static int pe_if_named(void *data, const char *name, unsigned long addr)
{
	const struct match *match = data;

	return strcmp(name, match->name) ? 0 : match->fn(match->data, addr);
}

void pe_kernel_matches(const char *name, pe_match_t *fn, void *data)
{
	struct match match = { .name = name, .fn = fn, .data = data };
	const struct index *index = pe_lookup_ask(&pe_index_table);
	bool known = index && pe_index_knows(index, name);

	if (known)
		pe_index_each(index, &match);
	pe_lookup_asked();
	if (!known)
		pe_kernel_symbols(pe_if_named, &match);
}

static int pe_first_match(void *data, unsigned long addr)
{
	*(unsigned long *)data = addr;
	return 1;
}

unsigned long pe_ksym_address(const char *name)
{
	unsigned long addr = 0;

	if (!pe_ks_has(kallsyms_on_each_symbol))	/* it is being looked for */
		return pe_ks(kallsyms_lookup_name)(name);
	pe_kernel_matches(name, pe_first_match, &addr);
	return addr;
}
#endif
