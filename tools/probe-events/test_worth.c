// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_worth.c - what hits are worth: times of several CPUs and intervals, and pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "expect.h"
#include "format.h"
#include "tally.h"
#include "view.h"

#define HEAD "#probe-events-table 1\n#time\t%s\tmono\n#columns\tcommon_comm:str:key\t%s\n"

static const char oncpu[] =
	"# oncpu - what ran\nverbs count lat\nt sched_switch on=$since\nspent on\ncounts SWITCHES\n";
static const char pages[] =
	"# pages - allocations\nverbs count\nt mm_page_alloc order=order:u32\nweigh order\n";
static const char freed[] =
	"# pages - allocations\nverbs count\nt mm_page_alloc order=order:u32 freed=\\0:u8\n"
	"t mm_page_free order=order:u32 freed=\\1:u8\nweigh order\nfrees freed\n";

static const char weighed_by_hits[] =
	"# own - allocations\nverbs count\nt mm_page_alloc hits=order:u32 freed=\\0:u8\n"
	"t mm_page_free hits=order:u32 freed=\\1:u8\nweigh hits\nfrees freed\n";

static char *table_text(const char *time, const char *columns, const char *rows)
{
	char text[1000];

	snprintf(text, sizeof(text), HEAD "%s", time, columns, rows);
	return strdup(text);
}

static int no_names(void *ctx)
{
	(void)ctx;
	return 0;
}

/* In a form; without one, as people see it but for the balance. */
static void put(const char *form, const struct answer *a, FILE *out)
{
	const struct format *f = form ? format_find(form) : NULL;

	if (f && f->begin)
		f->begin(a, "t:p x\n", out);
	if (f)
		f->table(a, out);
	else
		answer_print(a, out);
	if (f)
		f->end(a, 0, out);
}

/* The answer to the sum of two intervals, each a table; for free(). */
static char *answer(const char *form, const char *preset, bool timed, unsigned int rows,
		    const char *columns, const char *first, const char *second)
{
	struct request r = { .what = "@p", .keys = { "comm", "stack" }, .nr_keys = 1,
			     .rows = rows };
	struct losses losses = { .nr = 1, .names = { "hits" } };
	char *texts[2], *said = NULL;
	struct functions none = {};
	struct table sum = {}, t;
	const struct answer a = { .verb = timed ? "lat" : "count", .r = &r, .timed = timed,
				  .table = &sum, .symbols = &none, .losses = &losses,
				  .cpus = 2 };
	struct preset p;
	struct view v;
	size_t size, i;
	FILE *out;

	EXPECT(!preset_parse(&p, preset, NULL, 0));
	r.preset = &p;
	if (strstr(columns, ":stack:"))
		r.nr_keys++;
	view_begin(&v, &r, &none, no_names, NULL);
	texts[0] = table_text("10.0\t11.0", columns, first);
	texts[1] = table_text("11.0\t12.0", columns, second);
	for (i = 0; i < 2; i++) {
		const char *wrong = table_read_as(&t, texts[i], &v.shape);

		EXPECT(!wrong);
		if (wrong)
			fprintf(stderr, "%s\n", wrong);
		else
			EXPECT(!tally_add(&sum, &t));
		table_free(&t);
	}
	EXPECT(!tally_sort(&sum, &r, timed));
	losses.values[0] = sum.balance.rows;
	out = open_memstream(&said, &size);
	put(form, &a, out);
	fclose(out);
	table_free(&sum);
	view_end(&v);
	preset_free(&p);
	free(texts[0]);
	free(texts[1]);
	return said;
}

static void check(const char *preset, bool timed, unsigned int rows, const char *columns,
		  const char *first, const char *second, const char *wanted)
{
	char *said = answer(NULL, preset, timed, rows, columns, first, second);

	if (strcmp(said, wanted)) {
		fprintf(stderr, "got\n%s\nwanted\n%s\n", said, wanted);
		failed = 1;
	}
	free(said);
}

#define BALANCE(nr) \
	"#balance\thits\t" #nr "\trows\t" #nr "\tother\t0\tpaused\t0\tcleared\t0\tfiltered\t0\n"

static const struct question {
	const char *name, *preset;
	bool timed;
	const char *columns, *first, *second;
} questions[] = {
	{ "oncpu", oncpu, false, "hits:u64\ton.sum:u64\ton.max:u64",
	  BALANCE(6) "a\t4\t900000000\t400000000\nb\t2\t50000000\t30000000\n#end 2 rows\n",
	  BALANCE(8) "b\t6\t450000000\t90000000\na\t1\t100000000\t100000000\nc\t1\t7\t7\n"
	  "#end 3 rows\n" },
	{ "lat", oncpu, true, "hits:u64\ton.step:h2-5:key\ton.sum:s64\ton.max:s64",
	  BALANCE(4) "a\t3\t541\t6000000\t2100000\nb\t1\t5\t5\t5\n#end 2 rows\n",
	  BALANCE(1) "a\t1\t432\t200000\t200000\n#end 1 rows\n" },
	{ "pages", freed, false, "order:u32:key\thits:u64\tfreed.sum:u64",
	  BALANCE(711) "a\t0\t9\t3\na\t3\t2\t0\nb\t1\t700\t700\n#end 3 rows\n",
	  BALANCE(6) "a\t1\t1\t0\nb\t0\t5\t4\n#end 2 rows\n" },
	{ "stacks", pages, false, "common_stacktrace:stack:key\torder:u32:key\thits:u64",
	  BALANCE(8) "a\t0x12,0x13\t0\t6\na\t0x12,0x13\t3\t2\n#end 2 rows\n",
	  BALANCE(9) "a\t0x14,0x13\t1\t9\n#end 1 rows\n" },
};

