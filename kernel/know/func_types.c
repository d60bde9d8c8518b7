// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * func_types.c - the type of a function, by its name.
 *
 * The kernel's type data (BTF) is not sorted: a name is found by looking at every type.
 * The table here has the id of each function's type, in a place that a hash of its name chooses
 * (lookup_cache.c).
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <pe/btf.h>
#include "kernel/know/btf_source.h"
#include "kernel/know/lookup_cache.h"

/**
 * struct funcs - the table
 * @btf: the type data
 * @mask: places, less one; a power of two, less one
 * @ids: in the place that the hash says, or in the next one that was free; 0: nothing is here.
 *	At most every other place is taken
 */
struct funcs {
	const struct btf *btf;
	u32 mask;
	u32 ids[];
};

/* The place of the function's id, or where it belongs. */
static u32 *pe_func_types_place_of(struct funcs *f, const char *name)
{
	u32 i = hashlen_hash(hashlen_string(NULL, name)) & f->mask;
	const struct btf_type *t;

	for (; f->ids[i]; i = (i + 1) & f->mask) {
		t = pe_btf_type(f->btf, f->ids[i]);
		if (!strcmp(pe_btf_name(f->btf, t->name_off), name))
			break;
	}
	return &f->ids[i];
}

static size_t pe_func_types_count(const struct btf *btf)
{
	const struct btf_type *t;
	size_t n = 0;
	u32 id;

	for (id = 1; (t = pe_btf_type(btf, id)); id++)
		n += btf_type_is_func(t);
	return n;
}

static void pe_func_types_fill(struct funcs *f)
{
	const struct btf_type *t;
	u32 id, *place;

	for (id = 1; (t = pe_btf_type(f->btf, id)); id++) {
		if (!btf_type_is_func(t))
			continue;
		place = pe_func_types_place_of(f, pe_btf_name(f->btf, t->name_off));
		if (!*place)	/* of several types, the first one counts */
			*place = id;
	}
}

static void *pe_funcs_make(void)
{
	const struct btf *btf = pe_btf_vmlinux();
	struct funcs *f;
	size_t places;

	if (!btf)
		return NULL;
	places = roundup_pow_of_two(2 * pe_func_types_count(btf) + 1);
	f = kvzalloc(struct_size(f, ids, places), GFP_KERNEL | __GFP_NOWARN);
	if (!f)
		return NULL;
	f->btf = btf;
	f->mask = places - 1;
	pe_func_types_fill(f);
	return f;
}

static struct pe_lookup pe_funcs_table = { .make = pe_funcs_make };

/**
 * pe_func_type() - the type of a function of the kernel itself
 * @name: of the function
 * @btf: becomes the type data
 *
 * Without memory for a table, all types are searched.
 *
 * Context: process, may sleep.  Return: the function's prototype, or NULL if it is not known.
 */
const struct btf_type *pe_func_type(const char *name, const struct btf **btf)
{
	struct funcs *f = pe_lookup_ask(&pe_funcs_table);
	const struct btf_type *t = NULL;
	u32 id;

	if (f) {
		*btf = f->btf;
		id = *pe_func_types_place_of(f, name);
		t = id ? pe_btf_type(*btf, id) : NULL;
	}
	pe_lookup_asked();
	if (!f)
		t = pe_btf_find(btf, name, BTF_KIND_FUNC);
	t = t ? pe_btf_type(*btf, t->type) : NULL;
	return t && BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO ? t : NULL;
}
