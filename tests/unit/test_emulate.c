// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_emulate.c - emulation against the CPU that it imitates.
 *
 * For every branch, the test generates a few bytes of code that load the registers, execute
 * the branch and report where it went.  pe_emulate() gets the same registers and must come
 * to the same end.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "arch/x86/insn/emulate.h"
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_check.h"
#include "harness.h"

#define PROT_RWX	7
#define MAP_ANON	0x22		/* MAP_PRIVATE | MAP_ANONYMOUS */
#define FLAGS		0x8d5UL		/* O S Z A P C */

static u8 *page;			/* generated code */
static u64 stack[64];			/* of the emulated context */
static u64 seed;

static struct pe_insn_class classify(const u8 *code)
{
	struct pe_insn_class cls;
	struct pe_insn insn;

	EXPECT_EQ(pe_insn_decode(&insn, code, PE_INSN_MAX), 0);
	EXPECT_EQ(pe_insn_classify(&insn, code, PE_INSN_MAX, &cls), 0);
	EXPECT_EQ(cls.kind, PE_INSN_EMULATE);
	return cls;
}

static u8 *emit(u8 *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}
#define EMIT(p, ...) do {						\
	const u8 code_[] = { __VA_ARGS__ };				\
	(p) = emit(p, code_, sizeof(code_));				\
} while (0)

/*
 * A function (flags, cx, &cx_afterwards) that returns 1 if the branch is taken.  It begins at
 * @page.  Returns the address of the branch, @n bytes that jump 7 bytes ahead.
 */
static u8 *emit_branch_test(const u8 *branch, size_t n)
{
	u8 *p = page, *at;

	EMIT(p, 0x48, 0x89, 0xf1);			/* mov %rsi,%rcx */
	EMIT(p, 0x57, 0x9d);				/* push %rdi; popf */
	at = p;
	p = emit(p, branch, n);
	EMIT(p, 0xb8, 0, 0, 0, 0);			/* mov $0,%eax */
	EMIT(p, 0xeb, 0x05);				/* jmp over */
	EMIT(p, 0xb8, 1, 0, 0, 0);			/* taken: mov $1,%eax */
	EMIT(p, 0x48, 0x89, 0x0a, 0xc3);		/* over: mov %rcx,(%rdx); ret */
	return at;
}

static void compare_branch(const struct pe_insn_class *cls, u8 *at, unsigned long flags, u64 cx)
{
	u64 (*on_cpu)(u64, u64, u64 *) = (u64 (*)(u64, u64, u64 *))page;
	unsigned long addr = (unsigned long)at;
	struct pt_regs regs = { .flags = flags, .cx = cx, .ax = 5, .sp = 0x1230, .ip = 77 }, want;
	u64 cx_after = 0;
	u64 taken = on_cpu(flags, cx, &cx_after);

	want = regs;
	want.cx = cx_after;
	want.ip = addr + cls->length + (taken ? 7 : 0);
	EXPECT_EQ(pe_emulate(cls, &regs, addr), PE_EMULATE_DONE);
	EXPECT_EQ(regs.ip, want.ip);
	EXPECT_EQ(regs.cx, want.cx);
	EXPECT(!memcmp(&regs, &want, sizeof(regs)));
}

static u64 random_cx(void)
{
	static const u64 edges[] = { 0, 1, 2, 0x100000000ULL, 0x100000001ULL, ~0ULL, 0x80000000ULL,
				     0xffffffffULL };
	u64 r = pe_test_random(&seed);

	return r & 1 ? edges[r >> 8 & 7] : pe_test_random(&seed);
}

static void test_conditions(void)
{
	unsigned int cond, i;

	for (cond = 0; cond < 16; cond++) {
		u8 rel8[PE_INSN_MAX] = { 0x70 | cond, 7 };
		u8 rel32[PE_INSN_MAX] = { 0x0f, 0x80 | cond, 7, 0, 0, 0 };
		struct pe_insn_class cls;
		u8 *at;

		for (i = 0; i < 2; i++) {
			unsigned long bits;

			at = i ? emit_branch_test(rel32, 6) : emit_branch_test(rel8, 2);
			cls = classify(at);
			EXPECT_EQ(cls.op, PE_EMU_JCC);
			/* All 64 combinations of the six flags. */
			for (bits = 0; bits < 64; bits++)
				compare_branch(&cls, at, 0x202 | (bits & 1) | (bits & 2) << 1 |
					       (bits & 4) << 2 | (bits & 0x18) << 3 |
					       (bits & 0x20) << 6, 3);
			for (bits = 0; bits < 500; bits++)
				compare_branch(&cls, at, 0x202 | (pe_test_random(&seed) & FLAGS),
					       random_cx());
		}
	}
}

