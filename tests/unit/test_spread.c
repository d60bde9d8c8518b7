// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Percentiles of tables against sorted lists, for twelve distributions of 1,000,000 values each.
 *
 * Hits are counted in several banks that are merged in between, as readers of a table do.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "base_world.h"
#include "harness.h"
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/table/base.h"
#include "kernel/trace/table/view.h"

void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));

#define VALUES	1000000
#define BANKS	4

static u64 values[VALUES];
static u64 state;

static u64 any(void)
{
	return pe_test_random(&state);
}

/* ---- distributions: of integers, as there is no floating point here ---- */

static u64 uniform(void)
{
	return 1000 + any() % 1000000;
}

/* Any number of bits is as likely as another. */
static u64 log_uniform(void)
{
	return any() >> (any() % 63);
}

/* The sum of twelve: mean 600,000. */
static u64 normal(void)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < 12; i++)
		sum += any() % 100000;
	return sum;
}

/* -ln(u), as a sum over its bits: 65536 ln 2 is 45426. */
static u64 exponential(void)
{
	u64 r = any() | 1, top = 63 - __builtin_clzll(r), part = (r << (63 - top) << 1) >> 48;

	return (63 - top) * 45426 + 45426 - (part * 45426 >> 16);
}

/* 2 to the power of a normal one: skewed, as times of I/O are. */
static u64 log_normal(void)
{
	u64 n = normal(), power = n / 30000, part = n % 30000;

	return (1ULL << power) + ((1ULL << power) * part / 30000);
}

/* The inverse of a uniform one: a tail without an end. */
static u64 pareto(void)
{
	return (1ULL << 52) / (1 + (any() >> 24));
}

/* Two peaks far apart: one call in ten sleeps. */
static u64 two_peaks(void)
{
	return any() % 10 ? 200 + any() % 100 : 5000000 + any() % 400000;
}

/* Most at one value, one in 1,500 far away: where p99.9 is neither. */
static u64 outliers(void)
{
	return any() % 1500 ? 777 + any() % 3 : 1ULL << (40 + any() % 20);
}

static u64 constant(void)
{
	return 123456789;
}

static u64 small(void)
{
	return any() % 70;
}

/* Each value is the first of its step, or the last before. */
static u64 bounds(void)
{
	return pe_step_lower(1 + any() % (PE_STEPS - 1)) - any() % 2;
}

/* As a clock that ticks each 4 ms would tell times. */
static u64 ticks(void)
{
	return 4000000 * (any() % 250);
}

static const struct spread {
	const char *name;
	u64 (*draw)(void);
} spreads[] = {
	{ "uniform", uniform }, { "log-uniform", log_uniform }, { "normal", normal },
	{ "exponential", exponential }, { "log-normal", log_normal }, { "Pareto", pareto },
	{ "two peaks", two_peaks }, { "outliers", outliers }, { "constant", constant },
	{ "small", small }, { "bounds", bounds }, { "ticks", ticks },
};

/* ---- counting ---- */

static struct pe_hist hist = {
	.nr_keys = 1, .nr_vals = 1, .nr_sorts = 1,
	.keys = { { .source = PE_HIST_NUMBER, .size = 8, .offset = 0, .name = "key" } },
	.vals = { { .source = PE_HIST_NUMBER, .size = 8, .offset = 8, .name = "val",
		    .mod = PE_MOD_DIST } },
};
static struct pe_table_shape shape;

static void count(struct pe_bank *bank, u64 value)
{
	const u64 rec[2] = { 5, value };
	struct pe_table_from from = { .rec = rec, .len = sizeof(rec) };
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;

	pe_table_key(&key, &hist, &shape, &from);
	pe_table_vals(val, &hist, &shape, &from);
	pe_bank_count(&shape, bank, &key, val);
}

/* Draw and count all values; their sum. */
static u64 count_all(struct pe_base *base, const struct spread *spread)
{
	struct pe_bank *bank[BANKS];
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < BANKS; i++) {
		bank[i] = malloc(pe_bank_size(&shape, 16384));
		pe_bank_init(&shape, bank[i], 16384);
	}
	for (i = 0; i < VALUES; i++) {
		values[i] = spread->draw();
		sum += values[i];
		count(bank[i % BANKS], values[i]);
	}
	for (i = 0; i < BANKS; i++) {
		pe_base_merge(&shape, base, bank[i]);
		free(bank[i]);
	}
	return sum;
}

/* ---- against the list ---- */

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* At most 1.6 % off: half a step, of which an octave has 32. */
static void expect_near(const char *name, const char *what, u64 got, u64 want)
{
	u64 off = got > want ? got - want : want - got;

	if (off <= want / 64)
		return;
	printf("%s: %s is %llu, not %llu\n", name, what, got, want);
	pe_test_failures++;
}

static void check_spread(const struct spread *spread)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };
	struct pe_table_view view = { .hist = hist, .shape = shape };
	struct pe_view_dist dist;
	struct pe_base base;
	unsigned int i;
	u64 sum;

	base_make(&base, &shape, 4096, 0);
	sum = count_all(&base, spread);
	qsort(values, VALUES, sizeof(values[0]), compare);
	view.base = base;
	view.order = calloc(base.nr_rows + 1, sizeof(*view.order));
	view.lines = calloc(base.nr_rows + 1, sizeof(*view.lines));
	pe_view_sort(&view);
	EXPECT_EQ(view.nr_lines, 1);
	EXPECT_EQ(view.lines[0].hits, VALUES);
	EXPECT_EQ(view.lines[0].val[0], sum);
	pe_view_dist(&dist, &view, &view.lines[0]);
	EXPECT_EQ(dist.count + dist.negative, VALUES);
	EXPECT_EQ(dist.negative, 0);
	EXPECT_EQ(dist.max, values[VALUES - 1]);
	EXPECT(dist.min <= values[0] && values[0] - dist.min <= values[0] / 32);
	for (i = 0; i < ARRAY_SIZE(per_mille); i++)
		expect_near(spread->name, pe_percentiles[i], dist.at[i],
			    values[VALUES / 1000 * per_mille[i] - 1]);
	free(view.order);
	free(view.lines);
	base_free(&base);
}

static void test_spreads(void)
{
	unsigned int i;

	state = pe_test_seed();
	pe_table_shape(&shape, &hist);
	for (i = 0; i < ARRAY_SIZE(spreads); i++)
		check_spread(&spreads[i]);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "twelve distributions", test_spreads },
	};

	return PE_RUN(tests);
}
