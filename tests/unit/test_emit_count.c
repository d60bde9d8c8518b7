// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Compiled counting against the C code for the same hit: random programs, tables, filters, values,
 * pauses; tables that are full, CPUs without a bank; alone, beside records and in several parts.
 * Afterwards banks, rings and counters are the same, byte by byte.
 */
#include "emit_return_hit.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

#define MAX_ROWS	16u
#define TRUE_CALLER	0x4321u		/* what C code finds if the address is one of ours */

/* A part's table.  @bank: that of the code; @model: of the C code. */
static struct table {
	struct pe_hist hist;
	struct pe_table_hits hits;
	struct pe_bank *bank, *model;
	u8 paused;
	const struct pe_filter *filter;
} tables[PE_HIT_PARTS];

static struct pe_hit_part parts[PE_HIT_PARTS];
static const struct pe_filter *some_filter, *link_filter;
static unsigned int nr_parts;
static bool limited;			/* the event has a limit */
static unsigned int outcomes[PE_HIT_PARTS + 1], counted, others;

/* ---- what is counted ---- */

static void random_number(struct pe_hist_field *field)
{
	unsigned int nargs = program.end - program.args;
	const struct pe_arg *arg = nargs ? &args[pick(nargs)] : NULL;

	*field = (struct pe_hist_field){ .source = PE_HIST_NUMBER };
	if (arg && pick(4)) {
		field->offset = arg->offset;
		field->size = arg->size;
		field->is_signed = pick(2);
	} else if (pick(2)) {
		field->offset = offsetof(struct pe_record_head, pid);
		field->size = 4;
		field->is_signed = true;
	} else {
		field->offset = offsetof(struct pe_record_head, ip);
		field->size = 8;
		if (program.is_return && pick(2))
			field->offset = offsetof(struct pe_return_head, ret_ip);
	}
}

static void random_key(struct pe_hist_field *field)
{
	static const u8 sources[] = {
		PE_HIST_CPU, PE_HIST_TGID, PE_HIST_CALLER, PE_HIST_COMM,
	};
	static const u8 mods[] = { PE_MOD_NONE, PE_MOD_HEX, PE_MOD_LOG2, PE_MOD_BUCKETS };

	random_number(field);
	if (!pick(3))
		*field = (struct pe_hist_field){ .source = sources[pick(ARRAY_SIZE(sources))] };
	if (field->source == PE_HIST_COMM)
		return;
	field->mod = mods[pick(ARRAY_SIZE(mods))];
	field->buckets = pick(2) ? 1 + pick(9) : pe_test_random(&seed) | 1;
	if (field->offset == offsetof(struct pe_record_head, pid) && pick(2))
		field->mod = PE_MOD_EXECNAME;
}

static void random_hist(struct table *t)
{
	static const u8 mods[] = { PE_MOD_NONE, PE_MOD_MAX, PE_MOD_MIN, PE_MOD_DIST };
	struct pe_hist *hist = &t->hist;
	bool dist = false;
	unsigned int i;

	*hist = (struct pe_hist){ .nr_keys = 1 + pick(PE_HIST_KEYS),
				  .nr_vals = pick(PE_HIST_VALS + 1) };
	for (i = 0; i < hist->nr_keys; i++)
		random_key(&hist->keys[i]);
	for (i = 0; i < hist->nr_vals; i++) {
		random_number(&hist->vals[i]);
		hist->vals[i].mod = mods[pick(ARRAY_SIZE(mods))];
		if (hist->vals[i].mod == PE_MOD_DIST && dist)
			hist->vals[i].mod = PE_MOD_NONE;
		dist |= hist->vals[i].mod == PE_MOD_DIST;
		if (!pick(5))
			hist->vals[i] = (struct pe_hist_field){ .source = PE_HIST_HITCOUNT };
	}
	if (!pick(6)) {		/* no key but the CPU, and often no value */
		hist->keys[0] = (struct pe_hist_field){ .source = PE_HIST_CPU };
		hist->nr_keys = 1;
		hist->nr_vals = pick(2) ? hist->nr_vals : 0;
	}
	pe_table_shape(&t->hits.shape, hist);
	t->hits.shape.secret = pe_test_random(&seed) | 1;
}

