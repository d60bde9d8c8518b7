/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_file.h - type data (BTF) from a file, for a kernel that has none.
 */
#ifndef PE_INCLUDE_BTF_FILE_H
#define PE_INCLUDE_BTF_FILE_H

#include <linux/types.h>

struct seq_file;

/**
 * pe_btf_elf_size() - the size of an ELF file that is only partly there
 * @bytes: its beginning, which may be anything
 * @len: of it
 *
 * Return: how many bytes the file has, as far as these tell.  It may grow with @len, and is final
 * if it is not larger.  0: this is no ELF file.
 */
u64 pe_btf_elf_size(const void *bytes, size_t len);

/*
 * Process context, may sleep.  They set *@reason if they fail; NULL: the errno says it.
 *
 * pe_btf_may_load(): 0, or -EEXIST if there is type data.
 * pe_btf_load(): take in the type data of an ELF file, for good.  @len is at least its size.
 * 0, -EEXIST, -EINVAL if it is not this kernel's or not true, -EOPNOTSUPP, -ENOMEM.
 */
int pe_btf_may_load(const char **reason);
int pe_btf_load(const void *file, size_t len, const char **reason);

/* "kernel", "none", or "file" and more. */
void pe_btf_show(struct seq_file *m);

#endif
