/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_check.h - type data in the bytes of a .BTF section (btf_check.c) [P]
 */
#ifndef PE_BTF_CHECK_H
#define PE_BTF_CHECK_H

#include <linux/types.h>

struct btf_type;

/**
 * struct pe_btf_blob - type data, all of it in memory of the caller's
 * @types: the section of types, aligned to words
 * @types_len: its bytes
 * @strings: the section of names
 * @strings_len: its bytes, the last of which is 0
 * @nr: types, with void, which has id 0
 * @at: where in @types the type of each id is
 */
struct pe_btf_blob {
	const u8 *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
	u32 nr;
	const u32 *at;
};

/*
 * The bytes may be anything.  Three steps, in this order; each returns NULL, or what is wrong.
 *
 * pe_btf_blob_open(): finds the sections, and counts the types.  @bytes is aligned to words.
 * pe_btf_blob_index(): fills @at, which has room for @nr, and sees that each type is complete.
 * From here on types and names can be asked for.
 * pe_btf_blob_check(): sees that types refer to types, and that names and sizes can be true.
 */
const char *pe_btf_blob_open(struct pe_btf_blob *blob, const void *bytes, size_t len);
const char *pe_btf_blob_index(struct pe_btf_blob *blob, u32 *at);
const char *pe_btf_blob_check(const struct pe_btf_blob *blob);

/* As pe_btf_type() and pe_btf_name() in pe/btf.h. */
const struct btf_type *pe_btf_blob_type(const struct pe_btf_blob *blob, u32 id);
const char *pe_btf_blob_name(const struct pe_btf_blob *blob, u32 offset);

#endif
