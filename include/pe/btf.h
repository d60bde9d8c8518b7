/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * btf.h - what the kernel's type data (BTF) says of functions and structures.
 *
 * Type data is checked before it can be asked for, by the kernel, or by btf_check.c if it comes
 * from a file.  So a type has all that its kind and length promise, and names end with a NUL.  An
 * id or a name that is out of bounds is answered with NULL or "".
 */
#ifndef PE_INCLUDE_BTF_H
#define PE_INCLUDE_BTF_H

#include <linux/types.h>
#include <uapi/linux/btf.h>

/* What headers of a kernel before 5.18 do not have.  They have macros, later ones an enum. */
#if defined(BTF_KIND_MAX) && BTF_KIND_MAX < 16
#undef BTF_INFO_KIND
#define BTF_INFO_KIND(info)	(((info) >> 24) & 0x1f)
#define BTF_KIND_FLOAT		16
#define BTF_KIND_DECL_TAG	17
#define BTF_KIND_TYPE_TAG	18
#define BTF_KIND_ENUM64		19

struct btf_decl_tag {
	__s32 component_idx;
};

struct btf_enum64 {
	__u32 name_off, val_lo32, val_hi32;
};
#endif

struct btf;
struct btf_type;

/**
 * struct pe_btf_func - a function's type
 * @btf: the type data that has it; NULL: none
 * @proto: the function's prototype in it, of kind FUNC_PROTO
 * @of_module: @btf is a module's, and held
 */
struct pe_btf_func {
	const struct btf *btf;
	const struct btf_type *proto;
	bool of_module;
};

/*
 * Process context, may sleep.
 *
 * pe_btf_known(): does the kernel have type data at all?
 */
bool pe_btf_known(void);

/**
 * pe_btf_func_get() - the type of the function at an address
 * @symbol: "[MOD:]SYM" by which the user has named the place, or ""
 * @addr: in the function
 * @func: filled on success; pe_btf_func_put() must follow
 *
 * A name decides, as type data has no addresses.  @symbol is the name if the function begins
 * there.  If not, the function's own symbol is, unless others have the same name.
 *
 * Return: false if the type is not known.
 */
bool pe_btf_func_get(const char *symbol, unsigned long addr, struct pe_btf_func *func);
void pe_btf_func_put(struct pe_btf_func *func);

/**
 * struct pe_btf_struct - a structure's type
 * @btf: the type data that has it; NULL: none
 * @type: of kind STRUCT
 * @of_module: @btf is a module's, and held
 */
struct pe_btf_struct {
	const struct btf *btf;
	const struct btf_type *type;
	bool of_module;
};

/**
 * pe_btf_struct_get() - a structure by its name, in the kernel's type data or else in a module's
 * @name: of the structure
 * @found: filled on success; pe_btf_struct_put() must follow
 *
 * May take milliseconds.  Return: false if there is none.
 */
bool pe_btf_struct_get(const char *name, struct pe_btf_struct *found);
void pe_btf_struct_put(struct pe_btf_struct *found);

/**
 * pe_btf_find() - a type of the kernel itself, by its name
 * @btf: becomes the type data that has it, which stays
 * @name: of the type
 * @kind: BTF_KIND_STRUCT, BTF_KIND_TYPEDEF, ...
 *
 * Looks at every type, which takes a millisecond or so.  If there are several, the first one
 * counts.
 *
 * Return: NULL if there is none, or no type data.
 */
const struct btf_type *pe_btf_find(const struct btf **btf, const char *name, u32 kind);

/* A type by its id; 0 is void.  NULL if there is no such type. */
const struct btf_type *pe_btf_type(const struct btf *btf, u32 id);

/* A name by its offset; "" if there is none. */
const char *pe_btf_name(const struct btf *btf, u32 offset);

/*
 * The type under names and qualifiers, which may be void; NULL if there is none.  References
 * between types need not be valid: the walk ends after a number of steps.
 */
static inline const struct btf_type *pe_btf_strip(const struct btf *btf, u32 id)
{
	const struct btf_type *t = pe_btf_type(btf, id);
	unsigned int depth;

	for (depth = 0; t && depth < 32; depth++) {
		switch (BTF_INFO_KIND(t->info)) {
		case BTF_KIND_TYPEDEF: case BTF_KIND_CONST: case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT: case BTF_KIND_TYPE_TAG:
			t = pe_btf_type(btf, t->type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

#endif
