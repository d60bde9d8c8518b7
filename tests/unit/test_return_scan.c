// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_return_scan.c - facts that return probes read from the code of functions. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/return_scan.h"
#include "harness.h"

#define MOST	48
#define AT	0x10000
#define THUNK	(AT + 0x1000)

static bool is_thunk(unsigned long addr)
{
	return addr == THUNK;
}

struct code {
	const char *text;
	u8 len;
	u8 bytes[MOST];
};

#define B(...)	sizeof((u8[]){ __VA_ARGS__ }), { __VA_ARGS__ }
#define RET	0xc3

/* ---- words of arguments, by the code ---- */

static const struct code see_nothing[] = {
	{ "ret", B(RET) },
	{ "lea (%rdi,%rsi),%rax; ret", B(0x48, 0x8d, 0x04, 0x37, RET) },
	{ "push %rbx; mov %rdi,%rbx; call; mov %rbx,%rax; pop %rbx; ret",
	  B(0x53, 0x48, 0x89, 0xfb, 0xe8, 0, 0, 0, 0, 0x48, 0x89, 0xd8, 0x5b, RET) },
	{ "push %rbp; mov %rdi,%rbp; add $1,%ebp; pop %rbp; ret",
	  B(0x55, 0x48, 0x89, 0xfd, 0x83, 0xc5, 0x01, 0x5d, RET) },
	{ "push %r12; mov %rdi,%r12; mov (%r12),%rax; pop %r12; ret",
	  B(0x41, 0x54, 0x49, 0x89, 0xfc, 0x49, 0x8b, 0x04, 0x24, 0x41, 0x5c, RET) },
	{ "mov 8(%r13),%rax; ret", B(0x49, 0x8b, 0x45, 0x08, RET) },
	{ "mov 0(%rip),%rax; ret", B(0x48, 0x8b, 0x05, 0, 0, 0, 0, RET) },
	{ "xchg %rax,%r12; ret", B(0x49, 0x94, RET) },
	{ "test %rdi,%rdi; je 1f; nop; 1: ret", B(0x48, 0x85, 0xff, 0x74, 0x01, 0x90, RET) },
	{ "jmp return thunk", B(0xe9, 0xfb, 0x0f, 0, 0) },
	{ "nopl 0(%rax,%rax); ret", B(0x0f, 0x1f, 0x44, 0, 0, RET) },
	{ "and $-8,%rdi; ret", B(0x48, 0x83, 0xe7, 0xf8, RET) },
	{ "shl $3,%rdi; ret", B(0x48, 0xc1, 0xe7, 0x03, RET) },
	{ "lea 0(,%rbx,8),%r14; ret", B(0x4c, 0x8d, 0x34, 0xdd, 0, 0, 0, 0, RET) },
	{ "the same with REX.B", B(0x4d, 0x8d, 0x34, 0xdd, 0, 0, 0, 0, RET) },
	{ "mov %gs:40,%rax; ret", B(0x65, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0, RET) },
	{ "sub $24,%rsp; mov 16(%rsp),%rax; add $24,%rsp; ret",
	  B(0x48, 0x83, 0xec, 0x18, 0x48, 0x8b, 0x44, 0x24, 0x10, 0x48, 0x83, 0xc4, 0x18, RET) },
	{ "push %rbx; mov %rsp,%rdi; call; pop %rbx; ret",
	  B(0x53, 0x48, 0x89, 0xe7, 0xe8, 0, 0, 0, 0, 0x5b, RET) },
	{ "push %rbx; push %rsp; mov %rsp,(%rsp); pop %rbx; pop %rbx; ret",
	  B(0x53, 0x54, 0x48, 0x89, 0x24, 0x24, 0x5b, 0x5b, RET) },
	{ "push %rbp; mov 8(%rdi),%rbp; mov 16(%rbp),%rax; pop %rbp; ret",
	  B(0x55, 0x48, 0x8b, 0x6f, 0x08, 0x48, 0x8b, 0x45, 0x10, 0x5d, RET) },
	{ "push %rbp; mov %rsp,%rbp; sub $16,%rsp; mov -8(%rbp),%rax; leave; ret",
	  B(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0x48, 0x8b, 0x45, 0xf8, 0xc9, RET) },
	{ "push %rbp; mov %rsp,%rbp; and $-16,%rsp; push %rdi; mov (%rsp),%rax; leave; ret",
	  B(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xf0, 0x57, 0x48, 0x8b, 0x04, 0x24, 0xc9, RET) },
	{ "push %rbx; jmp 1f; 2: mov (%rsp),%rax; 1: test %eax,%eax; jne 2b; pop %rbx; ret",
	  B(0x53, 0xeb, 0x04, 0x48, 0x8b, 0x04, 0x24, 0x85, 0xc0, 0x75, 0xf8, 0x5b, RET) },
	{ "test %edi,%edi; je 1f; push %rbx; call of what does not return; 1: ret",
	  B(0x85, 0xff, 0x74, 0x06, 0x53, 0xe8, 0, 0, 0, 0, RET) },
	{ "mov %ah,%al; movzbl %ah,%eax; ret", B(0x88, 0xe0, 0x0f, 0xb6, 0xc4, RET) },
	{ "mov %eax,%fs; ret", B(0x8e, 0xe0, RET) },
	{ "ret; another function: push %rbx; call; pop %rbx; ret",
	  B(RET, 0x53, 0xe8, 0, 0, 0, 0, 0x5b, RET) },
	{ "ret, and zeros up to an odd end", B(RET, 0, 0, 0, 0, 0) },
};

