// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * btf_elf.c - type data and the build id in an ELF file [P]
 *
 * Headers are copied before they are read: in a file they may be anywhere.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <uapi/linux/elf.h>
#include <pe/btf_file.h>
#include "kernel/know/btf_elf.h"

#define NT_BUILD_ID	3	/* the type of the note with the name "GNU" */

static bool pe_is_elf(const struct elf64_hdr *h)
{
	return !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_shentsize == sizeof(struct elf64_shdr);
}

static u64 pe_end_of(u64 off, u64 size)
{
	return off + size < off ? U64_MAX : off + size;
}

static u64 pe_sections_end(const struct elf64_hdr *h)
{
	return pe_end_of(h->e_shoff, (u64)h->e_shnum * sizeof(struct elf64_shdr));
}

/* The headers of all sections are within the bytes. */
static struct elf64_shdr pe_btf_elf_section(const void *bytes, const struct elf64_hdr *h,
					    unsigned int i)
{
	struct elf64_shdr s;

	memcpy(&s, (const u8 *)bytes + h->e_shoff + i * sizeof(s), sizeof(s));
	return s;
}

static u64 pe_section_end(const struct elf64_shdr *s)
{
	return s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS ? 0 :
	       pe_end_of(s->sh_offset, s->sh_size);
}

u64 pe_btf_elf_size(const void *bytes, size_t len)
{
	unsigned int i;
	struct elf64_hdr h;
	u64 size;

	if (len < sizeof(h))
		return memcmp(bytes, ELFMAG, len < SELFMAG ? len : SELFMAG) ? 0 : sizeof(h);
	memcpy(&h, bytes, sizeof(h));
	if (!pe_is_elf(&h))
		return 0;
	size = pe_sections_end(&h);
	if (size < sizeof(h))
		size = sizeof(h);
	if (len < size)
		return size;
	for (i = 0; i < h.e_shnum; i++) {
		struct elf64_shdr s = pe_btf_elf_section(bytes, &h, i);

		if (pe_section_end(&s) > size)
			size = pe_section_end(&s);
	}
	return size;
}
EXPORT_SYMBOL_GPL(pe_btf_elf_size);

bool pe_build_id_find(struct pe_bytes notes, struct pe_bytes *id)
{
	struct elf64_note n;
	u64 desc, end;

	while (notes.len >= sizeof(n)) {
		memcpy(&n, notes.data, sizeof(n));
		desc = sizeof(n) + ALIGN((u64)n.n_namesz, 4);
		end = desc + n.n_descsz;
		if (end > notes.len)
			return false;
		if (n.n_type == NT_BUILD_ID && n.n_namesz == sizeof("GNU") && n.n_descsz &&
		    !memcmp(notes.data + sizeof(n), "GNU", sizeof("GNU"))) {
			*id = (struct pe_bytes){ notes.data + desc, n.n_descsz };
			return true;
		}
		end = ALIGN(end, 4);
		if (end > notes.len)
			return false;
		notes.data += end;
		notes.len -= end;
	}
	return false;
}

static bool pe_is_btf(const struct elf64_shdr *s, struct pe_bytes names)
{
	static const char btf[] = ".BTF";

	return s->sh_name < names.len && names.len - s->sh_name >= sizeof(btf) &&
	       !memcmp(names.data + s->sh_name, btf, sizeof(btf));
}

static struct pe_bytes pe_btf_elf_contents(const void *bytes, const struct elf64_shdr *s)
{
	return (struct pe_bytes){ (const u8 *)bytes + s->sh_offset, s->sh_size };
}

const char *pe_btf_elf_open(struct pe_btf_elf *elf, const void *bytes, size_t len)
{
	u64 size = pe_btf_elf_size(bytes, len);
	struct pe_bytes names;
	unsigned int i;
	struct elf64_hdr h;
	struct elf64_shdr s;

	memset(elf, 0, sizeof(*elf));
	if (!size)
		return "it is no ELF file of 64 bits";
	if (len < size)
		return "the file is truncated";
	memcpy(&h, bytes, sizeof(h));
	if (h.e_shstrndx >= h.e_shnum)
		return "its sections have no names";
	s = pe_btf_elf_section(bytes, &h, h.e_shstrndx);
	if (!pe_section_end(&s))
		return "its sections have no names";
	names = pe_btf_elf_contents(bytes, &s);
	for (i = 0; i < h.e_shnum; i++) {
		s = pe_btf_elf_section(bytes, &h, i);
		if (!pe_section_end(&s))
			continue;
		if (s.sh_type == SHT_NOTE && !elf->build_id.len)
			pe_build_id_find(pe_btf_elf_contents(bytes, &s), &elf->build_id);
		else if (!elf->btf.len && pe_is_btf(&s, names))
			elf->btf = pe_btf_elf_contents(bytes, &s);
	}
	if (!elf->build_id.len)
		return "it has no build id";
	return elf->btf.len ? NULL : "it has no type data";
}
