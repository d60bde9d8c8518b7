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

/* Of the size of a C type: hits know 1, 2, 4 and 8 bytes. */
#define PE_VALUE(NAME, FIELD, FMT, CLASS, SIGNED) \
	{ NAME, #FIELD, FMT, sizeof(FIELD), CLASS, SIGNED }

static const struct pe_type pe_fetch_types[] = {
	{ "string",  STRING_FIELD, STRING_FMT, 4, PE_CLASS_STRING,  true },
	{ "ustring", STRING_FIELD, STRING_FMT, 4, PE_CLASS_USTRING, true },
	{ "symstr",  STRING_FIELD, STRING_FMT, 4, PE_CLASS_SYMSTR,  true },
	{ "task",    STRING_FIELD, "%s",       4, PE_CLASS_TASK,    true },
	{ "rwbs",    STRING_FIELD, "%s",       4, PE_CLASS_RWBS,    true },
	PE_VALUE("u8",     u8,  "%u",    PE_CLASS_UINT,   false),
	PE_VALUE("u16",    u16, "%u",    PE_CLASS_UINT,   false),
	PE_VALUE("u32",    u32, "%u",    PE_CLASS_UINT,   false),
	PE_VALUE("u64",    u64, "%Lu",   PE_CLASS_UINT,   false),
	PE_VALUE("s8",     s8,  "%d",    PE_CLASS_SINT,   true),
	PE_VALUE("s16",    s16, "%d",    PE_CLASS_SINT,   true),
	PE_VALUE("s32",    s32, "%d",    PE_CLASS_SINT,   true),
	PE_VALUE("s64",    s64, "%Ld",   PE_CLASS_SINT,   true),
	PE_VALUE("x8",     u8,  "0x%x",  PE_CLASS_HEX,    false),
	PE_VALUE("x16",    u16, "0x%x",  PE_CLASS_HEX,    false),
	PE_VALUE("x32",    u32, "0x%x",  PE_CLASS_HEX,    false),
	PE_VALUE("x64",    u64, "0x%Lx", PE_CLASS_HEX,    false),
	PE_VALUE("char",   u8,  "'%c'",  PE_CLASS_CHAR,   false),
	PE_VALUE("symbol", u64, "%pS",   PE_CLASS_SYMBOL, false),
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
	const struct pe_type *type = pe_fetch_types;
	u64 bits;

	if (pe_lex_u64(pe_str_from(name, pe_str_find(name, '/') + 1), 0, &bits))
		return NULL;
	for (; type < pe_fetch_types + ARRAY_SIZE(pe_fetch_types); type++)
		if (type->class == PE_CLASS_UINT && 8ULL * type->size == bits)
			return type;
	return NULL;
}

const struct pe_type *pe_type_find(const char *name, size_t len)
{
	struct pe_str s = { name, len };

	return pe_str_at(s, 0) == 'b' ? pe_find_container(s) : pe_fetch_type_find(s);
}
