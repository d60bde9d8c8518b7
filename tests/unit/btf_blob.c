// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* btf_blob.c - type data in the bytes of a .BTF section; the seams of pe/btf.h. */
#include <linux/errno.h>
#include <uapi/linux/btf.h>
#include <pe/btf.h>
#include "btf_blob.h"
#include "harness.h"

const struct btf *pe_fake_btf;

int pe_blob_open(struct btf *btf, const void *bytes, size_t len)
{
	u32 *at;

	memset(btf, 0, sizeof(*btf));
	if (pe_btf_blob_open(&btf->blob, bytes, len))
		return -EINVAL;
	at = calloc(btf->blob.nr, sizeof(*at));
	if (!pe_btf_blob_index(&btf->blob, at))
		return 0;
	free(at);
	return -EINVAL;
}

void pe_blob_close(struct btf *btf)
{
	free((void *)btf->blob.at);
	memset(btf, 0, sizeof(*btf));
}

u32 pe_blob_find(const struct btf *btf, const char *name, u32 kind)
{
	u32 id;

	for (id = 1; id < btf->blob.nr; id++)
		if (BTF_INFO_KIND(pe_btf_type(btf, id)->info) == kind &&
		    !strcmp(pe_btf_name(btf, pe_btf_type(btf, id)->name_off), name))
			return id;
	return 0;
}

bool pe_btf_known(void)
{
	return pe_fake_btf;
}

const struct btf_type *pe_btf_type(const struct btf *btf, u32 id)
{
	return pe_btf_blob_type(&btf->blob, id);
}

const char *pe_btf_name(const struct btf *btf, u32 offset)
{
	return pe_btf_blob_name(&btf->blob, offset);
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
	*found = (struct pe_btf_struct){};
	found->type = name[0] ? pe_btf_find(&found->btf, name, BTF_KIND_STRUCT) : NULL;
	return found->type;
}

void pe_btf_struct_put(struct pe_btf_struct *found)
{
	*found = (struct pe_btf_struct){};
}
