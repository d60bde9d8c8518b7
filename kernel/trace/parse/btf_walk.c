// SPDX-License-Identifier: GPL-2.0
/*
 * btf_walk.c - what an argument needs to know of types [P]
 *
 * Types are read through pe_btf_type() and pe_btf_name() (pe/btf.h).  Whoever offers them has
 * checked that each type is complete.  He need not have checked what types refer to: every way
 * through them ends after a number of steps.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
#include <uapi/linux/btf.h>
#include "btf_walk.h"

#define MAX_WRAPPERS	32	/* names and qualifiers around a type */
#define MAX_ANON	16	/* anonymous structures to be searched later, as in the kernel */
#define MAX_STRUCTS	256	/* structures that one search looks into */

static unsigned int kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

static bool is_struct(const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_UNION;
}

const struct btf_type *pe_btf_strip(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_type(btf, id);
	unsigned int depth;

	for (depth = 0; t && depth < MAX_WRAPPERS; depth++) {
		switch (kind_of(t)) {
		case BTF_KIND_TYPEDEF: case BTF_KIND_CONST: case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT: case BTF_KIND_TYPE_TAG:
			t = pe_btf_type(btf, t->type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

/* Structures to be searched; each is at a bit of the outermost one. */
struct todo {
	struct {
		const struct btf_type *t;
		u32 bit;
	} at[MAX_ANON];
	unsigned int n;
};

static void push(struct todo *todo, const struct btf_type *t, u32 bit)
{
	if (todo->n == MAX_ANON)
		return;
	todo->at[todo->n].t = t;
	todo->at[todo->n++].bit = bit;
}

/* Members of @t itself; the anonymous structures among them are for later. */
static bool search(const struct btf *btf, const struct btf_type *t, u32 base,
		   struct pe_str name, struct todo *todo, struct pe_btf_member *found)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);
	unsigned int n = BTF_INFO_VLEN(t->info);
	bool has_bits = BTF_INFO_KFLAG(t->info);
	const struct btf_type *inner;

	for (; n--; m++) {
		u32 bit = base + (has_bits ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset);

		if (!m->name_off) {
			inner = pe_btf_strip(btf, m->type);
			if (inner && is_struct(inner))
				push(todo, inner, bit);
		} else if (pe_str_eq(name, pe_btf_name(btf, m->name_off))) {
			found->type = m->type;
			found->bit = bit;
			found->bits = has_bits ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0;
			return true;
		}
	}
	return false;
}

int pe_btf_find_member(const struct btf *btf, const struct btf_type *t, struct pe_str name,
		       struct pe_btf_member *found)
{
	struct todo todo = {};
	unsigned int steps;
	u32 bit = 0;

	if (!is_struct(t))
		return -EINVAL;
	for (steps = 0; steps < MAX_STRUCTS; steps++) {
		if (search(btf, t, bit, name, &todo, found))
			return 0;
		if (!todo.n)
			break;
		t = todo.at[--todo.n].t;
		bit = todo.at[todo.n].bit;
	}
	return -ENOENT;
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

static u32 int_data(const struct btf_type *t)
{
	return *(const u32 *)(t + 1);
}

static bool is_signed_int(const struct btf_type *t)
{
	return BTF_INT_ENCODING(int_data(t)) & BTF_INT_SIGNED;
}

/* Eight bits without a sign; a char is one with a sign, too, as it has on kernels before 6.2. */
static bool is_char(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_strip(btf, id);

	return t && kind_of(t) == BTF_KIND_INT && BTF_INT_BITS(int_data(t)) == 8 &&
	       (!is_signed_int(t) || !strcmp(pe_btf_name(btf, t->name_off), "char"));
}

bool pe_btf_is_char_ptr(const struct btf *btf, const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_PTR && is_char(btf, t->type);
}

bool pe_btf_is_char_array(const struct btf *btf, const struct btf_type *t)
{
	return kind_of(t) == BTF_KIND_ARRAY &&
	       is_char(btf, ((const struct btf_array *)(t + 1))->type);
}

static const char *int_name(const struct btf_type *t, u32 *bit, u32 *bits)
{
	bool is_signed = is_signed_int(t);

	switch (BTF_INT_BITS(int_data(t))) {
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
	*bits = BTF_INT_BITS(int_data(t));
	*bit += BTF_INT_OFFSET(int_data(t));
	return "u64";
}

const char *pe_btf_type_name(const struct btf_type *t, u32 *bit, u32 *bits)
{
	switch (kind_of(t)) {
	case BTF_KIND_INT:
		return int_name(t, bit, bits);
	case BTF_KIND_ENUM:
		return "s32";
	case BTF_KIND_ENUM64:
		return "s64";
	case BTF_KIND_PTR:
		return "x64";
	default:
		return NULL;
	}
}
