// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_detour.c - windows, and their copies, which the CPU executes beside the original.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/emit/detour.h"
#include "harness.h"

#define PROT_RWX	7
#define MAP_LOW		0x62		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT */
#define TEXT		0xffffffff81234560UL
#define COPY		0xffffffffc0123400UL

struct shape {
	const char *what;
	u8 code[24];
	int ret;		/* of pe_window_measure() */
	u8 length, nr;
	bool stops;
	const char *why;	/* part of the reason, if it is refused */
};

static const struct shape shapes[] = {
	{ "one long instruction", { 0x48, 0x81, 0xc0, 1, 0, 0, 0 }, 0, 7, 1 },
	{ "just five", { 0xb8, 1, 0, 0, 0 }, 0, 5, 1 },
	{ "five of one byte", { 0x50, 0x51, 0x58, 0x59, 0x90, 0x90 }, 0, 5, 5 },
	{ "a long last one", { 0x89, 0xc8, 0x89, 0xc8, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 0, 14, 3 },
	{ "a jcc inside", { 0x74, 0x20, 0x48, 0x89, 0xf8 }, 0, 5, 2 },
	{ "a jump last", { 0x48, 0x89, 0xf8, 0xeb, 0x20 }, 0, 5, 2, true },
	{ "a return last", { 0x48, 0x89, 0xf8, 0x5b, 0xc3 }, 0, 5, 3, true },
	{ "a call last", { 0x90, 0xe8, 0, 1, 0, 0 }, 0, 6, 2 },
	{ "an indirect call last", { 0x48, 0x89, 0xf8, 0xff, 0xd0 }, 0, 5, 2 },
	{ "an indirect jump last", { 0x48, 0x89, 0xf8, 0xff, 0xe0 }, 0, 5, 2, true },
	{ "a branch to the beginning", { 0x48, 0xff, 0xc9, 0x75, 0xfb }, 0, 5, 2 },
	{ "a jump too early", { 0x48, 0x89, 0xf8, 0xeb, 0x20 - 1, 0x90, 0x90 }, 0, 5, 2, true },
	{ "a short jump before nops", { 0xeb, 0x20, 0x90, 0x90, 0x90 }, 0, 5, 1, true },
	{ "a return before breakpoints", { 0x5b, 0xc3, 0xcc, 0xcc, 0xcc }, 0, 5, 2, true },
	{ "a return before both", { 0xc3, 0xcc, 0x66, 0x0f, 0x1f, 0x44, 0, 0, 0xcc }, 0, 8, 1, true },
	{ "a short jump", { 0xeb, 0x20, 0x90, 0x89, 0xc8 }, -EOPNOTSUPP, .why = "padding" },
	{ "a return too early", { 0x5b, 0xc3, 0x55, 0xcc, 0xcc }, -EOPNOTSUPP, .why = "padding" },
	{ "a return before wait", { 0xc3, 0x9b, 0xcc, 0xcc, 0xcc }, -EOPNOTSUPP, .why = "padding" },
	{ "a branch into padding", { 0x75, 0x01, 0xc3, 0xcc, 0xcc }, -EOPNOTSUPP, .why = "one but the first" },
	{ "a call too early", { 0xff, 0xd0, 0x90, 0x90, 0x90 }, -EOPNOTSUPP, .why = "a call is in the way" },
	{ "a call by the stack", { 0x48, 0x89, 0xf8, 0xff, 0x54, 0x24, 0x08 }, -EOPNOTSUPP, .why = "on the stack" },
	{ "a call of rsp", { 0x48, 0x89, 0xf8, 0xff, 0xd4 }, -EOPNOTSUPP, .why = "on the stack" },
	{ "a branch into it", { 0x89, 0xc8, 0xeb - 0x77, 0xfc + 2, 0x90 }, -EOPNOTSUPP, .why = "one but the first" },
	{ "a branch to its last", { 0x74, 0x01, 0x90, 0x48, 0x89, 0xf8 }, -EOPNOTSUPP, .why = "one but the first" },
	{ "int3", { 0x89, 0xc8, 0xcc, 0x90, 0x90 }, -EINVAL, .why = "moved" },
	{ "ud2", { 0x89, 0xc8, 0x0f, 0x0b, 0x90 }, -EINVAL, .why = "moved" },
	{ "endbr64", { 0x90, 0xf3, 0x0f, 0x1e, 0xfa, 0x90 }, -EINVAL, .why = "moved" },
	{ "hlt", { 0x90, 0xf4, 0x90, 0x90, 0x90 }, -EINVAL, .why = "moved" },
	{ "sti before hlt", { 0x90, 0xfb, 0xf4, 0x90, 0x90 }, -EINVAL, .why = "moved" },
	{ "no instruction", { 0x89, 0xc8, 0x06, 0x90, 0x90 }, -EILSEQ, .why = "too soon" },
};

static void test_measure(void)
{
	struct pe_window w;
	const char *why;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct shape *s = &shapes[i];
		unsigned int before = pe_test_failures;

		EXPECT_EQ(pe_window_measure(&w, s->code, sizeof(s->code), PE_JMP32_SIZE, &why), s->ret);
		if (!s->ret) {
			EXPECT_EQ(w.length, s->length);
			EXPECT_EQ(w.nr, s->nr);
			EXPECT_EQ(w.goes_on, !s->stops);
		} else {
			EXPECT(strstr(why, s->why));
		}
		if (pe_test_failures != before)
			printf("\t%s\n", s->what);
	}
	EXPECT_EQ(pe_window_measure(&w, shapes[2].code, 5, PE_JMP32_SIZE, &why), 0);
	EXPECT_EQ(pe_window_measure(&w, shapes[2].code, 4, PE_JMP32_SIZE, &why), -EILSEQ);
	EXPECT_EQ(pe_window_measure(&w, shapes[0].code, 6, PE_JMP32_SIZE, &why), -EILSEQ);
}

