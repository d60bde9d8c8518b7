// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_format.c - answers as JSON, CSV and folded stacks, letter by letter.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "format.h"
#include "symbols.h"

static int failed;

#define HEAD "#probe-events-table 1\n#trigger\thist\n#state\tactive\n#time\t100.5\t130.5\tmono\n"

static const char by_comm[] = HEAD
	"#columns\tcommon_comm:str:key\tn:s64:key\thits:u64\tns.step:h2-5:key\tns.sum:s64\t"
	"ns.max:s64\n"
	"#balance\thits\t17\trows\t11\tother\t2\tpaused\t0\tcleared\t0\tfiltered\t3\n"
	"a,\"b\"\t-7\t4\t64\t400\t101\n"
	"\xff\xfe\t9007199254740993\t1\tneg\t-5\t-5\n"
	"#end 2 rows\n";

static const char stacks[] = HEAD
	"#columns\tcommon_comm:str:key\tcommon_stacktrace:stack:key\thits:u64\n"
	"#balance\thits\t3\trows\t3\tother\t1\tpaused\t0\tcleared\t0\tfiltered\t0\n"
	"a;b\\n\t0xffffffff81000104,0xffffffff81000234\t2\nb\t0x12\t1\n#end 2 rows\n";

/* The times that are not the table's are of no interest. */
static void mask(char *text)
{
	char *at;

	while ((at = strstr(text, "\"t\":")) && at[4] != 'T') {
		size_t len = strcspn(at + 4, ",");

		memset(at + 4, 'T', 1);
		memmove(at + 5, at + 4 + len, strlen(at + 4 + len) + 1);
		text = at + 4;
	}
}

/* An answer in a form; for free(). */
static char *answer(const char *form, struct request *r, bool timed, unsigned int interval,
		    const char *table)
{
	char syms[] = "ffffffff81000000 T first\nffffffff81000100 T second\n"
		      "ffffffff81000200 t third\n";
	const struct format *f = format_find(form);
	char *text = strdup(table), *got = NULL;
	struct functions symbols;
	struct losses losses;
	struct table t;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	struct answer a = { .verb = timed ? "lat" : "count", .r = r, .timed = timed,
			    .table = &t, .interval = interval, .losses = &losses,
			    .symbols = &symbols };

	symbols_load(&symbols, syms);
	losses_read(&losses, "event place hits recursion in_flight\ns1/x f 20 1 2\n", "s1", "x");
	if (table_read(&t, text)) {
		fputs("the table is bad", out);
	} else {
		if (f->begin)
			f->begin(&a, "comment x\np:y\n", out);
		f->table(&a, out);
		if (f->error)
			f->error("what", "p:zz", 2, out);
		f->end(&a, 3, out);
		table_free(&t);
	}
	fclose(out);
	free(text);
	functions_free(&symbols);
	return got;
}

static void check(const char *form, struct request *r, bool timed, unsigned int interval,
		  const char *table, const char *wanted)
{
	char *got = answer(form, r, timed, interval, table);

	mask(got);
	if (strncmp(got, "{\"type\":\"start\"", 15) ? strcmp(got, wanted) :
	    strcmp(strchr(got, '\n') + 1, wanted)) {
		printf("%s: got\n%s\nwanted\n%s\n", form, got, wanted);
		failed = 1;
	}
	free(got);
}

