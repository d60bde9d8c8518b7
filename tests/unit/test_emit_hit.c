// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Compiled hits against the C code for the same hit (emit_model.h), at entries, in detours and at
 * calls.  The function's registers are as they were.
 */
#include "emit_model.h"

/* ---- tests ---- */

static void differential(void)
{
	programs(rounds(), 1, hit_both);
}

static void differential_memory(void)
{
	with_memory = true;
	programs(rounds(), 1, hit_both);
	with_memory = false;
}

static void differential_detour(void)
{
	world_from = PE_CODE_DETOUR;
	programs(rounds() / 4, 1, hit_both);
	with_memory = true;
	programs(rounds() / 4, 3, hit_both);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

static void differential_call(void)
{
	world_from = PE_CODE_CALL;
	programs(rounds() / 4, 1, hit_both);
	with_memory = true;
	programs(rounds() / 4, 3, hit_both);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

static void differential_parts(void)
{
	programs(rounds() / 4, PE_HIT_PARTS, hit_both);
	with_memory = true;
	programs(rounds() / 4, 3, hit_both);
	with_memory = false;
}

/* A ring whose page has a record already: the first one of a page is not the code's. */
static void begin_page(void)
{
	world_plain();
	open_rings();
	emit_regs.flags = 0x202;
	model_record(&emit_regs, NULL);
	world_close(&ring);
	ring = model;
	world_open(&model, PAGES, SHIFT, true);
	near->now = now + 1;
}

static void end_page(void)
{
	world_close(&model);
	world_close(&ring);
}

/* The stack pointer as it was before the function's call. */
static void stack_pointer(void)
{
	const struct pe_record_head *head;

	random_program();
	args[0] = (struct pe_arg){
		.type = &types[3], .offset = sizeof(*head), .size = 8,
		.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, sp) },
	};
	program = (struct pe_program){
		.args = args, .rest = args + 1, .end = args + 1, .fixed = sizeof(*head) + 8,
	};
	world_compile(&program, NULL);
	begin_page();
	EXPECT_EQ(world_hit(), RETURNED);
	head = (void *)ring.tail->data + PE_RB_PAGE_HEAD + 2 * (4 + program.fixed) -
	       program.fixed;
	/* emit_call() has stored its rsp and taken away the same: the word says the former. */
	EXPECT(*(u64 *)(head + 1));
	EXPECT_EQ(*(u64 *)(head + 1) % 8, 0);
	end_page();
}

/* The position is at the end of the page before it: the difference wraps. */
static struct pe_rb_page other_page;

/* A change that makes the code leave the hit to C, and another one that undoes it. */
#define GUARD(name, spoil)						\
	static void spoil_##name(void) { spoil; }
GUARD(preempt, cpu->preempt_count = PLAIN + 16)
GUARD(softirq_off, cpu->preempt_count = PLAIN + 0x200)
GUARD(hardirq, cpu->preempt_count = PLAIN + 0x10000)
GUARD(nmi, cpu->preempt_count = PLAIN + 0x100000)
GUARD(resched, cpu->preempt_count = 0)
GUARD(live, near->live = 0)
GUARD(busy, cpu->busy = 0x100)
GUARD(idle, task.task_flags = 0xff)
GUARD(flags, task.flags = NEED_RESCHED)
GUARD(migration, task.migration = 1)
GUARD(softirq, task.softirq = 0x100)
GUARD(pid, slot.pid++)
GUARD(tgid, slot.tgid++)
GUARD(comm0, slot.words[0] ^= 1ULL << 56)
GUARD(comm1, slot.words[1] ^= 1)
GUARD(disabled, ring.disabled = 1)
GUARD(last_pos, ring.last_pos -= 8)
GUARD(base, ring.tail = &other_page)
GUARD(late, near->now += 1 << 27)
GUARD(back, near->now = ring.last_ts - 1)

