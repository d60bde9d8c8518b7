// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* fetch_hit.c: the numbers that a fetch program leaves in the record. */
#include "fetch_world.h"

static void test_registers(void)
{
	setup();
	regs.di = 0x1122334455667788;
	arg(0, "x64", PE_LOAD_REG, 0);
	arg(1, "x32", PE_LOAD_REG, 0);
	arg(2, "u16", PE_LOAD_REG, 0);
	arg(3, "s8", PE_LOAD_REG, 0);
	arg(4, "x64", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, si);
	regs.si = 7;
	EXPECT_EQ(run(5), PE_RECORD_ARGS + 8 + 4 + 2 + 1 + 8);
	EXPECT_EQ(number(0, 0), 0x1122334455667788);
	EXPECT_EQ(number(1, 0), 0x55667788);
	EXPECT_EQ(number(2, 0), 0x7788);
	EXPECT_EQ(number(3, 0), 0x88);
	EXPECT_EQ(number(4, 0), 7);
	EXPECT(program.rest == program.end);
}

static void test_function_args(void)
{
	u64 stack[4] = { 0x100, 0x106, 0x107, 0x108 };
	unsigned int i;

	setup();
	regs.di = 0x100;
	regs.si = 0x101;
	regs.dx = 0x102;
	regs.cx = 0x103;
	regs.r8 = 0x104;
	regs.r9 = 0x105;
	regs.sp = STACK + 64;
	pe_fake_map(regs.sp, stack, sizeof(stack), 0);
	for (i = 0; i < 8; i++)
		arg(i, "x64", PE_LOAD_ARG, 0)->fetch.index = i;
	run(8);
	for (i = 0; i < 8; i++)
		EXPECT_EQ(number(i, 0), 0x100 + i);
	EXPECT_EQ(program.rest - program.args, 6);	/* the others are on the stack */
}

/* A return probe fetches arguments as they were at the entry, not from the registers. */
static void test_saved(void)
{
	static const u16 what[] = { 6, 0, PE_SAVE_TIME, 1, 5, 2000, PE_SAVE_SINCE };
	u64 stack[2] = { 0x100, 0x107 }, mem = 0x1234;

	setup();
	pe_fake_map(KERN, &mem, sizeof(mem), 0);
	regs.di = KERN - 8;
	regs.si = 0x202;
	regs.r9 = 0x206;
	regs.sp = STACK + 64;
	pe_fake_map(regs.sp, stack, sizeof(stack), 0);
	memset(saved, 0xee, sizeof(saved));
	memcpy(placed.saved, what, sizeof(what));
	placed.nr_saved = ARRAY_SIZE(what);
	pe_program_init(&program, &placed);
	EXPECT_EQ(program.time_word, 2);
	EXPECT_EQ(program.since_word, 6);
	EXPECT(pe_program_saves(&program));
	pe_fetch_saved(saved, &program, &regs);
	EXPECT_EQ(saved[2], 0xeeeeeeeeeeeeeeee);
	EXPECT_EQ(saved[5], 0);				/* not on the stack */
	EXPECT_EQ(saved[6], 0xeeeeeeeeeeeeeeee);
	saved[2] = 77;
	saved[6] = 78;

	memset(&regs, 0xff, sizeof(regs));
	mem = 0x4321;
	arg(0, "x64", PE_LOAD_SAVED, 0)->fetch.index = 0;
	deref(arg(1, "u16", PE_LOAD_SAVED, 0), 8, false);	/* followed at the return */
	args[1].fetch.index = 1;
	arg(2, "u32", PE_LOAD_SAVED, 0)->fetch.index = 2;
	arg(3, "x16", PE_LOAD_SAVED, 0)->fetch.index = 3;
	arg(4, "u64", PE_LOAD_SAVED, 0)->fetch.index = 4;
	args[4].bf_width = 4;
	args[4].bf_shift = 1;
	arg(5, "u8", PE_LOAD_SAVED, 0)->fetch.index = 6;
	run(6);
	EXPECT_EQ(number(0, 0), 0x107);
	EXPECT_EQ(number(1, 0), 0x4321);
	EXPECT_EQ(number(2, 0), 77);
	EXPECT_EQ(number(3, 0), 0x202);
	EXPECT_EQ(number(4, 0), 3);
	EXPECT_EQ(number(5, 0), 78);

	/* What is since the last hit is not the entry's. */
	placed.nr_saved = 1;
	placed.saved[0] = PE_SAVE_SINCE;
	pe_program_init(&program, &placed);
	EXPECT_EQ(program.time_word, -1);
	EXPECT_EQ(program.since_word, 0);
	EXPECT(!pe_program_saves(&program));
}

