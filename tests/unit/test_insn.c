// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_insn.c - the decoder: parts, limits, boundaries. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "harness.h"

#define B(...) { __VA_ARGS__ }

struct sample {
	u8 bytes[PE_INSN_MAX];
	u8 length, disp_off, disp_size, imm_off, imm_size, imm2_size;
	u8 flags;
	s32 disp;
	s64 imm;
};

#define MODRM	PE_INSN_HAS_MODRM
#define SIB	(PE_INSN_HAS_MODRM | PE_INSN_HAS_SIB)
#define RIP	(PE_INSN_HAS_MODRM | PE_INSN_RIP_RELATIVE)
#define REL	PE_INSN_REL_BRANCH

static const struct sample samples[] = {
	{ B(0x90), 1 },
	{ B(0xf3, 0x90), 2 },
	{ B(0x55), 1 },
	{ B(0x48, 0x89, 0xe5), 3, .flags = MODRM },
	{ B(0x48, 0x8b, 0x45, 0xf8), 4, 3, 1, .flags = MODRM, .disp = -8 },
	{ B(0x48, 0x8b, 0x05, 0x10, 0, 0, 0x80), 7, 3, 4, .flags = RIP, .disp = 0x10 - 0x7fffffff - 1 },
	{ B(0x8b, 0x04, 0x25, 1, 2, 3, 4), 7, 3, 4, .flags = SIB, .disp = 0x04030201 },
	{ B(0x8b, 0x44, 0x24, 0x7f), 4, 3, 1, .flags = SIB, .disp = 0x7f },
	{ B(0x8b, 0x84, 0x24, 1, 2, 3, 4), 7, 3, 4, .flags = SIB, .disp = 0x04030201 },
	{ B(0xc7, 0x05, 1, 0, 0, 0, 2, 0, 0, 0x80), 10, 2, 4, 6, 4, .flags = RIP, .disp = 1,
	  .imm = -0x7ffffffeLL },
	{ B(0x66, 0xc7, 0x05, 1, 0, 0, 0, 2, 0x80), 9, 3, 4, 7, 2, .flags = RIP, .disp = 1,
	  .imm = -0x7ffeLL },
	{ B(0x66, 0x48, 0xc7, 0x00, 1, 0, 0, 0), 8, .imm_off = 4, .imm_size = 4, .flags = MODRM,
	  .imm = 1 },
	/* REX before a legacy prefix does not count. */
	{ B(0x48, 0x66, 0xb8, 1, 2), 5, .imm_off = 3, .imm_size = 2, .imm = 0x201 },
	{ B(0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8), 10, .imm_off = 2, .imm_size = 8,
	  .imm = 0x0807060504030201LL },
	{ B(0xb8, 0xff, 0xff, 0xff, 0xff), 5, .imm_off = 1, .imm_size = 4, .imm = -1 },
	{ B(0xa1, 1, 0, 0, 0, 0, 0, 0, 0x80), 9, .imm_off = 1, .imm_size = 8,
	  .imm = -0x7fffffffffffffffLL },
	{ B(0x67, 0xa1, 1, 0, 0, 0), 6, .imm_off = 2, .imm_size = 4, .imm = 1 },
	{ B(0xc8, 0x10, 0x20, 0x01), 4, .imm_off = 1, .imm_size = 2, .imm2_size = 1, .imm = 0x2010 },
	{ B(0xf6, 0xc1, 0x80), 3, .imm_off = 2, .imm_size = 1, .flags = MODRM, .imm = -128 },
	{ B(0xf6, 0xd9), 2, .flags = MODRM },
	{ B(0xf7, 0x05, 1, 0, 0, 0, 2, 0, 0, 0), 10, 2, 4, 6, 4, .flags = RIP, .disp = 1, .imm = 2 },
	{ B(0xf7, 0x15, 1, 0, 0, 0), 6, 2, 4, .flags = RIP, .disp = 1 },
	{ B(0xe8, 0xfb, 0xff, 0xff, 0xff), 5, .imm_off = 1, .imm_size = 4, .flags = REL, .imm = -5 },
	{ B(0xeb, 0xfe), 2, .imm_off = 1, .imm_size = 1, .flags = REL, .imm = -2 },
	{ B(0x0f, 0x84, 0, 1, 0, 0), 6, .imm_off = 2, .imm_size = 4, .flags = REL, .imm = 256 },
	{ B(0xc7, 0xf8, 1, 0, 0, 0), 6, .imm_off = 2, .imm_size = 4, .flags = MODRM | REL, .imm = 1 },
	{ B(0xf3, 0x0f, 0x1e, 0xfa), 4, .flags = MODRM },
	{ B(0x0f, 0x0b), 2 },
	{ B(0x0f, 0x20, 0x18), 3, .flags = MODRM },	/* mov %cr3: mod is not looked at */
	{ B(0x0f, 0x22, 0x85), 3, .flags = MODRM },
	{ B(0x0f, 0x0f, 0xc1, 0x9e), 4, .imm_off = 3, .imm_size = 1, .flags = MODRM, .imm = -0x62 },
	{ B(0x66, 0x0f, 0x78, 0xc1, 1, 2), 6, .imm_off = 4, .imm_size = 1, .imm2_size = 1,
	  .flags = MODRM, .imm = 1 },
	{ B(0x0f, 0x78, 0xc1), 3, .flags = MODRM },
	{ B(0x66, 0x0f, 0x3a, 0x0f, 0x0d, 1, 0, 0, 0, 8), 10, 5, 4, 9, 1, .flags = RIP, .disp = 1,
	  .imm = 8 },
	{ B(0xc5, 0xf8, 0x77), 3 },
	{ B(0xc5, 0xf9, 0x6f, 0x05, 1, 0, 0, 0), 8, 4, 4, .flags = RIP, .disp = 1 },
	{ B(0xc4, 0xe3, 0x71, 0x0f, 0x40, 1, 3), 7, 5, 1, 6, 1, .flags = MODRM, .disp = 1, .imm = 3 },
	{ B(0x62, 0xf1, 0x7c, 0x48, 0x28, 0x05, 1, 0, 0, 0), 10, 6, 4, .flags = RIP, .disp = 1 },
	{ B(0x62, 0xf3, 0x75, 0x48, 0x25, 0x40, 1, 3), 8, 6, 1, 7, 1, .flags = MODRM, .disp = 1,
	  .imm = 3 },
	{ B(0x8f, 0xe8, 0x78, 0xc0, 0x08, 3), 6, .imm_off = 5, .imm_size = 1, .flags = MODRM,
	  .imm = 3 },
	{ B(0x8f, 0xea, 0x78, 0x10, 0x08, 1, 0, 0, 0), 9, .imm_off = 5, .imm_size = 4,
	  .flags = MODRM, .imm = 1 },
	{ B(0x8f, 0x00), 2, .flags = MODRM },
	/* 15 bytes, the longest there is */
	{ B(0x2e, 0x2e, 0x2e, 0x2e, 0x65, 0x48, 0xc7, 0x80, 1, 0, 0, 0, 2, 0, 0), 0 },
	{ B(0x2e, 0x2e, 0x2e, 0x65, 0x48, 0xc7, 0x80, 1, 0, 0, 0, 2, 0, 0, 0), 15, 7, 4, 11, 4,
	  .flags = MODRM, .disp = 1, .imm = 2 },
};

