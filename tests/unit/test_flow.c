// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* test_flow.c - ways that control may take in a function. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/flow.h"
#include "arch/x86/insn/insn.h"
#include "harness.h"

#define AT	0x10000UL
#define MOST	64
#define BACK	(AT + 0x1000)	/* a function that comes back */
#define AWAY	(AT + 0x2000)	/* a function that does not come back */
#define RET	0xc3

static unsigned long told[8];
static unsigned int nr_told;

static bool goes(struct pe_flow *flow, unsigned long from, unsigned long to)
{
	EXPECT(from >= flow->addr && from < flow->addr + flow->size);
	if (nr_told < ARRAY_SIZE(told))
		told[nr_told] = to;
	nr_told++;
	return to != AWAY;
}

static bool was_told(unsigned long to)
{
	unsigned int i;

	for (i = 0; i < nr_told; i++) {
		if (told[i] == to)
			return true;
	}
	return false;
}

/* Bytes from the start; results, and the targets outside that were named. */
static const struct flow_case {
	const char *text;
	u8 len, bytes[MOST];
	bool returns, unknown, back, away, behind;
	bool until_handlers;
} cases[] = {
#define B(...)	sizeof((u8[]){ __VA_ARGS__ }), { __VA_ARGS__ }
	{ "ret", B(RET), .returns = true },
	{ "ud2", B(0x0f, 0x0b, RET) },
	{ "int3", B(0xcc, RET) },
	{ "iretq", B(0x48, 0xcf), .returns = true },
	{ "call back; ret", B(0xe8, 0xfb, 0x0f, 0, 0, RET), .returns = true, .back = true },
	{ "call away; ret", B(0xe8, 0xfb, 0x1f, 0, 0, RET), .away = true },
	{ "call away; the rest is data", B(0xe8, 0xfb, 0x1f, 0, 0, 0x06), .away = true },
	{ "jmp back", B(0xe9, 0xfb, 0x0f, 0, 0, 0x06), .returns = true, .back = true },
	{ "jmp away", B(0xe9, 0xfb, 0x1f, 0, 0), .away = true },
	{ "je back; ud2", B(0x0f, 0x84, 0xfa, 0x0f, 0, 0, 0x0f, 0x0b), .returns = true, .back = true },
	{ "je 1f; ud2; 1: ret", B(0x74, 0x02, 0x0f, 0x0b, RET), .returns = true },
	{ "jmp 1f; call back; 1: ret", B(0xeb, 0x05, 0xe8, 0xf9, 0x0f, 0, 0, RET), .returns = true },
	{ "1: jmp 1b", B(0xeb, 0xfe) },
	{ "jmp 2f; 1: ret; 2: jmp 1b", B(0xeb, 0x01, RET, 0xeb, 0xfd), .returns = true },
	{ "loop 1f; ud2; 1: ret", B(0xe2, 0x02, 0x0f, 0x0b, RET), .returns = true },
	{ "jrcxz 1f; ud2; 1: ret", B(0xe3, 0x02, 0x0f, 0x0b, RET), .returns = true },
	{ "call *%rax; ret", B(0xff, 0xd0, RET), .returns = true },
	{ "jmp *%rax", B(0xff, 0xe0), .returns = true },
	{ "jmp *8(%rax)", B(0xff, 0x60, 0x08), .returns = true },
	{ "call 1f; ud2; 1: ret", B(0xe8, 0x02, 0, 0, 0, 0x0f, 0x0b, RET), .returns = true },
	{ "nop and out at the end", B(0x90, 0x90), .returns = true, .behind = true },
	{ "push %es", B(0x06, RET), .unknown = true },
	{ "cut off", B(0x48, 0x8b), .unknown = true },
	{ "lidt (%rax); call back; ret", B(0x0f, 0x01, 0x18, 0xe8, 0xf8, 0x0f, 0, 0, RET),
	  .returns = true, .back = true },
	{ "lidt (%rax), the end; call back", B(0x0f, 0x01, 0x18, 0xe8, 0xf8, 0x0f, 0, 0, RET),
	  .until_handlers = true },
	{ "je 1f; lidt; ret; 1: call back; ret",
	  B(0x74, 0x04, 0x0f, 0x01, 0x18, RET, 0xe8, 0xf5, 0x0f, 0, 0, RET),
	  .until_handlers = true, .returns = true, .back = true },
	{ "lgdt (%rax); ret", B(0x0f, 0x01, 0x10, RET), .until_handlers = true, .returns = true },
	{ "stac (a register); ret", B(0x0f, 0x01, 0xdb, RET), .until_handlers = true, .returns = true },
};

static void test_cases(void)
{
	unsigned int i;
	u8 mark[MOST];

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct flow_case *c = &cases[i];
		struct pe_flow flow = {
			.code = c->bytes, .mark = mark, .size = c->len, .addr = AT,
			.until_handlers = c->until_handlers, .goes = goes,
		};
		unsigned int before = pe_test_failures;

		nr_told = 0;
		pe_flow_scan(&flow, 0);
		EXPECT_EQ(flow.returns, c->returns);
		EXPECT_EQ(flow.unknown, c->unknown);
		EXPECT_EQ(was_told(BACK), c->back);
		EXPECT_EQ(was_told(AWAY), c->away);
		EXPECT_EQ(was_told(AT + c->len), c->behind);
		EXPECT_EQ(nr_told, c->back + c->away + c->behind);
		if (pe_test_failures != before)
			printf("in: %s\n", c->text);
	}
}

/* From the middle: the code before is not looked at. */
static void test_start(void)
{
	static const u8 code[] = { 0xe8, 0xfb, 0x0f, 0, 0, 0xe8, 0xf6, 0x1f, 0, 0, RET };
	u8 mark[sizeof(code)];
	struct pe_flow flow = { .code = code, .mark = mark, .size = sizeof(code), .addr = AT,
				.goes = goes };

	nr_told = 0;
	pe_flow_scan(&flow, 5);
	EXPECT(was_told(AWAY) && !was_told(BACK) && !flow.returns);
	pe_flow_scan(&flow, sizeof(code));
	EXPECT(!flow.returns && !flow.unknown);
}

/* Any bytes: the scan ends, and stays within bounds. */
static void test_random(void)
{
	u64 seed = pe_test_seed();
	unsigned int round, i;

	for (round = 0; round < 20000; round++) {
		size_t size = 1 + pe_test_random(&seed) % 200;
		u8 *code = malloc(size), *mark = malloc(size);
		struct pe_flow flow = { .code = code, .mark = mark, .size = size, .addr = AT,
					.until_handlers = round & 1, .goes = goes };

		for (i = 0; i < size; i++)
			code[i] = pe_test_random(&seed);
		pe_flow_scan(&flow, pe_test_random(&seed) % size);
		free(code);
		free(mark);
	}
}

static const struct pe_test tests[] = {
	{ "every kind of instruction", test_cases },
	{ "from the middle", test_start },
	{ "random bytes", test_random },
};

int main(void)
{
	return PE_RUN(tests);
}