static void test_current(void)
{
	u64 task[2] = { 0x1122334455667788, 5 };

	setup();
	pe_fake_map(PE_FAKE_TASK, task, sizeof(task), 0);
	arg(0, "x64", PE_LOAD_CURRENT, 0);
	deref(arg(1, "u8", PE_LOAD_CURRENT, 0), 8, false);
	deref(arg(2, "x64", PE_LOAD_CURRENT, 0), 64, false);
	arg(3, "u16", PE_LOAD_CURRENT, 0)->bf_width = 4;
	args[3].bf_shift = 12;
	run(4);
	EXPECT_EQ(number(0, 0), PE_FAKE_TASK);
	EXPECT_EQ(number(1, 0), 5);
	EXPECT_EQ(number(2, 0), 0);
	EXPECT_EQ(number(3, 0), (u16)PE_FAKE_TASK >> 12);
}

/* Of what is at PE_FAKE_CPU_OFFSET after a variable. */
static void test_this_cpu(void)
{
	static const struct pe_deref this_cpu = { .cpu = true };
	u64 mine[4] = { KERN + 0x1000, 7, 0x68676665, KERN + 0x2000 };
	unsigned int i;

	setup();
	pe_fake_map(KERN + 0x800 + PE_FAKE_CPU_OFFSET, mine, sizeof(mine), 0);
	pe_fake_map(KERN + 0x1000 + PE_FAKE_CPU_OFFSET, mine, sizeof(mine), 0);
	for (i = 0; i < 7; i++) {
		arg(i, i == 5 ? "string" : "x64", PE_LOAD_IMM, 0)->fetch.imm = KERN + 0x800;
		args[i].fetch.deref[args[i].fetch.nr_derefs++] = this_cpu;
	}
	deref(&args[1], 8, false);
	deref(&args[2], 0, false);
	args[2].fetch.deref[args[2].fetch.nr_derefs++] = this_cpu;
	deref(&args[3], 0, false);
	args[3].fetch.deref[args[3].fetch.nr_derefs++] = this_cpu;
	deref(&args[3], 8, false);
	deref(&args[4], 0x8000, false);
	args[4].fetch.deref[args[4].fetch.nr_derefs++] = this_cpu;
	deref(&args[5], 16, false);
	args[6].bf_width = 8;
	run(7);
	EXPECT_EQ(number(0, 0), KERN + 0x800 + PE_FAKE_CPU_OFFSET);
	EXPECT_EQ(number(1, 0), 7);
	EXPECT_EQ(number(2, 0), KERN + 0x1000 + PE_FAKE_CPU_OFFSET);
	EXPECT_EQ(number(3, 0), 7);
	EXPECT_EQ(number(4, 0), 0);
	EXPECT_STR(string(5, 0), "efgh");
	EXPECT_EQ(number(6, 0), PE_FAKE_CPU_OFFSET);
}

static void test_stack(void)
{
	u64 stack[4] = { 10, 11, 12, 13 };

	setup();
	/* Two words below the end of the stack: the third is not on it. */
	regs.sp = STACK + THREAD_SIZE - 16;
	pe_fake_map(regs.sp, stack, sizeof(stack), 0);
	arg(0, "x64", PE_LOAD_STACKP, 0);
	arg(1, "x64", PE_LOAD_STACK, 0)->fetch.index = 0;
	arg(2, "x64", PE_LOAD_STACK, 0)->fetch.index = 1;
	arg(3, "x64", PE_LOAD_STACK, 0)->fetch.index = 2;
	arg(4, "u8", PE_LOAD_STACK, 0)->fetch.index = 100000;
	run(5);
	EXPECT_EQ(number(0, 0), regs.sp);
	EXPECT_EQ(number(1, 0), 10);
	EXPECT_EQ(number(2, 0), 11);
	EXPECT_EQ(number(3, 0), 0);
	EXPECT_EQ(number(4, 0), 0);

	/* On the stack, but unreadable. */
	pe_fake_unmap_all();
	run(5);
	EXPECT_EQ(number(1, 0), 0);
}

static void test_memory(void)
{
	u64 inner[2] = { 0x8877665544332211, 0x99 };
	u64 outer[2] = { 1, KERN + 0x100 };

	setup();
	pe_fake_map(KERN, outer, sizeof(outer), 0);
	pe_fake_map(KERN + 0x100, inner, sizeof(inner), 0);
	pe_fake_map(USER, inner, sizeof(inner), 1);
	regs.di = KERN + 16;
	deref(arg(0, "x64", PE_LOAD_REG, 0), -8, false);
	deref(arg(1, "x32", PE_LOAD_REG, 0), -8, false);
	deref(&args[1], 2, false);			/* unaligned, off in bytes */
	deref(arg(2, "u64", PE_LOAD_IMM, 0), 8, true);
	args[2].fetch.imm = USER;
	deref(arg(3, "u64", PE_LOAD_IMM, 0), 0, true);	/* kernel memory as user's */
	args[3].fetch.imm = KERN;
	deref(arg(4, "u64", PE_LOAD_IMM, 0), 0, false);	/* fault at the first step */
	deref(&args[4], 0, false);
	args[4].fetch.imm = BAD;
	deref(arg(5, "u64", PE_LOAD_IMM, 0), 0, false);	/* only half of it is there */
	args[5].fetch.imm = KERN + 12;
	deref(arg(6, "u64", PE_LOAD_IMM, 0), 8, false);	/* the address decides: kernel or user */
	args[6].fetch.imm = USER;
	run(7);
	EXPECT_EQ(number(0, 0), KERN + 0x100);
	EXPECT_EQ(number(1, 0), 0x66554433);
	EXPECT_EQ(number(2, 0), 0x99);
	EXPECT_EQ(number(3, 0), 0);
	EXPECT_EQ(number(4, 0), 0);
	EXPECT_EQ(number(5, 0), 0);
	EXPECT_EQ(number(6, 0), 0x99);
}

