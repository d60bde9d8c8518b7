// SPDX-License-Identifier: GPL-2.0
/* fetch_hit.c: the bytes that a fetch program leaves in the record. */
#include <linux/errno.h>
#include <linux/ptrace.h>
#include <asm/page.h>
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/hit/fetch.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/spec.h"
#include "fakes.h"
#include "harness.h"

#define KERN		0xffff888000000000UL
#define USER		0x00007f0000000000UL
#define STACK		0xffffc90000004000UL	/* aligned to THREAD_SIZE */
#define BAD		0xffff8880ffff0000UL

static struct pt_regs regs;
static struct pe_arg args[10];
static u64 saved[PE_MAX_SAVED];
static u16 words[PE_MAX_SAVED];
static char pool[64];
static u8 rec[8192];
static struct pe_program program;
static struct pe_spec spec;

static const struct pe_type *type(const char *name)
{
	const struct pe_type *t = pe_type_find(name, strlen(name));

	if (!t)
		abort();
	return t;
}

/* One argument after the ones before it, with up to two dereferences. */
static struct pe_arg *arg(unsigned int i, const char *type_name, u8 load, unsigned int count)
{
	struct pe_arg *a = &args[i];

	memset(a, 0, sizeof(*a));
	a->type = type(type_name);
	a->count = count;
	a->offset = i ? args[i - 1].offset + args[i - 1].size : PE_RECORD_ARGS;
	a->size = a->type->size * (count ? count : 1);
	a->fetch.load = load;
	a->fetch.reg = offsetof(struct pt_regs, di);
	return a;
}

static void deref(struct pe_arg *a, s32 off, bool user)
{
	a->fetch.deref[a->fetch.nr_derefs].off = off;
	a->fetch.deref[a->fetch.nr_derefs++].user = user;
}

/* Runs the first @n arguments.  Every byte that isn't written stays 0xaa. */
static unsigned int run_in(unsigned int n, unsigned int room)
{
	const struct pe_fetch_source from = { .regs = &regs, .saved = saved };
	unsigned int fixed = args[n - 1].offset + args[n - 1].size, len, i;
	struct pe_arg fetches[ARRAY_SIZE(args)];

	memcpy(fetches, args, sizeof(args));
	program = (struct pe_program){ .args = fetches, .pool = pool, .saved = words };
	spec.nargs = n;
	spec.record_fixed = fixed;
	pe_program_init(&program, &spec);
	memset(rec, 0xaa, sizeof(rec));
	len = pe_fetch_args(rec, room, &program, from);
	for (i = 0; i < PE_RECORD_ARGS; i++)
		EXPECT_EQ(rec[i], 0xaa);
	for (i = room; i < sizeof(rec); i++)
		if (rec[i] != 0xaa) {
			EXPECT_EQ(rec[i], 0xaa);
			break;
		}
	EXPECT(len >= fixed);
	EXPECT(len <= room);
	return len;
}

static unsigned int run(unsigned int n)
{
	return run_in(n, 4064);
}

static u64 number(unsigned int i, unsigned int element)
{
	unsigned int size = args[i].type->size;
	u64 value = 0;

	memcpy(&value, rec + args[i].offset + element * size, size);
	return value;
}

static const char *string(unsigned int i, unsigned int element)
{
	u32 loc = number(i, element);

	if (!(loc >> 16))
		return "(fault)";
	EXPECT_EQ(rec[(loc & 0xffff) + (loc >> 16) - 1], 0);
	return (char *)rec + (loc & 0xffff);
}

static void setup(void)
{
	pe_fake_unmap_all();
	memset(&regs, 0, sizeof(regs));
	spec.nargs = 0;
	spec.nr_saved = 0;
}

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
	memcpy(spec.saved, what, sizeof(what));
	spec.nr_saved = ARRAY_SIZE(what);
	pe_program_init(&program, &spec);
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
	spec.nr_saved = 1;
	spec.saved[0] = PE_SAVE_SINCE;
	pe_program_init(&program, &spec);
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

/* Of what is at PE_FAKE_CPU_OFFSET behind a variable. */
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

