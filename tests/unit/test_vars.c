// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* vars_hit.c: variables of keys, by several threads at once; what actions keep is of one hit. */
#include <linux/atomic.h>
#include "harness.h"
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/hit/vars_hit.h"
#include "kernel/trace/parse/hist.h"
#include "sim.h"

#define THREADS	4
#define KEYS	50
#define ROUNDS	20000

static struct pe_hist hist;
static struct pe_table_shape shape;
static struct pe_vars_map map;
static u64 *memory;

static void make(unsigned int rows, unsigned int vars, unsigned int actions, unsigned int contexts)
{
	unsigned int i;

	memset(&hist, 0, sizeof(hist));
	hist.nr_keys = 1;
	hist.keys[0] = (struct pe_hist_field){ .source = PE_HIST_NUMBER, .size = 8 };
	hist.nr_vars = vars;
	hist.nr_actions = actions;
	hist.nr_saves = 3;
	for (i = 0; i < hist.nr_saves; i++)
		hist.saves[i].value = (struct pe_hist_field){ .source = PE_HIST_NUMBER, .size = 8 };
	pe_table_shape(&shape, &hist);
	pe_vars_shape(&map, &shape, &hist, rows, contexts);
	memory = calloc(pe_vars_words(&map), sizeof(u64));
	pe_vars_init(&map, memory);
}

static void key_of(struct pe_table_key *key, u64 k)
{
	*key = (struct pe_table_key){ .word[0] = k };
}

static void test_rows(void)
{
	struct pe_vars_spare spare = { 0 };
	struct pe_vars_row *row, *again;
	struct pe_table_key key;
	u64 v;

	make(8, 2, 0, 1);
	key_of(&key, 5);
	EXPECT(!pe_vars_find(&map, &key, 1));
	row = pe_vars_get(&map, &key, &spare);
	EXPECT(row && row == pe_vars_get(&map, &key, &spare) && row == pe_vars_find(&map, &key, 1));
	EXPECT(!pe_vars_find(&map, &key, 2));
	EXPECT(!pe_vars_read(&map, row, 0, false, &v));
	pe_vars_set(&map, row, 0, 77);
	EXPECT(pe_vars_read(&map, row, 0, false, &v) && v == 77);
	EXPECT(!pe_vars_read(&map, row, 1, false, &v));
	EXPECT(pe_vars_read(&map, row, 0, true, &v) && v == 77);
	EXPECT(!pe_vars_read(&map, row, 0, true, &v));
	key_of(&key, 6);
	again = pe_vars_get(&map, &key, &spare);
	EXPECT(again && again != row && !pe_vars_read(&map, again, 0, false, &v));
	free(memory);
}

/* Every row is used, and no more; the others are counted. */
static void test_full(void)
{
	struct pe_vars_spare spare = { 0 };
	struct pe_table_key key;
	unsigned int i, got = 0;

	make(8, 1, 0, 0);
	for (i = 0; i < 20; i++) {
		key_of(&key, i);
		got += !!pe_vars_get(&map, &key, &spare);
	}
	EXPECT(got == 8 && atomic_long_read(&map.full) == 12);
	for (i = 0; i < 8; i++) {
		key_of(&key, i);
		EXPECT(pe_vars_get(&map, &key, &spare));
	}
	free(memory);
}

static void fill(const struct pe_vars_fill *how, u64 *word)
{
	u64 v = *(const u64 *)how->data;

	word[0] = v + 1;
	word[1] = ~v;
	word[2] = v * 3;
}

static bool whole(const u64 *kept)
{
	return kept[1] == kept[0] + 1 && kept[2] == ~kept[0] && kept[3] == kept[0] * 3;
}

static bool track(struct pe_vars_row *row, unsigned int i, unsigned int handler, u64 v,
		  struct pe_vars_spare *spare)
{
	const struct pe_vars_fill how = { .fill = fill, .data = &v };

	return pe_vars_track(&map, row, i, handler, v, &how, spare);
}

static void test_track(void)
{
	struct pe_vars_spare spare = { 0 };
	struct pe_table_key key;
	struct pe_vars_row *row;
	u64 kept[64];

	make(4, 1, 2, 1);
	key_of(&key, 1);
	row = pe_vars_get(&map, &key, &spare);
	EXPECT(!pe_vars_kept(&map, row, 0, kept));
	EXPECT(!track(row, 0, PE_HIST_ONMAX, 0, &spare) && track(row, 0, PE_HIST_ONMAX, 5, &spare));
	EXPECT(!track(row, 0, PE_HIST_ONMAX, 5, &spare) && !track(row, 0, PE_HIST_ONMAX, 4, &spare));
	EXPECT(track(row, 0, PE_HIST_ONMAX, ~0ULL, &spare));
	EXPECT(pe_vars_kept(&map, row, 0, kept) && kept[0] == ~0ULL && whole(kept));
	EXPECT(!track(row, 1, PE_HIST_ONCHANGE, 0, &spare) && track(row, 1, PE_HIST_ONCHANGE, 9, &spare));
	EXPECT(!track(row, 1, PE_HIST_ONCHANGE, 9, &spare) && track(row, 1, PE_HIST_ONCHANGE, 0, &spare));
	EXPECT(pe_vars_kept(&map, row, 1, kept) && kept[0] == 0 && whole(kept));
	/* What comes again and again takes no more nodes. */
	EXPECT(atomic_long_read(&map.nodes_used) <= 1 + 2 + 1);
	free(memory);
}

