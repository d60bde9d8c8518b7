// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_naming.c - names in place of a table's numbers: of errors; those of enums are test_enums.c's.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "naming.h"
#include "tally.h"

static const char text[] = "#probe-events-table 1\n#time\t1\t2\n"
	"#columns\tcommon_comm:str:key\tret/18446744073709547521*ret:u64:key\thits:u64\n"
	"#balance\trows\t15\tother\t0\n"
	"-2\t0\t5\nb\t18446744073709551614\t4\nb\t18446744073709551092\t3\nb\t18446744073709551016\t2\n"
	"b\t-4096\t1\n#end 5 rows\n";

/* "COMM TEXT, ..." of the rows, the most hits first. */
static void rows_are(const struct table *t, const char *wanted)
{
	char got[400] = "";
	size_t i, len = 0;

	for (i = 0; i < t->nr; i++)
		len += snprintf(got + len, sizeof(got) - len, "%s%s=%s(%s)", i ? ", " : "",
				t->groups[i].keys[0], t->groups[i].keys[1],
				table_name(t->groups[i].keys[1]));
	if (strcmp(got, wanted)) {
		printf("got %s\nwanted %s\n", got, wanted);
		failed = 1;
	}
}

int main(void)
{
	static const char wanted[] = "-2=0 ok(ok), b=-2 ENOENT(ENOENT), b=-524 ENOTSUPP(ENOTSUPP), "
				     "b=-600(-600), b=0 ok(ok)";
	struct request r = { .what = "f", .keys = { "comm", "errno" }, .nr_keys = 2 };
	struct request by = { .what = "f", .keys = { "comm", "errno" }, .nr_keys = 2, .sort = "errno" };
	struct table t, sum = {};
	struct types types = {};
	struct naming n = {};
	char *copy = strdup(text);

	if (naming_begin(&n, &r, &types) || table_read(&t, copy) || naming_apply(&n, &t))
		return 1;
	rows_are(&t, wanted);
	if (tally_add(&sum, &t))
		return 1;
	table_free(&t);
	free(copy);
	/* The sum has texts of its own. */
	if (tally_sort(&sum, &r, false))
		failed = 1;
	rows_are(&sum, wanted);
	if (tally_sort(&sum, &by, false) || strcmp(sum.groups[0].keys[1], "-600"))
		failed = 1;
	table_free(&sum);
	naming_free(&n);
	types_free(&types);
	return failed;
}
