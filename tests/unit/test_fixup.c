// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_fixup.c - moved instructions, also executed by the CPU at both addresses. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_fixup.h"
#include "harness.h"

#define PROT_RWX	7
#define MAP_ANON	0x22		/* MAP_PRIVATE | MAP_ANONYMOUS */
#define TEXT		0xffffffff81234560UL
#define SLOT		0xffffffffc0123400UL

static int relocate(u8 *dst, const u8 *src, unsigned long from, unsigned long to)
{
	struct pe_insn insn;

	EXPECT_EQ(pe_insn_decode(&insn, src, PE_INSN_MAX), 0);
	return pe_insn_relocate(dst, PE_INSN_MAX, src, &insn, from, to);
}

static void test_verbatim(void)
{
	static const u8 src[PE_INSN_MAX] = { 0x48, 0x8b, 0x45, 0xf8 };
	u8 dst[PE_INSN_MAX] = { 0 };
	struct pe_insn insn;

	EXPECT_EQ(relocate(dst, src, TEXT, 0x1000), 4);
	EXPECT(!memcmp(src, dst, PE_INSN_MAX));

	memset(dst, 0xaa, sizeof(dst));
	EXPECT_EQ(pe_insn_decode(&insn, src, sizeof(src)), 0);
	EXPECT_EQ(pe_insn_relocate(dst, 3, src, &insn, TEXT, SLOT), -ENOSPC);
	EXPECT_EQ(dst[0], 0xaa);
	EXPECT_EQ(pe_insn_relocate(dst, 4, src, &insn, TEXT, SLOT), 4);
	EXPECT_EQ(dst[4], 0xaa);
}

/* Refused, and @dst is unchanged. */
static void expect_refused(const u8 *src, unsigned long from, unsigned long to, int err)
{
	u8 dst[PE_INSN_MAX], before[PE_INSN_MAX];

	memset(dst, 0xaa, sizeof(dst));
	memcpy(before, dst, sizeof(dst));
	EXPECT_EQ(relocate(dst, src, from, to), err);
	EXPECT(!memcmp(dst, before, sizeof(dst)));
}

static void test_refused(void)
{
	static const u8 call[PE_INSN_MAX] = { 0xe8, 1, 2, 3, 4 };
	static const u8 jne[PE_INSN_MAX] = { 0x75, 0x10 };
	static const u8 eip[PE_INSN_MAX] = { 0x67, 0x8b, 0x05 };
	static const u8 load[PE_INSN_MAX] = { 0x8b, 0x05 };

	expect_refused(call, TEXT, SLOT, -EINVAL);
	expect_refused(jne, TEXT, SLOT, -EINVAL);
	expect_refused(eip, TEXT, SLOT, -EINVAL);
	expect_refused(load, TEXT, 0x7f0000001000UL, -ERANGE);
}

/* The last distances that fit, and the first that do not. */
static void test_range(void)
{
	static const u8 load[PE_INSN_MAX] = { 0x8b, 0x05 };
	u8 dst[PE_INSN_MAX];
	struct pe_insn insn;

	EXPECT_EQ(relocate(dst, load, TEXT, TEXT - 0x7fffffff), 6);
	EXPECT_EQ(pe_insn_decode(&insn, dst, 6), 0);
	EXPECT_EQ(insn.disp, 0x7fffffff);
	expect_refused(load, TEXT, TEXT - 0x80000000UL, -ERANGE);
	EXPECT_EQ(relocate(dst, load, TEXT, TEXT + 0x80000000UL), 6);
	EXPECT_EQ(pe_insn_decode(&insn, dst, 6), 0);
	EXPECT_EQ(insn.disp, -0x7fffffff - 1);
	expect_refused(load, TEXT, TEXT + 0x80000001UL, -ERANGE);
}

/* Per-CPU data is addressed from kernel text across the top of the address space. */
static void test_percpu(void)
{
	static const u8 load[PE_INSN_MAX] = { 0x65, 0x8b, 0x05 };
	u8 src[PE_INSN_MAX], dst[PE_INSN_MAX];
	unsigned long var = 0x1f2c0;
	u32 rel = var - (TEXT + 7);
	struct pe_insn insn;

	memcpy(src, load, sizeof(src));
	memcpy(src + 3, &rel, sizeof(rel));
	EXPECT_EQ(relocate(dst, src, TEXT, SLOT), 7);
	EXPECT_EQ(pe_insn_decode(&insn, dst, 7), 0);
	EXPECT_EQ(SLOT + 7 + (long)insn.disp, var);
}

