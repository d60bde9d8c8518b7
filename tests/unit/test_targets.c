// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_targets.c - what may lead to code, from afar and from nearby. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/targets.h"
#include "harness.h"

#define START	0xffffffff81000000UL
#define SIZE	0x2000
#define AT	0x200		/* offset of the code in the text */
#define TO	0x1234		/* offset of what it leads to */

static u64 bits[SIZE / 64];
static struct pe_targets t = { START, START + SIZE, bits };

/* Offset in the instruction of 32 bits that are @TO: relative to @end, or absolute if 0. */
struct far {
	const char *what;
	u8 code[16], at, end;
	bool marked;
};

static const struct far fars[] = {
	{ "call", { 0xe8 }, 1, 5, true },
	{ "jmp", { 0xe9 }, 1, 5, true },
	{ "jcc", { 0x0f, 0x84 }, 2, 6, true },
	{ "jcc", { 0x0f, 0x8f }, 2, 6, true },
	{ "setcc", { 0x0f, 0x94 }, 2, 6, false },
	{ "lea", { 0x48, 0x8d, 0x3d }, 3, 7, true },
	{ "lea to r15", { 0x4c, 0x8d, 0x3d }, 3, 7, true },
	{ "lea from a register", { 0x48, 0x8d, 0x80 }, 3, 7, false },
	{ "push", { 0x68 }, 1, 0, true },
	{ "xbegin", { 0xc7, 0xf8 }, 2, 6, true },
	{ "mov to a register", { 0x48, 0xc7, 0xc7 }, 3, 0, true },
	{ "mov to memory", { 0x48, 0xc7, 0x44, 0x24, 0x08 }, 5, 0, true },
	{ "mov to memory", { 0x48, 0xc7, 0x80, 1, 2, 3, 4 }, 7, 0, true },
	{ "mov to memory", { 0x48, 0xc7, 0x84, 0x24, 1, 2, 3, 4 }, 8, 0, true },
	{ "mov relative to rip", { 0x48, 0xc7, 0x05, 1, 2, 3, 4 }, 7, 0, true },
	{ "mov after a prefix", { 0x65, 0x48, 0xc7, 0x04, 0x25, 1, 2, 3, 4 }, 9, 0, true },
	{ "call within other bytes", { 0xb9, 0x00, 0xe8 }, 3, 7, true },
};

static unsigned int count_marks(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < SIZE; i++)
		n += pe_targets_any(&t, START + i, START + i + 1);
	return n;
}

static void test_far(void)
{
	unsigned int i, cut;
	u8 code[64];
	s32 rel;

	for (i = 0; i < ARRAY_SIZE(fars); i++) {
		const struct far *f = &fars[i];

		for (cut = 0; cut < 2; cut++) {
			unsigned int before = pe_test_failures;

			memset(bits, 0, sizeof(bits));
			memset(code, 0x90, sizeof(code));
			memcpy(code, f->code, f->at);
			rel = f->end ? TO - (AT + f->end) : (s32)(START + TO);
			memcpy(code + f->at, &rel, sizeof(rel));
			/* Both with other bytes after it, and as the last of the text. */
			pe_targets_scan(&t, code, f->at + 4, cut ? f->at + 4 : sizeof(code),
					START + AT);
			EXPECT_EQ(pe_targets_any(&t, START + TO, START + TO + 1), f->marked);
			EXPECT_EQ(count_marks(), f->marked);
			if (pe_test_failures != before)
				printf("\t%s\n", f->what);
		}
	}
}

static void test_far64(void)
{
	u8 code[16] = { 0x49, 0xbf };
	u64 imm = START + TO;

	memset(bits, 0, sizeof(bits));
	memcpy(code + 2, &imm, sizeof(imm));
	pe_targets_scan(&t, code, 10, 10, START + AT);
	EXPECT(pe_targets_any(&t, START + TO, START + TO + 1));
	EXPECT_EQ(count_marks(), 1);
}

static void test_words(void)
{
	const unsigned long words[] = { 0, START, START - 1, START + SIZE - 1, START + SIZE, ~0UL };

	memset(bits, 0, sizeof(bits));
	pe_targets_words(&t, words, ARRAY_SIZE(words));
	EXPECT_EQ(count_marks(), 2);
	EXPECT(pe_targets_any(&t, START, START + 1));
	EXPECT(pe_targets_any(&t, START + SIZE - 1, START + SIZE));
}