static void test_parts(void)
{
	struct pe_insn insn;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		int err = pe_insn_decode(&insn, s->bytes, sizeof(s->bytes));

		if (!s->length) {
			EXPECT_EQ(err, -EINVAL);
			continue;
		}
		EXPECT_EQ(err, 0);
		if (insn.length != s->length)
			printf("sample %u:\n", i);
		EXPECT_EQ(insn.length, s->length);
		EXPECT_EQ(insn.disp_off, s->disp_off);
		EXPECT_EQ(insn.disp_size, s->disp_size);
		EXPECT_EQ(insn.imm_off, s->imm_off);
		EXPECT_EQ(insn.imm_size, s->imm_size);
		EXPECT_EQ(insn.imm2_size, s->imm2_size);
		EXPECT_EQ(insn.flags, s->flags);
		EXPECT_EQ(insn.disp, s->disp);
		EXPECT_EQ(insn.imm, s->imm);
	}
}

/* Every shorter part of an instruction is reported as cut off. */
static void test_truncated(void)
{
	struct pe_insn insn;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		for (n = 0; n < samples[i].length; n++) {
			u8 *exact = malloc(n);

			memcpy(exact, samples[i].bytes, n);
			EXPECT_EQ(pe_insn_decode(&insn, exact, n), -ENODATA);
			free(exact);
		}
	}
}

