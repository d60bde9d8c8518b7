// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_view.c - rows that read the same are one, wherever in a function a call is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "expect.h"
#include "symbols.h"
#include "view.h"

#define HEAD "#probe-events-table 1\n#time\t10.0\t11.0\tmono\n#columns\t"

static const char syms[] =
	"ffffffff81000000 T first\nffffffff81000100 T second\nffffffff81000200 t third\n"
	"ffffffff81000300 T _etext\n";

/* They are read when they are needed. */
struct names {
	struct functions functions;
	char *text;
};

static int load(void *ctx)
{
	struct names *n = ctx;

	if (n->text)
		return 0;
	n->text = strdup(syms);
	return symbols_load(&n->functions, n->text);
}

/* @loaded: names are needed for it */
static void check(const char *key, bool loaded, const char *rows, const char *wanted)
{
	struct request r = { .what = "f", .keys = { (char *)key }, .nr_keys = 1 };
	struct names n = {};
	struct table t;
	const struct answer a = { .r = &r, .table = &t, .symbols = &n.functions };
	char *text = strdup(rows), *said = NULL;
	const char *wrong;
	struct view v;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	view_begin(&v, &r, &n.functions, load, &n);
	wrong = table_read_as(&t, text, &v.shape);
	if (wrong)
		fputs(wrong, out);
	else
		answer_print(&a, out);
	fclose(out);
	EXPECT(!n.text == !loaded);
	if (strcmp(said, wanted)) {
		fprintf(stderr, "got\n%s\nwanted\n%s\n", said, wanted);
		failed = 1;
	}
	if (!wrong)
		table_free(&t);
	view_end(&v);
	functions_free(&n.functions);
	free(n.text);
	free(said);
	free(text);
}

int main(void)
{
	check("caller", true, HEAD "common_caller:addr:key\thits:u64\n"
	      "0xffffffff81000104\t2\n0xffffffff81000210\t4\n0xffffffff810001ff\t3\n#end 3 rows\n",
	      "f, 1.0 s\nCALLER  CALLS\nsecond      5\nthird       4\ntotal       9\n");
	check("stack", true, HEAD "common_stacktrace:stack:key\thits:u64\n"
	      "0xffffffff81000104,0xffffffff81000234\t2\n0xffffffff81000108,0xffffffff81000200\t1\n"
	      "0xffffffff81000108\t1\n#end 3 rows\n",
	      "f, 1.0 s\nSTACK            CALLS\nsecond <- third      3\nsecond               1\n"
	      "total                4\n");
	/* What is in no function stays apart: data, and what is in front of all text. */
	check("x", true, HEAD "x:addr:key\thits:u64\n"
	      "0xffffffff81000300\t3\n0xffffffff82000008\t2\n0x12\t1\n#end 3 rows\n",
	      "f, 1.0 s\nX                   CALLS\n0xffffffff81000300      3\n"
	      "0xffffffff82000008      2\n0x12                    1\ntotal                   6\n");
	check("x", true, HEAD "x:stack:key\thits:u64\n"
	      "0x12,0xffffffff81000104,0xffffffff82000008\t1\n#end 1 rows\n",
	      "f, 1.0 s\nX                                     CALLS\n"
	      "0x12 <- second <- 0xffffffff82000008      1\n"
	      "total                                     1\n");
	check("x", false, HEAD "x:u64:key\thits:u64\n1\t1\n#end 1 rows\n",
	      "f, 1.0 s\nX      CALLS\n1          1\ntotal      1\n");
	return failed;
}