static void test_counters(void)
{
	static const u8 ops[] = { 0xe0, 0xe1, 0xe2, 0xe3 };
	unsigned int i, wide, round;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (wide = 0; wide < 2; wide++) {
			u8 code[PE_INSN_MAX] = { 0x67, ops[i], 7 };
			u8 *at = emit_branch_test(code + wide, 3 - wide);
			struct pe_insn_class cls = classify(at);

			for (round = 0; round < 2000; round++)
				compare_branch(&cls, at, 0x202 | (pe_test_random(&seed) & FLAGS),
					       random_cx());
		}
	}
}

static void test_jumps(void)
{
	static const struct {
		u8 bytes[PE_INSN_MAX];
		long to;
	} jumps[] = {
		{ { 0xeb, 0x7f }, 2 + 127 },
		{ { 0xeb, 0x80 }, 2 - 128 },
		{ { 0xf2, 0xe9, 0xff, 0xff, 0xff, 0x7f }, 6 + 0x7fffffffL },
		{ { 0xe9, 0, 0, 0, 0x80 }, 5 - 0x80000000L },
		{ { 0x74, 0x80 }, 2 - 128 },
		{ { 0x0f, 0x84, 0, 0, 0, 0x80 }, 6 - 0x80000000L },
	};
	unsigned long addr = 0xffffffff81000ff0UL;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(jumps); i++) {
		struct pe_insn_class cls = classify(jumps[i].bytes);
		struct pt_regs regs = { .flags = 0x242, .sp = 8, .ip = 1 }, want = regs;

		want.ip = addr + jumps[i].to;
		EXPECT_EQ(pe_emulate(&cls, &regs, addr), PE_EMULATE_DONE);
		EXPECT(!memcmp(&regs, &want, sizeof(regs)));
	}
}

static void test_call(void)
{
	static const u8 code[PE_INSN_MAX] = { 0xe8, 0xfb, 0xff, 0xff, 0xff };
	struct pe_insn_class cls = classify(code);
	unsigned long addr = 0xffffffff81000000UL;
	struct pt_regs regs = { .sp = (unsigned long)&stack[32], .flags = 0x246, .di = 4 };
	struct pt_regs want = regs;

	stack[30] = stack[31] = stack[32] = 0xdead;
	want.ip = addr;
	want.sp -= 8;
	EXPECT_EQ(pe_emulate(&cls, &regs, addr), PE_EMULATE_DONE);
	EXPECT(!memcmp(&regs, &want, sizeof(regs)));
	EXPECT_EQ(stack[31], addr + 5);
	EXPECT_EQ(stack[30], 0xdead);
	EXPECT_EQ(stack[32], 0xdead);
}

/* Registers in hardware order. */
static unsigned long *reg_of(struct pt_regs *r, unsigned int n)
{
	unsigned long *const regs[16] = {
		&r->ax, &r->cx, &r->dx, &r->bx, &r->sp, &r->bp, &r->si, &r->di,
		&r->r8, &r->r9, &r->r10, &r->r11, &r->r12, &r->r13, &r->r14, &r->r15,
	};

	return regs[n];
}

/*
 * Loads all registers except %rsp from @regs, executes the indirect call @code, and returns
 * the return address that it pushed.  @target receives the target that the call must have.
 */
static unsigned long call_on_cpu(const struct pt_regs *regs, const u8 *code, size_t n,
				 unsigned long *target, u8 **at)
{
	u8 *p = page;
	unsigned int i;
	unsigned long (*func)(void) = (unsigned long (*)(void))page;

	EMIT(p, 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57);
	for (i = 0; i < 16; i++) {
		if (i == 4)
			continue;
		EMIT(p, 0x48 | i >> 3, 0xb8 | (i & 7));		/* movabs */
		p = emit(p, reg_of((struct pt_regs *)regs, i), 8);
	}
	*at = p;
	p = emit(p, code, n);
	EMIT(p, 0xcc);
	EXPECT_EQ(*target, (unsigned long)p);
	EMIT(p, 0x58, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3);
	return func();
}

/* The address at which call_on_cpu() puts the code after a call of @n bytes. */
static unsigned long target_of(size_t n)
{
	return (unsigned long)page + 10 + 15 * 10 + n + 1;
}

