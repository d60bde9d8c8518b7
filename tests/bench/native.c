// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * native - what compiled hits cost on this machine's own CPU, in the unit tests' world.
 *
 * usage: native [PAIRS [HITS]]	(default: 301 pairs of 5,000 hits)
 *
 * A pair is a run of the code, and right before it the same way to the code and back without it;
 * the difference is what the code takes.  Beside them run as many rdtsc, and the C code for the
 * same hit.  A Markdown table has the medians over all pairs, of the ratios, too: a busy machine
 * makes all of them slower alike, so compare those.  The runs are short, so that most of them are
 * not interrupted.
 *
 * It fails if a hit is lost or counted twice, never for what was measured.
 */
#include "emit_model.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

#define MAX_PAIRS	1001u
#define RING_PAGES	360u
#define RING_SHIFT	12u
#define TABLE_ROWS	64u
#define JUMP_SIZE	5u

static unsigned long nr_pairs = 301, nr_hits = 5000;
static double code_ticks[MAX_PAIRS], c_ticks[MAX_PAIRS], tsc_ticks[MAX_PAIRS];
static unsigned long left_to_c;		/* of the hits of the code */

static struct pe_hist by_pid = {
	.nr_keys = 1,
	.keys = { { .source = PE_HIST_NUMBER, .offset = offsetof(struct pe_record_head, pid),
		    .size = 4, .is_signed = true } },
};
static struct pe_table_hits table;
static struct pe_bank *bank, *c_bank;
static u8 table_paused;

/* ---- hits ---- */

/* As the code computes it, with a factor of 1/2. */
static u64 clock_now(void)
{
	return world_tsc() >> 1;
}

static void c_record(struct pe_rb *rb, struct pe_event_stat *stat)
{
	now = clock_now();
	c_hit(rb, stat, &emit_regs, NULL, false);
}

static void c_count(struct pe_bank *to, struct pe_event_stat *stat)
{
	struct pe_record_head head = { .type = program.type, .pid = task.pid };
	struct pe_table_from from = {
		.rec = (u8 *)&head, .len = sizeof(head), .cpu = cpu->number, .tgid = task.tgid,
	};
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;

	pe_table_key(&key, &by_pid, &table.shape, &from);
	pe_table_vals(val, &by_pid, &table.shape, &from);
	pe_bank_count(&table.shape, to, &key, val);
	stat->hits++;
	stat->counted++;
}

static void record_in_c(void)
{
	c_record(&model, model_stat);
}

static void count_in_c(void)
{
	c_count(c_bank, model_stat);
}

/* What the code has left to C code: the first record of a page, and a late one. */
static void rest_of_record(void)
{
	c_record(&ring, &cpu->stat);
}

static void rest_of_count(void)
{
	c_count(bank, &cpu->stat);
}

/* ---- cases ---- */

static void two_registers(void)
{
	args[0] = (struct pe_arg){
		.type = &types[3], .size = 8,
		.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, di) },
	};
	args[1] = args[0];
	args[1].fetch.reg = offsetof(struct pt_regs, si);
}

/* The arguments begin at @offset. */
static struct pe_hit_part record_part(unsigned int nargs, unsigned int offset)
{
	unsigned int i;

	program = (struct pe_program){
		.args = args, .rest = args + nargs, .end = args + nargs, .type = 77,
		.fixed = offset + 8 * nargs, .saved = meanings, .time_word = -1, .since_word = -1,
		.is_return = world_from == PE_CODE_RETURN,
	};
	for (i = 0; i < nargs; i++)
		args[i].offset = offset + 8 * i;
	return world_part(&program, NULL);
}

static struct pe_hit_part record_case(void)
{
	two_registers();
	return record_part(2, sizeof(struct pe_record_head));
}

static struct pe_hit_part off_case(void)
{
	instance.tracing_on = 0;
	return record_case();
}

static struct pe_hit_part return_case(void)
{
	world_from = PE_CODE_RETURN;
	two_registers();
	args[0].fetch.reg = offsetof(struct pt_regs, ax);
	return record_part(1, sizeof(struct pe_return_head));
}

static struct pe_hit_part count_case(void)
{
	struct pe_hit_part part = record_part(0, sizeof(struct pe_record_head));

	part.count_only = true;
	part.count = (struct pe_hit_count){
		.hist = &by_pid, .table = &table, .paused = (unsigned long)&table_paused,
	};
	return part;
}

static const struct native_case {
	const char *name;
	struct pe_hit_part (*part)(void);
	void (*in_c)(void), (*rest)(void);
} cases[] = {
	{ "record, 2 registers", record_case, record_in_c, rest_of_record },
	{ "record of a return, $retval", return_case, record_in_c, rest_of_record },
	{ "counted by pid", count_case, count_in_c, rest_of_count },
	{ "tracing_on is 0", off_case, record_in_c, rest_of_record },
};

/* ---- measuring ---- */

static u64 run_code(const struct native_case *c)
{
	u64 start = world_tsc();
	unsigned long i;

	near->outcome = RETURNED;
	for (i = 0; i < nr_hits; i++) {
		emit_call();
		if (near->outcome == RETURNED)
			continue;
		near->outcome = RETURNED;
		left_to_c++;
		c->rest();
	}
	return world_tsc() - start;
}

