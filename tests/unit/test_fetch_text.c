// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* fetch_hit.c: the texts that a fetch program leaves in the record. */
#include "fetch_world.h"

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
		{ "strings", test_strings },
		{ "another's user memory", test_foreign_mm },
		{ "string arrays", test_string_arrays },
		{ "symstr", test_symstr },
		{ "task", test_task },
		{ "room", test_room },
	};

	return PE_RUN(tests);
}