static const struct code may_see[] = {
	{ "mov 8(%rsp),%rax", B(0x48, 0x8b, 0x44, 0x24, 0x08, RET) },
	{ "mov 8(%rsp,%rdi,8),%rax", B(0x48, 0x8b, 0x44, 0xfc, 0x08, RET) },
	{ "mov 16(%rbp),%rax", B(0x48, 0x8b, 0x45, 0x10, RET) },
	{ "mov (%rbp,%rdi,8),%rax", B(0x48, 0x8b, 0x44, 0xfd, 0, RET) },
	{ "mov %rsp,%rbp", B(0x48, 0x89, 0xe5, RET) },
	{ "mov %rsp,%rbp, the other way", B(0x48, 0x8b, 0xec, RET) },
	{ "mov %rbp,%rax", B(0x48, 0x89, 0xe8, RET) },
	{ "lea 8(%rsp),%r10", B(0x4c, 0x8d, 0x54, 0x24, 0x08, RET) },
	{ "sub $8,%rsp", B(0x48, 0x83, 0xec, 0x08, RET) },
	{ "add %rsp,%rax", B(0x48, 0x01, 0xe0, RET) },
	{ "sub %rsp,%rax", B(0x48, 0x29, 0xe0, RET) },
	{ "and %rsp,%rax", B(0x48, 0x21, 0xe0, RET) },
	{ "and %rsp,%rax, the other way", B(0x48, 0x23, 0xc4, RET) },
	{ "push %rsp", B(0x54, RET) },
	{ "pop %rsp", B(0x5c, RET) },
	{ "xchg %rax,%rsp", B(0x48, 0x94, RET) },
	{ "push 8(%rsp)", B(0xff, 0x74, 0x24, 0x08, RET) },
	{ "pop 8(%rsp)", B(0x8f, 0x44, 0x24, 0x08, RET) },
	{ "enter", B(0xc8, 0x10, 0, 0, RET) },
	{ "leave", B(0xc9, RET) },
	{ "cmove %rsp,%rax", B(0x48, 0x0f, 0x44, 0xc4, RET) },
	{ "vmovdqu 8(%rsp),%xmm0", B(0xc5, 0xfa, 0x6f, 0x44, 0x24, 0x08, RET) },
	{ "push %rbx; mov 16(%rsp),%rax; pop %rbx; ret",
	  B(0x53, 0x48, 0x8b, 0x44, 0x24, 0x10, 0x5b, RET) },
	{ "sub $24,%rsp; lea 32(%rsp),%rax; add $24,%rsp; ret",
	  B(0x48, 0x83, 0xec, 0x18, 0x48, 0x8d, 0x44, 0x24, 0x20, 0x48, 0x83, 0xc4, 0x18, RET) },
	{ "sub $24,%rsp; mov (%rsp,%rdi,8),%rax; add $24,%rsp; ret",
	  B(0x48, 0x83, 0xec, 0x18, 0x48, 0x8b, 0x04, 0xfc, 0x48, 0x83, 0xc4, 0x18, RET) },
	{ "push %rbp; mov %rsp,%rbp; mov 16(%rbp),%rax; pop %rbp; ret",
	  B(0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x45, 0x10, 0x5d, RET) },
	{ "push %rbx; ret", B(0x53, RET) },
	{ "jmp 1f; mov 8(%rsp),%rax; 1: ret", B(0xeb, 0x05, 0x48, 0x8b, 0x44, 0x24, 0x08, RET) },
	{ "test %edi,%edi; je 1f; push %rbx; 1: mov (%rsp),%rax; pop %rbx; ret",
	  B(0x85, 0xff, 0x74, 0x01, 0x53, 0x48, 0x8b, 0x04, 0x24, 0x5b, RET) },
	{ "test %edi,%edi; je 1f; mov %rdi,%rbp; 1: mov 16(%rbp),%rax; ret",
	  B(0x85, 0xff, 0x74, 0x03, 0x48, 0x89, 0xfd, 0x48, 0x8b, 0x45, 0x10, RET) },
	{ "test %edi,%edi; je 1f; push %rbx; inc %rax; 1: ret",
	  B(0x85, 0xff, 0x74, 0x04, 0x53, 0x48, 0xff, 0xc0, RET) },
	{ "jmp *%rax", B(0xff, 0xe0) },
	{ "notrack jmp *%rax", B(0x3e, 0xff, 0xe0) },
	{ "jmp *0(,%rax,8)", B(0xff, 0x24, 0xc5, 0, 0, 0, 0) },
	{ "jmp elsewhere", B(0xe9, 0, 0x01, 0, 0) },
	{ "jmp before", B(0xeb, 0xf0) },
	{ "jmp right after", B(0xeb, 0) },
	{ "je elsewhere; ret", B(0x0f, 0x84, 0, 0x01, 0, 0, RET) },
	{ "cut off", B(0x48, 0x8b) },
	{ "nop, and a zero at the end", B(0x90, 0) },
	{ "undefined", B(0x06, RET) },
};