static struct pe_hit_count count_of(struct table *t, unsigned int nr)
{
	t->hits.now = (void *)(offsetof(struct cpu, banks) + 8 * nr);
	return (struct pe_hit_count){
		.hist = &t->hist, .filter = t->filter, .table = &t->hits,
		.paused = (unsigned long)&t->paused,
	};
}

static void random_table(struct table *t, unsigned int nr)
{
	struct pe_hit_count count;
	unsigned int rows;

	t->filter = pick(2) ? some_filter : NULL;
	do {
		random_hist(t);
		count = count_of(t, nr);
	} while (pe_hit_can_count(&program, &count, world_from != PE_CODE_DETOUR));
	rows = 1U << (1 + pick(4));
	pe_bank_init(&t->hits.shape, t->bank, rows);
	pe_bank_init(&t->hits.shape, t->model, rows);
	parts[nr].count = count;
}

static size_t most_bank(void)
{
	struct pe_table_shape widest = { .row_size = sizeof(struct pe_table_row) + 8 * 16 };

	return pe_bank_size(&widest, MAX_ROWS);
}

/* ---- the model ---- */

static bool is_ours(u64 addr)
{
	return addr == TRACER || addr - SLOTS < SLOTS_SIZE;
}

static u64 caller_of(const struct pt_regs *regs)
{
	if (world_from == PE_CODE_RETURN)
		return regs->ip;
	if (world_from == PE_CODE_CALL)
		return (u64)emit_called;
	return is_ours(emit_caller) ? TRUE_CALLER : emit_caller;
}

/* count_hit.c */
static bool c_table(struct table *t, struct pe_bank *bank, const struct pt_regs *regs)
{
	const struct pe_fetch_source source = { .regs = regs, .saved = saved };
	u8 built[1024] __aligned(8) = {};
	struct pe_table_from from = { .rec = built, .cpu = cpu->number, .tgid = task.tgid };
	u64 val[PE_VAL_WORDS];
	struct pe_table_key key;

	*(struct pe_record_head *)built = (struct pe_record_head){
		.type = program.type, .pid = task.pid, .ip = -0x7edcba99,
	};
	if (program.is_return)
		((struct pe_return_head *)built)->ret_ip = regs->ip;
	from.len = pe_fetch_args(built, sizeof(built), &program, source);
	if (t->paused) {
		local_inc(&bank->paused);
		return false;
	}
	if (t->filter && !pe_filter_match(t->filter, built, from.len, cpu->number)) {
		local_inc(&bank->filtered);
		return false;
	}
	memcpy(from.comm, task.comm, sizeof(from.comm));
	from.caller = caller_of(regs);
	pe_table_key(&key, &t->hist, &t->hits.shape, &from);
	pe_table_vals(val, &t->hist, &t->hits.shape, &from);
	pe_bank_count(&t->hits.shape, bank, &key, val);
	return true;
}

/* event_hit.c, of part @nr and those after it. */
static void c_rest(struct pe_rb *rb, struct pe_event_stat *stat, const struct pt_regs *regs,
		   unsigned int nr, bool is_model)
{
	struct table *t;
	bool done;

	for (; nr < nr_parts; nr++) {
		t = &tables[nr];
		if (instance.gate) {
			stat->hits += !nr;
			stat->extra += nr > 0;
			stat->lost[PE_LOSS_LIMITED]++;
			continue;
		}
		done = parts[nr].count.hist && c_table(t, is_model ? t->model : t->bank, regs);
		if (!parts[nr].count_only) {
			c_hit(rb, stat, regs, link_filter, nr > 0);
			stat->counted += done;
			stat->extra += done;
			continue;
		}
		stat->hits += !nr;
		stat->extra += nr > 0;
		stat->counted += done;
		stat->lost[PE_LOSS_SOFT] += !done;
	}
}

static void same_banks(void)
{
	unsigned int i;
	size_t size;

	for (i = 0; i < nr_parts; i++) {
		if (!parts[i].count.hist)
			continue;
		size = pe_bank_size(&tables[i].hits.shape, tables[i].bank->nr_rows);
		EXPECT(!memcmp(tables[i].bank, tables[i].model, size));
	}
}

