/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_blob.h - type data in the bytes of a .BTF section: the other side of pe/btf.h.
 *
 * As in the kernel, what is wrong is refused before anyone can ask: each type is complete.  But
 * it may refer to types that are not there, and to itself.
 */
#ifndef PE_TEST_BTF_BLOB_H
#define PE_TEST_BTF_BLOB_H

#include <linux/types.h>
#include "kernel/know/btf_check.h"

struct btf {
	struct pe_btf_blob blob;
};

/* 0, or -EINVAL; @bytes stay the caller's and must outlive @btf. */
int pe_blob_open(struct btf *btf, const void *bytes, size_t len);
void pe_blob_close(struct btf *btf);

/* The id of a type of a kind, 0 if there is none. */
u32 pe_blob_find(const struct btf *btf, const char *name, u32 kind);

/* What pe_btf_known(), pe_btf_func_get() and pe_btf_struct_get() see; NULL at first. */
extern const struct btf *pe_fake_btf;

#endif
