// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Type data from a file: what is taken, and what is refused. */
#include <pe/btf_file.h>
#include "btf_file.h"
#include "kernel/know/btf_check.h"
#include "kernel/know/btf_elf.h"

static struct btf_file file;
static struct pe_btf_blob blob;

/* In memory of its own size, so that ASan sees what is read after it. */
static void *copy_of(const void *bytes, size_t len)
{
	void *copy = malloc(len);

	memcpy(copy, bytes, len);
	return copy;
}

/* What is wrong with type data, or "". */
static const char *data_answer(const void *bytes, size_t len)
{
	void *copy = copy_of(bytes, len);
	const char *wrong = pe_btf_blob_open(&blob, copy, len);
	u32 *at = wrong ? NULL : calloc(blob.nr, sizeof(*at));

	if (!wrong)
		wrong = pe_btf_blob_index(&blob, at);
	if (!wrong)
		wrong = pe_btf_blob_check(&blob);
	free(at);
	free(copy);
	return wrong ? wrong : "";
}

static const char *world_answer(void)
{
	return data_answer(&file.world, sizeof(file.world));
}

/* What is wrong with the first @len bytes of the file, or "". */
static const char *file_answer(size_t len)
{
	void *copy = copy_of(&file, len);
	struct pe_btf_elf elf;
	const char *wrong = pe_btf_elf_open(&elf, copy, len);

	if (!wrong) {
		EXPECT_EQ(elf.build_id.len, 8);
		EXPECT(!memcmp(elf.build_id.data, "build id", 8));
		wrong = data_answer(elf.btf.data, elf.btf.len);
		wrong = wrong[0] ? wrong : NULL;
	}
	free(copy);
	return wrong ? wrong : "";
}

static void good(void)
{
	void *copy;
	u32 *at, id;

	file_make(&file);
	EXPECT_EQ(pe_btf_elf_size(&file, sizeof(file)), sizeof(file));
	EXPECT_STR(file_answer(sizeof(file)), "");
	copy = copy_of(&file.world, sizeof(file.world));
	EXPECT(!pe_btf_blob_open(&blob, copy, sizeof(file.world)));
	EXPECT_EQ(blob.nr, file.world.nr + 1);
	at = calloc(blob.nr, sizeof(*at));
	EXPECT(!pe_btf_blob_index(&blob, at));
	for (id = 0; id < blob.nr; id++)
		EXPECT(pe_btf_blob_type(&blob, id));
	EXPECT(!pe_btf_blob_type(&blob, 0)->info);
	EXPECT_STR(pe_btf_blob_name(&blob, pe_btf_blob_type(&blob, 1)->name_off), "int");
	EXPECT(!pe_btf_blob_type(&blob, blob.nr));
	EXPECT(!pe_btf_blob_type(&blob, ~0u));
	EXPECT_STR(pe_btf_blob_name(&blob, blob.strings_len), "");
	free(at);
	free(copy);
}

/* A part of the file asks for more, and is refused. */
static void cut_off(void)
{
	size_t len;

	file_make(&file);
	for (len = 0; len < sizeof(file); len++) {
		void *copy = copy_of(&file, len);

		EXPECT(pe_btf_elf_size(copy, len) > len);
		EXPECT_STR(file_answer(len), "the file is truncated");
		free(copy);
	}
}

/* Type data that ends anywhere, in its section or by its own header. */
static void data_cut_off(void)
{
	size_t len, full;

	file_make(&file);
	full = sizeof(struct btf_header) + file.world.header.str_off + file.world.header.str_len;
	for (len = 0; len < full; len++)
		EXPECT_STR(data_answer(&file.world, len), len < sizeof(struct btf_header) ?
			   "its type data has no header" : "its type data is cut off");
	EXPECT_STR(data_answer(&file.world, full), "");
	for (len = file.world.used * sizeof(u32); len-- > 0;) {
		file.world.header.type_len = len;
		/* Whole types may remain, that refer to no others. */
		EXPECT(world_answer()[0] || len % sizeof(u32) == 0);
	}
	file_make(&file);
	for (len = file.world.header.str_len; len-- > 0;) {
		file.world.header.str_len = len;
		EXPECT(world_answer()[0]);
	}
}

