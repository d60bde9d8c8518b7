// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_enums.c - names of an enumeration's numbers, of type data that is made here.
 */
#include <bpf/btf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "enums.h"
#include "expect.h"

static struct btf *btf;

/* What a type of so many bits calls a number; "?": it is no enumeration. */
static void name_is(int id, unsigned int bits, long long number, const char *wanted)
{
	struct enumeration e;
	const char *got = enum_read(&e, btf, id, bits) ? "?" : enum_name(&e, number) ?: "-";

	if (strcmp(got, wanted)) {
		printf("type %d, %u bits, %lld: got %s, wanted %s\n", id, bits, number, got, wanted);
		failed = 1;
	}
	enum_free(&e);
}

/* Without a name; with one of two names for a number, and one below 0. */
static void test_plain(void)
{
	int id = btf__add_enum(btf, NULL, 4), number;

	btf__add_enum_value(btf, "BELOW", -3);
	btf__add_enum_value(btf, "FIRST", 1);
	btf__add_enum_value(btf, "SECOND", 1);
	btf__add_enum_value(btf, "LARGE", 256);
	name_is(id, 0, 1, "FIRST");
	name_is(id, 0, 0, "-");
	name_is(id, 0, -3, "BELOW");
	name_is(id, 0, 4294967293LL, "BELOW");
	name_is(id, 0, 257, "-");
	/* Of a bit field the sign is lost; 256 has no room in one, and is not 0 there. */
	name_is(id, 3, 5, "BELOW");
	name_is(id, 3, 1, "FIRST");
	name_is(id, 8, 0, "-");
	number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	name_is(number, 0, 1, "?");
	name_is(12345, 0, 1, "?");
}

static void test_sizes(void)
{
	int byte = btf__add_enum(btf, "packed", 1), high, wide, signed_wide, empty;

	btf__add_enum_value(btf, "BYTE_0", 0);
	btf__add_enum_value(btf, "BYTE_200", 200);
	name_is(byte, 0, -56, "BYTE_200");
	name_is(byte, 0, 200, "BYTE_200");
	name_is(byte, 4, 8, "-");
	high = btf__add_enum(btf, "high", 4);
	btf__add_enum_value(btf, "HIGH_BIT", INT_MIN);
	btf__add_enum_value(btf, "HIGH_ONE", 1);
	name_is(high, 0, 0x80000000LL, "HIGH_BIT");
	name_is(high, 0, INT_MIN, "HIGH_BIT");
	wide = btf__add_enum64(btf, "wide", 8, false);
	btf__add_enum64_value(btf, "WIDE_TOP", 1ULL << 63);
	btf__add_enum64_value(btf, "WIDE_33", 1ULL << 33);
	name_is(wide, 0, LLONG_MIN, "WIDE_TOP");
	name_is(wide, 0, 1LL << 33, "WIDE_33");
	name_is(wide, 0, 0, "-");
	signed_wide = btf__add_enum64(btf, NULL, 8, true);
	btf__add_enum64_value(btf, "WIDE_BELOW", -5);
	name_is(signed_wide, 0, -5, "WIDE_BELOW");
	name_is(signed_wide, 4, 11, "WIDE_BELOW");
	empty = btf__add_enum(btf, "empty", 4);
	name_is(empty, 0, 0, "-");
}

int main(void)
{
	btf = btf__new_empty();
	if (!btf)
		return 1;
	test_plain();
	test_sizes();
	btf__free(btf);
	return failed;
}
