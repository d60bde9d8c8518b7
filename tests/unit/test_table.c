// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Tables against a model: random hits in several banks, merged, grown, moved and sorted; the steps of
 * distributions and their percentiles against sorted values; the texts of hist and table.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "base_world.h"
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/table_hit.h"
#include "kernel/trace/hit/vars_hit.h"
#include "kernel/trace/table/base.h"
#include "kernel/trace/table/view.h"

void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));

#define BANKS	3

struct record {
	u8 head[16];
	s32 number;
	u8 small;
	u8 pad[3];
	u64 value;
	u32 loc;
	char text[300];
};

static struct pe_hist hist;
static struct pe_table_shape shape;
static u64 stack[4] = { PE_FAKE_TEXT + 4, PE_FAKE_MOD + 2, PE_FAKE_TEXT, 7 };
static u64 state;

static const struct pe_hist_field number = {
	.source = PE_HIST_NUMBER, .is_signed = true, .size = 4, .offset = 16, .name = "num",
};
static const struct pe_hist_field value = {
	.source = PE_HIST_NUMBER, .size = 8, .offset = 24, .name = "val",
};
static const struct pe_hist_field text = {
	.source = PE_HIST_STRING, .offset = 32, .name = "txt",
};

static struct pe_bank *bank_make(unsigned int rows)
{
	struct pe_bank *bank = malloc(pe_bank_size(&shape, rows));

	pe_bank_init(&shape, bank, rows);
	return bank;
}

static void count(struct pe_bank *bank, const struct record *rec, unsigned int nr_stack)
{
	struct pe_table_from from = {
		.rec = rec, .len = sizeof(*rec), .cpu = 3, .time = 5000, .tgid = 44, .caller = 55,
		.stack = stack, .nr_stack = nr_stack,
	};
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;

	memcpy(from.comm, "some\ttask\0\0\0\0\0\0", 16);
	pe_table_key(&key, &hist, &shape, &from);
	pe_table_vals(val, &hist, &shape, &from);
	pe_bank_count(&shape, bank, &key, val);
}

static struct record record_of(s32 n, u64 v, const char *s)
{
	struct record rec = { .number = n, .small = n, .value = v };

	rec.loc = offsetof(struct record, text) | (strlen(s) + 1) << 16;
	strscpy(rec.text, s, sizeof(rec.text));
	return rec;
}

static void view_make(struct pe_table_view *view, struct pe_base *base)
{
	*view = (struct pe_table_view){ .hist = hist, .shape = shape, .base = *base };
	view->order = calloc(base->nr_rows + 1, sizeof(*view->order));
	view->lines = calloc(base->nr_rows + 1, sizeof(*view->lines));
	pe_view_sort(view);
}

static void view_free(struct pe_table_view *view)
{
	free(view->order);
	free(view->lines);
}

/* Random keys: numbers and texts.  The model is a table of both. */
#define NUMBERS	40
#define TEXTS	6

static const char *const texts[TEXTS] = { "", "a", "ab", "seven b", "eight by", "a long text, of more words" };

static struct model {
	u64 hits, sum;
} model[NUMBERS][TEXTS];

static void random_hit(struct pe_bank *bank)
{
	s32 n = (s32)(pe_test_random(&state) % NUMBERS);
	unsigned int t = pe_test_random(&state) % TEXTS;
	struct record rec = record_of(n - NUMBERS / 2, 0, texts[t]);
	struct model *m = &model[n][t];

	count(bank, &rec, 0);
	m->hits++;
	m->sum += rec.number;
}

static void check_model(const struct pe_base *base)
{
	const struct pe_table_row *row;
	unsigned int i, v = shape.nr_keys, t;
	struct model *m;
	s64 n;

	for (i = 0; i < base->nr_rows; i++) {
		row = pe_base_row(&shape, base, i);
		n = local_read(&row->word[0]);
		for (t = 0; t < TEXTS; t++)
			if (strlen(texts[t]) == local_read(&row->word[1]) &&
			    !memcmp(texts[t], base->pool + row->pool, strlen(texts[t])))
				break;
		EXPECT(t < TEXTS && n >= -NUMBERS / 2 && n < NUMBERS / 2);
		m = &model[n + NUMBERS / 2][t];
		EXPECT_EQ(local_read(&row->hits), m->hits);
		EXPECT_EQ(local_read(&row->word[v]), m->sum);
		EXPECT_EQ(local_read(&row->word[v + 1]), n);
		EXPECT_EQ(local_read(&row->word[v + 2]), n);
		*m = (struct model){ 0 };
	}
	for (i = 0; i < NUMBERS * TEXTS; i++)
		EXPECT_EQ(model[i / TEXTS][i % TEXTS].hits, 0);
}

