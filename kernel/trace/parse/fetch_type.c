// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fetch_type.c - the argument types [P]
 */
#include <linux/kernel.h>
#include "arg.h"
#include "lex.h"

#define STRING_FMT	"\\\"%s\\\""
#define STRING_FIELD	"__data_loc char[]"

static const struct pe_type pe_fetch_types[] = {
	{ "string",  STRING_FIELD, STRING_FMT, 4, PE_CLASS_STRING,  true },
	{ "ustring", STRING_FIELD, STRING_FMT, 4, PE_CLASS_USTRING, true },
	{ "symstr",  STRING_FIELD, STRING_FMT, 4, PE_CLASS_SYMSTR,  true },
	{ "task",    STRING_FIELD, "%s",       4, PE_CLASS_TASK,    true },
	{ "rwbs",    STRING_FIELD, "%s",       4, PE_CLASS_RWBS,    true },
	{ "u8",      "u8",  "%u",     1, PE_CLASS_UINT,   false },
	{ "u16",     "u16", "%u",     2, PE_CLASS_UINT,   false },
	{ "u32",     "u32", "%u",     4, PE_CLASS_UINT,   false },
	{ "u64",     "u64", "%Lu",    8, PE_CLASS_UINT,   false },
	{ "s8",      "s8",  "%d",     1, PE_CLASS_SINT,   true },
	{ "s16",     "s16", "%d",     2, PE_CLASS_SINT,   true },
	{ "s32",     "s32", "%d",     4, PE_CLASS_SINT,   true },
	{ "s64",     "s64", "%Ld",    8, PE_CLASS_SINT,   true },
	{ "x8",      "u8",  "0x%x",   1, PE_CLASS_HEX,    false },
	{ "x16",     "u16", "0x%x",   2, PE_CLASS_HEX,    false },
	{ "x32",     "u32", "0x%x",   4, PE_CLASS_HEX,    false },
	{ "x64",     "u64", "0x%Lx",  8, PE_CLASS_HEX,    false },
	{ "char",    "u8",  "'%c'",   1, PE_CLASS_CHAR,   false },
	{ "symbol",  "u64", "%pS",    8, PE_CLASS_SYMBOL, false },
};

static const struct pe_type *pe_fetch_type_find(struct pe_str name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pe_fetch_types); i++)
		if (pe_str_eq(name, pe_fetch_types[i].name))
			return &pe_fetch_types[i];
	return NULL;
}

/* "bW@O/C": only C matters here; arg_parse.c parses the rest. */
static const struct pe_type *pe_find_container(struct pe_str name)
{
	u64 bits;

	if (pe_lex_u64(pe_str_from(name, pe_str_find(name, '/') + 1), 0, &bits))
		return NULL;
	switch (bits) {
	case 8:
		return pe_fetch_type_find(pe_str_of("u8"));
	case 16:
		return pe_fetch_type_find(pe_str_of("u16"));
	case 32:
		return pe_fetch_type_find(pe_str_of("u32"));
	case 64:
		return pe_fetch_type_find(pe_str_of("u64"));
	default:
		return NULL;
	}
}

const struct pe_type *pe_type_find(const char *name, size_t len)
{
	struct pe_str s = { name, len };

	return pe_str_at(s, 0) == 'b' ? pe_find_container(s) : pe_fetch_type_find(s);
}
