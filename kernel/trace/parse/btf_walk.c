// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_walk.c - what an argument needs to know of types [P]
 *
 * Types are read through pe_btf_type() and pe_btf_name() (pe/btf.h).  The source of the types has
 * checked that each type is complete.  It need not have checked what types refer to: every way
 * through them ends after a number of steps.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
#include "btf_walk.h"

#define MAX_NESTED	16	/* anonymous structures in each other */
#define MAX_STRUCTS	1024	/* structures that one search looks into */

static unsigned int pe_btf_walk_kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static bool pe_is_struct(const struct btf_type *t)
{
	return pe_btf_walk_kind_of(t) == BTF_KIND_STRUCT ||
	       pe_btf_walk_kind_of(t) == BTF_KIND_UNION;
}

/* A structure that is being searched. */
struct level {
	const struct btf_type *t;
	const struct btf_member *m;
	unsigned int left;	/* of its members, @m the next one */
	u32 bit;		/* where it is in the outermost one */
};

static void pe_btf_walk_enter(struct level *l, const struct btf_type *t, u32 bit)
{
	l->t = t;
	l->m = (const struct btf_member *)(t + 1);
	l->left = BTF_INFO_VLEN(t->info);
	l->bit = bit;
}

/* A way through the members of a structure, and of anonymous ones in it. */
struct walk {
	const struct btf *btf;
	struct level levels[MAX_NESTED], *l;
	unsigned int structs;
};

static void pe_begin_walk(struct walk *w, const struct btf *btf, const struct btf_type *t)
{
	w->btf = btf;
	w->l = w->levels;
	w->structs = 1;
	pe_btf_walk_enter(w->l, t, 0);
}

/* Go into an anonymous structure.  Return: false: there is no end to it. */
static bool pe_enter_member(struct walk *w, u32 type, u32 bit)
{
	const struct btf_type *inner = pe_btf_strip(w->btf, type);

	if (!inner || !pe_is_struct(inner))
		return true;		/* padding */
	if (w->l == w->levels + MAX_NESTED - 1 || w->structs++ == MAX_STRUCTS)
		return false;
	pe_btf_walk_enter(++w->l, inner, bit);
	return true;
}

/*
 * The next member that has a name.  Anonymous structures are entered where they are found, so each
 * member is looked at once.  MAX_STRUCTS ends walks through structures that contain themselves.
 *
 * Return: its name, NULL after the last one.
 */
static const char *pe_next_member(struct walk *w, struct pe_btf_member *found)
{
	for (;;) {
		const struct btf_member *m = w->l->m;
		bool has_bits;
		u32 bit;

		if (!w->l->left) {
			if (w->l == w->levels)
				return NULL;
			w->l--;
			continue;
		}
		w->l->m++;
		w->l->left--;
		has_bits = BTF_INFO_KFLAG(w->l->t->info);
		bit = w->l->bit + (has_bits ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset);
		if (m->name_off) {
			found->type = m->type;
			found->bit = bit;
			found->bits = has_bits ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0;
			return pe_btf_name(w->btf, m->name_off);
		}
		if (!pe_enter_member(w, m->type, bit))
			return NULL;
	}
}

int pe_btf_find_member(const struct btf *btf, const struct btf_type *t, struct pe_str name,
		       struct pe_btf_member *found)
{
	const char *member;
	struct walk walk;

	if (!pe_is_struct(t))
		return -EINVAL;
	pe_begin_walk(&walk, btf, t);
	while ((member = pe_next_member(&walk, found)))
		if (pe_str_eq(name, member))
			return 0;
	return -ENOENT;
}

void pe_btf_each_member(const struct btf *btf, const struct btf_type *t,
			void (*fn)(void *data, const char *name), void *data)
{
	struct pe_btf_member found;
	const char *member;
	struct walk walk;

	if (!pe_is_struct(t))
		return;
	pe_begin_walk(&walk, btf, t);
	while ((member = pe_next_member(&walk, &found)))
		fn(data, member);
}