/* ---- hits of both ---- */

/* Each part makes a record, counts, or does both. */
static void random_parts(unsigned int most)
{
	unsigned int i;

	nr_parts = 1 + pick(most);
	limited = pick(3) == 0;
	some_filter = random_filter();
	link_filter = pick(2) ? some_filter : NULL;
	for (i = 0; i < nr_parts; i++) {
		parts[i] = world_part(&program, link_filter);
		parts[i].extra = i > 0;
		if (limited) {
			parts[i].gate = (u64)&instance.gate;
			parts[i].cost = offsetof(struct cpu, cost);
		}
	}
	for (i = 0; i < nr_parts; i++) {
		if (!pick(4))
			continue;
		random_table(&tables[i], i);
		parts[i].count_only = pick(2);
	}
}

static bool can_emit(void)
{
	unsigned int i;

	for (i = 0; i < nr_parts; i++) {
		if (pe_hit_can_save(&program) ||
		    (!parts[i].count_only && pe_hit_can_emit(&program, link_filter)))
			return false;
	}
	return true;
}

static void open_tables(void)
{
	unsigned int i;

	open_rings();
	random_memory();
	random_name();
	world_plain();
	for (i = 0; i < nr_parts; i++)
		cpu->banks[i] = tables[i].bank;
	if (world_from == PE_CODE_RETURN)
		near->shown = true_return();
}

static void one_hit(unsigned int (*hit)(void))
{
	unsigned int i, left;
	struct pt_regs regs;
	u64 before = cpu->stat.counted, cost = cpu->cost;

	now += pick(100);
	instance.tracing_on = pick(10) != 0;
	instance.gate = limited && !pick(6) ? 1 + pick(4) : 0;
	for (i = 0; i < nr_parts; i++) {
		tables[i].paused = !pick(10);
		cpu->banks[i] = pick(20) ? tables[i].bank : NULL;
	}
	emit_caller = pick(8) ? 0x200000 + pick(3) : pick(2) ? TRACER : SLOTS + pick(SLOTS_SIZE);
	left = hit_parts(hit, nr_parts);
	if (left)	/* else it is counted in C as well */
		EXPECT_EQ(cpu->cost, cost + (limited && !instance.gate));
	regs = emit_regs;
	EXPECT_EQ(cpu->preempt_count, PLAIN);
	EXPECT_EQ(cpu->busy, 0);
	outcomes[left < nr_parts ? left : PE_HIT_PARTS]++;
	counted += cpu->stat.counted - before;
	c_rest(&model, model_stat, &regs, 0, true);
	c_rest(&ring, &cpu->stat, &regs, left, false);
	same_rings();
	same_banks();
}

static void count_programs(unsigned long n, unsigned int most, unsigned int (*hit)(void))
{
	unsigned int i;

	memset(outcomes, 0, sizeof(outcomes));
	counted = 0;
	others = 0;
	for (; n && !pe_test_failures; n--) {
		do {
			random_program();
			random_parts(most);
		} while (uses_sp() || !can_emit());
		world_compile_parts(parts, nr_parts);
		open_tables();
		for (i = 0; i < 24 && !pe_test_failures; i++)
			one_hit(hit);
		for (i = 0; i < nr_parts; i++) {
			if (parts[i].count.hist)
				others += local_read(&pe_bank_other(&tables[i].hits.shape,
								    tables[i].bank)->hits);
		}
		world_close(&ring);
		world_close(&model);
	}
	printf("   %u done, %u to C, %u from the second part on; %u counted, %u without a row\n",
	       outcomes[PE_HIT_PARTS], outcomes[0], outcomes[1], counted, others);
	EXPECT(3 * outcomes[PE_HIT_PARTS] > outcomes[0]);
	EXPECT(outcomes[0]);
	EXPECT(counted);
	EXPECT(others);
	EXPECT(most == 1 || outcomes[1]);
}

/* ---- tests ---- */

static void count_entry(void)
{
	count_programs(rounds() / 2, 1, hit_both);
}

static void count_parts(void)
{
	count_programs(rounds() / 4, 4, hit_both);
}

static void count_memory(void)
{
	with_memory = true;
	count_programs(rounds() / 4, 1, hit_both);
	count_programs(rounds() / 4, 3, hit_both);
	with_memory = false;
}

