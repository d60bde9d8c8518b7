// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Names that may have been meant, on any bytes.  A NUL ends the first name, the rest is the
 * second one.
 *
 *   - nothing is read after a name (each is copied to memory of its own size);
 *   - a distance is the same both ways, below the limit or the limit, and 0 for equal names only;
 *   - a greater limit finds no smaller distance;
 *   - what is kept is a name that was offered.
 */
#include "kernel/trace/parse/near.h"
#include "tests/fuzz/check.h"

static char *copy(const u8 *data, size_t len)
{
	char *s = malloc(len + 1);

	memcpy(s, data, len);
	s[len] = '\0';
	return s;
}

static void check(const char *a, const char *b)
{
	unsigned int max, d, last = 0;
	struct pe_near near;

	for (max = 0; max <= 4; max++) {
		d = pe_name_distance(a, b, max);
		CHECK(d <= max && d >= last);
		CHECK(d == pe_name_distance(b, a, max));
		last = d;
	}
	if (strlen(a) < PE_NEAR_LEN && strlen(b) < PE_NEAR_LEN)
		CHECK(!last == !strcmp(a, b));
	pe_near_init(&near, a);
	pe_near_offer(&near, b);
	CHECK(!near.name[0] || !strcmp(near.name, b));
	if (pe_name_is_clone(b, a) != PE_CLONE_NO)
		CHECK(strlen(b) > strlen(a) && !memcmp(a, b, strlen(a)));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t len = 0;
	char *a, *b;

	while (len < size && data[len])
		len++;
	a = copy(data, len);
	b = len < size ? copy(data + len + 1, size - len - 1) : copy(data, 0);
	check(a, b);
	free(a);
	free(b);
	return 0;
}
