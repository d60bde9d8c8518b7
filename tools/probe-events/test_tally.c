// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_tally.c - the sum of random intervals is the table of all their hits; orders of rows.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tally.h"

#define KEYS 20
#define STEPS 40

static int failed;

/* hits[key][step], as a table: its text is for free(). */
static char *table_text(unsigned int hits[KEYS][STEPS], unsigned long long cleared)
{
	unsigned long long rows = 0;
	size_t size, nr = 0, k, i;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	for (k = 0; k < KEYS; k++)
		for (i = 0; i < STEPS; i++)
			rows += hits[k][i];
	fprintf(out, "#probe-events-table 1\n#time\t1.5\t3.5\tmono\n"
		"#columns\tcommon_comm:str:key\tn:s64:key\thits:u64\tns.step:h2-5:key\tns.sum:s64"
		"\tns.max:s64\n#balance\trows\t%llu\tother\t2\tcleared\t%llu\tfiltered\t7\n",
		rows, cleared);
	/* Downwards: the file's order is nothing to rely on. */
	for (k = KEYS; k--;)
		for (i = STEPS; i--;)
			if (hits[k][i] && ++nr)
				fprintf(out, "name%zu\t%d\t%u\t%zu\t%zu\t%zu\n", k % 7, (int)k - 5,
					hits[k][i], i, i * hits[k][i], i);
	fprintf(out, "#end %zu rows\n", nr);
	fclose(out);
	return text;
}