/* Windows of jumps of two bytes: the fewest instructions with two bytes. */
static void test_short(void)
{
	static const struct shape shorts[] = {
		{ "one of two bytes", { 0x74, 0x20, 0x48, 0x89, 0xf8 }, 0, 2, 1 },
		{ "one of four", { 0x48, 0x83, 0xc0, 0x01, 0x90 }, 0, 4, 1 },
		{ "two of one byte", { 0x50, 0x51, 0x58 }, 0, 2, 2 },
		{ "a short jump", { 0xeb, 0x20, 0x89, 0xc8 }, 0, 2, 1, true },
		{ "a return last", { 0x5b, 0xc3, 0x55 }, 0, 2, 2, true },
		{ "a return before padding", { 0xc3, 0xcc, 0x55 }, 0, 2, 1, true },
		{ "a return", { 0xc3, 0x55 }, -EOPNOTSUPP, .why = "padding" },
		{ "an indirect call", { 0xff, 0xd0, 0x90 }, 0, 2, 1 },
	};
	struct pe_window w;
	const char *why;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shorts); i++) {
		const struct shape *s = &shorts[i];
		unsigned int before = pe_test_failures;

		EXPECT_EQ(pe_window_measure(&w, s->code, sizeof(s->code), PE_JMP8_SIZE, &why),
			  s->ret);
		if (!s->ret) {
			EXPECT_EQ(w.length, s->length);
			EXPECT_EQ(w.nr, s->nr);
			EXPECT_EQ(w.goes_on, !s->stops);
		} else {
			EXPECT(strstr(why, s->why));
		}
		if (pe_test_failures != before)
			printf("\t%s\n", s->what);
	}
}

