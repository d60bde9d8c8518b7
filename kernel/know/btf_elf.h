/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_elf.h - type data and the build id in an ELF file (btf_elf.c) [P]
 */
#ifndef PE_BTF_ELF_H
#define PE_BTF_ELF_H

#include <linux/types.h>

/* Some bytes of a file. */
struct pe_bytes {
	const u8 *data;
	size_t len;
};

/**
 * struct pe_btf_elf - what of an ELF file counts
 * @btf: the section .BTF, anywhere in memory
 * @build_id: of the program for which it was made
 */
struct pe_btf_elf {
	struct pe_bytes btf, build_id;
};

/*
 * pe_btf_elf_open(): NULL, or what is wrong.
 * pe_build_id_find(): the GNU build id in ELF notes; false if there is none.
 *
 * The bytes may be anything.
 */
const char *pe_btf_elf_open(struct pe_btf_elf *elf, const void *bytes, size_t len);
bool pe_build_id_find(struct pe_bytes notes, struct pe_bytes *id);

#endif