static void test_json(void)
{
	struct request r = { .what = "f", .keys = { "comm", "n" }, .nr_keys = 2 };
	struct request stack = { .what = "f", .keys = { "comm", "stack" }, .nr_keys = 2 };

	check("json", &r, true, 4, by_comm,
	      "{\"type\":\"row\",\"v\":1,\"t\":T,\"interval\":4,\"hits\":4,\"ns\":{\"sum\":400,"
	      "\"min\":64,\"max\":101,\"p50\":65,\"p90\":65,\"p99\":65,\"p999\":65,\"h2\":{\"g\":5,"
	      "\"n\":{\"64\":4}}},\"key\":{\"comm\":\"a,\\\"b\\\"\",\"n\":-7}}\n"
	      "{\"type\":\"row\",\"v\":1,\"t\":T,\"interval\":4,\"hits\":1,\"ns\":{\"sum\":-5,"
	      "\"min\":0,\"max\":0,\"p50\":0,\"p90\":0,\"p99\":0,\"p999\":0,\"h2\":{\"g\":5,"
	      "\"n\":{\"neg\":1}}},\"key\":{\"comm\":{\"hex\":\"fffe\"},"
	      "\"n\":\"9007199254740993\"}}\n"
	      "{\"type\":\"interval\",\"v\":1,\"t\":T,\"interval\":4,\"hits\":5,\"ns\":{\"sum\":395,"
	      "\"min\":0,\"max\":101,\"p50\":65,\"p90\":65,\"p99\":65,\"p999\":65,\"h2\":{\"g\":5,"
	      "\"n\":{\"neg\":1,\"64\":4}}},\"seconds\":30.000000,\"rows\":2,\"other\":2}\n"
	      "{\"type\":\"error\",\"v\":1,\"t\":T,\"what\":\"what\",\"command\":\"p:zz\","
	      "\"where\":2}\n"
	      "{\"type\":\"loss\",\"v\":1,\"t\":T,\"why\":\"table_full\",\"hits\":2}\n"
	      "{\"type\":\"loss\",\"v\":1,\"t\":T,\"why\":\"recursion\",\"hits\":1}\n"
	      "{\"type\":\"end\",\"v\":1,\"t\":T,\"status\":3,\"balance\":{\"hits\":20,"
	      "\"counted\":11,\"not_asked_for\":3,\"in_flight\":2,\"later\":1,\"lost\":{"
	      "\"table_full\":2,\"recursion\":1}}}\n");
	check("json", &stack, false, 0, stacks,
	      "{\"type\":\"row\",\"v\":1,\"t\":T,\"hits\":2,\"key\":{\"comm\":\"a;b\\n\","
	      "\"stack\":[\"second\",\"third\"]}}\n"
	      "{\"type\":\"row\",\"v\":1,\"t\":T,\"hits\":1,\"key\":{\"comm\":\"b\","
	      "\"stack\":[\"0x12\"]}}\n"
	      "{\"type\":\"total\",\"v\":1,\"t\":T,\"hits\":3,\"seconds\":30.000000,\"rows\":2,"
	      "\"other\":1}\n"
	      "{\"type\":\"error\",\"v\":1,\"t\":T,\"what\":\"what\",\"command\":\"p:zz\","
	      "\"where\":2}\n"
	      "{\"type\":\"loss\",\"v\":1,\"t\":T,\"why\":\"table_full\",\"hits\":1}\n"
	      "{\"type\":\"loss\",\"v\":1,\"t\":T,\"why\":\"recursion\",\"hits\":1}\n"
	      "{\"type\":\"end\",\"v\":1,\"t\":T,\"status\":3,\"balance\":{\"hits\":20,"
	      "\"counted\":3,\"not_asked_for\":0,\"in_flight\":2,\"later\":13,\"lost\":{"
	      "\"table_full\":1,\"recursion\":1}}}\n");
}

static void test_others(void)
{
	struct request r = { .what = "f", .keys = { "comm", "n" }, .nr_keys = 2 };
	struct request stack = { .what = "f", .keys = { "comm", "stack" }, .nr_keys = 2 };
	struct request all = { .what = "f", .interval = 1000000000 };
	struct request none = { .what = "f" };

	check("csv", &r, true, 0, by_comm,
	      "comm,n,calls,p50_ns,p90_ns,p99_ns,max_ns,total_ns\r\n"
	      "\"a,\"\"b\"\"\",-7,4,65,65,65,101,400\r\n"
	      "\xff\xfe,9007199254740993,1,0,0,0,0,-5\r\n"
	      "(other),,2,,,,,\r\n");
	check("csv", &all, false, 2, by_comm, "interval,calls\r\n2,5\r\n2,2\r\n");
	check("csv", &all, false, 0, by_comm, "interval,calls\r\n");
	check("csv", &stack, false, 0, stacks,
	      "comm,stack,calls\r\n\"a;b\n\",second;third,2\r\nb,0x12,1\r\n(other),,1\r\n");
	check("folded", &stack, false, 0, stacks,
	      "a\\x3bb\\x0a;third;second 2\nb;0x12 1\n(other) 1\n");
	if (format_folded.check(&stack) || !format_folded.check(&none))
		failed = 1;
}