static void test_undefined(void)
{
	static const u8 undefined[][PE_INSN_MAX] = {
		{ 0x06 }, { 0x27 }, { 0x60 }, { 0x82, 0xc0 }, { 0x9a }, { 0xce }, { 0xd4 }, { 0xd6 },
		{ 0xea }, { 0x0f, 0x04 }, { 0x0f, 0x24, 0xc0 }, { 0x0f, 0x39 }, { 0x0f, 0x38, 0x0c },
		{ 0x0f, 0x3a, 0x00 },
		{ 0x66, 0xc5, 0xf8, 0x77 },		/* prefixes that VEX excludes */
		{ 0xf0, 0xc5, 0xf8, 0x77 },
		{ 0x48, 0xc5, 0xf8, 0x77 },
		{ 0xc4, 0xe0, 0x78, 0x77 },		/* map 0 */
		{ 0xc4, 0xe4, 0x78, 0x77 },		/* map 4 */
		{ 0x62, 0xf1, 0x78, 0x48, 0x28, 0xc0 },	/* APX */
		{ 0x62, 0xf9, 0x7c, 0x48, 0x28, 0xc0 },
		{ 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
		  0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66 },
	};
	struct pe_insn insn;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(undefined); i++) {
		int err = pe_insn_decode(&insn, undefined[i], PE_INSN_MAX);

		if (err != -EINVAL)
			printf("sample %u:\n", i);
		EXPECT_EQ(err, -EINVAL);
	}
}

/* One byte too long, with all its bytes there. */
static void test_too_long(void)
{
	u8 code[32] = { 0x2e, 0x2e, 0x2e, 0x2e, 0x65, 0x48, 0xc7, 0x80, 1, 0, 0, 0, 2 };
	struct pe_insn insn;

	EXPECT_EQ(pe_insn_decode(&insn, code, sizeof(code)), -EINVAL);
	EXPECT_EQ(pe_insn_decode(&insn, code, 16), -EINVAL);
	EXPECT_EQ(pe_insn_decode(&insn, code, 14), -ENODATA);
	EXPECT_EQ(pe_insn_decode(&insn, code + 1, sizeof(code) - 1), 0);
	EXPECT_EQ(insn.length, PE_INSN_MAX);
}

static void test_prefixes(void)
{
	static const u8 last_wins[] = { 0x64, 0xf2, 0x65, 0xf3, 0x66, 0x67, 0x3e, 0x4d, 0x8b, 0x00 };
	static const u8 vex[] = { 0xc4, 0x41, 0xfb, 0x58, 0xc0 };
	struct pe_insn insn;

	EXPECT_EQ(pe_insn_decode(&insn, last_wins, sizeof(last_wins)), 0);
	EXPECT_EQ(insn.prefixes, PE_PFX_SEG_GS | PE_PFX_REP | PE_PFX_OPSIZE | PE_PFX_ADDRSIZE |
				 PE_PFX_SEG_NULL);
	EXPECT_EQ(insn.rex, PE_REX_PRESENT | PE_REX_W | PE_REX_R | PE_REX_B);
	EXPECT_EQ(pe_insn_decode(&insn, vex, sizeof(vex)), 0);
	EXPECT_EQ(insn.enc, PE_ENC_VEX);
	EXPECT_EQ(insn.map, PE_MAP_0F);
	EXPECT_EQ(insn.prefixes, PE_PFX_REPNE);
	EXPECT_EQ(insn.rex, PE_REX_W | PE_REX_R | PE_REX_B);
}