static void test_strings(void)
{
	unsigned int len;

	setup();
	regs.di = KERN;
	pe_fake_map(KERN, "..hello", 8, 0);
	pe_fake_map(USER, "user\0", 6, 1);
	pe_fake_map(KERN + 0x1000, "endless", 7, 0);	/* no NUL before the fault */
	memcpy(pool, "\0imm", 5);
	deref(arg(0, "string", PE_LOAD_REG, 0), 2, false);
	arg(1, "string", PE_LOAD_COMM, 0);
	arg(2, "string", PE_LOAD_STR, 0)->fetch.str = 1;
	deref(arg(3, "ustring", PE_LOAD_IMM, 0), 0, false);
	args[3].fetch.imm = USER;
	deref(arg(4, "string", PE_LOAD_IMM, 0), 0, true);
	args[4].fetch.imm = USER;
	deref(arg(5, "string", PE_LOAD_IMM, 0), 0, false);
	args[5].fetch.imm = KERN + 0x1000;
	deref(arg(6, "string", PE_LOAD_IMM, 0), 5, true);	/* empty is no fault */
	args[6].fetch.imm = USER;
	deref(arg(7, "ustring", PE_LOAD_IMM, 0), 2, false);	/* not the user's */
	args[7].fetch.imm = KERN;
	len = run(8);
	EXPECT_EQ(len, PE_RECORD_ARGS + 8 * 4 + 6 + 10 + 4 + 5 + 5 + 0 + 1);
	EXPECT_STR(string(0, 0), "hello");
	EXPECT_STR(string(1, 0), PE_FAKE_COMM);
	EXPECT_STR(string(2, 0), "imm");
	EXPECT_STR(string(3, 0), "user");
	EXPECT_STR(string(4, 0), "user");
	EXPECT_STR(string(5, 0), "(fault)");
	EXPECT_STR(string(6, 0), "");
	EXPECT_STR(string(7, 0), "(fault)");
	/* The first string is right after the fixed part. */
	EXPECT_EQ(number(0, 0), 6 << 16 | (PE_RECORD_ARGS + 8 * 4));
}

/* User memory of another task (while patching, switching, in kernel threads) is not read. */
static void test_foreign_mm(void)
{
	u64 word = 7;

	setup();
	pe_fake_map(USER, "user", 5, 1);
	pe_fake_map(USER + 0x1000, &word, sizeof(word), 1);
	pe_fake_map(KERN, "kernel", 7, 0);
	pe_fake_foreign_mm();
	deref(arg(0, "ustring", PE_LOAD_IMM, 0), 0, false);
	args[0].fetch.imm = USER;
	deref(arg(1, "u64", PE_LOAD_IMM, 0), 0, true);
	args[1].fetch.imm = USER + 0x1000;
	deref(arg(2, "string", PE_LOAD_IMM, 0), 0, false);
	args[2].fetch.imm = KERN;
	run(3);
	EXPECT_STR(string(0, 0), "(fault)");
	EXPECT_EQ(number(1, 0), 0);
	EXPECT_STR(string(2, 0), "kernel");
}

static void test_string_arrays(void)
{
	u64 pointers[3] = { KERN + 0x100, BAD, KERN + 0x104 };

	setup();
	regs.di = KERN - 8;
	pe_fake_map(KERN, pointers, sizeof(pointers), 0);
	pe_fake_map(KERN + 0x100, "one\0two", 8, 0);
	deref(arg(0, "string", PE_LOAD_REG, 4), 8, false);
	run(1);
	EXPECT_STR(string(0, 0), "one");
	EXPECT_STR(string(0, 1), "(fault)");
	EXPECT_STR(string(0, 2), "two");
	EXPECT_STR(string(0, 3), "(fault)");	/* its pointer can't be read */

	/* A string's address, too, decides: kernel or user. */
	pointers[1] = USER;
	pe_fake_map(USER, "user", 5, 1);
	run(1);
	EXPECT_STR(string(0, 1), "user");
	pointers[1] = BAD;

	/* Pointers in kernel memory, strings in user memory. */
	pointers[0] = USER;
	deref(arg(0, "ustring", PE_LOAD_REG, 2), 8, false);
	run(1);
	EXPECT_STR(string(0, 0), "user");
	EXPECT_STR(string(0, 1), "(fault)");

	/* A fault on the way to the array: no element. */
	deref(arg(0, "string", PE_LOAD_IMM, 2), 0, false);
	deref(&args[0], 0, false);
	args[0].fetch.imm = BAD;
	run(1);
	EXPECT_STR(string(0, 0), "(fault)");
	EXPECT_STR(string(0, 1), "(fault)");
}

static void test_symstr(void)
{
	u64 pointer = PE_FAKE_MOD + 4;

	setup();
	regs.di = PE_FAKE_TEXT + 0x10;
	pe_fake_map(KERN, &pointer, sizeof(pointer), 0);
	arg(0, "symstr", PE_LOAD_REG, 0);
	deref(arg(1, "symstr", PE_LOAD_IMM, 0), 0, false);
	args[1].fetch.imm = KERN;
	arg(2, "string", PE_LOAD_COMM, 0);
	arg(3, "symstr", PE_LOAD_IMM, 0)->fetch.imm = 0x123;
	run(4);
	EXPECT_STR(string(0, 0), "text_start+0x10/0x100");
	EXPECT_STR(string(1, 0), "mod_fn+0x4/0x40 [mod]");
	EXPECT_STR(string(2, 0), PE_FAKE_COMM);
	EXPECT_STR(string(3, 0), "0x123");
}