u64 pe_btf_size(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_strip(btf, id);
	const struct btf_array *array;
	unsigned int depth;
	u64 size = 1;

	for (depth = 0; t && pe_btf_walk_kind_of(t) == BTF_KIND_ARRAY && depth < MAX_NESTED;
	     depth++) {
		array = (const struct btf_array *)(t + 1);
		size *= array->nelems;
		if (size > U32_MAX)
			return 0;
		t = pe_btf_strip(btf, array->type);
	}
	if (!t)
		return 0;
	switch (pe_btf_walk_kind_of(t)) {
	case BTF_KIND_PTR:
		size *= sizeof(void *);
		break;
	case BTF_KIND_INT: case BTF_KIND_ENUM: case BTF_KIND_ENUM64: case BTF_KIND_FLOAT:
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		size *= t->size;
		break;
	default:
		return 0;
	}
	return size > U32_MAX ? 0 : size;
}

unsigned int pe_btf_nr_params(const struct btf_type *proto)
{
	return BTF_INFO_VLEN(proto->info);
}

const char *pe_btf_param(const struct btf *btf, const struct btf_type *proto, unsigned int i,
			 u32 *type)
{
	const struct btf_param *param = (const struct btf_param *)(proto + 1) + i;

	if (type)
		*type = param->type;
	return pe_btf_name(btf, param->name_off);
}

static u32 pe_int_data(const struct btf_type *t)
{
	return *(const u32 *)(t + 1);
}

static bool pe_is_signed_int(const struct btf_type *t)
{
	return BTF_INT_ENCODING(pe_int_data(t)) & BTF_INT_SIGNED;
}

/* Eight bits without a sign; a char is one with a sign, too, as it has on kernels before 6.2. */
static bool pe_is_char(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_strip(btf, id);

	return t && pe_btf_walk_kind_of(t) == BTF_KIND_INT && BTF_INT_BITS(pe_int_data(t)) == 8 &&
	       (!pe_is_signed_int(t) || !strcmp(pe_btf_name(btf, t->name_off), "char"));
}

bool pe_btf_is_char_ptr(const struct btf *btf, const struct btf_type *t)
{
	return pe_btf_walk_kind_of(t) == BTF_KIND_PTR && pe_is_char(btf, t->type);
}

bool pe_btf_is_char_array(const struct btf *btf, const struct btf_type *t)
{
	return pe_btf_walk_kind_of(t) == BTF_KIND_ARRAY &&
	       pe_is_char(btf, ((const struct btf_array *)(t + 1))->type);
}

static const char *pe_int_name(const struct btf_type *t, u32 *bit, u32 *bits)
{
	bool is_signed = pe_is_signed_int(t);

	switch (BTF_INT_BITS(pe_int_data(t))) {
	case 8:
		return is_signed ? "s8" : "u8";
	case 16:
		return is_signed ? "s16" : "u16";
	case 32:
		return is_signed ? "s32" : "u32";
	case 64:
		return is_signed ? "s64" : "u64";
	}
	if (is_signed)
		return NULL;
	*bits = BTF_INT_BITS(pe_int_data(t));
	*bit += BTF_INT_OFFSET(pe_int_data(t));
	return "u64";
}

/*
 * Those of the usual sizes have the kernel's types.  A packed one is smaller, and what follows it
 * in memory is something else.  The kernel flag says that it has a sign.
 */
static const char *pe_enum_name(const struct btf_type *t)
{
	bool is_signed = BTF_INFO_KFLAG(t->info);

	switch (t->size) {
	case 1:
		return is_signed ? "s8" : "u8";
	case 2:
		return is_signed ? "s16" : "u16";
	case 8:
		return "s64";
	}
	return "s32";
}

const char *pe_btf_type_name(const struct btf_type *t, u32 *bit, u32 *bits)
{
	switch (pe_btf_walk_kind_of(t)) {
	case BTF_KIND_INT:
		return pe_int_name(t, bit, bits);
	case BTF_KIND_ENUM: case BTF_KIND_ENUM64:
		return pe_enum_name(t);
	case BTF_KIND_PTR:
		return "x64";
	default:
		return NULL;
	}
}