static void test_boundary(void)
{
	/* endbr64; push %rbp; mov %rsp,%rbp; call +0; ret; undefined */
	static const u8 func[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5,
				   0xe8, 0, 0, 0, 0, 0xc3, 0x06, 0x90 };
	static const u8 starts[] = { 0, 4, 5, 8, 13 };
	struct pe_insn insn;
	size_t off;
	unsigned int i = 0;

	for (off = 0; off < 14; off++) {
		int err = pe_insn_boundary(&insn, func, sizeof(func), off);

		if (i < ARRAY_SIZE(starts) && off == starts[i]) {
			EXPECT_EQ(err, 0);
			i++;
			continue;
		}
		EXPECT_EQ(err, -EILSEQ);
	}
	EXPECT_EQ(i, ARRAY_SIZE(starts));
	EXPECT_EQ(pe_insn_boundary(&insn, func, sizeof(func), 14), -EINVAL);
	EXPECT_EQ(pe_insn_boundary(&insn, func, sizeof(func), 15), -EINVAL);
	EXPECT_EQ(pe_insn_boundary(&insn, func, sizeof(func), 16), -EILSEQ);
	EXPECT_EQ(pe_insn_boundary(&insn, func, 10, 8), -ENODATA);
	EXPECT_EQ(pe_insn_boundary(&insn, func, 0, 0), -EILSEQ);

	off = 4;
	EXPECT_EQ(pe_insn_next(&insn, func, 5, &off), 1);
	EXPECT_EQ(off, 5);
	EXPECT_EQ(pe_insn_next(&insn, func, 5, &off), 0);
	off = 14;
	EXPECT_EQ(pe_insn_next(&insn, func, sizeof(func), &off), -EINVAL);
	EXPECT_EQ(off, 14);
}

/*
 * A REX byte before a legacy prefix: disassemblers disagree whether the 66 before it counts,
 * so ask the CPU.  mov $-1,%rax; 66 48 36 b8 ...; ret, ret, ret.
 */
static void test_idle_rex(void)
{
	static const u8 code[] = { 0x48, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0xff,
				   0x66, 0x48, 0x36, 0xb8, 0x34, 0x12, 0xc3, 0xc3, 0xc3,
				   0xc3, 0xc3, 0xc3, 0xc3, 0xc3, 0xc3 };
	u8 *page = mmap(NULL, 4096, 7, 0x22, -1, 0);	/* private, anonymous, executable */
	struct pe_insn insn;

	EXPECT(page != (u8 *)-1L);
	memcpy(page, code, sizeof(code));
	EXPECT_EQ(((u64 (*)(void))page)(), 0xffffffffffff1234ULL);
	EXPECT_EQ(pe_insn_decode(&insn, code + 7, PE_INSN_MAX), 0);
	EXPECT_EQ(insn.length, 6);
	EXPECT_EQ(insn.imm_size, 2);
}

/* Noise: lengths in bounds, no byte after the buffer read, a longer buffer changes nothing. */
static void test_noise(void)
{
	u64 state = pe_test_seed();
	struct pe_insn insn, again;
	unsigned int round, i, n, valid = 0;
	u8 *exact[PE_INSN_MAX + 2];

	for (n = 0; n < ARRAY_SIZE(exact); n++)
		exact[n] = malloc(n);
	for (round = 0; round < 500000; round++) {
		n = pe_test_random(&state) % ARRAY_SIZE(exact);
		for (i = 0; i < n; i++)
			exact[n][i] = pe_test_random(&state) >> 32;
		if (pe_insn_decode(&insn, exact[n], n))
			continue;
		valid++;
		EXPECT(insn.length >= 1 && insn.length <= n && insn.length <= PE_INSN_MAX);
		EXPECT(insn.disp_off + insn.disp_size <= insn.length);
		EXPECT(insn.imm_off + insn.imm_size + insn.imm2_size <= insn.length);
		EXPECT_EQ(pe_insn_decode(&again, exact[n], insn.length), 0);
		EXPECT(!memcmp(&insn, &again, sizeof(insn)));
		EXPECT_EQ(pe_insn_decode(&again, exact[n], insn.length - 1), -ENODATA);
	}
	EXPECT(valid > 100000);
	for (n = 0; n < ARRAY_SIZE(exact); n++)
		free(exact[n]);
}

static const struct pe_test tests[] = {
	{ "parts of an instruction", test_parts },
	{ "truncated instructions", test_truncated },
	{ "undefined opcodes", test_undefined },
	{ "more than 15 bytes", test_too_long },
	{ "prefixes", test_prefixes },
	{ "boundaries", test_boundary },
	{ "REX without effect, on the CPU", test_idle_rex },
	{ "noise", test_noise },
};

int main(void)
{
	return PE_RUN(tests);
}
