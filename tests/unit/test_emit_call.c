// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * The code that enters a function with return probes: the frame that it makes, where it goes, what
 * it leaves to C code; and the trees that lead to code.
 *
 * %gs leads to a "CPU", as in test_emit_hit.c.  A caller calls the code with all registers
 * set; the place to which the code goes notes them, and the stack.
 */
#include <linux/ptrace.h>
#include "arch/x86/emit/emit_call.h"
#include "arch/x86/emit/emit_tree.h"
#include "arch/x86/hit/emit_hit.h"
#include "harness.h"
#include "kernel/trace/hit/elapsed.h"
#include "kernel/trace/parse/program.h"

#define PROT_RWX	7
#define MAP_LOW		0x62		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT */
#define ARCH_SET_GS	0x1001
#define SYS_ARCH_PRCTL	158
#define SET		0x1122334455667788ULL
#define RET		0x123456u
#define STACK		8192u
#define RESERVE		3000u
#define UNUSUAL		0x10004u

long syscall(long nr, ...);

struct task {
	u64 before;
	void *stack;
	u32 flags;
};

static struct {
	struct task *current;
	u64 entries;
	u32 busy;
} *cpu;

/* Within 2 GB of each other, in the lowest 2 GB. */
static struct near {
	u64 saved_rsp, rsp, outcome;
	u64 regs[16];
	u64 time, skew;
	u8 live;
	u8 exits[4][256], mono[32], code[4096];
} *near;

/* CALLED: at the address to which the code returns, as if to a call. */
enum { CALLED = 1, ENTER, INTERPRET, MISS };

static struct task task = { .flags = 8 };
static u64 in[16] __attribute__((used)), seed;
static void *entry __attribute__((used));
static u8 stack[STACK] __aligned(16);
static u64 start __attribute__((used));	/* rsp before the call */

/*
 * Calls @entry on a stack of the test's own, with the registers in[], by their numbers.  The way out
 * comes back to 1.
 */
void run(void);
void back(void);
__asm__(".text\n.globl run\n.globl back\nrun:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"mov near(%rip), %rax\nmov %rsp, (%rax)\n"
	"mov start(%rip), %rsp\n"
	"lea in(%rip), %rax\n"
	"mov 8(%rax), %rcx\nmov 16(%rax), %rdx\nmov 24(%rax), %rbx\nmov 40(%rax), %rbp\n"
	"mov 48(%rax), %rsi\nmov 56(%rax), %rdi\nmov 64(%rax), %r8\nmov 72(%rax), %r9\n"
	"mov 80(%rax), %r10\nmov 88(%rax), %r11\nmov 96(%rax), %r12\nmov 104(%rax), %r13\n"
	"mov 112(%rax), %r14\nmov 120(%rax), %r15\nmov (%rax), %rax\n"
	"call *entry(%rip)\n"
	"back:\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");

static void make_exit(u64 outcome)
{
	struct pe_emit e = {
		.code = near->exits[outcome - 1], .size = sizeof(near->exits[0]),
		.addr = (u64)near->exits[outcome - 1],
	};
	unsigned int i;

	for (i = 0; i < 16; i++)
		pe_emit_store(&e, pe_at_addr((u64)&near->regs[i]), i, 8);
	pe_emit_store_imm(&e, pe_at_addr((u64)&near->outcome), outcome, 8);
	pe_emit_load(&e, PE_RSP, pe_at_addr((u64)&near->saved_rsp), 8);
	pe_emit_mov_imm(&e, PE_RAX, (u64)back);
	pe_emit_rr(&e, 0xff, 4, PE_RAX);			/* jmp *%rax */
	EXPECT(!e.bad);
}

static u64 exit_of(u64 outcome)
{
	return (u64)near->exits[outcome - 1];
}

static struct pe_call_env env;
static struct pe_call_code code;

/* What a tree leaves: rbp in the place of the return address into the function. */
static void emit_head(struct pe_emit *e)
{
	pe_emit_push(e, PE_RBP);
	pe_emit_mov(e, PE_RBP, PE_RSP);
}

static void emit(struct pe_emit *e, const struct pe_program *program,
		 const struct pe_hit_env *hit_env)
{
	code.slow = (struct pe_label){};
	code.stale = (struct pe_label){};
	emit_head(e);
	pe_emit_call_look(e, &code);
	pe_emit_call_frame(e, &env, &code);
	if (program)
		pe_hit_emit_save(e, hit_env, program, 16 + code.data);
	pe_emit_call_go(e, &env, &code);
	EXPECT(!e->bad);
}

static void compile(const struct pe_program *program, const struct pe_hit_env *hit_env)
{
	struct pe_short_jumps shorts = {};
	struct pe_emit all_long = { .shorts = &shorts }, e = {
		.code = near->code, .size = sizeof(near->code), .addr = (u64)near->code,
		.shorts = &shorts,
	};

	emit(&all_long, program, hit_env);
	shorts.known = true;
	emit(&e, program, hit_env);
	EXPECT(e.len < all_long.len);
	entry = near->code;
}

