/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_file.h - an ELF file with the types of btf_world.h and a build id, made here.
 */
#ifndef PE_TEST_BTF_FILE_H
#define PE_TEST_BTF_FILE_H

#include "btf_world.h"
#include <uapi/linux/elf.h>

enum { FILE_NULL, FILE_NOTES, FILE_BTF, FILE_NAMES, FILE_SECTIONS };

struct file_note {
	Elf64_Nhdr header;
	char name[4];
	u8 desc[8];
};

struct btf_file {
	Elf64_Ehdr header;
	struct file_note notes[2];	/* the second one has the build id */
	struct btf_world world;
	char names[32];
	Elf64_Shdr sections[FILE_SECTIONS];
};

static inline void file_section(struct btf_file *f, unsigned int i, u32 name, u32 type, u64 off, u64 size)
{
	f->sections[i].sh_name = name;
	f->sections[i].sh_type = type;
	f->sections[i].sh_offset = off;
	f->sections[i].sh_size = size;
}

static inline void file_note(struct file_note *n, u32 type)
{
	n->header = (Elf64_Nhdr){ sizeof("GNU"), sizeof(n->desc), type };
	memcpy(n->name, "GNU", sizeof("GNU"));
	memcpy(n->desc, "build id", sizeof(n->desc));
}

static inline void file_make(struct btf_file *f)
{
	static const char names[] = "\0.notes\0.BTF\0.shstrtab";

	memset(f, 0, sizeof(*f));
	memcpy(f->header.e_ident, ELFMAG, SELFMAG);
	f->header.e_ident[EI_CLASS] = ELFCLASS64;
	f->header.e_ident[EI_DATA] = ELFDATA2LSB;
	f->header.e_shoff = offsetof(struct btf_file, sections);
	f->header.e_shentsize = sizeof(Elf64_Shdr);
	f->header.e_shnum = FILE_SECTIONS;
	f->header.e_shstrndx = FILE_NAMES;
	file_note(&f->notes[0], 1);
	file_note(&f->notes[1], 3);
	world_make(&f->world);
	memcpy(f->names, names, sizeof(names));
	file_section(f, FILE_NOTES, 1, SHT_NOTE, offsetof(struct btf_file, notes), sizeof(f->notes));
	file_section(f, FILE_BTF, 8, SHT_PROGBITS, offsetof(struct btf_file, world), sizeof(f->world));
	file_section(f, FILE_NAMES, 13, SHT_STRTAB, offsetof(struct btf_file, names), sizeof(names));
}

#endif