static void other_files(void)
{
	static const char script[] = "#!/bin/sh";
	struct pe_btf_elf elf;

	EXPECT_EQ(pe_btf_elf_size(script, 1), 0);
	EXPECT_EQ(pe_btf_elf_size(script, sizeof(script)), 0);
	EXPECT_STR(pe_btf_elf_open(&elf, script, sizeof(script)), "it is no ELF file of 64 bits");

#define FILE_CASE(change, answer) do {				\
	file_make(&file);					\
	change;							\
	EXPECT_STR(file_answer(sizeof(file)), answer);		\
} while (0)
	FILE_CASE(file.header.e_ident[EI_CLASS] = ELFCLASS32, "it is no ELF file of 64 bits");
	FILE_CASE(file.header.e_ident[EI_DATA] = ELFDATA2MSB, "it is no ELF file of 64 bits");
	FILE_CASE(file.header.e_shentsize--, "it is no ELF file of 64 bits");
	FILE_CASE(file.header.e_shoff = -8ULL, "the file is truncated");
	FILE_CASE(file.header.e_shoff++, "the file is truncated");
	FILE_CASE(file.header.e_shnum = 0, "its sections have no names");
	FILE_CASE(file.header.e_shnum = 0xffff, "the file is truncated");
	FILE_CASE(file.header.e_shstrndx = FILE_SECTIONS, "its sections have no names");
	FILE_CASE(file.header.e_shstrndx = FILE_NULL, "its sections have no names");
	FILE_CASE(file.sections[FILE_NAMES].sh_size = 8, "it has no type data");
	FILE_CASE(file.sections[FILE_NAMES].sh_size = 12, "it has no type data");
	FILE_CASE(file.sections[FILE_BTF].sh_size += sizeof(file), "the file is truncated");
	FILE_CASE(file.sections[FILE_BTF].sh_size = -1ULL, "the file is truncated");
	FILE_CASE(file.sections[FILE_BTF].sh_size = 0, "it has no type data");
	FILE_CASE(file.sections[FILE_BTF].sh_type = SHT_NOBITS, "it has no type data");
	FILE_CASE(file.sections[FILE_BTF].sh_name = 0, "it has no type data");
	FILE_CASE(file.sections[FILE_BTF].sh_name = -1, "it has no type data");
	FILE_CASE(file.sections[FILE_NOTES].sh_type = SHT_PROGBITS, "it has no build id");
	FILE_CASE(file.sections[FILE_NOTES].sh_size -= 1, "it has no build id");
	FILE_CASE(file.notes[0].header.n_namesz = -1, "it has no build id");
	FILE_CASE(file.notes[0].header.n_descsz = -1, "it has no build id");
	FILE_CASE(file.notes[1].header.n_descsz = 0, "it has no build id");
	FILE_CASE(file.notes[1].header.n_type = 4, "it has no build id");
	FILE_CASE(file.notes[1].name[2] = 'V', "it has no build id");
}

/* The word of @id's struct btf_type, or after it. */
static u32 *word_of(u32 id, unsigned int word)
{
	u32 at[512] = {};

	EXPECT(!pe_btf_blob_open(&blob, &file.world, sizeof(file.world)));
	EXPECT(!pe_btf_blob_index(&blob, at));
	return (u32 *)(blob.types + blob.at[id]) + word;
}

/* The first type of a kind. */
static u32 first(u32 kind)
{
	u32 id;

	for (id = 1; id <= file.world.nr; id++)
		if (BTF_INFO_KIND(*word_of(id, 1)) == kind)
			return id;
	EXPECT(!"no type of this kind");
	return 1;
}

