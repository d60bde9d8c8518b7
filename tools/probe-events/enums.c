// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * enums.c - names of an enumeration's numbers, by type data (BTF).
 *
 * The modules record an enum as a number with a sign, one of 1 or 2 bytes by its own, and bits of a
 * field as one without.  It has a sign here if an enumerator has one, as compilers decide it.
 */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>
#include "enums.h"

/* One of 32 bits above 2^31 is one below 0 here: so is the number that is recorded. */
static long long value_of(const struct btf_type *type, int i)
{
	return btf_is_enum64(type) ? (long long)btf_enum64_value(&btf_enum64(type)[i]) :
	       btf_enum(type)[i].val;
}

static const char *name_of(const struct btf *btf, const struct btf_type *type, int i)
{
	return btf__name_by_offset(btf, btf_is_enum64(type) ? btf_enum64(type)[i].name_off :
				   btf_enum(type)[i].name_off);
}

/* A number of so many bits, with or without a sign. */
static long long cut(long long number, unsigned int bits, bool is_signed)
{
	unsigned int unused = bits < 64 ? 64 - bits : 0;
	unsigned long long high = (unsigned long long)number << unused;

	return is_signed ? (long long)high >> unused : (long long)(high >> unused);
}

int enum_read(struct enumeration *e, const struct btf *btf, unsigned int id, unsigned int bits)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	int i;

	*e = (struct enumeration){};
	if (!type || !btf_is_any_enum(type) || !type->size || type->size > 8)
		return -1;
	e->size = type->size;
	e->bits = bits ?: 8 * type->size;
	e->of = calloc(btf_vlen(type) + 1, sizeof(*e->of));
	if (!e->of)
		return -1;
	for (i = 0; i < btf_vlen(type); i++) {
		e->of[e->nr].value = value_of(type, i);
		e->of[e->nr].name = strdup(name_of(btf, type, i));
		if (!e->of[e->nr++].name) {
			enum_free(e);
			return -1;
		}
		e->is_signed |= value_of(type, i) < 0;
	}
	return 0;
}

const char *enum_name(const struct enumeration *e, long long number)
{
	size_t i;

	number = cut(number, e->bits, e->is_signed);
	for (i = 0; i < e->nr; i++)
		if (e->of[i].value == number)
			return e->of[i].name;
	return NULL;
}

void enum_free(struct enumeration *e)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		free(e->of[i].name);
	free(e->of);
	*e = (struct enumeration){};
}