/* All of a table, with its rows in an order that does not depend on how it was made. */
static char *print(struct table *t)
{
	struct request by_key = { .sort = "n", .keys = { "comm", "n" }, .nr_keys = 2 };
	size_t size, i, k;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	tally_sort(t, &by_key, true);
	fprintf(out, "%.1f s, rows %llu other %llu cleared %llu filtered %llu\n", t->seconds,
		t->balance.rows, t->balance.other, t->balance.cleared, t->balance.filtered);
	for (i = 0; i < t->nr; i++) {
		const struct group *g = &t->groups[i];

		fprintf(out, "%s %s: %llu %lld %llu:", g->keys[0], g->keys[1], g->hits, g->sum,
			g->max);
		for (k = 0; k < g->nr_steps; k++)
			fprintf(out, " %d=%llu", g->steps[k].step, g->steps[k].hits);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static void test_sum(void)
{
	static unsigned int part[KEYS][STEPS], all[KEYS][STEPS];
	unsigned int parts = random() % 6 + 1, n, k, i;
	unsigned long long cleared = 0;
	struct table sum = {}, t;
	char *text, *got, *wanted;

	memset(all, 0, sizeof(all));
	for (n = 0; n < parts; n++) {
		memset(part, 0, sizeof(part));
		for (i = random() % 100; i; i--)
			part[random() % KEYS][random() % STEPS] += random() % 5;
		text = table_text(part, cleared);
		if (table_read(&t, text) || tally_add(&sum, &t))
			failed = 1;
		table_free(&t);
		free(text);	/* the sum does not need it */
		cleared += 2;
		for (k = 0; k < KEYS; k++)
			for (i = 0; i < STEPS; i++) {
				all[k][i] += part[k][i];
				cleared += part[k][i];
			}
	}
	text = table_text(all, 0);
	if (table_read(&t, text))
		failed = 1;
	t.seconds *= parts;
	t.balance.other *= parts;
	got = print(&sum);
	wanted = print(&t);
	if (strcmp(got, wanted)) {
		printf("sum of %u intervals:\n%swanted\n%s", parts, got, wanted);
		failed = 1;
	}
	free(got);
	free(wanted);
	table_free(&t);
	table_free(&sum);
	free(text);
}

/* What was counted before is in no row then, and every hit is still somewhere. */
static void test_clear(void)
{
	static unsigned int part[KEYS][STEPS];
	struct table sum = {}, t;
	unsigned int round;
	char *text;

	part[0][1] = 5;
	for (round = 0; round < 2; round++) {
		text = table_text(part, round * 7);	/* 5 in rows, 2 in none */
		if (table_read(&t, text) || tally_add(&sum, &t))
			failed = 1;
		table_free(&t);
		free(text);
		if (!round)
			tally_clear(&sum);
	}
	if (sum.nr != 1 || sum.groups[0].hits != 5 || sum.balance.rows != 5 ||
	    sum.balance.cleared != 5 || sum.balance.other != 4) {
		printf("cleared: %zu rows, %llu in rows, %llu cleared, %llu others\n", sum.nr,
		       sum.balance.rows, sum.balance.cleared, sum.balance.other);
		failed = 1;
	}
	table_free(&sum);
}

/* Sums that a saved file says may have no sum: it is the nearest that there is. */
static void test_extremes(void)
{
	static const char form[] = "#probe-events-table 1\n#columns\ta:str:key\thits:u64\tns.step:h2-5:key\t"
		"ns.sum:s64\tns.max:s64\na\t1\t3\t%lld\t9\na\t1\t4\t%lld\t9\nb\t3\t4\t%lld\t9\n#end 3 rows\n";
	struct table sum = {}, t;
	struct group all;
	unsigned int round;
	char text[400];

	for (round = 0; round < 2; round++) {
		snprintf(text, sizeof(text), form, LLONG_MAX, 1LL, LLONG_MIN);
		if (table_read(&t, text) || tally_add(&sum, &t) || table_merge(&t, &all)) {
			failed = 1;
			return;
		}
		if (t.groups[1].sum != LLONG_MAX || all.sum != -1)
			failed = 1;
		free(all.steps);
		table_free(&t);
	}
	if (sum.nr != 2 || sum.groups[0].sum != LLONG_MAX || sum.groups[1].sum != LLONG_MIN) {
		puts("sums: not the nearest");
		failed = 1;
	}
	table_free(&sum);
}

static void check_order(const char *sort, bool reverse, bool timed, const char *wanted)
{
	struct request r = { .sort = sort, .reverse = reverse, .keys = { "comm", "n" },
			     .nr_keys = 2 };
	char text[] = "#probe-events-table 1\n"
		"#columns\tcommon_comm:str:key\tn:s64:key\thits:u64\tns.step:h2-5:key\tns.sum:s64"
		"\tns.max:s64\n"
		"b\t10\t5\t3\t15\t3\na\t9\t1\t60\t60\t60\nb\t-1\t9\t2\t18\t2\nc\t9\t2\t1\t2\t1\n"
		"b\t10\t1\t50\t50\t50\n#end 5 rows\n";
	char got[100] = "";
	struct table t;
	const char *wrong = table_read(&t, text);
	size_t i;

	if (!wrong)
		wrong = tally_sort(&t, &r, timed);
	for (i = 0; !wrong && i < t.nr; i++)
		sprintf(got + strlen(got), "%s%s/%s", i ? " " : "", t.groups[i].keys[0],
			t.groups[i].keys[1]);
	if (strcmp(wrong ?: got, wanted)) {
		printf("order %s: %s, wanted %s\n", sort ?: "-", wrong ?: got, wanted);
		failed = 1;
	}
	table_free(&t);
}

/* Each value is in the step that it belongs to: at the ends of steps, and of octaves. */
static void check_steps(void)
{
	unsigned int step;

	for (step = 0; step < 1920; step++)
		if (step_of(step_lower(step)) != step ||
		    (step && step_of(step_lower(step) - 1) != step - 1)) {
			printf("step %u: its first value is said to be in %u\n", step,
			       step_of(step_lower(step)));
			failed = 1;
		}
	if (step_of(-1ULL) != 1919)
		failed = 1;
}

/* A key may have the name of the column that counts. */
static void test_key_hits(void)
{
	char text[] = "#probe-events-table 1\n#columns\thits:u64:key\thits:u64\tns.step:h2-5:key\n"
		"700\t2\t3\n700\t1\t4\n0\t5\t3\n#end 3 rows\n";
	struct table t;
	const char *wrong = table_read(&t, text);

	if (wrong || t.nr != 2 || t.groups[0].hits != 5 || t.groups[1].hits != 3 ||
	    t.groups[1].nr_steps != 2 || t.groups[1].steps[0].hits != 2) {
		printf("a key called hits: %s, %zu rows, %llu hits in the first\n", wrong ?: "", t.nr,
		       t.nr ? t.groups[0].hits : 0);
		failed = 1;
	}
	table_free(&t);
}

/* A question that is not all there has another table. */
static void check_keys(const char *columns, size_t nr, bool wanted)
{
	char text[200];
	struct table t;

	snprintf(text, sizeof(text), "#probe-events-table 1\n#columns\t%s\n#end 0 rows\n", columns);
	if (table_read(&t, text) || table_has_keys(&t, nr) != wanted) {
		printf("%s: %zu keys, %d\n", columns, nr, !wanted);
		failed = 1;
	}
	table_free(&t);
}

static void test_keys(void)
{
	check_keys("common_cpu:u64:key\thits:u64", 0, true);
	check_keys("common_cpu:u64:key\thits:u64", 1, true);
	check_keys("common_cpu:u64:key\thits:u64\tns.step:h2-5:key\tns.sum:s64", 0, true);
	check_keys("common_cpu:u64:key\thits:u64\tns.step:h2-5:key\tns.sum:s64", 2, false);
	check_keys("common_comm:str:key\thits:u64", 0, false);
	check_keys("common_comm:str:key\thits:u64", 1, true);
	check_keys("common_comm:str:key\thits:u64", 2, false);
	check_keys("common_cpu:u64:key\tn:s64:key\thits:u64", 0, false);
	check_keys("common_comm:str:key\tn:s64:key\thits:u64", 1, false);
	check_keys("common_comm:str:key\tn:s64:key\thits:u64", 2, true);
	check_keys("hits:u64", 0, false);
}

int main(void)
{
	int i;

	check_steps();
	test_clear();
	test_extremes();
	test_key_hits();
	test_keys();

	for (i = 0; i < 300; i++)
		test_sum();
	check_order(NULL, false, true, "b/-1 b/10 c/9 a/9");
	check_order(NULL, true, true, "a/9 c/9 b/10 b/-1");
	check_order("calls", false, false, "b/-1 b/10 c/9 a/9");
	check_order("max", false, true, "a/9 b/10 b/-1 c/9");
	check_order("total", false, true, "b/10 a/9 b/-1 c/9");
	check_order("p50", false, true, "a/9 b/10 b/-1 c/9");
	check_order("p99", true, true, "c/9 b/-1 b/10 a/9");
	check_order("comm", false, true, "a/9 b/-1 b/10 c/9");
	check_order("n", false, true, "b/-1 a/9 c/9 b/10");
	check_order("n", true, true, "b/10 a/9 c/9 b/-1");
	check_order("max", false, false, "-s wants a column: calls, or a key");
	check_order("x", false, true,
		    "-s wants a column: calls p50 p90 p99 max total, or a key");
	return failed;
}
