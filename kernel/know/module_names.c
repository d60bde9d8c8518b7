// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * module_names.c - the symbols of modules, and which names none of them has.
 *
 * The kernel's own symbols are sorted by name, those of modules are not: to find a name means
 * to look at every symbol of every module.  Most names that are looked for are the kernel's
 * own, and the search is made to know that no module has them, too.  So a table tells that
 * quickly.  It has a hash of each module symbol's name, in a place that the hash chooses.  If
 * a name's hash is not there, no module has the name.  If the hash is there, the caller has to
 * search.
 *
 * The table (lookup_cache.c) is also freed when a module comes, before any code that waits for
 * modules looks for its names.  A module that goes, or drops its init code, leaves hashes in the
 * table that stand for nothing: they cost a search at most.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "kernel/know/ksyms.h"
#include "kernel/know/lookup_cache.h"
#include "kernel/know/names.h"

/**
 * struct names - the table
 * @room: names that fit, with every other place free
 * @nr: names in it
 * @mask: places, less one; a power of two, less one
 * @hashes: by their low bits, or in the next place that was free; 0: nothing is here
 */
struct names {
	size_t room, nr;
	u32 mask;
	u32 hashes[];
};

#if PE_HAVE_SYMBOL_FN_NO_MODULE
void pe_module_symbols(const char *modname, pe_module_symbol_t *fn, void *data)
{
	pe_ks(module_kallsyms_on_each_symbol)(modname, fn, data);
}
#else
struct in_module {
	const char *modname;
	pe_module_symbol_t *fn;
	void *data;
};

static int pe_if_in_module(void *data, const char *name, struct module *mod, unsigned long addr)
{
	const struct in_module *in = data;

	/* NULL: a symbol of the kernel itself. */
	if (!mod || (in->modname && strcmp(mod->name, in->modname)))
		return 0;
	return in->fn(in->data, name, addr);
}

void pe_module_symbols(const char *modname, pe_module_symbol_t *fn, void *data)
{
	struct in_module in = { .modname = modname, .fn = fn, .data = data };

	pe_ks(module_kallsyms_on_each_symbol)(pe_if_in_module, &in);
}
#endif

u32 pe_name_hash(const char *name)
{
	return hashlen_hash(hashlen_string(NULL, name)) | 1u << 31;
}

/* The place where the hash is, or where it belongs.  Some place is always free. */
static u32 *pe_module_names_place_of(struct names *names, u32 hash)
{
	u32 i = hash & names->mask;

	while (names->hashes[i] && names->hashes[i] != hash)
		i = (i + 1) & names->mask;
	return &names->hashes[i];
}

int pe_count_name(void *data, const char *name, unsigned long addr)
{
	size_t *n = data;

	++*n;
	return 0;
}

/* Returns non-zero, which ends the search, if there are more names than were counted. */
static int pe_module_names_add_name(void *data, const char *name, unsigned long addr)
{
	struct names *names = data;
	u32 hash = pe_name_hash(name);

	if (++names->nr > names->room)
		return 1;
	*pe_module_names_place_of(names, hash) = hash;
	return 0;
}

/* If a module has come since its names were counted, there is no table. */
static void *pe_names_make(void)
{
	struct names *names;
	size_t room = 0, places;

	pe_module_symbols(NULL, pe_count_name, &room);
	places = roundup_pow_of_two(2 * room + 1);
	names = kvzalloc(struct_size(names, hashes, places), GFP_KERNEL | __GFP_NOWARN);
	if (!names)
		return NULL;
	names->room = room;
	names->mask = places - 1;
	pe_module_symbols(NULL, pe_module_names_add_name, names);
	if (names->nr <= names->room)
		return names;
	kvfree(names);
	return NULL;
}

static struct pe_lookup pe_names_table = { .make = pe_names_make };

/**
 * pe_module_may_have() - may a module have a symbol of a name?
 * @name: of a symbol, without a module's name
 *
 * A name that is asked at the moment when a module with that name comes may be denied, as it
 * would have been a moment before.
 *
 * Context: process, may sleep.  Return: false if none has.
 */
bool pe_module_may_have(const char *name)
{
	struct names *names = pe_lookup_ask(&pe_names_table);
	bool may = !names || *pe_module_names_place_of(names, pe_name_hash(name));

	pe_lookup_asked();
	return may;
}

/* A module comes. */
void pe_module_names_forget(void)
{
	pe_lookup_drop(&pe_names_table);
}