/* Where padding is, and how long; at most two places. */
static void test_padding(void)
{
	static const struct {
		const char *what;
		u8 code[24];
		size_t size, at[2], len[2];
	} cases[] = {
		{ "after a return", { 0x50, 0xc3, 0xcc, 0xcc, 0xcc }, 5, { 2 }, { 3 } },
		{ "nops after a jump", { 0xeb, 0x05, 0x0f, 0x1f, 0x44, 0, 0, 0x90, 0x50 }, 9, { 2 }, { 6 } },
		{ "both", { 0xc3, 0xcc, 0x66, 0x90, 0xcc }, 5, { 1 }, { 4 } },
		{ "two", { 0xc3, 0xcc, 0x50, 0xeb, 0x02, 0x90, 0x90 }, 7, { 1, 5 }, { 1, 2 } },
		{ "nops that are executed", { 0x90, 0x90, 0x74, 0x02, 0x90, 0x90 }, 6 },
		{ "after a call", { 0xe8, 0, 0, 0, 0, 0xcc, 0xcc, 0x90 }, 8 },
		{ "after ud2", { 0x0f, 0x0b, 0xcc, 0xcc }, 4 },
		{ "after hlt", { 0xf4, 0x90, 0x90 }, 3 },
		{ "int3 that is executed", { 0x50, 0xcc, 0xcc, 0x90 }, 4 },
		{ "no instruction", { 0x06, 0xc3, 0xcc, 0xcc }, 4 },
		{ "a nop that is cut off", { 0xc3, 0xcc, 0x0f, 0x1f, 0x44 }, 5, { 1 }, { 1 } },
	};
	unsigned int i, n, before;
	size_t off, at;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		before = pe_test_failures;
		off = 0;
		for (n = 0; n < ARRAY_SIZE(cases[i].len); n++) {
			EXPECT_EQ(pe_padding_next(cases[i].code, cases[i].size, &off, &at),
				  cases[i].len[n]);
			if (!cases[i].len[n])
				break;
			EXPECT_EQ(at, cases[i].at[n]);
			EXPECT_EQ(off, at + cases[i].len[n]);
		}
		if (pe_test_failures != before)
			printf("\t%s\n", cases[i].what);
	}
}

/* Every size of room: an error or the whole copy, and nothing past the room. */
static void test_room(void)
{
	u8 dst[80];
	struct pe_window w;
	const char *why;
	unsigned int i, j, k;
	int want, got;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		if (shapes[i].ret)
			continue;
		pe_window_measure(&w, shapes[i].code, sizeof(shapes[i].code), PE_JMP32_SIZE, &why);
		want = pe_window_relocate(dst, sizeof(dst), &w, shapes[i].code, TEXT, COPY);
		EXPECT(want > 0);
		for (j = 0; j <= want; j++) {
			memset(dst, 0xaa, sizeof(dst));
			got = pe_window_relocate(dst, j, &w, shapes[i].code, TEXT, COPY);
			EXPECT_EQ(got, j == want ? want : -ENOSPC);
			for (k = j; k < sizeof(dst); k++)
				EXPECT_EQ(dst[k], 0xaa);
		}
	}
}

static void test_reach(void)
{
	static const u8 jcc[] = { 0x74, 0x20, 0x48, 0x89, 0xf8 };
	static const u8 load[] = { 0x48, 0x8b, 0x05, 0, 0, 0, 0 };
	u8 dst[80], push[PE_PUSH_SIZE];
	struct pe_window w;
	const char *why;

	EXPECT_EQ(pe_window_measure(&w, jcc, sizeof(jcc), PE_JMP32_SIZE, &why), 0);
	EXPECT_EQ(pe_window_relocate(dst, sizeof(dst), &w, jcc, TEXT, 0x7f0000001000), -ERANGE);
	EXPECT_EQ(pe_window_measure(&w, load, sizeof(load), PE_JMP32_SIZE, &why), 0);
	EXPECT_EQ(pe_window_relocate(dst, sizeof(dst), &w, load, TEXT, 0x7f0000001000), -ERANGE);
	EXPECT_EQ(pe_put_push(push, TEXT), PE_PUSH_SIZE);
	EXPECT_EQ(pe_put_push(push, 0x7fffffff), PE_PUSH_SIZE);
	EXPECT_EQ(pe_put_push(push, 0x80000000), -ERANGE);
	EXPECT_EQ(pe_put_push(push, 0xffffffff7fffffffUL), -ERANGE);
}

/* Registers and flags, in the order in which run() moves them. */
struct state {
	u64 ax, cx, dx, bx, si, di, r8, r9, flags;
};