static void test_model(void)
{
	struct pe_bank *banks[BANKS];
	struct pe_base base, more;
	unsigned int i, turn;
	u64 other;

	state = pe_test_seed();
	hist = (struct pe_hist){ .nr_keys = 2, .keys = { number, text }, .nr_vals = 3,
				 .vals = { number, number, number }, .nr_sorts = 1 };
	hist.vals[1].mod = PE_MOD_MAX;
	hist.vals[2].mod = PE_MOD_MIN;
	pe_table_shape(&shape, &hist);
	base_make(&base, &shape, 64, 256);
	for (i = 0; i < BANKS; i++)
		banks[i] = bank_make(1024);
	for (turn = 0; turn < 5; turn++) {
		for (i = 0; i < 400; i++)
			random_hit(banks[pe_test_random(&state) % BANKS]);
		base_make(&more, &shape, 256, 2048);
		pe_base_move(&shape, &more, &base);
		base_free(&base);
		base = more;
		for (i = 0; i < BANKS; i++) {
			EXPECT_EQ(local_read(&pe_bank_other(&shape, banks[i])->hits), 0);
			pe_base_merge(&shape, &base, banks[i]);
			pe_bank_init(&shape, banks[i], 1024);
		}
		EXPECT_EQ(pe_base_hits(&shape, &base), 400 * (turn + 1));
	}
	other = local_read(&pe_base_other(&shape, &base)->hits);
	EXPECT_EQ(other, 0);
	check_model(&base);
	for (i = 0; i < BANKS; i++)
		free(banks[i]);
	base_free(&base);
}

/* No room: in a bank, in its pool, in the base.  Every hit is in a row, or in that of all others. */
static void test_full(void)
{
	struct pe_bank *bank;
	struct pe_base base;
	struct record rec;
	unsigned int i;

	hist = (struct pe_hist){ .nr_keys = 2, .keys = { number, text }, .nr_vals = 1,
				 .vals = { value }, .nr_sorts = 1 };
	pe_table_shape(&shape, &hist);
	bank = bank_make(64);
	base_make(&base, &shape, 32, 48);
	for (i = 0; i < 1000; i++) {
		rec = record_of(i % 200, 1, "a text that takes several words of the pool");
		count(bank, &rec, 0);
	}
	EXPECT(local_read(&pe_bank_other(&shape, bank)->hits) > 200);
	EXPECT_EQ(pe_base_merge(&shape, &base, bank), 1000);
	EXPECT(base.nr_rows < 32);
	EXPECT(base.pool_used <= 48);
	i = pe_base_hits(&shape, &base);
	EXPECT(i > 0);
	EXPECT_EQ(i + local_read(&pe_base_other(&shape, &base)->hits), 1000);
	EXPECT_EQ(local_read(&pe_base_other(&shape, &base)->word[shape.nr_keys]), 1000 - i);
	free(bank);
	base_free(&base);
}

/* ---- steps ---- */

static void test_steps(void)
{
	unsigned int i, k;
	u64 v;

	for (i = 0; i < PE_STEPS; i++) {
		v = pe_step_lower(i);
		EXPECT_EQ(pe_step_of(v), i);
		EXPECT_EQ(pe_step_of(v + pe_step_width(i) - 1), i);
		EXPECT(!i || pe_step_lower(i - 1) + pe_step_width(i - 1) == v);
		EXPECT(pe_step_width(i) / 2 * 64 <= v);
	}
	for (k = 0; k < 64; k++) {
		v = 1ULL << k;
		EXPECT(pe_step_lower(pe_step_of(v)) == v);
		EXPECT(pe_step_of(v - 1) < pe_step_of(v) && pe_step_of(v) <= pe_step_of(v + 1));
	}
	EXPECT_EQ(pe_step_of(~0ULL), PE_STEPS - 1);
}

#define VALUES	20000

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Values of a random size, uniform, of two peaks, and equal ones. */
static u64 draw(unsigned int shape_of)
{
	u64 r = pe_test_random(&state);

	switch (shape_of) {
	case 0:
		return r >> (r % 60);
	case 1:
		return 1000 + r % 1000000;
	case 2:
		return r % 10 ? 200 + r % 100 : 5000000 + r % 4000;
	case 3:
		return r % 7;
	default:
		return 123456789;
	}
}

static void check_near(u64 got, u64 want)
{
	u64 off = got > want ? got - want : want - got;

	if (off > want / 64) {
		printf("percentile %llu, not %llu\n", got, want);
		pe_test_failures++;
	}
}

