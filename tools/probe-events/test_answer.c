// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_answer.c - tables and answers; percentiles against sorted lists.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "balance.h"
#include "grid.h"
#include "live.h"
#include "losses.h"
#include "safe.h"
#include "symbols.h"
#include "table.h"
#include "units.h"

static int failed;

static void same(const char *what, const char *wanted, const char *got)
{
	if (strcmp(got, wanted)) {
		printf("%s: got\n%s\nwanted\n%s\n", what, got, wanted);
		failed = 1;
	}
}

#define HEAD "#probe-events-table 1\n#trigger\thist\n#state\tactive\n#time\t100.5\t130.5\tmono\n"

static const char lat[] = HEAD
	"#columns\tcommon_comm:str:key\thits:u64\tns.step:h2-5:key\tns.sum:s64\tns.max:s64\n"
	"#new\tof a newer module\n"
	"#balance\thits\t17\trows\t11\tother\t2\tpaused\t0\tcleared\t1\tfiltered\t3\n"
	"my\\tsqld\t4\t541\t8000000\t2100000\n"
	"etcd\t1\t432\t200000\t200000\n"
	"my\\tsqld\t6\t509\t6000000\t1048000\n"
	"#other\t2\t5\t5\n"
	"#end 3 rows\n";

static const char losses_text[] =
	"event      place        hits      records    recursion  in_flight  soft\n"
	"s12/lat    do_fsync     18        0          1          1          3\n"
	"s12/lat2   do_fsync     900       0          900        1          3\n"
	"s12/lat    ext4_x+0x4   1         0          0          0          0\n";

static const char syms[] =
	"ffffffff81000000 T first\nffffffff81000100 T second\nffffffff81000200 t third\n";

/* The answer to a question about a table. */
static char *answer(struct request *r, bool timed, const char *table, const char *lost,
		    size_t width)
{
	char *text = strdup(table), *names = strdup(syms), *said = NULL;
	struct functions symbols;
	struct losses losses;
	struct table t;
	size_t size;
	FILE *out = open_memstream(&said, &size);
	struct answer a = { .r = r, .timed = timed, .table = &t, .losses = &losses,
			    .symbols = &symbols, .width = width };
	const char *wrong = table_read(&t, text);

	if (wrong) {
		fputs(wrong, out);
	} else {
		losses_read(&losses, lost, "s12", timed ? "lat" : "count");
		symbols_load(&symbols, names);
		answer_print(&a, out);
		fputc('\n', out);
		fprintf(out, "%llu\n", balance_print(&a, out));
		functions_free(&symbols);
		table_free(&t);
	}
	fclose(out);
	free(text);
	free(names);
	return said;
}

/* What a pattern lacks is told where all hits have gone, with the option that says more. */
static void test_refused(void)
{
	struct request r = { .what = "tcp_*" };
	struct losses losses = {};
	struct origin elsewhere = {};
	struct table t = {};
	struct answer a = { .r = &r, .table = &t, .losses = &losses, .refused = 1022 };
	double cost = 0.5;
	char *said;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	a.cost = &cost;
	balance_print(&a, out);
	r.verbose = true;
	balance_print(&a, out);
	r.verbose = false;
	a.origin = &elsewhere;
	balance_print(&a, out);
	fclose(out);
	same("refused", "hits 0 = counted 0; none lost; 1,022 refused (-v); cost 0.50% of CPU\n"
			"hits 0 = counted 0; none lost; 1,022 refused; cost 0.50% of CPU\n"
			"hits 0 = counted 0; none lost; 1,022 refused; cost 0.50% of CPU\n", said);
	free(said);
}

static void check(const char *what, struct request *r, bool timed, const char *table,
		  const char *lost, size_t width, const char *wanted)
{
	char *said = answer(r, timed, table, lost, width);

	same(what, wanted, said);
	free(said);
}