static void count_detour(void)
{
	world_from = PE_CODE_DETOUR;
	count_programs(rounds() / 4, 3, hit_both);
	world_from = PE_CODE_ENTRY;
}

static void count_call(void)
{
	world_from = PE_CODE_CALL;
	count_programs(rounds() / 4, 3, hit_both);
	world_from = PE_CODE_ENTRY;
}

static void count_return(void)
{
	world_from = PE_CODE_RETURN;
	count_programs(rounds() / 2, 1, return_both);
	count_programs(rounds() / 4, 3, return_both);
	with_memory = true;
	count_programs(rounds() / 4, 2, return_both);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

/* A table by caller, or by CPU, of an event that is not recorded. */
static u8 simple_source = PE_HIST_CALLER;

static void simple_table(void)
{
	struct table *t = tables;

	random_program();
	nr_parts = 1;
	link_filter = NULL;
	parts[0] = world_part(&program, NULL);
	parts[0].count_only = true;
	t->filter = NULL;
	t->paused = 0;
	t->hist = (struct pe_hist){ .nr_keys = 1, .keys = { { .source = simple_source } } };
	pe_table_shape(&t->hits.shape, &t->hist);
	pe_bank_init(&t->hits.shape, t->bank, MAX_ROWS);
	parts[0].count = count_of(t, 0);
	world_compile_parts(parts, 1);
	open_tables();
	emit_caller = 0x200000;
	EXPECT_EQ(hit_both(), INTERPRET);	/* there is no row yet */
	c_table(t, t->bank, &emit_regs);
	EXPECT_EQ(hit_both(), RETURNED);
}

/* A hit that makes the row has been interrupted. */
static void claim_rows(void)
{
	struct pe_bank *bank = tables[0].bank;
	struct pe_table_row *row;
	unsigned int i;

	for (i = 0; i < pe_bank_all_rows(bank->nr_rows); i++) {
		row = pe_table_row(&tables[0].hits.shape, bank->rows, i);
		if (local_read(&row->tag))
			local_set(&row->tag, (local_read(&row->tag) & ~3L) | PE_ROW_CLAIMED);
	}
}

#define GUARD(name, spoil)						\
	static void spoil_##name(void) { spoil; }
GUARD(live, near->live = 0)
GUARD(busy, cpu->busy = 0x100)
GUARD(idle, task.task_flags = 0xff)
GUARD(bank, cpu->banks[0] = NULL)
GUARD(tracer, emit_caller = TRACER)
GUARD(slot, emit_caller = SLOTS + 8)
GUARD(slots_end, emit_caller = SLOTS + SLOTS_SIZE - 1)
GUARD(key, emit_caller++)
GUARD(gone, memset(tables[0].bank->rows, 0, tables[0].bank->end))
GUARD(claimed, claim_rows())

static const struct {
	const char *name;
	void (*spoil)(void);
	bool of_key;		/* by CPU it is not looked at */
} guards[] = {
#define ROW(name) { #name, spoil_##name }
#define KEY(name) { #name, spoil_##name, true }
	ROW(live), ROW(busy), ROW(idle), ROW(bank), ROW(gone), ROW(claimed),
	KEY(tracer), KEY(slot), KEY(slots_end), KEY(key),
};

/* Each guard alone sends the hit to C, and nothing has been changed then. */
static void guards_of(u8 source)
{
	struct pe_event_stat stat;
	unsigned int i;

	simple_source = source;
	for (i = 0; i < ARRAY_SIZE(guards); i++) {
		if (guards[i].of_key && source == PE_HIST_CPU)
			continue;
		simple_table();
		guards[i].spoil();
		stat = cpu->stat;
		if (hit_both() != INTERPRET) {
			printf("   %s: not left to C\n", guards[i].name);
			pe_test_failures++;
		}
		EXPECT_EQ(cpu->preempt_count, PLAIN);
		EXPECT(!memcmp(&stat, &cpu->stat, sizeof(stat)));
		world_close(&ring);
		world_close(&model);
	}
}

static void each_guard(void)
{
	guards_of(PE_HIST_CPU);
	guards_of(PE_HIST_CALLER);
}

/* An interrupt, an NMI, a depth of disabled preemption: they are counted. */
static void any_context(void)
{
	static const u32 counts[] = { 1, 0x100, 0x10000, 0x100000, 0x110105 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		simple_table();
		cpu->preempt_count = PLAIN + counts[i];
		EXPECT_EQ(hit_both(), RETURNED);
		EXPECT_EQ(cpu->preempt_count, PLAIN + counts[i]);
		EXPECT_EQ(cpu->stat.counted, 2);
		world_close(&ring);
		world_close(&model);
	}
}

/* What has no code is refused, each with its own reason. */
static void refused(void)
{
	static const struct {
		struct pe_hist_field key;
		bool not_at_entry;
	} keys[] = {
		{ { .source = PE_HIST_STRING } }, { { .source = PE_HIST_STACK_TRACE } },
		{ { .source = PE_HIST_TIME } }, { { .source = PE_HIST_CALLER }, true },
		{ { .source = PE_HIST_NUMBER, .offset = 2, .size = 1 } },
		{ { .source = PE_HIST_NUMBER, .offset = 500, .size = 8 } },
	};
	struct table *t = tables;
	struct pe_hit_count count;
	unsigned int i;

	random_program();
	t->filter = NULL;
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		t->hist = (struct pe_hist){ .nr_keys = 1, .keys = { keys[i].key } };
		pe_table_shape(&t->hits.shape, &t->hist);
		count = count_of(t, 0);
		EXPECT(pe_hit_can_count(&program, &count, false));
		EXPECT(!keys[i].not_at_entry || !pe_hit_can_count(&program, &count, true));
	}
	t->hist = (struct pe_hist){ .nr_keys = 3, .keys = {
		{ .source = PE_HIST_COMM }, { .source = PE_HIST_COMM }, { .source = PE_HIST_COMM } } };
	pe_table_shape(&t->hits.shape, &t->hist);
	EXPECT(pe_hit_can_count(&program, &count, true));
}

