// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_fields.c - what follows a name: fields, elements, arrows [P]
 *
 *	VALUE[N]  VALUE->FIELD.FIELD[N].FIELD[N]->FIELD
 *
 * A dot, and the index of an array, add to an offset.  An arrow dereferences, and so does the
 * index of a pointer.  The way ends with the type of what was named last.
 *
 * Columns of errors are the kernel's: of the field that is being looked at.  The kernel knows no
 * index.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <pe/btf.h>
#include "arg.h"
#include "btf_walk.h"
#include "lex.h"
#include "parse_err.h"
#include "parser.h"

int pe_names_split(struct pe_arg_parser *p, struct pe_str s, struct pe_names *n)
{
	size_t end = pe_str_find_outside(s, ".-"), bracket;
	struct pe_str word = pe_str_cut(s, end);

	bracket = pe_str_find(word, '[');
	*n = (struct pe_names){
		.first = pe_str_cut(word, bracket),
		.index = pe_str_from(word, bracket),
		.more = end < s.len,
	};
	if (pe_str_at(s, end) == '-') {
		if (pe_str_at(s, end + 1) != '>')
			return pe_arg_fail_at(p, s.p + end, PE_ERR_BAD_HYPHEN);
		n->arrow = true;
	}
	n->rest = pe_str_from(s, end + 1 + n->arrow);
	return 0;
}

void pe_names_step(struct pe_arg_parser *p, const struct pe_names *n)
{
	if (n->more)
		p->at = n->rest.p;
}

/*
 * struct place - how far the way has come
 * @type: of what is there; NULL only after a pointer that leads to no type
 * @bit: where that is, in what the fetch so far points to
 * @bits: its width if it is a bitfield, or 0
 * @less: the fetch so far points so many bytes past that
 * @in_memory: @bit counts; else it is the value of the fetch so far
 */
struct place {
	const struct btf_type *type;
	u32 bit;
	u32 bits;
	u32 less;
	bool in_memory;
};

static int pe_fetch_place(struct pe_arg_parser *p, struct place *at)
{
	bool in_memory = at->in_memory;

	at->in_memory = false;
	return in_memory ? pe_fetch_deref(p, at->bit / 8 - at->less, false) : 0;
}

/* From a pointer to what is @bytes past where it points to. */
static int pe_btf_fields_follow(struct pe_arg_parser *p, struct place *at, u32 bytes)
{
	int ret = pe_fetch_place(p, at);

	*at = (struct place){
		.type = pe_btf_strip(p->last_btf, at->type->type),
		.bit = bytes * 8,
		.in_memory = true,
	};
	return ret;
}

static int pe_btf_fields_find_field(struct pe_arg_parser *p, struct pe_str name, struct place *at)
{
	struct pe_btf_member m;
	int ret;

	ret = pe_btf_find_member(p->last_btf, at->type, name, &m);
	if (ret == -ENOENT)
		return pe_hint_field(p, at->type, name, pe_arg_fail(p, PE_ERR_NO_BTF_FIELD));
	if (ret)
		return pe_arg_fail(p, PE_ERR_BAD_BTF_TID);
	if (m.bit > U32_MAX - at->bit)
		return pe_arg_fail(p, PE_ERR_BAD_BTF_TID);
	at->bit += m.bit;
	at->bits = m.bits;
	at->type = pe_btf_strip(p->last_btf, m.type);
	return at->type ? 0 : pe_arg_fail(p, PE_ERR_BAD_BTF_TID);
}

/* Element @i, from 0, of an array or of what a pointer leads to; its bracket is at @text. */
static int pe_find_element(struct pe_arg_parser *p, u64 i, const char *text, struct place *at)
{
	unsigned int kind = BTF_INFO_KIND(at->type->info);
	const struct btf_array *array = NULL;
	u32 begin;
	u64 size;

	if (kind == BTF_KIND_ARRAY)
		array = (const struct btf_array *)(at->type + 1);
	if (kind != BTF_KIND_PTR && (!array || !at->in_memory))
		return pe_arg_fail_at(p, text, PE_ERR_NO_ELEMENTS);
	/* One without a length goes on as long as its owner says. */
	if (array && array->nelems && i >= array->nelems)
		return pe_arg_fail_at(p, text + 1, PE_ERR_BAD_INDEX);
	size = pe_btf_size(p->last_btf, array ? array->type : at->type->type);
	if (!size)
		return pe_arg_fail_at(p, text, PE_ERR_BAD_BTF_TID);
	begin = array ? at->bit : 0;
	if (i > (U32_MAX - begin) / 8 / size)
		return pe_arg_fail_at(p, text + 1, PE_ERR_BAD_INDEX);
	if (!array)
		return pe_btf_fields_follow(p, at, i * size);
	at->bit += i * size * 8;
	at->type = pe_btf_strip(p->last_btf, array->type);
	return 0;
}