/* Numbers with names, and one without. */
static const char named[] = HEAD
	"#columns\ttype:name:key\tcommon_stacktrace:stack:key\thits:u64\n"
	"#balance\thits\t6\trows\t6\tother\t0\tpaused\t0\tcleared\t0\tfiltered\t0\n"
	"1 TGID\t0xffffffff81000104\t3\n-7\t0xffffffff81000104\t2\n"
	"-2 EN_OENT\t0xffffffff81000104\t1\n#end 3 rows\n";

static void test_names(void)
{
	struct request r = { .what = "f", .keys = { "type.enum", "stack" }, .nr_keys = 2 };
	char *page, *metrics;

	check("csv", &r, false, 0, named,
	      "type.enum,stack,calls\r\nTGID,second,3\r\n-7,second,2\r\nEN_OENT,second,1\r\n");
	check("folded", &r, false, 0, named, "TGID;second 3\n-7;second 2\nEN_OENT;second 1\n");
	r.nr_keys = 1;
	page = answer("json", &r, false, 0, named);
	if (!strstr(page, "\"hits\":3,\"key\":{\"type.enum\":{\"number\":1,\"name\":\"TGID\"}}}\n") ||
	    !strstr(page, "\"hits\":2,\"key\":{\"type.enum\":{\"number\":-7}}}\n") ||
	    !strstr(page, "\"key\":{\"type.enum\":{\"number\":-2,\"name\":\"EN_OENT\"}}}\n")) {
		printf("names in json: got\n%s\n", page);
		failed = 1;
	}
	free(page);
	page = answer("html", &r, false, 0, named);
	metrics = answer("openmetrics", &r, false, 0, named);
	if (!strstr(page, "<bdi>TGID</bdi>") || !strstr(page, "<bdi>-7</bdi>") ||
	    !strstr(metrics, "type_enum=\"TGID\"} 3\n") ||
	    !strstr(metrics, "type_enum=\"-7\"} 2\n")) {
		printf("names in a page, or in metrics: got\n%s\n%s\n", page, metrics);
		failed = 1;
	}
	free(page);
	free(metrics);
}

/* Names chosen to break out of what they stand in; two addresses in one function. */
static const char hostile[] = HEAD
	"#columns\tcommon_comm:str:key\tcommon_stacktrace:stack:key\thits:u64\t"
	"ns.step:h2-5:key\tns.sum:s64\tns.max:s64\n"
	"#balance\thits\t19\trows\t14\tother\t2\tpaused\t0\tcleared\t0\tfiltered\t3\n"
	"</pre><script>\t0xffffffff81000104,0xffffffff81000234\t4\t64\t400\t101\n"
	"</pre><script>\t0xffffffff81000108,0xffffffff81000230\t3\t160\t900\t301\n"
	"</pre><script>\t0xffffffff81000108,0xffffffff81000230\t1\t64\t100\t100\n"
	"a\"\\\\\\n}\xff'&\t0xffffffff81000104\t5\t1000\t200000000000\t60000000000\n"
	"\x1b[2J\xe2\x80\xae\t0x12\t1\t0\t0\t0\n"
	"#end 5 rows\n";

/* An answer on standard output, for a reader that is not ours. */
static int show(const char *form, bool timed)
{
	struct request r = { .what = "a'\"<f", .keys = { "comm", "stack" }, .nr_keys = 2 };
	char *text = answer(form, &r, timed, 0, hostile);

	fputs(text, stdout);
	free(text);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return show(argv[1], !strcmp(argv[2], "lat"));
	/* What was lost is told there, by the forms that have no place for it. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	test_json();
	test_others();
	test_names();
	return failed;
}