/* The page of vsyscalls is never read, though here it could be: not from before it either. */
static void test_vsyscalls(void)
{
	const u64 page = -10UL << 20;
	static u64 words[514];
	unsigned int i;

	setup();
	memset(words, 'v', sizeof(words));
	pe_fake_map(page - 8, words, sizeof(words), 0);
	for (i = 0; i < 6; i++)
		deref(arg(i, "x64", PE_LOAD_IMM, 0), 0, false);
	args[0].fetch.imm = page - 8;
	args[1].fetch.imm = page - 7;
	args[2].fetch.imm = page - 1;
	args[3].fetch.imm = page;
	args[4].fetch.imm = page + 4095;
	args[5].fetch.imm = page + 4096;
	run(6);
	EXPECT_EQ(number(0, 0), words[0]);
	for (i = 1; i < 5; i++)
		EXPECT_EQ(number(i, 0), 0);
	EXPECT_EQ(number(5, 0), words[0]);
}

static void test_imm(void)
{
	setup();
	arg(0, "s64", PE_LOAD_IMM, 0)->fetch.imm = -1ULL;
	arg(1, "u8", PE_LOAD_IMM, 0)->fetch.imm = 0x1ff;
	arg(2, "x64", PE_LOAD_RETVAL, 0);
	regs.ax = 0x42;
	run(3);
	EXPECT_EQ(number(0, 0), -1ULL);
	EXPECT_EQ(number(1, 0), 0xff);
	EXPECT_EQ(number(2, 0), 0x42);
}

static void test_bitfields(void)
{
	static const struct {
		const char *type;
		u8 width, shift;
		u64 want;
	} cases[] = {
		{ "u64", 4, 0, 0x8 },
		{ "u64", 8, 60, 0xf },		/* bits above the container: none */
		{ "u64", 64, 0, 0xf122334455667788 },
		{ "u64", 1, 63, 1 },
		{ "u32", 32, 0, 0x55667788 },
		{ "u32", 12, 4, 0x778 },
		{ "u16", 5, 11, 0xe },
		{ "u8", 1, 7, 1 },
		{ "u8", 3, 0, 0 },
	};
	u64 mem = 0xf122334455667788;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		setup();
		regs.di = mem;
		arg(0, cases[i].type, PE_LOAD_REG, 0);
		args[0].bf_width = cases[i].width;
		args[0].bf_shift = cases[i].shift;
		pe_fake_map(KERN, &mem, sizeof(mem), 0);
		arg(1, cases[i].type, PE_LOAD_IMM, 0)->fetch.imm = KERN;
		deref(&args[1], 0, false);
		args[1].bf_width = cases[i].width;
		args[1].bf_shift = cases[i].shift;
		run(2);
		EXPECT_EQ(number(0, 0), cases[i].want);
		EXPECT_EQ(number(1, 0), cases[i].want);
	}
}

static void test_arrays(void)
{
	u16 words[4] = { 0x1234, 0x2345, 0x3456, 0x4567 };
	unsigned int i;

	setup();
	regs.di = KERN;
	pe_fake_map(KERN, words, 6, 0);
	deref(arg(0, "x16", PE_LOAD_REG, 4), 0, false);
	deref(arg(1, "u8", PE_LOAD_REG, 6), 0, false);
	args[1].bf_width = 4;
	deref(arg(2, "u32", PE_LOAD_REG, 2), 0, false);	/* a fault on the way */
	deref(&args[2], 0, false);
	run(3);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(number(0, i), words[i]);
	EXPECT_EQ(number(0, 3), 0);			/* after the mapping */
	for (i = 0; i < 6; i++)
		EXPECT_EQ(number(1, i), ((u8 *)words)[i] & 0xf);
	EXPECT_EQ(number(2, 0), 0);
	EXPECT_EQ(number(2, 1), 0);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "registers", test_registers },
		{ "function arguments", test_function_args },
		{ "saved at entry", test_saved },
		{ "the current task", test_current },
		{ "variables of each CPU", test_this_cpu },
		{ "stack", test_stack },
		{ "memory", test_memory },
		{ "the page of vsyscalls", test_vsyscalls },
		{ "immediate", test_imm },
		{ "bitfields", test_bitfields },
		{ "arrays", test_arrays },
	};

	return PE_RUN(tests);
}