static struct pe_stack_state states[MOST + 3];

static void test_see_nothing(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(see_nothing); i++) {
		const struct code *c = &see_nothing[i];

		if (!pe_code_sees_no_words(c->bytes, c->len, AT, is_thunk, true, states)) {
			printf("suspected: %s\n", c->text);
			pe_test_failures++;
		}
	}
}

/* Alone, and after a harmless instruction. */
static void test_may_see(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(may_see); i++) {
		const struct code *c = &may_see[i];
		u8 more[MOST + 3] = { 0x90, 0x31, 0xc0 };

		memcpy(more + 3, c->bytes, c->len);
		if (pe_code_sees_no_words(c->bytes, c->len, AT, is_thunk, true, states) ||
		    pe_code_sees_no_words(more, c->len + 3, AT, is_thunk, true,
					  states)) {
			printf("not suspected: %s\n", c->text);
			pe_test_failures++;
		}
	}
}

/* Assembler may read its arguments through an address that it has taken in its frame. */
static void test_assembler(void)
{
	static const u8 code[] = { 0x53, 0x48, 0x89, 0xe0, 0x5b, RET };	/* push, mov %rsp,%rax, pop */

	EXPECT(pe_code_sees_no_words(code, sizeof(code), AT, is_thunk, true, states));
	EXPECT(!pe_code_sees_no_words(code, sizeof(code), AT, is_thunk, false, states));
}