/* Every row that can be had has nodes for all its actions, whatever spare ones there are. */
static void test_nodes(void)
{
	struct pe_vars_spare spare = { 0 }, others[3] = { { 0 } };
	struct pe_table_key key;
	struct pe_vars_row *row;
	unsigned int i, k;

	make(8, 1, 2, 3);
	for (i = 0; i < 3; i++)
		others[i].node = atomic_long_fetch_inc(&map.nodes_used);
	for (i = 0; i < 8 + 3; i++) {
		key_of(&key, i);
		row = pe_vars_get(&map, &key, &spare);
		EXPECT(row);
		for (k = 0; row && k < 2; k++)
			EXPECT(track(row, k, PE_HIST_ONMAX, 1, &spare));
	}
	for (k = 0; k < 2; k++)
		EXPECT(track(pe_vars_all(&map), k, PE_HIST_ONMAX, 1, &spare));
	EXPECT_EQ(atomic_long_read(&map.unkept), 0);
	EXPECT(others[2].node);
	/* There is none left: it is counted. */
	atomic_long_set(&map.nodes_used, map.nr_nodes);
	spare.node = 0;
	EXPECT(pe_vars_wants(&map, row, 0, PE_HIST_ONMAX, 2) && !track(row, 0, PE_HIST_ONMAX, 2, &spare));
	EXPECT_EQ(atomic_long_read(&map.unkept), 1);
	EXPECT(!track(row, 0, PE_HIST_ONMAX, 1, &spare) && !pe_vars_wants(&map, row, 0, PE_HIST_ONMAX, 1));
	EXPECT(!pe_vars_wants(&map, row, 1, PE_HIST_ONCHANGE, 1) && pe_vars_wants(&map, row, 1, PE_HIST_ONCHANGE, 0));
	EXPECT_EQ(atomic_long_read(&map.unkept), 1);
	free(memory);
}

/* The largest map, of seven texts and eight actions, is 2 GB. */
static void test_large(void)
{
	unsigned int i;

	make(8, 8, 8, 8);
	EXPECT(!pe_vars_too_large(&map));
	for (i = 0; i < 7; i++)
		hist.saves[i].value = (struct pe_hist_field){ .source = PE_HIST_STRING, .size = 4 };
	hist.nr_saves = 7;
	pe_vars_shape(&map, &shape, &hist, 131072, 8);
	EXPECT(pe_vars_too_large(&map));
	pe_vars_shape(&map, &shape, &hist, 2048, 8);
	EXPECT(!pe_vars_too_large(&map));
	free(memory);
}

static atomic_long_t got_once, no_row;
static long stop;
static unsigned long torn;

/* Set, read once, and keep, for the same keys as the others. */
static void *hits(void *data)
{
	unsigned int seed = (unsigned long)data, i;
	struct pe_vars_spare spare = { 0 };
	struct pe_table_key key;
	struct pe_vars_row *row;
	long got = 0;
	u64 v;

	for (i = 0; i < ROUNDS; i++) {
		seed = seed * 1103515245 + 12345;
		key_of(&key, (seed >> 8) % KEYS);
		row = pe_vars_get(&map, &key, &spare);
		if (!row) {
			atomic_long_inc(&no_row);
			continue;
		}
		track(row, 0, PE_HIST_ONMAX, (u64)i * THREADS + (unsigned long)data, &spare);
		track(row, 1, PE_HIST_ONCHANGE, seed, &spare);
		got += pe_vars_read(&map, row, 0, true, &v);
	}
	__atomic_fetch_add(&got_once.counter, got, __ATOMIC_SEQ_CST);
	return NULL;
}

/* What is kept is of one hit whenever it is looked at. */
static void *looks(void *data)
{
	struct pe_table_key key;
	struct pe_vars_row *row;
	unsigned int i, k;
	u64 kept[64];

	while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
		for (i = 0; i < KEYS; i++) {
			key_of(&key, i);
			row = pe_vars_find(&map, &key, 1);
			for (k = 0; row && k < 2; k++)
				torn += pe_vars_kept(&map, row, k, kept) && !whole(kept);
		}
	}
	return NULL;
}

static void test_threads(void)
{
	void *thread[THREADS], *reader;
	struct pe_vars_spare spare = { 0 };
	struct pe_vars_row *row;
	struct pe_table_key key;
	unsigned int i;
	u64 kept[64], most = 0;

	make(KEYS, 1, 2, THREADS + 1);
	/* Each key's variable is set once: one thread gets it. */
	for (i = 0; i < KEYS; i++) {
		key_of(&key, i);
		row = pe_vars_get(&map, &key, &spare);
		EXPECT(row);
		pe_vars_set(&map, row, 0, i);
	}
	reader = pe_sim_thread(looks, NULL);
	for (i = 0; i < THREADS; i++)
		thread[i] = pe_sim_thread(hits, (void *)(unsigned long)i);
	for (i = 0; i < THREADS; i++)
		pe_sim_join(thread[i]);
	__atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
	pe_sim_join(reader);
	EXPECT_EQ(torn, 0);
	EXPECT_EQ(atomic_long_read(&no_row), 0);
	EXPECT(atomic_long_read(&got_once) == KEYS);
	for (i = 0; i < KEYS; i++) {
		key_of(&key, i);
		EXPECT(pe_vars_kept(&map, pe_vars_find(&map, &key, 1), 0, kept) && whole(kept));
		most = max(most, kept[0]);
	}
	EXPECT(most / THREADS == ROUNDS - 1);
	EXPECT(atomic_long_read(&map.rows_used) <= 1 + KEYS + THREADS + 1);
	free(memory);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "rows", test_rows },
		{ "full", test_full },
		{ "track", test_track },
		{ "nodes", test_nodes },
		{ "large", test_large },
		{ "threads", test_threads },
	};

	return PE_RUN(tests);
}
