// SPDX-License-Identifier: GPL-2.0
/* btf_blob.c - type data in the bytes of a .BTF section; the seams of pe/btf.h. */
#include "btf_blob.h"
#include "harness.h"
#include <linux/errno.h>
#include <pe/btf.h>
#include <uapi/linux/btf.h>

const struct btf *pe_fake_btf;

/* Bytes of a type behind its struct btf_type; -1: no such kind. */
static long tail_of(const struct btf_type *t)
{
	unsigned long n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT: case BTF_KIND_VAR: case BTF_KIND_DECL_TAG:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR: case BTF_KIND_FWD: case BTF_KIND_TYPEDEF: case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST: case BTF_KIND_RESTRICT: case BTF_KIND_FUNC: case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/* Find all types in @len bytes.  The first pass, without a table, counts them. */
static int scan(struct btf *btf, const char *types, u32 len)
{
	static const struct btf_type nothing;
	u32 at = 0;

	btf->nr = 1;
	if (btf->types)
		btf->types[0] = &nothing;
	while (at < len) {
		const struct btf_type *t = (const void *)(types + at);
		long tail = -1;

		if (len - at >= sizeof(*t))
			tail = tail_of(t);
		if (tail < 0 || len - at - sizeof(*t) < tail)
			return -EINVAL;
		if (btf->types)
			btf->types[btf->nr] = t;
		btf->nr++;
		at += sizeof(*t) + tail;
	}
	return 0;
}

int pe_blob_open(struct btf *btf, const void *bytes, size_t len)
{
	const struct btf_header *h = bytes;
	size_t room;
	int ret;

	memset(btf, 0, sizeof(*btf));
	if (len < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h) ||
	    h->hdr_len > len || h->hdr_len % 4)
		return -EINVAL;
	room = len - h->hdr_len;
	if (h->type_off % 4 || h->type_off > room || h->type_len > room - h->type_off ||
	    h->str_off > room || h->str_len > room - h->str_off || !h->str_len)
		return -EINVAL;
	btf->strings = (const char *)bytes + h->hdr_len + h->str_off;
	btf->strings_len = h->str_len;
	if (btf->strings[0] || btf->strings[h->str_len - 1])
		return -EINVAL;
	ret = scan(btf, (const char *)bytes + h->hdr_len + h->type_off, h->type_len);
	if (ret)
		return ret;
	btf->types = calloc(btf->nr, sizeof(*btf->types));
	return scan(btf, (const char *)bytes + h->hdr_len + h->type_off, h->type_len);
}

void pe_blob_close(struct btf *btf)
{
	free(btf->types);
	memset(btf, 0, sizeof(*btf));
}

u32 pe_blob_find(const struct btf *btf, const char *name, u32 kind)
{
	u32 id;

	for (id = 1; id < btf->nr; id++)
		if (BTF_INFO_KIND(btf->types[id]->info) == kind &&
		    !strcmp(pe_btf_name(btf, btf->types[id]->name_off), name))
			return id;
	return 0;
}

bool pe_btf_known(void)
{
	return pe_fake_btf;
}

const struct btf_type *pe_btf_type(const struct btf *btf, u32 id)
{
	return id < btf->nr ? btf->types[id] : NULL;
}

const char *pe_btf_name(const struct btf *btf, u32 offset)
{
	return offset < btf->strings_len ? btf->strings + offset : "";
}

const struct btf_type *pe_btf_find(const struct btf **btf, const char *name, u32 kind)
{
	u32 id = pe_fake_btf ? pe_blob_find(pe_fake_btf, name, kind) : 0;

	*btf = pe_fake_btf;
	return id ? pe_btf_type(pe_fake_btf, id) : NULL;
}

/* The address does not matter. */
bool pe_btf_func_get(const char *symbol, unsigned long addr, struct pe_btf_func *func)
{
	const struct btf *btf;
	const struct btf_type *t = pe_btf_find(&btf, symbol, BTF_KIND_FUNC);

	t = t ? pe_btf_type(btf, t->type) : NULL;
	if (!t || BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		return false;
	*func = (struct pe_btf_func){ pe_fake_btf, t, false };
	return true;
}

void pe_btf_func_put(struct pe_btf_func *func)
{
	*func = (struct pe_btf_func){};
}

bool pe_btf_struct_get(const char *name, struct pe_btf_struct *found)
{
	u32 id = pe_fake_btf && name[0] ? pe_blob_find(pe_fake_btf, name, BTF_KIND_STRUCT) : 0;

	*found = (struct pe_btf_struct){};
	if (id)
		*found = (struct pe_btf_struct){ pe_fake_btf, pe_fake_btf->types[id], false };
	return id;
}

void pe_btf_struct_put(struct pe_btf_struct *found)
{
	*found = (struct pe_btf_struct){};
}