/*
 * "[N]...", or nothing.  Type data has an array of several dimensions as one with all elements.  If
 * these are pointers, a second index is not of one, but a mistake.
 */
static int pe_parse_index(struct pe_arg_parser *p, const struct pe_names *n, struct place *at)
{
	struct pe_str s = n->index;
	bool in_array = false;
	u64 i;
	int ret;

	while (s.len) {
		size_t close = pe_str_find(s, ']');
		bool is_array;

		if (s.p[0] != '[')
			return pe_arg_fail_at(p, s.p, PE_ERR_BAD_ARRAY_SUFFIX);
		if (close == s.len)
			return pe_arg_fail_at(p, s.p + s.len, PE_ERR_ARRAY_NO_CLOSE);
		if (pe_lex_u64(pe_str_from(pe_str_cut(s, close), 1), 0, &i))
			return pe_arg_fail_at(p, s.p + 1, PE_ERR_BAD_INDEX);
		is_array = BTF_INFO_KIND(at->type->info) == BTF_KIND_ARRAY;
		if (in_array && !is_array)
			return pe_arg_fail_at(p, s.p, PE_ERR_NO_ELEMENTS);
		ret = pe_find_element(p, i, s.p, at);
		if (ret)
			return ret;
		in_array = is_array;
		s = pe_str_from(s, close + 1);
	}
	return 0;
}

/* "FIELD[N].FIELD[N]", up to the next arrow; @at is a structure, and then what was named. */
static int pe_parse_members(struct pe_arg_parser *p, struct pe_str s, struct pe_names *n,
			    struct place *at)
{
	int ret;

	if (!at->type)
		return pe_arg_fail(p, PE_ERR_BAD_BTF_TID);
	do {
		ret = pe_names_split(p, s, n);
		if (!ret)
			ret = pe_btf_fields_find_field(p, n->first, at);
		if (!ret)
			ret = pe_parse_index(p, n, at);
		if (ret)
			return ret;
		pe_names_step(p, n);
		s = n->rest;
	} while (n->more && !n->arrow);
	return 0;
}

/* Follow arrows as long as there are some; then the fetch and its type are complete. */
static int pe_parse_arrows(struct pe_arg_parser *p, struct pe_names *n, struct place *at)
{
	int ret = pe_fetch_place(p, at);

	while (!ret && n->more) {
		if (BTF_INFO_KIND(at->type->info) != BTF_KIND_PTR)
			return pe_arg_fail(p, PE_ERR_NO_PTR_STRCT);
		ret = pe_btf_fields_follow(p, at, 0);
		if (!ret)
			ret = pe_parse_members(p, n->rest, n, at);
		if (!ret)
			ret = pe_fetch_place(p, at);
	}
	p->last = at->type;
	p->last_bit = at->bit % 8;
	p->last_bits = at->bits;
	return ret;
}

int pe_btf_value(struct pe_arg_parser *p, struct pe_names *n, const struct btf *btf, u32 type)
{
	struct place at = {};
	int ret;

	p->last_btf = btf;
	at.type = pe_btf_strip(btf, type);
	if (!at.type)
		return pe_arg_fail(p, PE_ERR_BAD_BTF_TID);
	ret = pe_parse_index(p, n, &at);
	if (ret)
		return ret;
	pe_names_step(p, n);
	if (n->more && !n->arrow)	/* PARAM[N].FIELD */
		ret = pe_parse_members(p, n->rest, n, &at);
	return ret ? ret : pe_parse_arrows(p, n, &at);
}

int pe_btf_fields(struct pe_arg_parser *p, struct pe_str s, u32 less)
{
	struct place at = { .type = p->structure.type, .less = less, .in_memory = true };
	struct pe_names n;
	int ret;

	p->at = s.p;
	p->last_btf = p->structure.btf;
	ret = pe_parse_members(p, s, &n, &at);
	return ret ? ret : pe_parse_arrows(p, &n, &at);
}

int pe_btf_offset(struct pe_arg_parser *p, struct pe_str s, u32 *offset)
{
	struct place at = { .type = p->structure.type, .in_memory = true };
	unsigned int derefs = p->arg->fetch.nr_derefs;
	struct pe_names n;
	int ret;

	p->at = s.p;
	p->last_btf = p->structure.btf;
	ret = pe_parse_members(p, s, &n, &at);
	if (ret)
		return ret;
	if (at.bit % 8)
		return pe_arg_fail(p, PE_ERR_TYPECAST_NOT_ALIGNED);
	if (n.more || p->arg->fetch.nr_derefs != derefs)
		return pe_arg_fail_at(p, p->at - 2 * n.more, PE_ERR_TYPECAST_BAD_ARROW);
	*offset = at.bit / 8;
	return 0;
}