static u64 go(void)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		in[i] = pe_test_random(&seed);
	near->outcome = 0;
	run();
	return near->outcome;
}

/* A word of the stack, @n from the one that the function's caller has pushed. */
static u64 word(int n)
{
	return ((u64 *)start)[n - 1];
}

static void plain(void)
{
	task.flags = 8;
	cpu->busy = 0;
	cpu->entries = 0;
	near->live = 1;
	start = (u64)stack + 7000;
	code = (struct pe_call_code){
		.live = (u64)&near->live, .ret = RET, .set = SET, .call = exit_of(CALLED),
		.entries = 8,
	};
	compile(NULL, NULL);
}

static void same_registers(void)
{
	unsigned int i;

	for (i = 0; i < 16; i++) {
		if (i != PE_RSP && i != PE_RBP && i != PE_R10 && i != PE_R11)
			EXPECT_EQ(near->regs[i], in[i]);
	}
}

/* @bytes of the frame below its base. */
static void called(unsigned int bytes)
{
	u64 base = start - 16;

	same_registers();
	EXPECT_EQ(near->regs[PE_RBP], base);
	EXPECT_EQ(near->regs[PE_RSP], base - bytes);
	EXPECT_EQ(word(-1), in[PE_RBP]);
	EXPECT_EQ(word(-2), SET);
	EXPECT_EQ(cpu->entries, 1);
	EXPECT_EQ(pe_call_frame_size(&code), bytes);
}

static void frames(void)
{
	unsigned int i;

	plain();
	EXPECT_EQ(go(), CALLED);
	called(8);

	plain();
	code.mask = 7;
	code.data = 40;
	compile(NULL, NULL);
	EXPECT_EQ(go(), CALLED);
	called(16 + 40);
	EXPECT_EQ(word(-3), 7);

	plain();
	code.words = 5;
	compile(NULL, NULL);
	for (i = 0; i < 5; i++)
		((u64 *)start)[i] = 100 + i;
	EXPECT_EQ(go(), CALLED);
	called(8 + 40);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(((u64 *)near->regs[PE_RSP])[i], 100 + i);
}

/* A counter that is too far away for an operand. */
static void far_counter(void)
{
	plain();
	code.entries = (s64)(u64)&near->time - (s64)(u64)cpu;
	near->time = 0;
	compile(NULL, NULL);
	EXPECT_EQ(go(), CALLED);
	EXPECT_EQ(near->time, 1);
}

/* C code does it, with the registers as they were, and rbp is the base. */
static void left_to_c(void)
{
	EXPECT_EQ(go(), ENTER);
	same_registers();
	EXPECT_EQ(near->regs[PE_R11], SET);
	EXPECT_EQ(near->regs[PE_RBP], start - 16);
	EXPECT_EQ(near->regs[PE_RSP], start - 16);
	EXPECT_EQ(word(-1), in[PE_RBP]);
	EXPECT_EQ(cpu->entries, 0);
	plain();
}

static void guards(void)
{
	plain();
	task.flags |= 4;
	left_to_c();
	task.flags |= 0x10000;
	left_to_c();
	cpu->busy = 0x100;
	left_to_c();
	near->live = 0;
	EXPECT_EQ(go(), INTERPRET);
	EXPECT_EQ(near->regs[PE_R11], RET);
	same_registers();
	EXPECT_EQ(cpu->entries, 0);
}

/* To the byte: what a frame needs below its base, and a base that is on no stack of the task. */
static void stacks(void)
{
	static const struct {
		s64 left;		/* from the stack's lowest byte to the base */
		u64 outcome;
	} at[] = {
		{ RESERVE + 56, CALLED }, { RESERVE + 55, ENTER }, { RESERVE, ENTER },
		{ 1, ENTER }, { 0, ENTER }, { -8, ENTER }, { STACK - 1, CALLED },
		{ STACK, ENTER }, { STACK + 8, ENTER }, { 1LL << 40, ENTER },
		{ -(1LL << 40), ENTER },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(at); i++) {
		plain();
		code.mask = 3;
		code.data = 40;
		compile(NULL, NULL);
		task.stack = (void *)(start - 16 - at[i].left);
		EXPECT_EQ(go(), at[i].outcome);
	}
	task.stack = stack;
}