#define FLAGS	0x8d5		/* OF SF ZF AF PF CF */

static void run(void (*fn)(void), struct state *s)
{
	asm volatile("push %%rbp\n"
		     "mov %0, %%rbp\n"
		     "push %%rbp\n"
		     "push 64(%%rbp)\n"
		     "popfq\n"
		     "mov 8(%%rbp), %%rcx\n"
		     "mov 16(%%rbp), %%rdx\n"
		     "mov 24(%%rbp), %%rbx\n"
		     "mov 32(%%rbp), %%rsi\n"
		     "mov 40(%%rbp), %%rdi\n"
		     "mov 48(%%rbp), %%r8\n"
		     "mov 56(%%rbp), %%r9\n"
		     "mov %1, %%r10\n"
		     "mov 0(%%rbp), %%rax\n"
		     "lea -8(%%rsp), %%r11\n"
		     "call *%%r10\n"
		     "pop %%rbp\n"
		     "mov %%rax, 0(%%rbp)\n"
		     "mov %%rcx, 8(%%rbp)\n"
		     "mov %%rdx, 16(%%rbp)\n"
		     "mov %%rbx, 24(%%rbp)\n"
		     "mov %%rsi, 32(%%rbp)\n"
		     "mov %%rdi, 40(%%rbp)\n"
		     "mov %%r8, 48(%%rbp)\n"
		     "mov %%r9, 56(%%rbp)\n"
		     "pushfq\n"
		     "pop 64(%%rbp)\n"
		     "pop %%rbp\n"
		     : : "r"(s), "r"(fn)
		     : "rax", "rcx", "rdx", "rbx", "rsi", "rdi", "r8", "r9", "r10", "r11",
		       "memory", "cc");
}

enum fix { NONE, SHORT, LONG, RIP, CALL };