static void test_percentiles(void)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };
	static u64 values[VALUES];
	struct pe_table_view view;
	struct pe_view_dist dist;
	struct pe_bank *bank;
	struct pe_base base;
	struct record rec;
	unsigned int d, i;
	u64 sum;

	hist = (struct pe_hist){ .nr_keys = 1, .keys = { text }, .nr_vals = 1, .vals = { value },
				 .nr_sorts = 1 };
	hist.vals[0].mod = PE_MOD_DIST;
	pe_table_shape(&shape, &hist);
	for (d = 0; d < 5; d++) {
		bank = bank_make(16384);
		base_make(&base, &shape, 2048, 4096);
		for (i = 0, sum = 0; i < VALUES; i++) {
			values[i] = draw(d);
			sum += values[i];
			rec = record_of(0, values[i], "x");
			count(bank, &rec, 0);
		}
		pe_base_merge(&shape, &base, bank);
		qsort(values, VALUES, sizeof(values[0]), compare);
		view_make(&view, &base);
		EXPECT_EQ(view.nr_lines, 1);
		EXPECT_EQ(view.lines[0].hits, VALUES);
		EXPECT_EQ(view.lines[0].val[0], sum);
		pe_view_dist(&dist, &view, &view.lines[0]);
		EXPECT_EQ(dist.count, VALUES);
		EXPECT_EQ(dist.max, values[VALUES - 1]);
		EXPECT(dist.min <= values[0] && values[0] - dist.min <= values[0] / 32);
		for (i = 0; i < 4; i++)
			check_near(dist.at[i], values[VALUES / 1000 * per_mille[i] - 1]);
		view_free(&view);
		base_free(&base);
		free(bank);
	}
}

/* ---- texts ---- */

static void expect_text(void (*print)(struct seq_file *m, const struct pe_table_view *view,
				      unsigned int i),
			const struct pe_table_view *view, unsigned int i, const char *want)
{
	static char buf[4096];
	struct seq_file m = { .buf = buf, .size = sizeof(buf) };

	buf[0] = 0;
	print(&m, view, i);
	EXPECT_STR(buf, want);
}

static const char *line_text = "t\nx";

/* One hit of record 5, 300, line_text with the keys and values that @h has. */
static void one_line(const struct pe_hist *h, const char *line, const char *row)
{
	struct record rec = record_of(5, 300, line_text);
	struct pe_table_view view;
	struct pe_bank *bank;
	struct pe_base base;

	hist = *h;
	hist.nr_sorts = 1;
	pe_table_shape(&shape, &hist);
	bank = bank_make(64);
	base_make(&base, &shape, 64, 64);
	count(bank, &rec, 3);
	pe_base_merge(&shape, &base, bank);
	view_make(&view, &base);
	expect_text(pe_hist_print_line, &view, 0, line);
	if (row)
		expect_text(pe_table_print_row, &view, 0, row);
	view_free(&view);
	base_free(&base);
	free(bank);
}

static struct pe_hist key_of(struct pe_hist_field key, unsigned int source, unsigned int mod,
			     const char *name)
{
	struct pe_hist h = { .nr_keys = 1 };

	key.source = source;
	key.mod = mod;
	if (name)
		strscpy(key.name, name, sizeof(key.name));
	h.keys[0] = key;
	return h;
}

static void key_line(struct pe_hist_field key, unsigned int source, unsigned int mod,
		     const char *name, const char *line, const char *row)
{
	struct pe_hist h = key_of(key, source, mod, name);

	h.keys[0].buckets = 7;
	h.keys[0].depth = 16;
	one_line(&h, line, row);
}