static void test_jmp32(void)
{
	u8 dst[PE_JMP32_SIZE] = { 0 };
	struct pe_insn insn;

	EXPECT_EQ(pe_emit_jmp32(dst, SLOT, TEXT), PE_JMP32_SIZE);
	EXPECT_EQ(pe_insn_decode(&insn, dst, sizeof(dst)), 0);
	EXPECT_EQ(insn.opcode, 0xe9);
	EXPECT_EQ(SLOT + 5 + insn.imm, TEXT);
	EXPECT_EQ(pe_emit_jmp32(dst, 0x1000, 0x1005 + 0x7fffffffUL), PE_JMP32_SIZE);
	memset(dst, 0xaa, sizeof(dst));
	EXPECT_EQ(pe_emit_jmp32(dst, 0x1000, 0x1005 + 0x80000000UL), -ERANGE);
	EXPECT_EQ(dst[0], 0xaa);
	EXPECT_EQ(dst[1], 0xaa);
}

/* A function's effect: its result, and the word at the operand afterwards. */
struct outcome {
	u64 ax, word;
};

/* Runs @code, which ends with RET, and reads the operand afterwards. */
static struct outcome run(const u8 *code, u64 *word)
{
	u64 (*func)(void) = (u64 (*)(void))code;
	struct outcome o;

	*word = 0x1122334455667788ULL;
	o.ax = func();
	o.word = *word;
	return o;
}

/*
 * Instructions relative to rip, with and without immediates after the displacement, run
 * from two pages; both copies must act on the same word.
 */
static void test_on_cpu(void)
{
	static const struct {
		u8 bytes[PE_INSN_MAX];
	} code[] = {
		{ { 0x48, 0x8b, 0x05 } },				/* mov m,%rax */
		{ { 0x48, 0x8d, 0x05 } },				/* lea m,%rax */
		{ { 0x48, 0xc7, 0x05, 0, 0, 0, 0, 1, 2, 3, 4 } },	/* movq $,m */
		{ { 0x66, 0xc7, 0x05, 0, 0, 0, 0, 1, 2 } },		/* movw $,m */
		{ { 0xc6, 0x05, 0, 0, 0, 0, 1 } },			/* movb $,m */
		{ { 0x48, 0x69, 0x05, 0, 0, 0, 0, 7, 0, 0, 0 } },	/* imul $7,m,%rax */
		{ { 0xf0, 0x48, 0xff, 0x05 } },				/* lock incq m */
		{ { 0x48, 0xf7, 0x15 } },				/* notq m */
		{ { 0x48, 0xc1, 0x05, 0, 0, 0, 0, 5 } },		/* rolq $5,m */
		{ { 0x0f, 0xb6, 0x05 } },				/* movzbl m,%eax */
	};
	u8 *base = mmap(NULL, 1 << 20, PROT_RWX, MAP_ANON, -1, 0);
	u64 *word = (u64 *)(base + 0x80000);
	unsigned int i;

	EXPECT(base != (u8 *)-1L);
	for (i = 0; i < ARRAY_SIZE(code); i++) {
		u8 *from = base + 0x100 + i * 32, *to = base + 0xf0000 + i * 48;
		struct outcome a, b;
		struct pe_insn insn;
		s32 rel;

		EXPECT_EQ(pe_insn_decode(&insn, code[i].bytes, PE_INSN_MAX), 0);
		memcpy(from, code[i].bytes, insn.length);
		rel = (u8 *)word - (from + insn.length);
		memcpy(from + insn.disp_off, &rel, sizeof(rel));
		from[insn.length] = 0xc3;

		EXPECT_EQ(pe_insn_decode(&insn, from, PE_INSN_MAX), 0);
		EXPECT_EQ(pe_insn_relocate(to, PE_INSN_MAX, from, &insn, (unsigned long)from,
					   (unsigned long)to), insn.length);
		to[insn.length] = 0xc3;
		EXPECT(memcmp(from, to, insn.length));
		a = run(from, word);
		b = run(to, word);
		EXPECT_EQ(a.word, b.word);
		if (insn.opcode == 0x8b || insn.opcode == 0x8d || insn.opcode == 0x69)
			EXPECT_EQ(a.ax, b.ax);
		EXPECT(a.word != 0x1122334455667788ULL || insn.opcode == 0x8b ||
		       insn.opcode == 0x8d || insn.opcode == 0x69 || insn.opcode == 0xb6);
	}
	munmap(base, 1 << 20);
}

static const struct pe_test tests[] = {
	{ "verbatim copies", test_verbatim },
	{ "refused", test_refused },
	{ "range", test_range },
	{ "per-CPU operand", test_percpu },
	{ "jump", test_jmp32 },
	{ "both copies on the CPU", test_on_cpu },
};

int main(void)
{
	return PE_RUN(tests);
}