static void test_answers(void)
{
	struct request by_comm = { .what = "do_fsync", .keys = { "comm" }, .nr_keys = 1 };
	struct request all = { .what = "do_fsync" };
	struct request by_stack = { .what = "f", .keys = { "stack", "ret" }, .nr_keys = 2 };
	static const char stacks[] = HEAD
		"#columns\tcommon_stacktrace:stack:key\tret:s64:key\thits:u64\n"
		"#balance\thits\t3\trows\t3\tother\t0\tpaused\t0\tcleared\t0\tfiltered\t0\n"
		"0xffffffff81000104,0xffffffff81000234\t-5\t2\n0x12\t0\t1\n#end 2 rows\n";
	static const char cpus[] = HEAD
		"#columns\tcommon_cpu:u64:key\thits:u64\n"
		"#balance\thits\t15\trows\t15\tother\t0\tpaused\t0\tcleared\t0\tfiltered\t0\n"
		"0\t5\n1\t10\n#end 2 rows\n";

	/* What has no keys has one row, though its table has one for each CPU. */
	check("no keys", &all, false, cpus, "event place hits\ns12/count f 15\n", 0,
	      "do_fsync, 30.0 s\nCALLS\n   15\n\nhits 15 = counted 15; none lost\n0\n");
	all.rows = 1;
	check("no keys, one row", &all, false, cpus, "event place hits\ns12/count f 15\n", 0,
	      "do_fsync, 30.0 s\nCALLS\n   15\n\nhits 15 = counted 15; none lost\n0\n");
	check("by comm", &by_comm, true, lat, losses_text, 0,
	      "do_fsync, 30.0 s\n"
	      "COMM        CALLS      P50      P90      P99      MAX    TOTAL\n"
	      "my\\x09sqld     10  1.008ms  2.015ms  2.015ms  2.100ms  14.00ms\n"
	      "etcd            1  198.7us  198.7us  198.7us  200.0us  200.0us\n"
	      "(other)         2\n"
	      "total          11  1.008ms  2.015ms  2.015ms  2.100ms  14.20ms\n"
	      "\ncalls 19 = counted 12 + not asked for 3 + inside 1; LOST 3: the table was full 2 "
	      "recursion 1\n3\n");
	check("histogram", &all, true, lat, losses_text, 0,
	      "do_fsync, 30.0 s\n"
	      "   FROM          TO  CALLS\n"
	      "131.1us  -  262.1us      1  ######\n"
	      "262.1us  -  524.3us      0\n"
	      "524.3us  -  1.049ms      6  ########################################\n"
	      "1.049ms  -  2.097ms      4  ##########################\n"
	      "p50 1.008ms  p90 2.015ms  p99 2.015ms  p99.9 2.015ms  max 2.100ms  (+-1.6 %)\n"
	      "mean 1.291ms   total 14.20ms\n"
	      "\ncalls 19 = counted 12 + not asked for 3 + inside 1; LOST 3: the table was full 2 "
	      "recursion 1\n3\n");
	all.fine = true;
	check("steps", &all, true, lat, losses_text, 0,
	      "do_fsync, 30.0 s\n"
	      "   FROM          TO  CALLS\n"
	      "196.6us  -  200.7us      1  ######\n"
	      "200.7us  -  999.4us      0\n"
	      "999.4us  -  1.016ms      6  ########################################\n"
	      "1.016ms  -  1.999ms      0\n"
	      "1.999ms  -  2.032ms      4  ##########################\n"
	      "p50 1.008ms  p90 2.015ms  p99 2.015ms  p99.9 2.015ms  max 2.100ms  (+-1.6 %)\n"
	      "mean 1.291ms   total 14.20ms\n"
	      "\ncalls 19 = counted 12 + not asked for 3 + inside 1; LOST 3: the table was full 2 "
	      "recursion 1\n3\n");
	by_stack.rows = 1;
	check("stacks", &by_stack, false, stacks, "event place hits\ns12/count f 3\n", 0,
	      "f, 30.0 s\n"
	      "STACK            RET  CALLS\n"
	      "second <- third  -5       2\n"
	      "(1 more)                  1\n"
	      "total                     3\n"
	      "\nhits 3 = counted 3; none lost\n0\n");
}