static void test_range(void)
{
	memset(bits, 0, sizeof(bits));
	EXPECT(!pe_targets_any(&t, START, START + SIZE));
	EXPECT(!pe_targets_any(&t, START + 5, START + 5));
	EXPECT(pe_targets_any(&t, START - 1, START + 1));
	EXPECT(pe_targets_any(&t, START + SIZE - 1, START + SIZE + 1));
	EXPECT(pe_targets_any(&t, START + 2, START + 1));
	pe_targets_mark(&t, START + 128);
	EXPECT(!pe_targets_any(&t, START + 64, START + 128));
	EXPECT(pe_targets_any(&t, START + 64, START + 129));
	EXPECT(pe_targets_any(&t, START + 128, START + 129));
	EXPECT(!pe_targets_any(&t, START + 129, START + 256));
}

/* A text may end where its last page does, and nothing be mapped after it. */
static void test_avail(void)
{
	const size_t whole = 8 + PE_TARGETS_AHEAD;
	unsigned int left;

	EXPECT_EQ(pe_targets_avail(&t, START, 8), whole);
	for (left = 1; left <= 2 * whole; left++)
		EXPECT_EQ(pe_targets_avail(&t, START + SIZE - left, 8), min(left, whole));
}

struct near {
	const char *what;
	u8 code[16], len;
	unsigned int ways;	/* into the bytes 0x20 to 0x27 after the code's begin */
};

static const struct near nears[] = {
	{ "nothing", { 0x90, 0x48, 0x89, 0xf8 }, 4, 0 },
	{ "a branch to the first byte", { 0x90, 0x74, 0x1d }, 3, PE_WAYS_INTO },
	{ "to the last byte", { 0x74, 0x25 }, 2, PE_WAYS_INTO },
	{ "before it", { 0x74, 0x1d }, 2, 0 },
	{ "after it", { 0x74, 0x26 }, 2, 0 },
	{ "loop", { 0xe2, 0x1e }, 2, PE_WAYS_INTO },
	{ "jmp", { 0xe9, 0x1b, 0, 0, 0 }, 5, PE_WAYS_INTO },
	{ "call", { 0xe8, 0x1b, 0, 0, 0 }, 5, PE_WAYS_INTO },
	{ "lea", { 0x48, 0x8d, 0x05, 0x19, 0, 0, 0 }, 7, PE_WAYS_INTO },
	{ "a constant", { 0x48, 0xc7, 0xc0, 0x20, 0, 0, 0x81 }, 7, PE_WAYS_INTO },
	{ "another", { 0x48, 0xc7, 0xc0, 0x28, 0, 0, 0x81 }, 7, 0 },
	{ "the bytes of a branch", { 0xb8, 0x74, 0x1b, 0x74, 0x19 }, 5, 0 },
	{ "an indirect jump", { 0xff, 0xe0 }, 2, PE_WAYS_INDIRECT },
	{ "by a table", { 0xff, 0x24, 0xc5, 0, 0, 0, 0x82 }, 7, PE_WAYS_INDIRECT },
	{ "an indirect call", { 0xff, 0xd0 }, 2, 0 },
	{ "no instruction", { 0x90, 0x06 }, 2, PE_WAYS_UNKNOWN },
	{ "half of one", { 0x90, 0x48 }, 2, PE_WAYS_UNKNOWN },
	{ "padding", { 0xc3, 0, 0, 0, 0, 0 }, 6, 0 },
	{ "half of one, with zeros", { 0x90, 0x48, 0 }, 3, PE_WAYS_UNKNOWN },
};

static void test_near(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nears); i++) {
		const struct near *n = &nears[i];
		unsigned int before = pe_test_failures;

		EXPECT_EQ(pe_ways_scan(n->code, n->len, n->len, START, START + 0x20, START + 0x28),
			  n->ways);
		if (pe_test_failures != before)
			printf("\t%s\n", n->what);
	}
	/* An instruction that begins after the size is not looked at. */
	EXPECT_EQ(pe_ways_scan(nears[1].code, 1, 3, START, START + 0x20, START + 0x28), 0);
	EXPECT_EQ(pe_ways_scan(nears[1].code, 2, 3, START, START + 0x20, START + 0x28),
		  PE_WAYS_INTO);
}

static const struct pe_test tests[] = {
	{ "from afar", test_far },
	{ "a long constant", test_far64 },
	{ "words", test_words },
	{ "ranges", test_range },
	{ "the end of the text", test_avail },
	{ "from nearby", test_near },
};

int main(void)
{
	return PE_RUN(tests);
}