/* Words that a return probe saves. */
static void save(void)
{
	u16 what[] = { 2, PE_SAVE_TIME, 5 };
	struct pe_program program = {
		.nr_saved = 3, .saved = what, .time_word = 1,
	};
	struct pe_hit_env hit_env = {
		.time = (u64)near->mono, .skew = (u64)&near->skew, .factor = (u64)&near->skew,
	};
	struct pe_emit e = {
		.code = near->mono, .size = sizeof(near->mono), .addr = (u64)near->mono,
	};
	const u64 *data;
	u64 before;

	pe_emit_load(&e, PE_RAX, pe_at_addr((u64)&near->time), 8);
	pe_emit_byte(&e, 0xc3);
	plain();
	near->time = 4711;
	code.mask = 3;
	code.data = 24;
	compile(&program, &hit_env);
	EXPECT_EQ(go(), CALLED);
	called(16 + 24);
	data = (u64 *)near->regs[PE_RSP];
	EXPECT_EQ(data[0], in[PE_RDX]);
	EXPECT_EQ(data[1], 4711);
	EXPECT_EQ(data[2], in[PE_R9]);
	/* Where the TSC is the clock: the count. */
	near->skew = PE_ELAPSED_FIRST;
	cpu->entries = 0;
	before = __builtin_ia32_rdtsc();
	EXPECT_EQ(go(), CALLED);
	called(16 + 24);
	EXPECT(data[1] - near->skew - before <= __builtin_ia32_rdtsc() - before);
	EXPECT_EQ(data[0], in[PE_RDX]);
	EXPECT_EQ(data[2], in[PE_R9]);
}

/* ---- trees ---- */

#define LEAVES_MAX	200u

static struct pe_tree_leaf leaves[LEAVES_MAX];

/* All return addresses lead to their own place, and those beside them to none. */
static void tree(unsigned int n, bool in_r11)
{
	const struct pe_mem at = pe_at(PE_RSP, 0);
	struct pe_emit e = { .size = 64 * 1024 }, jump;
	u8 *places = mmap(NULL, 128 * 1024, PROT_RWX, MAP_LOW, -1, 0);
	unsigned int i;
	u64 ret = 0xffffffff80000000ULL, lead;

	for (i = 0; i < n; i++) {
		ret += 2 + pe_test_random(&seed) % 1000;
		leaves[i] = (struct pe_tree_leaf){ ret, (u64)places + 64 * i };
		jump = (struct pe_emit){ .code = places + 64 * i, .size = 64,
					 .addr = (u64)places + 64 * i };
		pe_emit_mov_imm(&jump, PE_RDX, i);
		pe_emit_jmp_to(&jump, exit_of(CALLED));
	}
	e.code = places + 64 * 1024;
	e.addr = (u64)e.code;
	pe_emit_tree(&e, in_r11 ? NULL : &at, leaves, n, exit_of(MISS));
	EXPECT(!e.bad);
	EXPECT(e.len <= PE_TREE_SIZE(n));
	/* It is called with the return address on the stack, or in r11. */
	jump = (struct pe_emit){ .code = near->code, .size = 64, .addr = (u64)near->code };
	pe_emit_mov(&jump, PE_R11, PE_R12);
	if (!in_r11)
		pe_emit_push(&jump, PE_R11);
	pe_emit_jmp_to(&jump, e.addr);
	entry = near->code;
	for (i = 0; i < 3 * n; i++) {
		lead = leaves[i / 3].ret + i % 3 - 1;
		in[PE_R12] = lead;
		in[PE_RDX] = ~0ULL;
		near->outcome = 0;
		run();
		EXPECT_EQ(near->outcome, i % 3 == 1 ? CALLED : MISS);
		EXPECT_EQ(near->regs[PE_RDX], i % 3 == 1 ? i / 3 : ~0ULL);
	}
	munmap(places, 128 * 1024);
}

static void trees(void)
{
	unsigned int n;

	plain();
	for (n = 1; n <= LEAVES_MAX; n += n < 20 ? 1 : 60) {
		tree(n, false);
		tree(n, true);
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "frames", frames },
		{ "far counter", far_counter },
		{ "guards", guards },
		{ "stacks", stacks },
		{ "saved words", save },
		{ "trees", trees },
	};
	u64 i;

	seed = pe_test_seed();
	near = mmap(NULL, sizeof(*near), PROT_RWX, MAP_LOW, -1, 0);
	cpu = calloc(1, sizeof(*cpu));
	cpu->current = &task;
	task.stack = stack;
	EXPECT_EQ(syscall(SYS_ARCH_PRCTL, ARCH_SET_GS, cpu), 0);
	for (i = CALLED; i <= MISS; i++)
		make_exit(i);
	env = (struct pe_call_env){
		.current_task = 0, .busy = 16, .task_flags = offsetof(struct task, flags),
		.task_stack = offsetof(struct task, stack), .unusual = UNUSUAL,
		.stack_size = STACK, .reserve = RESERVE, .enter = exit_of(ENTER),
		.interpret = exit_of(INTERPRET),
	};
	return PE_RUN(tests);
}