/* Instructions to make windows of.  A displacement is in the last bytes, but for @tail. */
static const struct piece {
	u8 code[12], len;
	enum fix fix;
	u8 tail;
	bool last;
} pieces[] = {
	{ { 0x48, 0x89, 0xf8 }, 3 },				/* mov %rdi,%rax */
	{ { 0xff, 0xc1 }, 2 },					/* inc %ecx */
	{ { 0x48, 0x01, 0xd0 }, 3 },				/* add %rdx,%rax */
	{ { 0x48, 0x83, 0xee, 0x03 }, 4 },			/* sub $3,%rsi */
	{ { 0x53 }, 1 },					/* push %rbx */
	{ { 0x9c }, 1 },					/* pushfq */
	{ { 0x90 }, 1 },
	{ { 0x48, 0x11, 0xf0 }, 3 },				/* adc %rsi,%rax */
	{ { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, 6 },		/* nop */
	{ { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 10 },		/* movabs */
	{ { 0x4c, 0x8b, 0x05, 0, 0, 0, 0 }, 7, RIP },		/* mov data,%r8 */
	{ { 0x4c, 0x8d, 0x0d, 0, 0, 0, 0 }, 7, RIP },		/* lea data,%r9 */
	{ { 0x48, 0x81, 0x05, 0, 0, 0, 0, 1, 2, 3, 4 }, 11, RIP, 4 },	/* addq $,data */
	{ { 0x74, 0 }, 2, SHORT }, { { 0x75, 0 }, 2, SHORT },	/* jz, jnz */
	{ { 0x72, 0 }, 2, SHORT }, { { 0x78, 0 }, 2, SHORT },	/* jb, js */
	{ { 0x7f, 0 }, 2, SHORT }, { { 0x70, 0 }, 2, SHORT },	/* jg, jo */
	{ { 0x0f, 0x8c, 0, 0, 0, 0 }, 6, LONG },		/* jl */
	{ { 0x0f, 0x87, 0, 0, 0, 0 }, 6, LONG },		/* ja */
	{ { 0xe3, 0 }, 2, SHORT }, { { 0x67, 0xe3, 0 }, 3, SHORT },	/* jrcxz, jecxz */
	{ { 0xe2, 0 }, 2, SHORT }, { { 0xe1, 0 }, 2, SHORT },	/* loop, loope */
	{ { 0xe0, 0 }, 2, SHORT }, { { 0x67, 0xe2, 0 }, 3, SHORT },	/* loopne, loop by ecx */
	{ { 0xeb, 0 }, 2, SHORT, 0, true },
	{ { 0xe9, 0, 0, 0, 0 }, 5, LONG, 0, true },
	{ { 0xc3 }, 1, NONE, 0, true },
	{ { 0xe8, 0, 0, 0, 0 }, 5, CALL, 0, true },
	{ { 0xff, 0x15, 0, 0, 0, 0 }, 6, RIP, 0, true },	/* call *pointer, see below */
	{ { 0x4c, 0x8d, 0x15, 0, 0, 0, 0, 0x41, 0xff, 0xd2 }, 10, CALL, 3, true },	/* lea; call *%r10 */
	{ { 0x4c, 0x8d, 0x15, 0, 0, 0, 0, 0x41, 0xff, 0xe2 }, 10, LONG, 3, true },	/* lea; jmp *%r10 */
};

/* In a page: code, an exit for branches, a function that is called, data. */
#define AT_EXIT		100
#define AT_CALLED	160
#define AT_DATA		256
#define AT_POINTER	264

/* lea 1(%rax),%rax; mov %r11,%rsp, which run() has set; ret */
static const u8 leave_by[] = { 0x48, 0x8d, 0x40, 0x01, 0x4c, 0x89, 0xdc, 0xc3 };
/* lea 7(%rax),%rax; mov (%rsp),%r9: the return address; ret */
static const u8 called[] = { 0x48, 0x8d, 0x40, 0x07, 0x4c, 0x8b, 0x0c, 0x24, 0xc3 };

/* Appends a piece at @off and resolves what it refers to. */
static size_t put_piece(u8 *page, size_t off, const struct piece *p)
{
	size_t end = off + p->len - p->tail, to = AT_EXIT;
	bool by_pointer = p->code[0] == 0xff && p->code[1] == 0x15;
	s32 rel;

	memcpy(page + off, p->code, p->len);
	if (p->fix == RIP)
		to = by_pointer ? AT_POINTER : AT_DATA;
	else if (p->fix == CALL)
		to = AT_CALLED;
	/* An operand relative to rip counts from the end of its instruction, 4 bytes later. */
	rel = to - (p->fix == RIP ? off + p->len : end);
	if (p->fix == SHORT)
		page[end - 1] = rel;
	else if (p->fix != NONE)
		memcpy(page + end - 4, &rel, sizeof(rel));
	return off + p->len;
}

/* A function whose first instructions are random; its window is long enough. */
static void make(u8 *page, u64 *seed)
{
	const struct piece *p;
	size_t off = 0;
	bool pushed = false;
	u64 pointer = (u64)(page + AT_CALLED), data = 0x1122334455667788ULL;

	memset(page, 0xcc, 512);
	do {
		p = &pieces[pe_test_random(seed) % ARRAY_SIZE(pieces)];
		if (p->last && (off + p->len < PE_JMP32_SIZE || (p->code[0] == 0xc3 && pushed)))
			continue;	/* too early; or it would return to what was pushed */
		pushed |= p->code[0] == 0x53 || p->code[0] == 0x9c;
		off = put_piece(page, off, p);
	} while (off < PE_JMP32_SIZE || (!p->last && off < 24));
	memcpy(page + off, leave_by, sizeof(leave_by));
	page[off + 3] = 0x02;
	memcpy(page + AT_EXIT, leave_by, sizeof(leave_by));
	memcpy(page + AT_CALLED, called, sizeof(called));
	memcpy(page + AT_DATA, &data, sizeof(data));
	memcpy(page + AT_POINTER, &pointer, sizeof(pointer));
}

static void random_state(struct state *s, u64 *seed)
{
	u64 *word = (u64 *)s;
	unsigned int i;

	for (i = 0; i < sizeof(*s) / sizeof(*word); i++)
		word[i] = pe_test_random(seed) >> (pe_test_random(seed) & 63);
	s->cx = pe_test_random(seed) % 3 + (pe_test_random(seed) % 2 << 32);
	s->flags = (s->flags & FLAGS) | 0x202;
}

static void compare(u8 *page, u8 *detour, const struct pe_window *w, u64 *seed)
{
	u8 was[PE_WINDOW_MAX];
	struct state in, a, b;
	u64 data_a, data_b;
	unsigned int i;

	memcpy(was, page, w->length);
	for (i = 0; i < 8; i++) {
		random_state(&in, seed);
		a = in;
		b = in;
		memcpy(page, was, w->length);
		memset(page + AT_DATA, 0x55, 8);
		run((void (*)(void))page, &a);
		memcpy(&data_a, page + AT_DATA, 8);
		memset(page, 0xcc, w->length);
		pe_emit_jmp32(page, (unsigned long)page, (unsigned long)detour);
		memset(page + AT_DATA, 0x55, 8);
		run((void (*)(void))page, &b);
		memcpy(&data_b, page + AT_DATA, 8);
		EXPECT_EQ(data_a, data_b);
		if (memcmp(&a, &b, sizeof(a))) {
			pe_test_failures++;
			printf("differs: ax %llx %llx cx %llx %llx r9 %llx %llx flags %llx %llx, code",
			       a.ax, b.ax, a.cx, b.cx, a.r9, b.r9, a.flags, b.flags);
			for (i = 0; i < w->length; i++)
				printf(" %02x", was[i]);
			printf("\n");
			return;
		}
	}
}

static void test_on_cpu(void)
{
	u8 *base = mmap(NULL, 1 << 20, PROT_RWX, MAP_LOW, -1, 0);
	u8 *page = base + 0x1000, *detour = base + 0xc0000;
	u64 seed = pe_test_seed();
	unsigned int i, ran = 0;
	struct pe_window w;
	const char *why;
	int len;

	EXPECT(base != (u8 *)-1L);
	for (i = 0; i < 20000 && pe_test_failures < 5; i++) {
		make(page, &seed);
		len = pe_window_measure(&w, page, 64, PE_JMP32_SIZE, &why);
		EXPECT_EQ(len, 0);
		if (len)
			continue;
		memset(detour, 0xcc, 128);
		len = pe_window_relocate(detour, 128, &w, page, (unsigned long)page,
					 (unsigned long)detour);
		EXPECT(len > 0);
		if (len <= 0)
			continue;
		compare(page, detour, &w, &seed);
		ran++;
	}
	EXPECT(ran > 10000);
	munmap(base, 1 << 20);
}

/* Noise: whatever is accepted has a shape that the jump needs, and its copy is code. */
static void test_noise(void)
{
	u64 seed = pe_test_seed();
	unsigned int i, j, accepted = 0;
	struct pe_window w;
	const char *why;
	struct pe_insn insn;
	u8 code[24], dst[64];
	size_t off;
	int len;

	for (i = 0; i < 300000; i++) {
		for (j = 0; j < sizeof(code); j += 8)
			*(u64 *)(code + j) = pe_test_random(&seed);
		if (pe_window_measure(&w, code, sizeof(code), PE_JMP32_SIZE, &why))
			continue;
		EXPECT(w.length >= PE_JMP32_SIZE && w.length <= PE_WINDOW_MAX && w.nr);
		EXPECT(w.off[w.nr - 1] < PE_JMP32_SIZE);
		len = pe_window_relocate(dst, sizeof(dst), &w, code, TEXT, COPY);
		if (len < 0)
			continue;
		accepted++;
		for (off = 0; off < len; )
			EXPECT_EQ(pe_insn_next(&insn, dst, len, &off), 1);
		EXPECT_EQ(off, len);
	}
	EXPECT(accepted > 10000);
}

static const struct pe_test tests[] = {
	{ "windows", test_measure },
	{ "short windows", test_short },
	{ "padding", test_padding },
	{ "room", test_room },
	{ "reach", test_reach },
	{ "both on the CPU", test_on_cpu },
	{ "noise", test_noise },
};

int main(void)
{
	return PE_RUN(tests);
}