static void test_keys(void)
{
	key_line(number, PE_HIST_NUMBER, PE_MOD_NONE, NULL, "{ num:          5 } hitcount:          1\n", "5\t1\n");
	key_line(value, PE_HIST_NUMBER, PE_MOD_HEX, NULL, "{ val: 12c } hitcount:          1\n", "300\t1\n");
	key_line(value, PE_HIST_NUMBER, PE_MOD_LOG2, NULL, "{ val: ~ 2^9  } hitcount:          1\n", "9\t1\n");
	key_line(value, PE_HIST_NUMBER, PE_MOD_BUCKETS, NULL, "{ val: ~ 294-300 } hitcount:          1\n", "294\t1\n");
	key_line(value, PE_HIST_NUMBER, PE_MOD_SYSCALL, NULL,
		 "{ val: unknown_syscall               [300] } hitcount:          1\n", "300\t1\n");
	key_line(value, PE_HIST_NUMBER, PE_MOD_SYM, NULL,
		 "{ val: [12c] 0x12c                                         } hitcount:          1\n", "0x12c\t1\n");
	key_line(number, PE_HIST_NUMBER, PE_MOD_EXECNAME, "common_pid",
		 "{ common_pid: some\\x09task    [         5] } hitcount:          1\n", "5\tsome\\ttask\t1\n");
	key_line(number, PE_HIST_TIME, PE_MOD_USECS, "common_timestamp",
		 "{ common_timestamp:          5 } hitcount:          1\n", "5\t1\n");
	key_line(number, PE_HIST_CPU, PE_MOD_NONE, "cpu", "{ cpu:          3 } hitcount:          1\n", "3\t1\n");
	key_line(number, PE_HIST_TGID, PE_MOD_NONE, "common_tgid",
		 "{ common_tgid:         44 } hitcount:          1\n", "44\t1\n");
	key_line(number, PE_HIST_CALLER, PE_MOD_HEX, "common_caller",
		 "{ common_caller: 37 } hitcount:          1\n", "0x37\t1\n");
	key_line(number, PE_HIST_COMM, PE_MOD_NONE, "common_comm",
		 "{ common_comm: some\\x09task     } hitcount:          1\n", "some\\ttask\t1\n");
	key_line(text, PE_HIST_STRING, PE_MOD_NONE, NULL,
		 "{ txt: t\\x0ax                                             } hitcount:          1\n", "t\\nx\t1\n");
	key_line(number, PE_HIST_STACK_TRACE, PE_MOD_NONE, "common_stacktrace",
		 "{ common_stacktrace:\n         text_start+0x4/0x100\n         mod_fn+0x2/0x40 [mod]\n"
		 "         text_start+0x0/0x100\n} hitcount:          1\n", NULL);
}

/* A row of the table never looks like one of its other lines; the histogram is as it was. */
static void test_number_sign(void)
{
	line_text = "#end 1";
	key_line(text, PE_HIST_STRING, PE_MOD_NONE, NULL,
		 "{ txt: #end 1                                             } hitcount:          1\n", "\\#end 1\t1\n");
	line_text = "a#b";
	key_line(text, PE_HIST_STRING, PE_MOD_NONE, NULL,
		 "{ txt: a#b                                                } hitcount:          1\n", "a#b\t1\n");
	line_text = "t\nx";
}

/* A snapshot's key has its text and its stack where a map has them, not where a row has. */
static void snapshot_line(bool has_text, const char *want)
{
	u64 words[2 + 2 + PE_SAVED_TEXT + 16 + PE_NOTE_WORDS] = { 1, 9 }, *word = words + 2;
	struct pe_hist h = key_of(number, PE_HIST_STACK_TRACE, PE_MOD_NONE, "common_stacktrace");
	struct pe_table_view view = {};
	char buf[600] = "";
	struct seq_file m = { .buf = buf, .size = sizeof(buf) };

	h.keys[0].depth = 16;
	if (has_text)
		h.keys[h.nr_keys++] = text;
	h.nr_actions = 1;
	h.actions[0] = (struct pe_hist_action){ .handler = PE_HIST_ONMAX, .action = PE_HIST_SNAPSHOT };
	pe_table_shape(&view.shape, &h);
	*word++ = 2;
	if (has_text) {
		*word++ = 3;
		memcpy(word, "abc", 3);
		word += PE_SAVED_TEXT;
	}
	memcpy(word, stack, 2 * sizeof(u64));
	view.hist = h;
	view.kept = words;
	view.kept_words = ARRAY_SIZE(words);
	pe_hist_print_snapshot(&m, &view);
	EXPECT_STR(strstr(buf, "{ common"), want);
}

static void test_snapshot(void)
{
	snapshot_line(false, "{ common_stacktrace:\n         text_start+0x4/0x100\n"
		      "         mod_fn+0x2/0x40 [mod]\n}\n");
	snapshot_line(true, "{ common_stacktrace:\n         text_start+0x4/0x100\n"
		      "         mod_fn+0x2/0x40 [mod]\n, txt: abc                                               }\n");
}

