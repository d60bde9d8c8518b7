// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * A file with type data.  If the first byte is odd, the others are the file.  If not, each six bytes
 * replace a word of the file of btf_file.h, by its number and its value.
 *
 *   - nothing is read outside the file (it is in memory of its own size);
 *   - a part of the file never says that it is all;
 *   - all that an accepted file refers to is there.
 */
#include <pe/btf_file.h>
#include "btf_file.h"
#include "kernel/know/btf_check.h"
#include "kernel/know/btf_elf.h"
#include "tests/fuzz/check.h"

static void check_name(const struct pe_btf_blob *blob, u32 offset)
{
	CHECK(offset < blob->strings_len);
	CHECK(strlen(pe_btf_blob_name(blob, offset)) < 512);
}

/* The parts of functions and structures, which begin with a name and a type. */
static void check_parts(const struct pe_btf_blob *blob, const struct btf_type *t, unsigned int words)
{
	const u32 *part = (const u32 *)(t + 1);
	unsigned int i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, part += words) {
		check_name(blob, part[0]);
		CHECK(pe_btf_blob_type(blob, part[1]));
	}
}

static void check_type(const struct pe_btf_blob *blob, const struct btf_type *t)
{
	check_name(blob, t->name_off);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		check_parts(blob, t, 3);
		break;
	case BTF_KIND_FUNC_PROTO:
		check_parts(blob, t, 2);
		CHECK(pe_btf_blob_type(blob, t->type));
		break;
	case BTF_KIND_FUNC:
		CHECK(BTF_INFO_KIND(pe_btf_blob_type(blob, t->type)->info) == BTF_KIND_FUNC_PROTO);
		break;
	case BTF_KIND_PTR: case BTF_KIND_CONST: case BTF_KIND_TYPEDEF: case BTF_KIND_TYPE_TAG:
		CHECK(pe_btf_blob_type(blob, t->type));
		break;
	}
}

static void take(const void *bytes, size_t len)
{
	void *copy = malloc(len);
	struct pe_btf_blob blob;
	u32 *at, id, nr;

	memcpy(copy, bytes, len);
	if (!pe_btf_blob_open(&blob, copy, len)) {
		nr = blob.nr;
		at = malloc(nr * sizeof(*at));
		CHECK(!pe_btf_blob_index(&blob, at) && blob.nr == nr);
		if (!pe_btf_blob_check(&blob))
			for (id = 1; id < nr; id++)
				check_type(&blob, pe_btf_blob_type(&blob, id));
		free(at);
	}
	free(copy);
}

static void load(const u8 *bytes, size_t len)
{
	u64 size = pe_btf_elf_size(bytes, len);
	struct pe_btf_elf elf;

	if (size && size <= len && len) {
		u8 *part = malloc(len - 1);

		memcpy(part, bytes, len - 1);
		CHECK(size < len || pe_btf_elf_size(part, len - 1) >= size);
		free(part);
	}
	if (pe_btf_elf_open(&elf, bytes, len))
		return;
	CHECK(size <= len);
	take(elf.btf.data, elf.btf.len);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct btf_file file;
	size_t len = sizeof(file), at;
	u32 value;
	u8 *copy;

	if (!size)
		return 0;
	file_make(&file);
	for (at = 1; !(data[0] & 1) && at + 6 <= size; at += 6) {
		memcpy(&value, data + at + 2, sizeof(value));
		((u32 *)&file)[(data[at] | data[at + 1] << 8) % (sizeof(file) / sizeof(u32))] = value;
	}
	if (data[0] & 1)
		len = size - 1;
	copy = malloc(len);
	memcpy(copy, data[0] & 1 ? (const void *)(data + 1) : &file, len);
	load(copy, len);
	free(copy);
	return 0;
}