/* The filter of a table may be of arguments that no code fetches. */
static void refused_filters(void)
{
	static const enum pe_load loads[] = {
		PE_LOAD_REG, PE_LOAD_IMM, PE_LOAD_SAVED, PE_LOAD_CURRENT, PE_LOAD_STACK, PE_LOAD_STACKP,
		PE_LOAD_ARG, PE_LOAD_RETVAL, PE_LOAD_SYM, PE_LOAD_COMM, PE_LOAD_STR,
	};
	struct table *t = tables;
	struct pe_hit_count count;
	const char *why;
	unsigned int i;

	t->hist = (struct pe_hist){ .nr_keys = 1, .keys = { { .source = PE_HIST_COMM } } };
	pe_table_shape(&t->hits.shape, &t->hist);
	t->filter = &filter.f;
	count = count_of(t, 0);
	program = (struct pe_program){ .args = args, .rest = args, .end = args + 1, .time_word = -1 };
	args[0] = (struct pe_arg){ .type = &types[0], .size = types[0].size };
	filter.f.nr_tests = 1;
	filter.f.tests[0] = (struct pe_filter_test){ .what = PE_TEST_UNSIGNED, .op = PE_FILTER_EQ,
						     .size = types[0].size };
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		args[0].fetch = (struct pe_fetch){ .load = loads[i],
						   .reg = offsetof(struct pt_regs, di) };
		why = pe_hit_can_count(&program, &count, true);
		EXPECT(i < 4 ? !why : why && strstr(why, "the filter"));
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "at an entry", count_entry },
		{ "several parts", count_parts },
		{ "several parts, memory", count_memory },
		{ "in a detour", count_detour },
		{ "at a call", count_call },
		{ "at a return", count_return },
		{ "each guard", each_guard },
		{ "any context", any_context },
		{ "refused", refused },
		{ "refused filters", refused_filters },
	};
	unsigned int i;

	seed = pe_test_seed();
	with_counts = true;
	world_emit_open(&ring);
	for (i = 0; i < PE_HIT_PARTS; i++) {
		tables[i].bank = malloc(most_bank());
		tables[i].model = malloc(most_bank());
	}
	return PE_RUN(tests);
}