static void compare_call(struct pt_regs *regs, const u8 *code)
{
	struct pe_insn_class cls = classify(code);
	unsigned long target = target_of(cls.length);
	struct pt_regs want;
	unsigned long ret;
	u8 *at;

	regs->sp = (unsigned long)&stack[32];
	ret = call_on_cpu(regs, code, cls.length, &target, &at);
	EXPECT_EQ(ret, (unsigned long)at + cls.length);
	want = *regs;
	want.sp -= 8;
	want.ip = target;
	stack[31] = 0;
	EXPECT_EQ(pe_emulate(&cls, regs, (unsigned long)at), PE_EMULATE_DONE);
	EXPECT(!memcmp(regs, &want, sizeof(want)));
	EXPECT_EQ(stack[31], ret);
}

static void random_regs(struct pt_regs *regs)
{
	unsigned int i;

	memset(regs, 0, sizeof(*regs));
	for (i = 0; i < 16; i++)
		*reg_of(regs, i) = pe_test_random(&seed);
	regs->flags = 0x246;
}

static void test_call_register(void)
{
	unsigned int n;

	for (n = 0; n < 16; n++) {
		u8 code[PE_INSN_MAX] = { 0x40 | n >> 3, 0xff, 0xd0 | (n & 7) };
		struct pt_regs regs;

		if (n == 4)
			continue;		/* %rsp: next test */
		random_regs(&regs);
		*reg_of(&regs, n) = target_of(3);
		compare_call(&regs, code);
	}
}

/* The target is the stack pointer from before the push. */
static void test_call_rsp(void)
{
	static const u8 code[PE_INSN_MAX] = { 0xff, 0xd4 };
	struct pe_insn_class cls = classify(code);
	struct pt_regs regs = { .sp = (unsigned long)&stack[32] };

	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_DONE);
	EXPECT_EQ(regs.ip, (unsigned long)&stack[32]);
	EXPECT_EQ(regs.sp, (unsigned long)&stack[31]);
	EXPECT_EQ(stack[31], 0x1002);
}

/* call *disp(base), and with SIB all bases, indexes and scales, against the CPU. */
static void test_call_memory(void)
{
	static u64 slot;
	unsigned int base, index, scale;

	for (base = 0; base < 16; base++) {
		for (index = 0; index < 16; index++) {
			for (scale = 0; scale < 4; scale++) {
				u8 code[PE_INSN_MAX] = { 0x40 | base >> 3 | index >> 3 << 1, 0xff, 0x94,
					scale << 6 | (index & 7) << 3 | (base & 7) };
				s32 disp = pe_test_random(&seed);
				struct pt_regs regs;

				if (base == 4 || base == index)
					continue;
				memcpy(code + 4, &disp, sizeof(disp));
				random_regs(&regs);
				*reg_of(&regs, base) = (unsigned long)&slot - (long)disp -
					(index == 4 ? 0 : *reg_of(&regs, index) << scale);
				slot = target_of(8);
				compare_call(&regs, code);
			}
		}
		if ((base & 7) != 4) {
			u8 code[PE_INSN_MAX] = { 0x40 | base >> 3, 0xff, 0x50 | (base & 7), 0x80 };
			struct pt_regs regs;

			random_regs(&regs);
			*reg_of(&regs, base) = (unsigned long)&slot + 128;
			slot = target_of(4);
			compare_call(&regs, code);
		}
	}
}

static void test_call_special(void)
{
	static const u8 rsp[PE_INSN_MAX] = { 0xff, 0x54, 0x24, 0x10 };		/* *16(%rsp) */
	u8 absolute[PE_INSN_MAX] = { 0xff, 0x14, 0x25, 0, 0, 0x10, 0 };
	u8 indexed[PE_INSN_MAX] = { 0xff, 0x14, 0xcd, 0, 0, 0x10, 0 };		/* *d(,%rcx,8) */
	u8 addr32[PE_INSN_MAX] = { 0x67, 0xff, 0x10 };				/* *(%eax) */
	u8 rip[PE_INSN_MAX] = { 0xff, 0x15 };
	struct pe_insn_class cls;
	struct pt_regs regs = { .sp = (unsigned long)&stack[32] };
	u64 *low = mmap((void *)0x100000, 4096, PROT_RWX, MAP_ANON | 0x10, -1, 0);	/* MAP_FIXED */
	s32 rel;

	EXPECT_EQ((unsigned long)low, 0x100000);
	cls = classify(rsp);
	stack[34] = 0x5678;
	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_DONE);
	EXPECT_EQ(regs.ip, 0x5678);
	EXPECT_EQ(stack[31], 0x1004);

	random_regs(&regs);
	low[0] = target_of(7);
	compare_call(&regs, absolute);
	random_regs(&regs);
	regs.cx = 3;
	low[3] = target_of(7);
	compare_call(&regs, indexed);
	random_regs(&regs);
	regs.ax = (regs.ax & ~0xffffffffUL) | (unsigned long)&low[5];
	low[5] = target_of(3);
	compare_call(&regs, addr32);

	random_regs(&regs);
	rel = page + 2048 - (page + 10 + 15 * 10 + 6);
	memcpy(rip + 2, &rel, sizeof(rel));
	*(u64 *)(page + 2048) = target_of(6);
	compare_call(&regs, rip);
}