static void bad_table(const char *text, const char *wanted)
{
	struct table t;
	char *copy = strdup(text);

	same(text, wanted, table_read(&t, copy) ?: "it is good");
	table_free(&t);
	free(copy);
}

static void test_bad_tables(void)
{
	bad_table("", "it is of an unknown kind");
	bad_table("#probe-events-table 2\n", "it is of an unknown kind");
	bad_table(HEAD, "it is cut off");
	bad_table(HEAD "x\t1\n#end 1 rows\n", "it has no columns");
	bad_table(HEAD "#columns\ta:u64:key\thits:u64\nx\n#end 1 rows\n",
		  "a row has too few fields");
	bad_table(HEAD "#columns\ta:u64:key\thits:u64\nx\t1\n#end 2 rows\n", "it lacks rows");
	bad_table(HEAD "#columns\ta:u64:key\thits:u64\nx\t1\n", "it is cut off");
	bad_table(HEAD "#columns\ta:u64:key\thits:u64\n#end 0 rows\n", "it is good");
	bad_table(HEAD "#columns\ta:str:key\thits:u64\nx\t1\n#columns\ta\tb\tc\n#end 1 rows\n",
		  "it has columns twice");
	bad_table(HEAD "#columns\ta:str:key\thits:u64\n\\#end 1\t1\n#end 1 rows\n", "it is good");
}

static int compare(const void *a, const void *b)
{
	unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;

	return (x > y) - (x < y);
}