static void other_data(void)
{
#define DATA_CASE(change, answer) do {				\
	file_make(&file);					\
	change;							\
	EXPECT_STR(world_answer(), answer);			\
} while (0)
#define TYPE_CASE(kind, word, value, answer) \
	DATA_CASE(*word_of(first(BTF_KIND_##kind), word) = (value), answer)
	struct btf_header *h = &file.world.header;

	DATA_CASE(h->magic++, "its type data has no header");
	DATA_CASE(h->version++, "its type data has no header");
	DATA_CASE(h->flags++, "its type data has no header");
	DATA_CASE(h->hdr_len--, "the header of its type data is wrong");
	DATA_CASE(h->hdr_len = -4, "the header of its type data is wrong");
	DATA_CASE(h->type_off++, "the header of its type data is wrong");
	DATA_CASE(h->type_off = -4, "its type data is cut off");
	DATA_CASE(h->type_len = -4, "its type data is cut off");
	DATA_CASE(h->str_off = -1, "its type data is cut off");
	DATA_CASE(h->str_len = -1, "its type data is cut off");
	DATA_CASE(h->str_len--, "its names have no end");
	DATA_CASE(h->str_len = 0, "its names have no end");
	DATA_CASE(h->str_off++, "its names have no end");
	DATA_CASE(h->type_len -= 4, "a type is cut off");
	TYPE_CASE(INT, 1, 0, "a type is of an unknown kind");
	TYPE_CASE(INT, 1, 20u << 24, "a type is of an unknown kind");
	TYPE_CASE(FUNC_PROTO, 1, BTF_KIND_FUNC_PROTO << 24 | 0xffff, "a type is cut off");
	TYPE_CASE(PTR, 1, BTF_KIND_PTR << 24 | 1 << 16, "a type has bits without a meaning");
	TYPE_CASE(INT, 0, h->str_len, "a name is none");
	TYPE_CASE(INT, 2, 3, "a type has a size that cannot be");
	TYPE_CASE(INT, 2, 17, "a type has a size that cannot be");
	TYPE_CASE(INT, 3, 0, "a type has a size that cannot be");
	TYPE_CASE(INT, 3, 1 << 16 | 32, "a type has a size that cannot be");
	TYPE_CASE(ENUM, 2, 3, "a type has a size that cannot be");
	TYPE_CASE(PTR, 2, file.world.nr + 1, "a type refers to one that is not there");
	TYPE_CASE(CONST, 2, -1, "a type refers to one that is not there");
	TYPE_CASE(ARRAY, 3, file.world.nr + 1, "a type refers to one that is not there");
	TYPE_CASE(ARRAY, 4, -1, "a type refers to one that is not there");
	TYPE_CASE(STRUCT, 3, -1, "a name is none");
	TYPE_CASE(STRUCT, 4, -1, "a type refers to one that is not there");
	TYPE_CASE(STRUCT, 5, 33, "a member is outside of its structure");
	TYPE_CASE(STRUCT, 2, 1, "a member is outside of its structure");
	TYPE_CASE(TYPEDEF, 0, 1 << 20, "a name is none");
	TYPE_CASE(FUNC, 2, 1, "a function has no prototype");
	TYPE_CASE(FUNC, 2, -1, "a type refers to one that is not there");
	TYPE_CASE(FUNC_PROTO, 2, -1, "a type refers to one that is not there");
	DATA_CASE(file.world.strings[1] = '\n', "a name is none");
	DATA_CASE(file.world.strings[1] = '\x80', "a name is none");
	DATA_CASE(file.world.strings[*word_of(first(BTF_KIND_TYPEDEF), 0)] = ' ', "a name is none");
	DATA_CASE(file.world.strings[*word_of(first(BTF_KIND_TYPEDEF), 0)] = '9', "a name is none");
	DATA_CASE(file.world.strings[*word_of(first(BTF_KIND_TYPEDEF), 0)] = '_', "");
	/* circles are no error */
	TYPE_CASE(CONST, 2, first(BTF_KIND_CONST), "");
}

/* A name may have 511 characters. */
static void long_names(void)
{
	static struct btf_world *w = &file.world;

	file_make(&file);
	*word_of(first(BTF_KIND_INT), 0) = w->text;
	memset(w->strings + w->text, 'x', 511);
	w->header.str_len = w->text + 512;
	EXPECT_STR(world_answer(), "");
	w->strings[w->text + 511] = 'x';
	w->header.str_len++;
	EXPECT_STR(world_answer(), "a name is none");
}

static void many_types(void)
{
	size_t n = 1 << 20, len = sizeof(struct btf_header) + n * sizeof(struct btf_type) + 1;
	struct btf_header *h = calloc(len, 1);
	struct btf_type *t = (struct btf_type *)(h + 1);
	size_t i;

	*h = (struct btf_header){
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(*h),
		.type_len = (n - 1) * sizeof(*t), .str_off = n * sizeof(*t), .str_len = 1,
	};
	for (i = 0; i < n; i++)
		t[i].info = BTF_KIND_PTR << 24;
	EXPECT_STR(data_answer(h, len), "");
	h->type_len += sizeof(*t);
	EXPECT_STR(data_answer(h, len), "it has too many types");
	free(h);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "good", good },
		{ "cut off", cut_off },
		{ "data cut off", data_cut_off },
		{ "other files", other_files },
		{ "other data", other_data },
		{ "long names", long_names },
		{ "many types", many_types },
	};

	return PE_RUN(tests);
}