static const struct {
	const char *name;
	void (*spoil)(void);
} guards[] = {
#define ROW(name) { #name, spoil_##name }
	ROW(preempt), ROW(softirq_off), ROW(hardirq), ROW(nmi), ROW(resched), ROW(live), ROW(busy),
	ROW(idle), ROW(flags), ROW(migration), ROW(softirq), ROW(pid), ROW(tgid), ROW(comm0),
	ROW(comm1), ROW(disabled), ROW(last_pos), ROW(base), ROW(late), ROW(back),
};

/* Each guard alone sends the hit to C, and nothing has been changed then. */
static void each_guard(void)
{
	struct pe_event_stat stat;
	struct pe_rb before;
	unsigned int i;
	u32 count;

	random_program();
	world_compile(&program, NULL);
	for (i = 0; i < ARRAY_SIZE(guards); i++) {
		begin_page();
		near->busy = 0;
		EXPECT_EQ(world_hit(), RETURNED);	/* nothing is spoiled yet */
		EXPECT_EQ(near->busy, 1);		/* what reads the clock may be probed */
		end_page();
		begin_page();
		other_page = *ring.tail;
		other_page.base = local_read(&ring.write) + 4;
		guards[i].spoil();
		stat = cpu->stat;
		before = ring;
		count = cpu->preempt_count;
		if (world_hit() != INTERPRET) {
			printf("   %s: not left to C\n", guards[i].name);
			pe_test_failures++;
		}
		EXPECT_EQ(cpu->preempt_count, count);
		EXPECT(!(cpu->busy & 1));
		EXPECT(!memcmp(&stat, &cpu->stat, sizeof(stat)));
		EXPECT(!memcmp(&before, &ring, sizeof(ring)));
		end_page();
	}
}

/* A slot that is another one, or is being written, or has a name without length, is not used. */
static void name_guards(void)
{
	static const u64 cached[] = { 1, 1ULL << 32, 2ULL << 32, 1ULL << 63, PE_CMDLINE_NEVER };
	unsigned int i, aligned;
	struct pe_rb before;

	for (i = 0; i < 2 * ARRAY_SIZE(cached); i++) {
		aligned = i % 2;
		random_program();
		args[0] = (struct pe_arg){
			.type = &strings[0], .offset = sizeof(struct pe_record_head), .size = 4,
			.fetch = { .load = PE_LOAD_COMM },
		};
		args[1] = (struct pe_arg){
			.type = &types[0], .offset = args[0].offset + 4, .size = 1,
			.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, di) },
		};
		program = (struct pe_program){
			.args = args, .rest = args, .end = args + 2 - aligned,
			.fixed = sizeof(struct pe_record_head) + 5 - aligned, .time_word = -1, .since_word = -1,
		};
		world_compile(&program, NULL);
		begin_page();
		EXPECT_EQ(world_hit(), RETURNED);
		end_page();
		begin_page();
		cpu->name.version ^= cached[i / 2];
		before = ring;
		EXPECT_EQ(world_hit(), INTERPRET);
		EXPECT_EQ(cpu->preempt_count, PLAIN);
		EXPECT_EQ(cpu->busy, 0);
		EXPECT(!memcmp(&before, &ring, sizeof(ring)));
		end_page();
	}
}

/* common_flags and common_preempt_count of a task that disables preemption. */
static void depths(void)
{
	unsigned int depth;
	const u8 *head;

	random_program();
	world_compile(&program, NULL);
	for (depth = 0; depth < 16; depth++) {
		begin_page();
		head = (void *)ring.tail->data;
		head += local_read(&ring.write) % (1 << SHIFT) + 4;
		cpu->preempt_count += depth;
		EXPECT_EQ(world_hit(), RETURNED);
		EXPECT_EQ(cpu->preempt_count, PLAIN + depth);
		EXPECT_EQ(head[offsetof(struct pe_record_head, preempt_count)], depth);
		EXPECT_EQ(head[offsetof(struct pe_record_head, flags)], 0);
		end_page();
	}
}

