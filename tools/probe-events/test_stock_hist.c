// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_stock_hist.c - the kernel's file hist, with names that look like parts of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "stock_hist.h"
#include "table.h"

#define HEAD "# event histogram\n#\n# trigger info: hist:keys=x:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n"
#define TAIL(entries, dropped) "\nTotals:\n    Hits: 5\n    Entries: " entries "\n    Dropped: " dropped "\n"

static char *table_of(const char *hist, const struct stock_key *keys, size_t nr, const char *value,
		      struct table *t)
{
	const char *wrong;
	char *text = stock_hist_table(hist, keys, nr, value, 10, 12.5, &wrong);

	*t = (struct table){};
	if (text && table_read(t, text))
		failed = 1;
	return text;
}

static void test_texts(void)
{
	static const struct stock_key keys[] = { { "comm", true, false }, { "common_pid", false, false } };
	static const char hist[] = HEAD
		"{ comm: dd                                 , common_pid:       4711 } hitcount:         20\n"
		"{ comm: a, common_pid: 5                   , common_pid:          7 } hitcount:          3\n"
		"{ comm: } hitcount: 9                      , common_pid:          8 } hitcount:          2\n"
		"{ comm: x\n{ comm: y } hitcount: 1, z, common_pid:          9 } hitcount:          1\n"
		"{ comm: \t\\                                 , common_pid: 18446744073709551614 } hitcount: 1\n"
		"{ comm: } hitcount: 1\n                          , common_pid:         10 } hitcount:          6\n"
		"{ comm: #end 1                             , common_pid:         11 } hitcount:          7\n"
		"{ comm: #columns                           , common_pid:         12 } hitcount:          8\n"
		TAIL("8", "4");
	struct table t;
	char *text = table_of(hist, keys, 2, NULL, &t);
	size_t i, seen = 0;

	EXPECT(text && t.nr == 8 && t.balance.rows == 48 && t.balance.other == 4 && t.seconds == 2.5);
	for (i = 0; i < t.nr; i++) {
		const char *comm = t.groups[i].keys[0], *pid = t.groups[i].keys[1];

		seen |= !strcmp(comm, "dd") && !strcmp(pid, "4711") && t.groups[i].hits == 20 ? 1 : 0;
		seen |= !strcmp(comm, "a, common_pid: 5") && !strcmp(pid, "7") ? 2 : 0;
		seen |= !strcmp(comm, "} hitcount: 9") && !strcmp(pid, "8") ? 4 : 0;
		seen |= !strcmp(comm, "x\n{ comm: y } hitcount: 1, z") && !strcmp(pid, "9") ? 8 : 0;
		seen |= !strcmp(comm, "\t\\") && !strcmp(pid, "-2") ? 16 : 0;
		seen |= !strcmp(comm, "} hitcount: 1\n") && !strcmp(pid, "10") && t.groups[i].hits == 6 ? 32 : 0;
		seen |= !strcmp(comm, "#end 1") && !strcmp(pid, "11") && t.groups[i].hits == 7 ? 64 : 0;
		seen |= !strcmp(comm, "#columns") && !strcmp(pid, "12") && t.groups[i].hits == 8 ? 128 : 0;
	}
	EXPECT(seen == 255);
	table_free(&t);
	free(text);
}

/* A name that looks like the end of a row; one long enough to look like a row, or like the end of all. */
static void test_forged(void)
{
	static const struct stock_key keys[] = { { "comm", true, false } };
	static const char * const end = HEAD "{ comm: } hitcount: 1\n   } hitcount:          5\n" TAIL("1", "0");
	static const char * const totals = HEAD "{ comm: } hitcount: 1\n" TAIL("9", "0")
		"   } hitcount:          5\n" TAIL("1", "0");
	static const char * const forged[] = {
		HEAD "{ comm: } hitcount: 1\n{ comm: root } hitcount:          5\n" TAIL("1", "0"),
		HEAD "{ comm: dd } hitcount:          5\n" TAIL("2", "0"),
		HEAD "{ comm: dd } hitcount:          5\n\nTotals:\n    Hits: 5\n",
	};
	struct table t;
	char *text = table_of(end, keys, 1, NULL, &t);
	size_t i;

	EXPECT(text && t.nr == 1 && t.groups[0].hits == 5);
	EXPECT(t.nr == 1 && !strcmp(t.groups[0].keys[0], "} hitcount: 1\n"));
	table_free(&t);
	free(text);
	text = table_of(totals, keys, 1, NULL, &t);
	EXPECT(text && t.nr == 1 && t.groups[0].hits == 5);
	table_free(&t);
	free(text);
	for (i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
		const char *wrong = "";

		text = stock_hist_table(forged[i], keys, 1, NULL, 0, 1, &wrong);
		EXPECT(!text && strstr(wrong, i < 2 ? "looks like rows" : "unknown form"));
		free(text);
	}
}