static void test_call_fault(void)
{
	static const u8 code[PE_INSN_MAX] = { 0xff, 0x10 };
	struct pe_insn_class cls = classify(code);
	struct pt_regs regs = { .ax = 0xdead000000000100UL, .sp = (unsigned long)&stack[32],
				.ip = 99 };
	struct pt_regs before = regs;

	stack[31] = 0xdead;
	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_FAULT);
	EXPECT(!memcmp(&regs, &before, sizeof(regs)));
	EXPECT_EQ(stack[31], 0xdead);
}

/* Of an instruction that is copied, its second way. */
static struct pe_insn_class classify_copied(const u8 *code)
{
	struct pe_insn_class cls;
	struct pe_insn insn;

	EXPECT(!pe_insn_decode(&insn, code, PE_INSN_MAX));
	EXPECT(!pe_insn_classify(&insn, code, PE_INSN_MAX, &cls));
	EXPECT_EQ(cls.kind, PE_INSN_COPY);
	return cls;
}

static struct pt_regs emulated(const u8 *code, const struct pt_regs *before)
{
	struct pe_insn_class cls = classify_copied(code);
	struct pt_regs regs = *before;

	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_DONE);
	return regs;
}

/* What is copied, and emulated only for a post handler: nothing but ip and sp changes. */
static void test_leave(void)
{
	static const u8 ret[PE_INSN_MAX] = { 0xf3, 0xc3 }, ret_words[PE_INSN_MAX] = { 0xc2, 0x10 };
	static const u8 jmp_r11[PE_INSN_MAX] = { 0x41, 0xff, 0xe3 };
	static const u8 jmp_mem[PE_INSN_MAX] = { 0xff, 0x64, 0xc8, 0xf8 };	/* *-8(%rax,%rcx,8) */
	struct pt_regs before, regs;

	random_regs(&before);
	before.sp = (unsigned long)&stack[20];
	stack[20] = 0xfeed;
	regs = emulated(ret, &before);
	EXPECT(regs.ip == 0xfeed && regs.sp == (unsigned long)&stack[21]);
	regs.ip = before.ip;
	regs.sp = before.sp;
	EXPECT(!memcmp(&regs, &before, sizeof(regs)));
	regs = emulated(ret_words, &before);
	EXPECT(regs.ip == 0xfeed && regs.sp == (unsigned long)&stack[23]);
	regs = emulated(jmp_r11, &before);
	EXPECT_EQ(regs.ip, before.r11);
	before.ax = (unsigned long)stack;
	before.cx = 21;
	regs = emulated(jmp_mem, &before);
	EXPECT_EQ(regs.ip, 0xfeed);
	regs.ip = before.ip;
	EXPECT(!memcmp(&regs, &before, sizeof(regs)));
}

static void test_leave_fault(void)
{
	static const u8 ret[PE_INSN_MAX] = { 0xc3 }, jmp[PE_INSN_MAX] = { 0xff, 0x24, 0x24 };
	struct pt_regs before = { .sp = 0xdead000000000100UL, .ip = 99 }, regs = before;
	struct pe_insn_class cls = classify_copied(ret);

	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_FAULT);
	cls = classify_copied(jmp);
	EXPECT_EQ(pe_emulate(&cls, &regs, 0x1000), PE_EMULATE_FAULT);
	EXPECT(!memcmp(&regs, &before, sizeof(regs)));
}

static const struct pe_test tests[] = {
	{ "16 conditions, all flags", test_conditions },
	{ "loop, loope, loopne, jrcxz", test_counters },
	{ "jumps", test_jumps },
	{ "call", test_call },
	{ "call through a register", test_call_register },
	{ "call through %rsp", test_call_rsp },
	{ "call through memory", test_call_memory },
	{ "call through special operands", test_call_special },
	{ "call through bad memory", test_call_fault },
	{ "ret, indirect jmp", test_leave },
	{ "ret, indirect jmp through bad memory", test_leave_fault },
};

int main(void)
{
	seed = pe_test_seed();
	page = mmap(NULL, 4096, PROT_RWX, MAP_ANON, -1, 0);
	if (page == (u8 *)-1L)
		return 2;
	return PE_RUN(tests);
}