/* A loss without a record looks whether it is up to date, and whether a handler runs. */
static void losses(void)
{
	random_program();
	world_compile(&program, NULL);
	open_rings();
	world_plain();
	emit_regs.flags = 0x202;
	instance.tracing_on = 0;
	EXPECT_EQ(world_hit(), RETURNED);
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 1);
	EXPECT_EQ(cpu->stat.hits, 1);
	near->live = 0;
	EXPECT_EQ(world_hit(), INTERPRET);
	near->live = 1;
	cpu->busy = 1 << 24;
	EXPECT_EQ(world_hit(), INTERPRET);
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 1);
	EXPECT_EQ(cpu->stat.hits, 1);
	world_close(&model);
	world_close(&ring);
}

static u64 ns(void)
{
	return (u64)((__int128)world_tsc() * near->mul >> env.clock.shift) + cpu->offset;
}

/* The clock that the code reads by itself is between two readings of the same in C. */
static void own_clock(void)
{
	u64 read = env.clock.read, before, after;
	unsigned int i;

	env.clock.read = 0;
	env.clock.mul = (u64)&near->mul;
	near->mul = 0x9c0f5a1b;
	random_program();
	for (i = 0; i < 64; i++) {
		env.clock.shift = i;
		env.clock.seq_was = cpu->seq;
		env.clock.seq_of_cpu = i % 2 ? offsetof(struct cpu, seq_of_cpu) : 0;
		cpu->seq_of_cpu = cpu->seq;
		world_compile(&program, NULL);
		cpu->offset = pe_test_random(&seed) >> 2;	/* times are signed */
		open_rings();
		world_plain();
		emit_regs.flags = 0x202;
		now = ns();
		model_record(&emit_regs, NULL);
		world_close(&ring);
		ring = model;
		world_open(&model, PAGES, SHIFT, true);
		/* Fast clocks are too late for a short record. */
		before = ns();
		if (world_hit() == RETURNED) {
			after = ns();
			EXPECT(ring.last_ts - before <= after - before);
		} else {
			EXPECT(i < 40);
		}
		cpu->seq++;
		EXPECT_EQ(world_hit(), INTERPRET);
		world_close(&model);
		world_close(&ring);
	}
	env.clock.seq_of_cpu = 0;
	env.clock.read = read;
}

static void refused(void)
{
	random_program();
	program.nr_saved = 1;
	program.saved[0] = PE_REG_ARGS;
	EXPECT(pe_hit_can_emit(&program, NULL));
	program.saved[0] = PE_SAVE_SINCE;
	EXPECT(pe_hit_can_emit(&program, NULL));
	program.saved[0] = PE_SAVE_TIME;
	EXPECT(!pe_hit_can_emit(&program, NULL));
	program.nr_saved = 0;
	EXPECT(!pe_hit_can_emit(&program, NULL));
	args[0].fetch.load = PE_LOAD_REG;
	args[0].fetch.reg = offsetof(struct pt_regs, r11);
	program.rest = program.end = args + 1;
	EXPECT(pe_hit_can_emit(&program, NULL));
	args[0].fetch.reg = offsetof(struct pt_regs, di);
	EXPECT(!pe_hit_can_emit(&program, NULL));
	args[0].count = 2;
	EXPECT(pe_hit_can_emit(&program, NULL));
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "differential", differential },
		{ "differential, memory", differential_memory },
		{ "differential, several parts", differential_parts },
		{ "differential, in a detour", differential_detour },
		{ "differential, at a call", differential_call },
		{ "each guard", each_guard },
		{ "guards of a name", name_guards },
		{ "stack pointer", stack_pointer },
		{ "depths", depths },
		{ "losses", losses },
		{ "own clock", own_clock },
		{ "refused", refused },
	};

	seed = pe_test_seed();
	world_emit_open(&ring);
	return PE_RUN(tests);
}