/* The same calls, but the code is only a jump to its end. */
static u64 run_bare(const struct native_case *c)
{
	struct pe_emit e = { .code = near->code, .size = JUMP_SIZE, .addr = (u64)near->code };
	u8 was[JUMP_SIZE];
	u64 ticks;

	memcpy(was, near->code, JUMP_SIZE);
	pe_emit_jmp_to(&e, env.places.done[world_from]);
	EXPECT(!e.bad);
	ticks = run_code(c);
	memcpy(near->code, was, JUMP_SIZE);
	return ticks;
}

static u64 run_c(const struct native_case *c)
{
	u64 start = world_tsc();
	unsigned long i;

	for (i = 0; i < nr_hits; i++)
		c->in_c();
	return world_tsc() - start;
}

static u64 run_tsc(void)
{
	u64 start = world_tsc();
	unsigned long i;

	for (i = 0; i < nr_hits; i++)
		world_tsc();
	return world_tsc() - start;
}

static double median(const double *values)
{
	double sorted[MAX_PAIRS];
	unsigned long i, at;

	for (i = 0; i < nr_pairs; i++) {
		for (at = i; at && sorted[at - 1] > values[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = values[i];
	}
	return sorted[nr_pairs / 2];
}

static double median_ratio(const double *over, const double *under)
{
	double ratios[MAX_PAIRS];
	unsigned long i;

	for (i = 0; i < nr_pairs; i++)
		ratios[i] = over[i] / under[i];
	return median(ratios);
}

/* Each hit is counted once, as what it has become. */
static void check_hits(const struct native_case *c)
{
	const struct pe_event_stat *stat = &cpu->stat;
	unsigned long all = nr_pairs * nr_hits;

	EXPECT_EQ(stat->hits + stat->both, all);
	if (c->part == off_case)
		EXPECT_EQ(stat->lost[PE_LOSS_OFF], all);
	else if (c->part == count_case)
		EXPECT_EQ(stat->counted, all);
	else
		EXPECT_EQ(stat->records + stat->both, all);
}

static void open_case(const struct native_case *c)
{
	struct pe_hit_part part;

	world_open(&ring, RING_PAGES, RING_SHIFT, true);
	world_open(&model, RING_PAGES, RING_SHIFT, true);
	memset(&cpu->stat, 0, sizeof(cpu->stat));
	memset(model_stat, 0, sizeof(model_stat));
	pe_bank_init(&table.shape, bank, TABLE_ROWS);
	pe_bank_init(&table.shape, c_bank, TABLE_ROWS);
	cpu->banks[0] = bank;
	world_from = PE_CODE_ENTRY;
	world_plain();
	part = c->part();
	world_compile_parts(&part, 1);
	near->shown = RET;	/* is no address that the code would ask C code about */
	left_to_c = 0;
}

static void measure(const struct native_case *c)
{
	unsigned long i;
	u64 bare;

	open_case(c);
	for (i = 0; i < nr_pairs; i++) {
		tsc_ticks[i] = (double)run_tsc() / nr_hits;
		bare = run_bare(c);
		code_ticks[i] = (double)(s64)(run_code(c) - bare) / nr_hits;
		c_ticks[i] = (double)run_c(c) / nr_hits;
	}
	check_hits(c);
	printf("| %s | %.1f | %.2f | %.1f | %.2f | %.2f %% |\n", c->name, median(code_ticks),
	       median_ratio(code_ticks, tsc_ticks), median(c_ticks),
	       median_ratio(code_ticks, c_ticks), 100.0 * left_to_c / (nr_pairs * nr_hits));
	world_close(&ring);
	world_close(&model);
}

int main(int argc, char **argv)
{
	unsigned int i;
	size_t size;

	if (argc > 1)
		nr_pairs = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		nr_hits = strtoul(argv[2], NULL, 0);
	if (!nr_pairs || nr_pairs > MAX_PAIRS || !nr_hits) {
		printf("usage: native [PAIRS, at most %u [HITS]]\n", MAX_PAIRS);
		return 2;
	}
	seed = 1;
	world_emit_open(&ring);
	env.clock.read = 0;		/* the code reads the TSC itself */
	near->mul = 1U << 31;		/* clock_now() */
	env.clock.mul = (u64)&near->mul;
	env.clock.shift = 32;
	env.clock.seq_was = cpu->seq;
	pe_table_shape(&table.shape, &by_pid);
	table.now = (void *)offsetof(struct cpu, banks);
	size = pe_bank_size(&table.shape, TABLE_ROWS);
	bank = must(malloc(size));
	c_bank = must(malloc(size));
	printf("| hit | TSC ticks | to `rdtsc` | in C | to C | left to C |\n|---|---|---|---|---|---|\n");
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		measure(&cases[i]);
	printf("| `rdtsc` alone | %.1f | 1 | - | - | - |\n", median(tsc_ticks));
	return pe_test_failures ? 1 : 0;
}
