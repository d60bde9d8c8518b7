// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_errors.c - errors by number and by name.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "errors.h"
#include "expect.h"

static void name_is(long long result, const char *wanted)
{
	const char *got = error_name(result);

	if (got != wanted && (!got || !wanted || strcmp(got, wanted))) {
		printf("%lld: got %s, wanted %s\n", result, got ?: "none", wanted ?: "none");
		failed = 1;
	}
}

static void number_is(const char *name, unsigned int wanted)
{
	unsigned int got = error_number(name, strlen(name));

	if (got != wanted) {
		printf("%s: got %u, wanted %u\n", name, got, wanted);
		failed = 1;
	}
}

int main(void)
{
	name_is(-2, "ENOENT");
	name_is(-11, "EAGAIN");
	name_is(-512, "ERESTARTSYS");
	name_is(-520, NULL);
	name_is(-524, "ENOTSUPP");
	name_is(-530, "ERECALLCONFLICT");
	name_is(-531, NULL);
	name_is(-4095, NULL);
	name_is(-4096, NULL);
	name_is(0, NULL);
	name_is(2, NULL);
	name_is(LLONG_MIN, NULL);
	number_is("ENOENT", 2);
	number_is("-eacces", 13);
	number_is("EWOULDBLOCK", 11);
	number_is("ENOTSUP", 95);
	number_is("ENOTSUPP", 524);
	number_is("600", 600);
	number_is("4095", 4095);
	number_is("4096", 0);
	number_is("0", 0);
	number_is("ENOEN", 0);
	number_is("", 0);
	number_is("-", 0);
	return failed;
}
