// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * A compiled hit that is counted is interrupted before each of its instructions by one or two others,
 * compiled or done by C code.  Whatever keys they have: all hits are there afterwards, each in the
 * row of its key.
 */
#include "emit_world.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/table/base.h"
#include "sim.h"

#define ROWS	16

static struct pe_rb ring;
static struct pe_program program;
static struct pe_arg args[1];
static const struct pe_type u64_type = { .size = 8, .class = PE_CLASS_UINT };
static struct pe_hist hist;
static struct pe_table_hits table;
static u8 paused;
static u64 keys[2];		/* of the hit, and of those that interrupt it */
static unsigned int came[2];
static unsigned int by_code, by_c, nested_by_code;
static bool nest_code;		/* the first that interrupts is compiled, too */

u64 pe_clock_now(unsigned int clock, void *data)
{
	return 0;
}

static void c_count(u64 number)
{
	struct { u8 head[16]; u64 number; } rec = { .number = number };
	struct pe_table_from from = { .rec = &rec, .len = sizeof(rec), .cpu = cpu->number };
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;

	pe_table_key(&key, &hist, &table.shape, &from);
	pe_table_vals(val, &hist, &table.shape, &from);
	pe_bank_count(&table.shape, cpu->banks[0], &key, val);
}

/* A hit of the code; C code does what it leaves.  Return: it has left nothing. */
static bool hit(u64 number)
{
	unsigned int outcome;

	emit_regs.flags = 0;	/* or it would end the stepping */
	emit_regs.di = number;
	outcome = world_hit();
	if (outcome == INTERPRET)
		c_count(number);
	else
		EXPECT_EQ(outcome, RETURNED);
	return outcome == RETURNED;
}

static void outer(void)
{
	bool done = hit(keys[0]);

	came[0]++;
	by_code += done;
	by_c += !done;
}

/* The code that is interrupted finds its registers as they were: they are not in emit_regs now. */
static void irq(void)
{
	struct pt_regs regs = emit_regs;
	unsigned int outcome = near->outcome;
	u64 r11 = near->r11;

	if (nest_code)
		nested_by_code += hit(keys[1]);
	else
		c_count(keys[1]);
	c_count(keys[1]);
	came[1] += 2;
	emit_regs = regs;
	near->outcome = outcome;
	near->r11 = r11;
}

static u64 wanted(u64 key)
{
	if (table.shape.by_cpu)
		return key == cpu->number ? came[0] + came[1] : 0;
	return (keys[0] == key ? came[0] : 0) + (keys[1] == key ? came[1] : 0);
}

/* The rows of the base against the hits. */
static void check(void)
{
	struct pe_base base = { .max_rows = 32, .pool_words = 1 }, none = { 0 };
	const struct pe_table_shape *shape = &table.shape;
	const struct pe_table_row *row;
	struct pe_base_room room;
	u64 key, hits = 0;
	unsigned int i;

	pe_base_sizes(&room, shape, 32, 1);
	base.rows = calloc(1, room.rows);
	base.index = calloc(1, room.index);
	base.pool = calloc(1, room.pool);
	pe_base_move(shape, &base, &none);
	pe_base_merge(shape, &base, cpu->banks[0]);
	for (i = 0; i < base.nr_rows; i++) {
		row = pe_base_row(shape, &base, i);
		key = local_read(&row->word[0]);
		EXPECT_EQ(local_read(&row->hits), wanted(key));
		hits += local_read(&row->hits);
		if (!shape->nr_vals)
			continue;
		EXPECT_EQ(local_read(&row->word[shape->nr_keys]), key * wanted(key));
		EXPECT_EQ(local_read(&row->word[shape->nr_keys + 1]), key);
		EXPECT_EQ(local_read(&row->word[shape->nr_keys + 2]), key);
	}
	EXPECT_EQ(local_read(&pe_base_other(shape, &base)->hits), 0);
	EXPECT_EQ(hits, came[0] + came[1]);
	EXPECT_EQ(cpu->preempt_count, PLAIN);
	free(base.rows);
	free(base.index);
	free(base.pool);
}

/* @before: such a key has a row already. */
static long one(bool before, long at)
{
	long steps;

	world_plain();
	pe_bank_init(&table.shape, cpu->banks[0], ROWS);
	memset(came, 0, sizeof(came));
	if (before)
		outer();
	steps = pe_sim_step(outer, at, irq);
	outer();
	check();
	return steps;
}

static void every_instruction(void)
{
	static const u64 pairs[][2] = { { 5, 5 }, { 5, 6 }, { 7, 4 } };
	unsigned int i, before;
	long at, steps;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		memcpy(keys, pairs[i], sizeof(keys));
		for (before = 0; before < 2; before++) {
			steps = one(before, -1);
			for (at = 0; at < steps && !pe_test_failures; at++)
				one(before, at);
			if (pe_test_failures) {
				printf("   keys %u, interrupt at %ld\n", i, at - 1);
				return;
			}
		}
	}
}

static void by_c_code(void)
{
	nest_code = false;
	by_code = by_c = 0;
	every_instruction();
	printf("   %u by the code, %u by C code\n", by_code, by_c);
	EXPECT(by_code);
	EXPECT(by_c);
}

static void by_compiled_code(void)
{
	nest_code = true;
	by_code = by_c = nested_by_code = 0;
	every_instruction();
	printf("   %u by the code, %u by C code, %u of the code in between\n", by_code, by_c,
	       nested_by_code);
	EXPECT(by_code);
	EXPECT(nested_by_code);
}

static void make_code(bool by_cpu)
{
	static const struct pe_hist_field number = {
		.source = PE_HIST_NUMBER, .offset = 16, .size = 8, .is_signed = true,
	};
	struct pe_hit_part part;

	hist = (struct pe_hist){ .nr_keys = 1, .keys = { number }, .nr_vals = 3,
				 .vals = { number, number, number } };
	hist.vals[1].mod = PE_MOD_MAX;
	hist.vals[2].mod = PE_MOD_MIN;
	if (by_cpu)
		hist = (struct pe_hist){ .nr_keys = 1, .keys = { { .source = PE_HIST_CPU } } };
	pe_table_shape(&table.shape, &hist);
	table.now = (void *)offsetof(struct cpu, banks);
	free(cpu->banks[0]);
	cpu->banks[0] = malloc(pe_bank_size(&table.shape, ROWS));
	args[0] = (struct pe_arg){
		.type = &u64_type, .offset = 16, .size = 8,
		.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, di) },
	};
	program = (struct pe_program){
		.args = args, .rest = args + 1, .end = args + 1, .fixed = 24, .time_word = -1, .since_word = -1,
	};
	part = world_part(&program, NULL);
	part.count_only = true;
	part.count = (struct pe_hit_count){
		.hist = &hist, .table = &table, .paused = (unsigned long)&paused,
	};
	EXPECT(!pe_hit_can_count(&program, &part.count, true));
	world_compile_parts(&part, 1);
}

static void by_key(void)
{
	make_code(false);
	by_c_code();
	by_compiled_code();
}

static void by_cpu(void)
{
	make_code(true);
	by_c_code();
	by_compiled_code();
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "by key", by_key },
		{ "by CPU", by_cpu },
	};

	world_emit_open(&ring);
	return PE_RUN(tests);
}