static void test_vals(void)
{
	struct pe_hist h = key_of(number, PE_HIST_NUMBER, PE_MOD_NONE, NULL);

	h.nr_vals = 3;
	h.vals[0] = value;
	h.vals[1] = value;
	h.vals[1].mod = PE_MOD_PERCENT;
	h.vals[2] = value;
	h.vals[2].mod = PE_MOD_GRAPH;
	one_line(&h, "{ num:          5 } hitcount:          1  val:        300  val (%): 100.00  val: ####################\n",
		 "5\t1\t300\t300\t300\n");
	h.no_hitcount = true;
	h.nr_vals = 1;
	h.vals[0].mod = PE_MOD_HEX;
	one_line(&h, "{ num:          5 }  val:        12c\n", "5\t1\t300\n");
	h.no_hitcount = false;
	h.nr_vals = 2;
	h.vals[0].mod = PE_MOD_DIST;
	h.vals[1].mod = PE_MOD_MIN;
	one_line(&h, "{ num:          5 } hitcount:          1  val: count 1 sum 300 min 296 p50 300 p90 300 p99 300 p99.9 300 max 300  val.min:        300\n",
		 "5\t1\t133\t300\t300\t300\n");
}

/* Sorted by value, then by key; what is equal is in the order of keys. */
static void test_sort(void)
{
	static const s32 order[] = { 3, -2, 5, 1 };
	struct pe_table_view view;
	struct pe_bank *bank;
	struct pe_base base;
	struct record rec;
	unsigned int i;

	hist = (struct pe_hist){ .nr_keys = 1, .keys = { number }, .nr_vals = 1, .vals = { value },
				 .nr_sorts = 2, .sort = { { 1, true }, { 2, false } } };
	pe_table_shape(&shape, &hist);
	bank = bank_make(64);
	base_make(&base, &shape, 64, 64);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		rec = record_of(order[i], order[i] == 3 ? 9 : 2, "");
		count(bank, &rec, 0);
	}
	pe_base_merge(&shape, &base, bank);
	view_make(&view, &base);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		EXPECT_EQ((s64)local_read(&pe_line_row(&view, &view.lines[i], 0)->word[0]),
			  ((const s32 []){ 3, -2, 1, 5 })[i]);
	EXPECT_EQ(view.totals[1].total, 15);
	EXPECT_EQ(view.totals[1].max, 9);
	view_free(&view);
	base_free(&base);
	free(bank);
}

/* A view of many rows is sorted: other tasks may run meanwhile. */
static void test_resched(void)
{
	struct pe_table_view view;
	unsigned long before;
	struct pe_bank *bank;
	struct pe_base base;
	struct record rec;
	unsigned int i;

	hist = (struct pe_hist){ .nr_keys = 1, .keys = { number }, .nr_sorts = 1 };
	pe_table_shape(&shape, &hist);
	bank = bank_make(4096);
	base_make(&base, &shape, 4096, 64);
	for (i = 0; i < 2000; i++) {
		rec = record_of(i * 7919 % 2003, 0, "");
		count(bank, &rec, 0);
	}
	pe_base_merge(&shape, &base, bank);
	EXPECT_EQ(base.nr_rows + local_read(&pe_base_other(&shape, &base)->hits), 2000);
	EXPECT(base.nr_rows > 1900);
	before = pe_fake_rescheds;
	view_make(&view, &base);
	/* Both sorts compare some ten times per row. */
	EXPECT(pe_fake_rescheds - before >= 14 * base.nr_rows);
	view_free(&view);
	base_free(&base);
	free(bank);
}

/*
 * Keys at equal distances, with many secrets: a bank that is nearly empty has a place for each, as it
 * would have for random keys, with an exception in a few thousand.
 */
static void test_distances(void)
{
	static const unsigned int distances[] = { 1, 7, 8, 64, 4096 };
	unsigned int d, i, turn, full = 0;
	struct pe_bank *bank;
	struct record rec;

	state = pe_test_seed();
	hist = (struct pe_hist){ .nr_keys = 1, .keys = { number }, .nr_sorts = 1 };
	pe_table_shape(&shape, &hist);
	bank = bank_make(1024);
	for (turn = 0; turn < 2000; turn++) {
		shape.secret = pe_test_random(&state) | 1;
		d = distances[turn % ARRAY_SIZE(distances)];
		pe_bank_init(&shape, bank, 1024);
		for (i = 0; i < 143; i++) {
			rec = record_of(i * d, 0, "");
			count(bank, &rec, 0);
		}
		full += local_read(&pe_bank_other(&shape, bank)->hits) > 0;
	}
	EXPECT(full <= 8);
	free(bank);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "model", test_model },
		{ "full", test_full },
		{ "distances", test_distances },
		{ "steps", test_steps },
		{ "percentiles", test_percentiles },
		{ "keys", test_keys },
		{ "number sign", test_number_sign },
		{ "snapshot", test_snapshot },
		{ "values", test_vals },
		{ "order", test_sort },
		{ "other tasks may run", test_resched },
	};

	return PE_RUN(tests);
}