/* The step of a value, by search: no formula in common with table.c. */
static unsigned int step_by_search(unsigned long long value)
{
	unsigned int low = 0, high = 1919;

	while (low < high) {
		unsigned int middle = (low + high + 1) / 2;

		if (step_lower(middle) <= value)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

#define VALUES 20000

static void test_percentiles(void)
{
	static unsigned long long values[VALUES];
	static struct step_count steps[1920];
	static const double percents[] = { 0.1, 1, 50, 90, 99, 99.9, 100 };
	struct group g = { .steps = steps };
	size_t i, kind;

	for (kind = 0; kind < 4; kind++) {
		memset(steps, 0, sizeof(steps));
		for (i = 0; i < VALUES; i++) {
			double u = (random() + 1.0) / (RAND_MAX + 2.0);

			values[i] = kind == 0 ? u * 1e6 : kind == 1 ? -log(u) * 1e5 :
				    kind == 2 ? pow(u, -1.5) * 100 : (i % 10 ? 1000 : 1e9);
			steps[step_by_search(values[i])].hits++;
		}
		for (i = 0; i < 1920; i++)
			steps[i].step = i;
		g.nr_steps = 1920;
		qsort(values, VALUES, sizeof(*values), compare);
		g.max = values[VALUES - 1];
		for (i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
			size_t rank = lround(percents[i] * 10) * VALUES / 1000;
			unsigned long long wanted = values[rank - 1];
			unsigned long long got = group_percentile(&g, percents[i]);

			if (fabs((double)got - wanted) > wanted * 0.016) {
				printf("kind %zu, p%g: %llu, wanted %llu\n", kind, percents[i], got,
				       wanted);
				failed = 1;
			}
		}
	}
}

/* The last value that is 1 and the first that is 2: no rank is one too high or too low. */
static void test_ranks(void)
{
	struct step_count steps[2];
	struct group g = { .steps = steps, .nr_steps = 2, .max = 2 };
	static const struct {
		unsigned long long all, below;	/* so many are in step 1, the others in step 2 */
		double percent;
		unsigned long long wanted;
	} cases[] = {
		{ 1000, 999, 99.9, 1 }, { 1000, 998, 99.9, 2 }, { 1001, 999, 99.9, 2 },
		{ 7000, 6993, 99.9, 1 }, { 7000, 6992, 99.9, 2 }, { 4000000, 3996000, 99.9, 1 },
		{ 100, 99, 99, 1 }, { 100, 98, 99, 2 }, { 3, 1, 50, 2 }, { 1, 1, 0.1, 1 },
		{ -1ULL / 1000 * 1000, -1ULL / 1000 * 999, 99.9, 1 },
		{ -1ULL / 1000 * 1000, -1ULL / 1000 * 999 - 1, 99.9, 2 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned long long got;

		steps[0] = (struct step_count){ 1, cases[i].below };
		steps[1] = (struct step_count){ 2, cases[i].all - cases[i].below };
		got = group_percentile(&g, cases[i].percent);
		if (got != cases[i].wanted) {
			printf("p%g of %llu, %llu of them 1: %llu, wanted %llu\n", cases[i].percent,
			       cases[i].all, cases[i].below, got, cases[i].wanted);
			failed = 1;
		}
	}
}

static void test_units(void)
{
	char text[UNITS_TEXT];

	same("0", "0", print_count(text, 0));
	same("999", "999", print_count(text, 999));
	same("1000", "1,000", print_count(text, 1000));
	same("most", "18,446,744,073,709,551,615", print_count(text, -1ULL));
	same("ns", "999ns", print_time(text, 999, NULL));
	same("us", "1.000us", print_time(text, 1000, NULL));
	same("99.995us", "100.0us", print_time(text, 99996, NULL));
	same("999.96us", "1.000ms", print_time(text, 999960, NULL));
	same("ms", "12.05ms", print_time(text, 12049000, NULL));
	same("s", "100.0s", print_time(text, 100000000000, NULL));
	same("long", "86400s", print_time(text, 86400000000000, NULL));
	same("as s", "0.001s", print_time(text, 1049000, "s"));
	same("as ns", "1049000ns", print_time(text, 1049000, "ns"));
}

/* What is too wide is cut in the middle; characters of UTF-8 stay whole. */
static void test_grid(void)
{
	struct grid g = {};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	grid_column(&g, "NAME", true);
	grid_column(&g, "N", false);
	grid_cell(&g, "a_very_long_name_of_a_function");
	grid_cell(&g, "12");
	grid_cell(&g, "\xc3\xa4\x1b[m");
	grid_cell(&g, "3");
	grid_cell(&g, "no whole row");
	grid_print(&g, 24, out);
	fclose(out);
	same("grid", "NAME                   N\n"
		     "a_very_lo~a_function  12\n"
		     "\xc3\xa4\\x1b[m                3\n", text);
	free(text);
	text = NULL;
	out = open_memstream(&text, &size);
	if (grid_print(&g, 17, out) != 1)
		failed = 1;
	fclose(out);
	same("narrow grid", "NAME\na_very_~function\n\xc3\xa4\\x1b[m\n", text);
	free(text);
	grid_free(&g);
}

/* Of the upper half, too, what would change the screen is shown as bytes. */
static void test_safe(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct grid g = {};

	grid_column(&g, "A", true);
	grid_cell(&g, "\xc2\x9b[2J\x9b\xe2\x80\xae\xe2\x81\xa6\xc3\xa4\xe2\x80");
	grid_print(&g, 0, out);
	put_safe("\xc2\x85\x7f\xc3\xa4", 14, out);
	put_safe("\xd8\x9c\xe2\x80\x8b\xef\xbb\xbf\xe2\x81\xa0", 0, out);
	fputc('|', out);
	fclose(out);
	same("safe", "A\n\\xc2\\x9b[2J\\x9b\\xe2\\x80\\xae\\xe2\\x81\\xa6\xc3\xa4\\xe2\\x80\n"
		     "\\xc2\\x85\\x7f\xc3\xa4 "
		     "\\xd8\\x9c\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\xe2\\x81\\xa0|", text);
	free(text);
	grid_free(&g);
}

static void test_cut(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (live_cut("\xc3\xa4\xc3\xb6\xc3\xbc\n\nabc\nd\n", 2, 3, out) != 3 ||
	    live_cut("", 5, 5, out) || live_cut("no end", 9, 9, out) != 1)
		failed = 1;
	fclose(out);
	same("cut", "\xc3\xa4\xc3\xb6\n\nab\nno end\n", text);
	free(text);
}

int main(void)
{
	test_units();
	test_grid();
	test_safe();
	test_cut();
	test_percentiles();
	test_ranks();
	test_bad_tables();
	test_refused();
	test_answers();
	return failed;
}
