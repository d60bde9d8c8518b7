// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * A hit interrupted before each of its instructions by others, which one more interrupts in the
 * same way.  Whatever keys they have: all hits are there afterwards, each in the row of its key.
 */
#include <linux/string.h>
#include "harness.h"
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/table/base.h"
#include "sim.h"

#define ROWS	8

static struct pe_table_shape shape;
static struct pe_hist hist;
static struct pe_bank *bank;
static u64 keys[3];		/* of the hit, of its interrupter, and of that one's */
static unsigned int came[3];	/* hits of each; an interrupt may be due after the last instruction */
static long nmi_at;

static void count(u64 key)
{
	static const u64 name[2] = { 0x68736162, 0 };
	struct { u8 head[16]; u64 key; u32 loc; char text[8]; } rec = {
		.key = key, .loc = 28 | 6 << 16, .text = "textA",
	};
	struct pe_table_from from = { .rec = &rec, .len = sizeof(rec) };
	u64 val[PE_VAL_WORDS];
	struct pe_table_key k;

	rec.text[4] += key % 3;
	memcpy(from.comm, name, sizeof(name));
	pe_table_key(&k, &hist, &shape, &from);
	pe_table_vals(val, &hist, &shape, &from);
	pe_bank_count(&shape, bank, &k, val);
}

static void outer(void)
{
	came[0]++;
	count(keys[0]);
}

static void irq_body(void)
{
	came[1]++;
	count(keys[1]);
}

static void nmi(void)
{
	came[2]++;
	count(keys[2]);
}

static void irq(void)
{
	if (nmi_at < 0)
		irq_body();
	else
		pe_sim_step(irq_body, nmi_at, nmi);
}

static u64 wanted(u64 key)
{
	unsigned int i;
	u64 n = 0;

	for (i = 0; i < ARRAY_SIZE(came); i++)
		n += keys[i] == key ? came[i] : 0;
	return n;
}

/* The rows of the base against the hits. */
static void check(void)
{
	struct pe_base base = { 0 }, none = { 0 };
	const struct pe_table_row *row;
	struct pe_base_room room;
	unsigned int i, v;
	u64 key, hits = 0;

	pe_base_sizes(&room, &shape, 16, 64);
	base.max_rows = 16;
	base.pool_words = 64;
	base.rows = calloc(1, room.rows);
	base.index = calloc(1, room.index);
	base.pool = calloc(1, room.pool);
	pe_base_move(&shape, &base, &none);
	pe_base_merge(&shape, &base, bank);
	for (i = 0; i < base.nr_rows; i++) {
		row = pe_base_row(&shape, &base, i);
		key = local_read(&row->word[0]);
		v = shape.nr_keys + shape.nr_notes;
		EXPECT_EQ(local_read(&row->hits), wanted(key));
		EXPECT_EQ(local_read(&row->word[v]), key * wanted(key));
		EXPECT_EQ(local_read(&row->word[v + 1]), key);
		EXPECT_EQ(local_read(&row->word[v + 2]), key);
		hits += local_read(&row->hits);
	}
	hits += local_read(&pe_base_other(&shape, &base)->hits);
	EXPECT_EQ(hits, came[0] + came[1] + came[2]);
	EXPECT_EQ(local_read(&pe_base_other(&shape, &base)->hits), 0);
	free(base.rows);
	free(base.index);
	free(base.pool);
}

static void prepare(void)
{
	pe_bank_init(&shape, bank, ROWS);
	memset(came, 0, sizeof(came));
}

static void make_hist(void)
{
	static const struct pe_hist_field number = {
		.source = PE_HIST_NUMBER, .offset = 16, .size = 8, .is_signed = true,
	};

	hist.nr_keys = 2;
	hist.keys[0] = number;
	hist.keys[1] = (struct pe_hist_field){ .source = PE_HIST_STRING, .offset = 24 };
	hist.nr_vals = 3;
	hist.vals[0] = number;
	hist.vals[1] = number;
	hist.vals[1].mod = PE_MOD_MAX;
	hist.vals[2] = number;
	hist.vals[2].mod = PE_MOD_MIN;
	pe_table_shape(&shape, &hist);
	bank = calloc(1, pe_bank_size(&shape, ROWS));
}

static const u64 scenarios[][3] = {
	{ 5, 5, 5 },	/* the same key */
	{ 5, 6, 7 },
	{ 5, 6, 5 },
	{ 5, 5, 6 },
	{ 6, 5, 5 },
};

static void test_one(void)
{
	unsigned int i;
	long at, steps;

	nmi_at = -1;
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		memcpy(keys, scenarios[i], sizeof(keys));
		prepare();
		steps = pe_sim_step(outer, -1, irq);
		EXPECT(steps > 50);
		for (at = 0; at < steps; at++) {
			prepare();
			pe_sim_step(outer, at, irq);
			check();
		}
	}
}

static void test_two(void)
{
	long at, steps, inner;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		memcpy(keys, scenarios[i], sizeof(keys));
		prepare();
		steps = pe_sim_step(outer, -1, irq);
		prepare();
		inner = pe_sim_step(irq_body, -1, nmi);
		/* Each pair, but not each in every run. */
		for (at = i; at < steps; at += 29) {
			for (nmi_at = at % 31; nmi_at < inner; nmi_at += 31) {
				prepare();
				pe_sim_step(outer, at, irq);
				check();
			}
		}
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "one interrupt", test_one },
		{ "two interrupts", test_two },
	};

	make_hist();
	return PE_RUN(tests);
}