/* Assembler may go on in what the next symbol names; compilers end a function so after a call. */
static void test_goes_on(void)
{
	static const u8 code[] = { 0x31, 0xc0 };	/* xor %eax,%eax */

	EXPECT(pe_code_sees_no_words(code, sizeof(code), AT, is_thunk, true, states));
	EXPECT(!pe_code_sees_no_words(code, sizeof(code), AT, is_thunk, false, states));
}

/* ---- words of arguments, by the parameters ---- */

static void test_scalars(void)
{
	struct pe_arg_words w = {};
	unsigned int i;

	for (i = 0; i < 6; i++)
		pe_arg_words_add(&w, 1 << i % 4, false);
	EXPECT_EQ(w.regs, 6);
	EXPECT_EQ(w.stack, 0);
	pe_arg_words_add(&w, 4, false);
	pe_arg_words_add(&w, 8, false);
	EXPECT_EQ(w.regs, 6);
	EXPECT_EQ(w.stack, 2);
}

static void test_large_aggregate(void)
{
	struct pe_arg_words w = {};

	pe_arg_words_add(&w, 56, true);
	EXPECT_EQ(w.regs, 0);
	EXPECT(w.stack >= 7);
	pe_arg_words_add(&w, 8, false);
	EXPECT_EQ(w.regs, 1);
}

/* Measures what gcc does with them, by the last argument's address.  ASan would move parameters. */
#define NOT_SANITIZED	noinline __attribute__((no_sanitize("address")))

struct __attribute__((packed)) odd { char c; long l; };
struct even { long a, b; };

static NOT_SANITIZED long stack_of_odd(long a, struct odd o, long b)
{
	return (char *)&o + ALIGN(sizeof(o), 8) - (char *)__builtin_frame_address(0) - 16;
}

static NOT_SANITIZED long stack_of_even(long a, struct even e, long b, long c,
					struct even g, long d, long last)
{
	return (char *)(&last + 1) - (char *)__builtin_frame_address(0) - 16;
}

static NOT_SANITIZED long stack_of_wide(long a, long b, long c, long d, long e,
					long f, long g, __int128 w)
{
	return (char *)(&w + 1) - (char *)__builtin_frame_address(0) - 16;
}

static unsigned int words_of(const int *sizes, unsigned int n)
{
	struct pe_arg_words w = {};
	unsigned int i;

	for (i = 0; i < n; i++)		/* negative: an aggregate */
		pe_arg_words_add(&w, sizes[i] < 0 ? -sizes[i] : sizes[i], sizes[i] < 0);
	return w.stack;
}

static void test_upper_bound(void)
{
	static const int odd[] = { 8, -(int)sizeof(struct odd), 8 };
	static const int even[] = { 8, -16, 8, 8, -16, 8, 8 };
	static const int wide[] = { 8, 8, 8, 8, 8, 8, 8, 16 };
	long bytes;

	bytes = stack_of_odd(1, (struct odd){ 2, 3 }, 4);
	EXPECT_EQ(bytes, 16);		/* otherwise the compiler lays them out differently */
	EXPECT(words_of(odd, ARRAY_SIZE(odd)) * 8 >= bytes);
	bytes = stack_of_even(1, (struct even){ 2, 3 }, 4, 5, (struct even){ 6, 7 }, 8, 9);
	EXPECT_EQ(bytes, 24);
	EXPECT(words_of(even, ARRAY_SIZE(even)) * 8 >= bytes);
	bytes = stack_of_wide(1, 2, 3, 4, 5, 6, 7, 8);
	EXPECT_EQ(bytes, 32);
	EXPECT(words_of(wide, ARRAY_SIZE(wide)) * 8 >= bytes);
}

static const struct pe_test tests[] = {
	{ "code that sees no words", test_see_nothing },
	{ "code that may see some", test_may_see },
	{ "assembler", test_assembler },
	{ "assembler that goes on", test_goes_on },
	{ "scalar parameters", test_scalars },
	{ "a large structure", test_large_aggregate },
	{ "no fewer than the compiler's", test_upper_bound },
};

int main(void)
{
	return PE_RUN(tests);
}
