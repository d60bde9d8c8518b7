// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_check.c - type data in the unchecked bytes of a .BTF section [P]
 *
 * Types may refer to each other in circles.  Code that walks through them stops after a number
 * of steps (trace/parse/btf_walk.c).
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pe/btf.h>
#include "kernel/know/btf_check.h"

#define INFO_BITS	0x9f00ffffU	/* of btf_type.info: what has a meaning */
#define MAX_TYPES	(1U << 20)	/* as in the kernel */
#define MAX_NAME	512		/* bytes, as of a symbol */
#define MAX_INT_BITS	128

/**
 * struct kind - what all types of a kind have in common
 * @head: bytes after struct btf_type
 * @item: bytes of each of its parts, which follow
 * @refers: btf_type.type is an id
 * @any_name: the name need not be an identifier
 */
struct kind {
	u8 head, item;
	bool refers, any_name;
};

static const struct kind pe_btf_check_kinds[] = {
	[BTF_KIND_INT]		= { sizeof(u32), 0, false, true },
	[BTF_KIND_PTR]		= { 0, 0, true, false },
	[BTF_KIND_ARRAY]	= { sizeof(struct btf_array), 0, false, false },
	[BTF_KIND_STRUCT]	= { 0, sizeof(struct btf_member), false, false },
	[BTF_KIND_UNION]	= { 0, sizeof(struct btf_member), false, false },
	[BTF_KIND_ENUM]		= { 0, sizeof(struct btf_enum), false, false },
	[BTF_KIND_FWD]		= { 0, 0, false, false },
	[BTF_KIND_TYPEDEF]	= { 0, 0, true, false },
	[BTF_KIND_VOLATILE]	= { 0, 0, true, false },
	[BTF_KIND_CONST]	= { 0, 0, true, false },
	[BTF_KIND_RESTRICT]	= { 0, 0, true, false },
	[BTF_KIND_FUNC]		= { 0, 0, true, false },
	[BTF_KIND_FUNC_PROTO]	= { 0, sizeof(struct btf_param), true, false },
	[BTF_KIND_VAR]		= { sizeof(struct btf_var), 0, true, false },
	[BTF_KIND_DATASEC]	= { 0, sizeof(struct btf_var_secinfo), false, true },
	[BTF_KIND_FLOAT]	= { 0, 0, false, true },
	[BTF_KIND_DECL_TAG]	= { sizeof(struct btf_decl_tag), 0, true, true },
	[BTF_KIND_TYPE_TAG]	= { 0, 0, true, true },
	[BTF_KIND_ENUM64]	= { 0, sizeof(struct btf_enum64), false, false },
};