/* The task of a lock's owner, with flags in its address. */
static void test_task(void)
{
	struct {
		u64 pid;
		char comm[16];
	} tasks[2] = { { 4211, "rsync" }, { 4194304, "a name that is " } };
	u64 owner[2] = { KERN + 64 + 7, 3 };
	unsigned int i;

	setup();
	pe_fake_map(KERN + 64, tasks, sizeof(tasks), 0);
	pe_fake_map(KERN, owner, sizeof(owner), 0);
	regs.di = KERN + 64;
	regs.si = 7;
	regs.dx = KERN + 64 + sizeof(tasks[0]) + 1;
	regs.cx = KERN + 4096;
	regs.r8 = 4096;
	pe_fake_task = KERN + 64;
	arg(0, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, di);
	arg(1, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, si);
	arg(2, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, dx);
	arg(3, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, cx);
	arg(4, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, r8);
	for (i = 5; i < 9; i++)
		arg(i, "task", PE_LOAD_IMM, 0)->fetch.imm = i < 7 ? KERN : KERN + 8192;
	deref(&args[5], 0, false);
	deref(&args[6], 8, false);
	deref(&args[7], 0, false);
	deref(&args[8], 0, false);
	deref(&args[8], 0, false);
	arg(9, "task", PE_LOAD_CURRENT, 0);
	run(10);
	EXPECT_STR(string(0, 0), "rsync-4211");
	EXPECT_STR(string(1, 0), "-");
	EXPECT_STR(string(2, 0), "a name that is -4194304");
	EXPECT_STR(string(3, 0), "(fault)");
	EXPECT_STR(string(4, 0), "(fault)");
	EXPECT_STR(string(5, 0), "rsync-4211");
	EXPECT_STR(string(6, 0), "-");
	EXPECT_STR(string(7, 0), "(fault)");
	EXPECT_STR(string(8, 0), "(fault)");
	EXPECT_STR(string(9, 0), "rsync-4211");

	/* Letters of flags; 0 is a number, too. */
	arg(0, "rwbs", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, si);
	arg(1, "rwbs", PE_LOAD_IMM, 0);
	args[1].fetch.imm = KERN + 8192;
	deref(&args[1], 0, false);
	run(2);
	EXPECT_STR(string(0, 0), "WS");
	EXPECT_STR(string(1, 0), "(fault)");

	/* As much as there is room for. */
	arg(0, "task", PE_LOAD_REG, 0)->fetch.reg = offsetof(struct pt_regs, di);
	run_in(1, PE_RECORD_ARGS + 4 + 8);
	EXPECT_STR(string(0, 0), "rsync-4");
	pe_fake_task = PE_FAKE_TASK;
}

/* Strings that do not fit are cut; a string without any room is a fault. */
static void test_room(void)
{
	unsigned int fixed = PE_RECORD_ARGS + 5 * 4, room;
	static char text[8000];

	setup();
	memset(text, 'x', sizeof(text));
	regs.di = KERN;
	pe_fake_map(KERN, text, sizeof(text), 0);
	memcpy(pool, "\0imm", 5);
	for (room = fixed; room < fixed + 80; room++) {
		arg(0, "string", PE_LOAD_STR, 0)->fetch.str = 1;
		arg(1, "string", PE_LOAD_COMM, 0);
		arg(2, "symstr", PE_LOAD_IMM, 0)->fetch.imm = PE_FAKE_TEXT;
		deref(arg(3, "string", PE_LOAD_REG, 0), 0, false);
		arg(4, "string", PE_LOAD_COMM, 0);
		EXPECT_EQ(run_in(5, room), room);
	}
	EXPECT_STR(string(0, 0), "imm");
	EXPECT_STR(string(1, 0), PE_FAKE_COMM);
	EXPECT_STR(string(2, 0), "text_start+0x0/0x100");
	EXPECT_EQ(strlen(string(3, 0)), 79 - 4 - 10 - 21 - 1);
	EXPECT_STR(string(4, 0), "(fault)");

	run_in(5, fixed + 2);
	EXPECT_STR(string(0, 0), "i");
	EXPECT_STR(string(1, 0), "(fault)");

	/* One string never exceeds the interface's limit. */
	deref(arg(0, "string", PE_LOAD_REG, 0), 0, false);
	EXPECT_EQ(run_in(1, 8000), PE_RECORD_ARGS + 4 + PE_MAX_STRING_SIZE);
	EXPECT_EQ(strlen(string(0, 0)), PE_MAX_STRING_SIZE - 1);
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
		{ "immediate", test_imm },
		{ "bitfields", test_bitfields },
		{ "arrays", test_arrays },
		{ "strings", test_strings },
		{ "another's user memory", test_foreign_mm },
		{ "string arrays", test_string_arrays },
		{ "symstr", test_symstr },
		{ "task", test_task },
		{ "room", test_room },
	};

	return PE_RUN(tests);
}
