/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_source.h - where the type data for pe/btf.h comes from.
 */
#ifndef PE_BTF_SOURCE_H
#define PE_BTF_SOURCE_H

#include <linux/types.h>

struct btf;
struct btf_type;

/**
 * struct pe_btf_source - a source of the type data of the kernel itself
 * @get: the type data, or NULL
 * @type: as pe_btf_type()
 * @text: as pe_btf_name()
 *
 * Type data that @get has returned once is there for as long as the module is.
 */
struct pe_btf_source {
	const struct btf *(*get)(void);
	const struct btf_type *(*type)(const struct btf *btf, u32 id);
	const char *(*text)(const struct btf *btf, u32 offset);
};

/* btf.c: from now on, instead of the kernel, which has none. */
void pe_btf_set_source(const struct pe_btf_source *to);
/* The type data of the kernel itself, or NULL.  Process context, may sleep. */
const struct btf *pe_btf_vmlinux(void);
/* Does the kernel vouch for it?  A user does for that of a file. */
bool pe_btf_is_kernels(void);

/* know/func_types.c */
const struct btf_type *pe_func_type(const char *name, const struct btf **btf);

/* btf_file.c: no type is asked for any more. */
void pe_btf_file_exit(void);

#endif
