/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf_walk.h - what an argument needs to know of types (btf_walk.c).
 */
#ifndef PE_BTF_WALK_H
#define PE_BTF_WALK_H

#include <linux/types.h>
#include "lex.h"

struct btf;
struct btf_type;

/**
 * struct pe_btf_member - a member of a structure or union
 * @type: its type's id
 * @bit: its first bit in the structure that was asked, anonymous ones between them included
 * @bits: the width if it is a bitfield, or 0
 */
struct pe_btf_member {
	u32 type;
	u32 bit;
	u32 bits;
};

/**
 * pe_btf_find_member() - a member by its name
 * @btf: the type data
 * @t: a structure or union
 * @name: the member's
 * @found: set
 *
 * Members of anonymous structures are members of the one around them, as in C.
 *
 * Return: 0; -EINVAL if @t is none of these; -ENOENT if it has no such member.
 */
int pe_btf_find_member(const struct btf *btf, const struct btf_type *t, struct pe_str name,
		       struct pe_btf_member *found);

/* Call @fn for the names of the members that pe_btf_find_member() knows; @t as there. */
void pe_btf_each_member(const struct btf *btf, const struct btf_type *t,
			void (*fn)(void *data, const char *name), void *data);

/* The size of type @id in bytes; 0 if it has none, or if that is 4 GB or more. */
u64 pe_btf_size(const struct btf *btf, u32 id);

/* The number of parameters; the last one may have type 0: "...". */
unsigned int pe_btf_nr_params(const struct btf_type *proto);
/* The name of parameter @i ("" if it has none); its type's id goes to @type if that isn't NULL. */
const char *pe_btf_param(const struct btf *btf, const struct btf_type *proto, unsigned int i,
			 u32 *type);

/* A pointer to characters, or an array of them? */
bool pe_btf_is_char_ptr(const struct btf *btf, const struct btf_type *t);
bool pe_btf_is_char_array(const struct btf *btf, const struct btf_type *t);

/**
 * pe_btf_type_name() - the argument type in which a value of a type is recorded
 * @t: the type
 * @bit: the value's first bit
 * @bits: set if the type itself has fewer bits than that; its first bit is added to @bit
 *
 * Return: its name, or NULL if the type says nothing.
 */
const char *pe_btf_type_name(const struct btf_type *t, u32 *bit, u32 *bits);

#endif