/* An answer on standard output, for readers that are not this program. */
static int show(const char *form, const char *name)
{
	const struct question *q = questions;
	char *said;

	while (strcmp(q->name, name))
		q++;
	said = answer(form, q->preset, q->timed, 0, q->columns, q->first, q->second);
	fputs(said, stdout);
	free(said);
	return failed;
}

int main(int argc, char **argv)
{
	static const char counted[] = "hits:u64\ton.sum:u64\ton.max:u64";
	static const char one[] = "a\t4\t900000000\t400000000\nb\t2\t50000000\t30000000\n#end 2 rows\n";
	static const char two[] =
		"b\t6\t450000000\t90000000\na\t1\t100000000\t100000000\nc\t1\t7\t7\n#end 3 rows\n";

	if (argc == 3)
		return show(argv[1], argv[2]);
	/* Times add up; of the longest ones the longest counts, also in the sum and in the rest. */
	check(oncpu, false, 0, counted, one, two,
	      "what ran, 2.0 s\n"
	      "COMM   SWITCHES     TIME  SHARE  LONGEST\n"
	      "a             5   1.000s  25.0%  400.0ms\n"
	      "b             8  500.0ms  12.5%  90.00ms\n"
	      "c             1      7ns   0.0%      7ns\n"
	      "total        14   1.500s  37.5%  400.0ms\n"
	      "1.500s of 4.000s; the rest: before a CPU's first switch, or after its last one\n");
	check(oncpu, false, 1, counted, one, two,
	      "what ran, 2.0 s\n"
	      "COMM      SWITCHES     TIME  SHARE  LONGEST\n"
	      "a                5   1.000s  25.0%  400.0ms\n"
	      "(2 more)         9  500.0ms  12.5%  90.00ms\n"
	      "total           14   1.500s  37.5%  400.0ms\n"
	      "1.500s of 4.000s; the rest: before a CPU's first switch, or after its last one\n");
	/* Their distribution: the maximum is exact. */
	check(oncpu, true, 0, "hits:u64\ton.step:h2-5:key\ton.sum:s64\ton.max:s64",
	      "a\t3\t541\t6000000\t2100000\nb\t1\t5\t5\t5\n#end 2 rows\n",
	      "a\t1\t432\t200000\t200000\n#end 1 rows\n",
	      "what ran, 2.0 s\n"
	      "COMM   SWITCHES  SHARE      P50      P90      P99      MAX    TOTAL\n"
	      "a             4   0.2%  2.015ms  2.015ms  2.015ms  2.100ms  6.200ms\n"
	      "b             1   0.0%      5ns      5ns      5ns      5ns      5ns\n"
	      "total         5   0.2%  2.015ms  2.015ms  2.015ms  2.100ms  6.200ms\n"
	      "0.006s of 4.000s; the rest: before a CPU's first switch, or after its last one\n");
	/* Frees are in no row; what they have given back is compared in all. */
	check(freed, false, 0, "order:u32:key\thits:u64\tfreed.sum:u64",
	      "a\t0\t9\t3\na\t3\t2\t0\nb\t1\t700\t700\n#end 3 rows\n",
	      "a\t1\t1\t0\nb\t0\t5\t4\n#end 2 rows\n",
	      "allocations, 2.0 s\nCOMM   CALLS  PAGES   MB\na          9     24  0.1\n"
	      "b          1      1  0.0\ntotal     10     25  0.1\n"
	      "freed 1,407 pages, 5.5 MB: net -1,382 pages, -5.4 MB\n");
	check(freed, false, 0, "order:u32:key\thits:u64\tfreed.sum:u64", "a\t10\t2\t1\n#end 1 rows\n",
	      "#end 0 rows\n",
	      "allocations, 2.0 s\nCOMM   CALLS  PAGES   MB\na          1  1,024  4.0\n"
	      "total      1  1,024  4.0\nfreed 1,024 pages, 4.0 MB: net +0 pages, +0.0 MB\n");
	/* A field may have the name of the column that counts. */
	check(weighed_by_hits, false, 0, "hits:u32:key\thits:u64\tfreed.sum:u64",
	      "a\t10\t2\t1\nb\t3\t4\t4\n#end 2 rows\n", "#end 0 rows\n",
	      "allocations, 2.0 s\nCOMM   CALLS  PAGES   MB\na          1  1,024  4.0\n"
	      "total      1  1,024  4.0\nfreed 1,056 pages, 4.1 MB: net -32 pages, -0.1 MB\n");
	check(pages, false, 0, "order:u32:key\thits:u64", "a\t0\t6\na\t3\t2\n#end 2 rows\n",
	      "a\t1\t1\n#end 1 rows\n",
	      "allocations, 2.0 s\nCOMM   CALLS  PAGES   MB\na          9     24  0.1\n"
	      "total      9     24  0.1\n");
	return failed;
}