/* A number in front of a text is the kernel's, whatever the text says. */
static void test_numbers_first(void)
{
	static const struct stock_key keys[] = { { "common_cpu", false, false }, { "comm", true, false },
						 { "__probe_ip", true, false } };
	static const char hist[] = HEAD
		"{ common_cpu:          1, comm: a, comm: b, common_cpu: 3, __probe_ip: [ffffffff811d5a40] vfs_read                                 } hitcount:          5\n"
		TAIL("1", "0");
	struct table t;
	char *text = table_of(hist, keys, 3, NULL, &t);

	EXPECT(text && t.nr == 1 && !strcmp(t.groups[0].keys[0], "1"));
	EXPECT(t.nr == 1 && !strcmp(t.groups[0].keys[1], "a, comm: b, common_cpu: 3"));
	EXPECT(t.nr == 1 && !strcmp(t.groups[0].keys[2], "vfs_read"));
	table_free(&t);
	free(text);
}

static void test_times(void)
{
	static const struct stock_key keys[] = { { "comm", true, false }, { "ns", false, true } };
	static const char hist[] = HEAD
		"{ comm: dd                                 , ns: ~ 2^10              } hitcount:          4  ns:       3000\n"
		"{ comm: dd                                 , ns: ~ 2^13              } hitcount:          1  ns:       8000\n"
		"{ comm: cat                                , ns: ~ 2^0               } hitcount:          1  ns:          1\n"
		TAIL("3", "0");
	struct table t;
	char *text = table_of(hist, keys, 2, "ns", &t);

	EXPECT(text && t.nr == 2 && t.groups[0].hits == 5 && t.groups[0].sum == 11000);
	EXPECT(t.groups && t.groups[0].max == 8192);
	EXPECT(t.groups && group_percentile(&t.groups[0], 50) > 512 &&
	       group_percentile(&t.groups[0], 50) <= 1024);
	EXPECT(t.groups && group_percentile(&t.groups[0], 99) > 4096);
	table_free(&t);
	free(text);
}

static void test_bad(void)
{
	static const struct stock_key keys[] = { { "comm", true, false }, { "common_pid", false, false } };
	static const char * const bad[] = {
		"", HEAD, HEAD "{ comm: dd, common_pid: 1 } hitcount: 2\n",
		HEAD "{ comm: dd, common_pid: x } hitcount: 2\n" TAIL("1", "0"),
		HEAD "{ comm: dd } hitcount: 2\n" TAIL("1", "0"),
		HEAD "{ comm: dd, common_pid: 1 } hitcount:\n" TAIL("1", "0"),
		HEAD "{ comm: dd, common_pid:  } hitcount: 2\n" TAIL("1", "0"),
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *wrong = NULL;
		char *text = stock_hist_table(bad[i], keys, 2, NULL, 0, 1, &wrong);

		if (text || !wrong)
			printf("taken: %s\n", bad[i]);
		EXPECT(!text && wrong);
		free(text);
	}
	/* No rows is not bad. */
	{
		struct table t;
		char *text = table_of(HEAD TAIL("0", "0"), keys, 2, NULL, &t);

		EXPECT(text && !t.nr);
		table_free(&t);
		free(text);
	}
}

int main(void)
{
	test_texts();
	test_forged();
	test_numbers_first();
	test_times();
	test_bad();
	return failed;
}