static unsigned int pe_btf_check_kind_of(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

/* ---- sections, and where each type is ---- */

/* Go through all types.  Without @at they are only counted. */
static const char *pe_btf_check_scan(struct pe_btf_blob *blob, u32 *at)
{
	u32 pos = 0, nr = 1;

	if (at)
		at[0] = 0;
	while (pos < blob->types_len) {
		const struct btf_type *t = (const void *)(blob->types + pos);
		u32 left = blob->types_len - pos, size = sizeof(*t);

		if (left < size)
			return "a type is cut off";
		if (!pe_btf_check_kind_of(t) ||
		    pe_btf_check_kind_of(t) >= ARRAY_SIZE(pe_btf_check_kinds))
			return "a type is of an unknown kind";
		size += pe_btf_check_kinds[pe_btf_check_kind_of(t)].head;
		size += pe_btf_check_kinds[pe_btf_check_kind_of(t)].item * BTF_INFO_VLEN(t->info);
		if (left < size)
			return "a type is cut off";
		if (nr == MAX_TYPES)
			return "it has too many types";
		if (at)
			at[nr] = pos;
		nr++;
		pos += size;
	}
	blob->nr = nr;
	return NULL;
}

static bool pe_is_within(u32 off, u32 len, size_t room)
{
	return off <= room && len <= room - off;
}

const char *pe_btf_blob_open(struct pe_btf_blob *blob, const void *bytes, size_t len)
{
	const struct btf_header *h = bytes;
	size_t room;

	memset(blob, 0, sizeof(*blob));
	if (len < sizeof(*h) || h->magic != BTF_MAGIC || h->version != BTF_VERSION || h->flags)
		return "its type data has no header";
	if (h->hdr_len < sizeof(*h) || h->hdr_len > len || (h->hdr_len | h->type_off) % sizeof(u32))
		return "the header of its type data is wrong";
	room = len - h->hdr_len;
	if (!pe_is_within(h->type_off, h->type_len, room) ||
	    !pe_is_within(h->str_off, h->str_len, room))
		return "its type data is cut off";
	blob->types = (const u8 *)bytes + h->hdr_len + h->type_off;
	blob->types_len = h->type_len;
	blob->strings = (const char *)bytes + h->hdr_len + h->str_off;
	blob->strings_len = h->str_len;
	if (!h->str_len || blob->strings[0] || blob->strings[h->str_len - 1])
		return "its names have no end";
	return pe_btf_check_scan(blob, NULL);
}

const char *pe_btf_blob_index(struct pe_btf_blob *blob, u32 *at)
{
	const char *wrong = pe_btf_check_scan(blob, at);

	blob->at = wrong ? NULL : at;
	return wrong;
}

const struct btf_type *pe_btf_blob_type(const struct pe_btf_blob *blob, u32 id)
{
	static const struct btf_type nothing;

	if (id >= blob->nr)
		return NULL;
	return id ? (const void *)(blob->types + blob->at[id]) : &nothing;
}

const char *pe_btf_blob_name(const struct pe_btf_blob *blob, u32 offset)
{
	return offset < blob->strings_len ? blob->strings + offset : "";
}

/* ---- what types say ---- */

static bool pe_is_name_char(char c, bool any)
{
	if (c & 0x80)
		return false;
	return any ? isprint(c) : isalnum(c) || c == '_' || c == '.' || c == '$';
}

static bool pe_btf_check_is_name(const struct pe_btf_blob *blob, u32 offset, bool any)
{
	const char *name = blob->strings + offset;
	unsigned int n;

	if (offset >= blob->strings_len || (!any && isdigit(name[0])))
		return false;
	for (n = 0; name[n]; n++)
		if (n == MAX_NAME - 1 || !pe_is_name_char(name[n], any))
			return false;
	return true;
}

static bool pe_is_func_proto(const struct pe_btf_blob *blob, u32 id)
{
	const struct btf_type *t = pe_btf_blob_type(blob, id);

	return t && pe_btf_check_kind_of(t) == BTF_KIND_FUNC_PROTO;
}

static const char pe_no_name[] = "a name is none";
static const char pe_no_type[] = "a type refers to one that is not there";
static const char pe_no_size[] = "a type has a size that cannot be";

static const char *pe_check_members(const struct pe_btf_blob *blob, const struct btf_type *t)
{
	const struct btf_member *m = (const void *)(t + 1);
	unsigned int i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, m++) {
		u32 bit = m->offset;

		if (BTF_INFO_KFLAG(t->info))
			bit = BTF_MEMBER_BIT_OFFSET(bit);
		if (!pe_btf_check_is_name(blob, m->name_off, false))
			return pe_no_name;
		if (m->type >= blob->nr)
			return pe_no_type;
		if (bit > 8ULL * t->size)
			return "a member is outside of its structure";
	}
	return NULL;
}

static const char *pe_check_params(const struct pe_btf_blob *blob, const struct btf_type *t)
{
	const struct btf_param *p = (const void *)(t + 1);
	unsigned int i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, p++) {
		if (!pe_btf_check_is_name(blob, p->name_off, false))
			return pe_no_name;
		if (p->type >= blob->nr)
			return pe_no_type;
	}
	return NULL;
}

static const char *pe_check_int(const struct btf_type *t)
{
	u32 data = *(const u32 *)(t + 1), bits = BTF_INT_BITS(data);

	return !bits || bits > MAX_INT_BITS || t->size > MAX_INT_BITS / 8 ||
	       BTF_INT_OFFSET(data) + bits > 8 * t->size ? pe_no_size : NULL;
}

static const char *pe_check_kind(const struct pe_btf_blob *blob, const struct btf_type *t)
{
	const struct btf_array *array = (const void *)(t + 1);

	switch (pe_btf_check_kind_of(t)) {
	case BTF_KIND_INT:
		return pe_check_int(t);
	case BTF_KIND_ARRAY:
		return array->type >= blob->nr || array->index_type >= blob->nr ? pe_no_type : NULL;
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		return pe_check_members(blob, t);
	case BTF_KIND_ENUM: case BTF_KIND_ENUM64:
		return !t->size || t->size > 8 || t->size & (t->size - 1) ? pe_no_size : NULL;
	case BTF_KIND_FUNC:
		return pe_is_func_proto(blob, t->type) ? NULL : "a function has no prototype";
	case BTF_KIND_FUNC_PROTO:
		return pe_check_params(blob, t);
	default:
		return NULL;
	}
}

const char *pe_btf_blob_check(const struct pe_btf_blob *blob)
{
	const char *wrong = NULL;
	u32 id;

	for (id = 1; id < blob->nr && !wrong; id++) {
		const struct btf_type *t = pe_btf_blob_type(blob, id);
		const struct kind *kind = &pe_btf_check_kinds[pe_btf_check_kind_of(t)];

		if (t->info & ~INFO_BITS)
			return "a type has bits without a meaning";
		if (!pe_btf_check_is_name(blob, t->name_off, kind->any_name))
			return pe_no_name;
		if (kind->refers && t->type >= blob->nr)
			return pe_no_type;
		wrong = pe_check_kind(blob, t);
	}
	return wrong;
}
