/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_world.h - what compiled hits find around them, in user space.
 *
 * %gs leads to this "CPU"'s variables, as in the kernel.  A function calls the code with all
 * registers set, and sees all of them afterwards.  The code's ways out note themselves; what the
 * code calls does so as well, does what the kernel's would do, and returns.
 */
#ifndef PE_TEST_EMIT_WORLD_H
#define PE_TEST_EMIT_WORLD_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include "arch/x86/hit/emit_hit.h"
#include "fakes.h"
#include "harness.h"
#include "kernel/trace/hit/cmdline_slot.h"
#include "kernel/trace/hit/elapsed.h"
#include "kernel/trace/hit/record.h"
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/program.h"
#include "rb_world.h"

#define PROT_RWX	7
#define MAP_LOW		0x62		/* MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT */
#define ARCH_SET_GS	0x1001
#define SYS_ARCH_PRCTL	158
#define PLAIN		0x80000000u	/* preempt_count() of a plain task */
#define NEED_RESCHED	8u
#define WORDS		4u		/* of return probes' data */

long syscall(long nr, ...);

/* struct task_struct */
struct task {
	unsigned long flags;
	u16 migration;
	u32 softirq;
	u32 task_flags;
	s32 pid, tgid;
	char comm[16];
	void *mm;
	u32 pagefault_disabled;
};

/* This CPU's variables. */
struct cpu {
	u32 preempt_count;
	struct task *current;
	u32 number;
	u32 busy;
	u64 this_cpu_off;
	struct pe_cmdline_last name;
	u64 offset;
	u32 seq, seq_of_cpu;
	struct pe_event_stat stat;
	u64 returns;
	u64 cost;			/* hits that a limit counts */
	struct pe_bank *banks[PE_HIT_PARTS];
};

/* struct pe_buffer, struct pe_instance */
struct buffer {
	struct pe_rb *cpus[4];
};

struct instance {
	struct buffer *buffer;
	u32 tracing_on;
	u32 gate;			/* of the event's limit */
};

/* Where the code went last; what it has called. */
enum { RETURNED, INTERPRET, REST };
enum { LEFT = 1, RESCHEDULED = 2 };

/* Near the code: its byte, its ways out. */
struct near {
	u8 live;
	u32 outcome;
	u64 r11;			/* there */
	u64 now;			/* what the clock says next */
	u64 busy;			/* what it has found: that a handler is running */
	u64 time, since;		/* what C code says of $elapsed: a word; since one */
	u64 asked;			/* since which */
	struct pe_elapsed elapsed;
	u64 mul;
	u64 real, shown;		/* the return address; where the code looks for it */
	u64 words[WORDS];		/* the data of return probes, at the entry; or as left */
	u64 elsewhere;			/* what a frame has in place of the set, if not 0 */
	/* A CPU clears its pipeline at a store to a page that it runs code of. */
	u8 exits[3][64] __aligned(4096);
	u8 detour_exits[3][64], call_exits[3][64], return_exits[3][128];
	u8 finish[2][2][64];
	u8 calls[16][16];
	u8 clock[64], mono[64], mono_since[64];
	u8 entry[64], detour[64], returned[256], shared[1024];
	u8 code[8192];
};

/* The frame of a call: set, mask, words of data. */
#define SET		0x1122334455667788ULL
#define MASK		5u
#define DATA_AT		(8 * (2 + WORDS))
#define RET		0x123456u	/* return address into the function */
#define SLOTS		0x7000u		/* return addresses there are not true ones */
#define SLOTS_SIZE	0x100u
#define TRACER		0x6000u		/* nor is this */

static struct task task = { .pid = 4711, .tgid = 4700, .comm = "a name of 15 ch" };
static struct pe_cmdline_slot slot;
static struct cpu *cpu;
static struct near *near;
static struct buffer buffer;
static struct instance instance;
static struct pe_hit_env env;
static struct pt_regs emit_regs __attribute__((used));
static void *emit_entry __attribute__((used));
static u64 emit_caller __attribute__((used));	/* where the function that is hit returns to */
extern const char emit_called[];		/* where it goes on */

/*
 * Calls emit_entry with the registers in emit_regs, but rsp, and flags of 0; and stores them
 * there.
 */
void emit_call(void);
__asm__(".text\n.globl emit_call\nemit_call:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"pushq emit_caller(%rip)\n"
	"lea emit_regs(%rip), %rax\n"
	"mov 0(%rax), %r15\nmov 8(%rax), %r14\nmov 16(%rax), %r13\nmov 24(%rax), %r12\n"
	"mov 32(%rax), %rbp\nmov 40(%rax), %rbx\nmov 64(%rax), %r9\nmov 72(%rax), %r8\n"
	"mov 88(%rax), %rcx\nmov 96(%rax), %rdx\nmov 104(%rax), %rsi\nmov 112(%rax), %rdi\n"
	"mov 48(%rax), %r11\nmov 56(%rax), %r10\n"
	"mov %rsp, 152(%rax)\n"
	"cmpq $0, 144(%rax)\nje 1f\npushq 144(%rax)\npopfq\n1:"
	"mov 80(%rax), %rax\n"
	"call *emit_entry(%rip)\n"
	".globl emit_called\nemit_called:\n"
	"pushfq\npush %rax\nlea emit_regs(%rip), %rax\n"
	"mov %r11, 48(%rax)\nmov %r10, 56(%rax)\n"
	"mov %r15, 0(%rax)\nmov %r14, 8(%rax)\nmov %r13, 16(%rax)\nmov %r12, 24(%rax)\n"
	"mov %rbp, 32(%rax)\nmov %rbx, 40(%rax)\nmov %r9, 64(%rax)\nmov %r8, 72(%rax)\n"
	"mov %rcx, 88(%rax)\nmov %rdx, 96(%rax)\nmov %rsi, 104(%rax)\nmov %rdi, 112(%rax)\n"
	"pop %rcx\nmov %rcx, 80(%rax)\npopq 144(%rax)\n"
	"sub %rsp, 152(%rax)\n"		/* 0 */
	"cld\nadd $8, %rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n");

/* What the code calls.  Memory is that of fakes.h. */
static unsigned int called __attribute__((used));
static struct pe_rb *called_ring __attribute__((used));

/* As pe_hit_leave_c() does. */
static void __attribute__((used)) world_left(struct pe_rb *rb)
{
	called |= LEFT;
	called_ring = rb;
	if (!rb->nest)
		rb->nest = 1;
	pe_rb_leave(rb);
}

static void __attribute__((used)) world_resched(void)
{
	called |= RESCHEDULED;
}

struct word {
	u64 value, ok;
};

static struct word __attribute__((used)) world_load(u64 addr, u64 log2)
{
	struct word word = {};

	EXPECT_EQ(cpu->busy, 1);
	word.ok = !copy_from_user_nofault(&word.value, (void *)addr, 1 << log2);
	if (!word.ok)
		word.value = 0;
	return word;
}

/* Return: after the NUL; 0. */
static u64 __attribute__((used)) world_string(u64 from, char *to)
{
	unsigned int i;

	EXPECT_EQ(cpu->busy, 1);
	memset(to, 0xee, PE_HIT_STRING_ROOM);
	for (i = 0; i < PE_HIT_STRING_MAX; i++) {
		if (copy_from_user_nofault(&to[i], (void *)(from + i), 1))
			return 0;
		if (!to[i])
			return (u64)&to[i + 1];
	}
	return 0;
}

#define PUSHED	"push %rcx\npush %rdx\npush %rsi\npush %rdi\npush %r8\npush %r9\n"
#define POPPED	"pop %r9\npop %r8\npop %rdi\npop %rsi\npop %rdx\npop %rcx\n"
/* C code may count on an aligned stack. */
#define CALL(f)	"push %rbp\nmov %rsp, %rbp\nand $-16, %rsp\ncall " #f "\nleave\n"
#define CALLED(name, f)							\
	void name(void);						\
	__asm__(#name ":\n" PUSHED "push %rax\nmov %r11, %rdi\n" CALL(f)	\
		"pop %rax\n" POPPED "mov $0x1010, %r10d\nmov %r10d, %r11d\nret\n")
#define LOADS(name, log2)						\
	void name(void);						\
	__asm__(#name ":\n" PUSHED "mov %rax, %rdi\nmov $" #log2 ", %esi\n"	\
		"push %r10\npush %r11\n" CALL(world_load)			\
		"pop %r11\npop %r10\nneg %rdx\n" POPPED "ret\n")

CALLED(emit_leave, world_left);
CALLED(emit_resched, world_resched);
LOADS(emit_load0, 0);
LOADS(emit_load1, 1);
LOADS(emit_load2, 2);
LOADS(emit_load3, 3);
void emit_string(void);
__asm__("emit_string:\npush %rsi\npush %rdi\nmov %rax, %rdi\nmov %rdx, %rsi\npush %rdx\n"
	CALL(world_string)
	"pop %rdx\npop %rdi\npop %rsi\n"
	"mov $0x88, %ecx\nmov %ecx, %r8d\nmov %ecx, %r9d\nmov %ecx, %r10d\nmov %ecx, %r11d\n"
	"test %rax, %rax\njz 1f\nmov %rax, %rdx\nstc\nret\n1:clc\nret\n");

/* A way out: note it. */
static inline struct pe_emit world_begin_exit(u8 *code, unsigned int size, unsigned int outcome)
{
	struct pe_emit e = { .code = code, .size = size, .addr = (u64)code };

	pe_emit_store_imm(&e, pe_at_addr((u64)&near->outcome), outcome, 4);
	pe_emit_store(&e, pe_at_addr((u64)&near->r11), PE_R11, 8);
	return e;
}

static inline void world_exit(u8 *code, unsigned int outcome, enum pe_code_from from)
{
	struct pe_emit e = world_begin_exit(code, sizeof(near->exits[0]), outcome);

	if (from == PE_CODE_DETOUR) {
		pe_emit_pop(&e, PE_R10);
		pe_emit_pop(&e, PE_R11);
		pe_emit_byte(&e, 0x9d);				/* popfq */
	}
	if (from == PE_CODE_ENTRY && outcome == RETURNED)
		pe_emit_byte(&e, 0xc9);				/* leave */
	else
		pe_emit_pop(&e, PE_RBP);
	if (from == PE_CODE_DETOUR)	/* what the slot of a detour does */
		pe_emit_lea(&e, PE_RSP, pe_at(PE_RSP, 8));
	pe_emit_byte(&e, 0xc3);
	EXPECT(!e.bad);
}

/* The end of a hit, with preemption off, and the first registers pushed unless it is @bare. */
static inline u64 world_finish(enum pe_code_from from, bool bare, u64 done)
{
	struct pe_emit e = {
		.code = near->finish[from][bare], .size = sizeof(near->finish[0][0]),
		.addr = (u64)near->finish[from][bare],
	};

	pe_emit_dec(&e, pe_at_cpu(offsetof(struct cpu, preempt_count)), 4);
	if (!bare) {
		pe_emit_pop(&e, PE_R8);
		pe_emit_pop(&e, PE_RDX);
		pe_emit_pop(&e, PE_RCX);
		pe_emit_pop(&e, PE_RAX);
	}
	pe_emit_jmp_to(&e, done);
	EXPECT(!e.bad);
	return e.addr;
}

/* Code that is called, does the rest, and comes back. */
static inline void world_rest(u8 *code, unsigned int size, bool is_return)
{
	struct pe_emit e = world_begin_exit(code, size, REST);
	unsigned int i;

	pe_emit_dec(&e, pe_at_cpu(offsetof(struct cpu, preempt_count)), 4);
	for (i = 0; is_return && i < WORDS; i++) {
		pe_emit_load(&e, PE_R11, pe_at(PE_RBP, 8LL * i - DATA_AT), 8);
		pe_emit_store(&e, pe_at_addr((u64)&near->words[i]), PE_R11, 8);
	}
	if (!is_return) {	/* the return address into the function */
		pe_emit_load(&e, PE_R11, pe_at(PE_RSP, 8), 8);
		pe_emit_store(&e, pe_at_addr((u64)&near->shown), PE_R11, 8);
	}
	pe_emit_mov_imm(&e, PE_R10, 0x1010);
	pe_emit_mov_imm(&e, PE_R11, 0x1011);
	pe_emit_byte(&e, 0xc3);
	EXPECT(!e.bad);
}

/*
 * pe_return_leave, or the end of a return, which may come after a rest: it drops the frame, and
 * what is there in place of the return address.
 */
static inline void world_leave(unsigned int outcome)
{
	const unsigned int size = sizeof(near->return_exits[0]);
	u8 *code = near->return_exits[outcome];
	struct pe_emit e = { .code = code, .size = size, .addr = (u64)code };

	if (outcome == INTERPRET)
		e = world_begin_exit(code, size, outcome);
	pe_emit_byte(&e, 0xc9);
	pe_emit_lea(&e, PE_RSP, pe_at(PE_RSP, 8));
	pe_emit_rm(&e, 0xff, 4, pe_at_addr((u64)&near->real), 0);
	EXPECT(!e.bad);
}

/* The code that enters a call, for the test: it returns. */
static inline void world_enter(struct pe_emit *e, void *data)
{
	pe_emit_pop(e, PE_RBP);
	pe_emit_byte(e, 0xc3);
}

/* A call that has returned to its call slot: the frame is there. */
static inline void world_returned(void)
{
	struct pe_emit e = {
		.code = near->returned, .size = sizeof(near->returned),
		.addr = (u64)near->returned,
	};
	unsigned int i;

	pe_emit_rm(&e, 0x8f, 0, pe_at_addr((u64)&near->real), 0);	/* pop */
	pe_emit_rm(&e, 0xff, 6, pe_at_addr((u64)&near->shown), 0);	/* push */
	pe_emit_push(&e, PE_RBP);
	pe_emit_mov(&e, PE_RBP, PE_RSP);
	pe_emit_rm(&e, 0xff, 6, pe_at_addr((u64)&near->elsewhere), 0);
	pe_emit_push_imm(&e, MASK);
	for (i = WORDS; i; i--)
		pe_emit_rm(&e, 0xff, 6, pe_at_addr((u64)&near->words[i - 1]), 0);
	pe_emit_jmp_to(&e, (u64)near->code);
	EXPECT(!e.bad);
}

/* @busy: what it finds in the CPU's word of that name goes there, unless it is NULL. */
static inline void world_clock(u8 *code, unsigned int size, u64 *value, u64 *busy)
{
	struct pe_emit e = { .code = code, .size = size, .addr = (u64)code };

	if (busy) {
		pe_emit_load(&e, PE_RAX, pe_at_cpu(offsetof(struct cpu, busy)), 4);
		pe_emit_store(&e, pe_at_addr((u64)busy), PE_RAX, 8);
	}
	pe_emit_load(&e, PE_RAX, pe_at_addr((u64)value), 8);
	pe_emit_byte(&e, 0xc3);
	EXPECT(!e.bad);
}

static inline void world_since(void)
{
	u8 *code = near->mono_since;
	struct pe_emit e = {
		.code = code, .size = sizeof(near->mono_since), .addr = (u64)code,
	};

	pe_emit_store(&e, pe_at_addr((u64)&near->asked), PE_RAX, 8);
	pe_emit_load(&e, PE_RAX, pe_at_addr((u64)&near->since), 8);
	pe_emit_byte(&e, 0xc3);
	EXPECT(!e.bad);
}

static inline u64 world_tsc(void)
{
	u32 low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}

/* A jump to a function that is far away. */
static inline u64 world_call(unsigned int i, void (*f)(void))
{
	struct pe_emit e = {
		.code = near->calls[i], .size = sizeof(near->calls[0]), .addr = (u64)near->calls[i],
	};

	pe_emit_rm(&e, 0xff, 4, pe_at_addr(e.addr + 6), 0);
	pe_emit_imm(&e, (u64)f, 8);
	EXPECT(!e.bad);
	return (u64)near->calls[i];
}

static inline void world_near(void)
{
	struct pe_emit e;
	unsigned int i;

	near = mmap(NULL, sizeof(*near), PROT_RWX, MAP_LOW, -1, 0);
	for (i = RETURNED; i <= REST; i++) {
		world_exit(near->exits[i], i, PE_CODE_ENTRY);
		world_exit(near->detour_exits[i], i, PE_CODE_DETOUR);
	}
	world_exit(near->call_exits[INTERPRET], INTERPRET, PE_CODE_CALL);
	world_rest(near->call_exits[REST], sizeof(near->call_exits[REST]), false);
	world_leave(INTERPRET);
	world_leave(RETURNED);
	world_rest(near->return_exits[REST], sizeof(near->return_exits[REST]), true);
	world_returned();
	world_clock(near->clock, sizeof(near->clock), &near->now, &near->busy);
	world_clock(near->mono, sizeof(near->mono), &near->time, NULL);
	world_since();
	e = (struct pe_emit){
		.code = near->entry, .size = sizeof(near->entry), .addr = (u64)near->entry,
	};
	pe_emit_push(&e, PE_RBP);
	pe_emit_rr(&e, PE_OP_W | 0x8b, PE_RBP, PE_RSP);
	pe_emit_jmp_to(&e, (u64)near->code);
	EXPECT(!e.bad);
	e = (struct pe_emit){
		.code = near->detour, .size = sizeof(near->detour), .addr = (u64)near->detour,
	};
	pe_emit_push_imm(&e, 0);				/* as the slot's return address */
	pe_emit_push(&e, PE_RBP);
	pe_emit_mov(&e, PE_RBP, PE_RSP);
	pe_emit_byte(&e, 0x9c);					/* pushfq */
	pe_emit_push(&e, PE_R11);
	pe_emit_push(&e, PE_R10);
	pe_emit_jmp_to(&e, (u64)near->code);
	EXPECT(!e.bad);
}

static inline void world_env(void)
{
	static void (*const loads[])(void) = { emit_load0, emit_load1, emit_load2, emit_load3 };
	unsigned int i;

	env = (struct pe_hit_env){
		.preempt_count = offsetof(struct cpu, preempt_count),
		.current_task = offsetof(struct cpu, current),
		.cpu_number = offsetof(struct cpu, number),
		.places = {
			.interpret = { (u64)near->exits[INTERPRET], (u64)near->detour_exits[INTERPRET],
				       (u64)near->call_exits[INTERPRET],
				       (u64)near->return_exits[INTERPRET] },
			.rest = { (u64)near->exits[REST], (u64)near->detour_exits[REST],
				  (u64)near->call_exits[REST], (u64)near->return_exits[REST] },
			.done = { (u64)near->exits[RETURNED], (u64)near->detour_exits[RETURNED],
				  0, (u64)near->return_exits[RETURNED] },
			.busy = offsetof(struct cpu, busy),
			.call_slots = SLOTS, .call_slots_size = SLOTS_SIZE, .tracers = { TRACER, 0 },
		},
		.cpu_offset = offsetof(struct cpu, this_cpu_off),
		.name = offsetof(struct cpu, name),
		.flags = offsetof(struct task, flags), .flags_mask = NEED_RESCHED,
		.migration = offsetof(struct task, migration),
		.softirq = offsetof(struct task, softirq),
		.task_flags = offsetof(struct task, task_flags), .idle = 2, .idle_unwatched = true,
		.pid = offsetof(struct task, pid), .comm = offsetof(struct task, comm),
		.mm = offsetof(struct task, mm),
		.pagefault_disabled = offsetof(struct task, pagefault_disabled),
		.cpus = offsetof(struct buffer, cpus), .preempts = true,
		.clock = {
			.read = (u64)near->clock,
			.seq = offsetof(struct cpu, seq), .offset = offsetof(struct cpu, offset),
		},
		.time = (u64)near->mono, .since = (u64)near->mono_since,
		.skew = (u64)&near->elapsed.skew, .factor = (u64)&near->elapsed.factor,
		.leave = world_call(0, emit_leave),
		.resched = world_call(2, emit_resched),
		.string = world_call(3, emit_string), .string_user = world_call(4, emit_string),
	};
	for (i = PE_CODE_ENTRY; i <= PE_CODE_DETOUR; i++) {
		env.places.finish[i] = world_finish(i, false, env.places.done[i]);
		env.places.finish_bare[i] = world_finish(i, true, env.places.done[i]);
	}
	for (i = 0; i < 4; i++) {
		env.load[i] = world_call(8 + i, loads[i]);
		env.load_user[i] = world_call(12 + i, loads[i]);
	}
}

/* A plain task whose name is known; nothing keeps the code from making a record. */
static inline void world_plain(void)
{
	task.flags = 0;
	task.task_flags = ~2u;		/* all but that it idles */
	task.migration = 0;
	task.softirq = 0;
	task.mm = &task;
	slot.pid = task.pid;
	slot.tgid = task.tgid;
	memcpy(slot.words, task.comm, sizeof(slot.words));
	slot.len = strlen(task.comm) + 1;
	cpu->name.version = slot.version;
	cpu->preempt_count = PLAIN;
	cpu->busy = 0;
	instance.tracing_on = 1;
	instance.gate = 0;
	near->live = 1;
	near->elsewhere = SET;
}

/* Call it first, in the thread that runs the code. */
static inline void world_emit_open(struct pe_rb *ring)
{
	cpu = calloc(1, sizeof(*cpu));
	cpu->current = &task;
	pe_fake_task = (unsigned long)&task;
	cpu->number = 2;
	cpu->this_cpu_off = PE_FAKE_CPU_OFFSET;
	cpu->name.slot = &slot;
	buffer.cpus[2] = ring;
	instance.buffer = &buffer;
	EXPECT_EQ(syscall(SYS_ARCH_PRCTL, ARCH_SET_GS, cpu), 0);
	world_near();
	world_env();
	world_plain();
}

/* Whence the code is called. */
static enum pe_code_from world_from __attribute__((used));

/* Of what C code needs of each part. */
#define REST_AT		0x700000u
#define REST_SIZE	16u

static inline void world_share(void)
{
	struct pe_emit e = {
		.code = near->shared, .size = sizeof(near->shared), .addr = (u64)near->shared,
	};

	pe_emit_hit_shared(&e, &env);
	EXPECT(!e.bad);
}

/* Compile.  Return: the code's length. */
static inline unsigned int world_compile_parts(const struct pe_hit_part *parts, unsigned int n)
{
	const struct pe_code_frame frame = {
		.set = SET, .mask = MASK, .returns = offsetof(struct cpu, returns), .ret = RET,
		.enter = world_enter,
	};
	struct pe_hit_code code = {
		.from = world_from, .live = (u64)&near->live, .parts = parts, .nr_parts = n,
		.rest = REST_AT, .rest_size = REST_SIZE, .frame = &frame,
	};
	struct pe_short_jumps shorts = {};
	struct pe_emit all_long = { .shorts = &shorts }, measure = all_long, e = {
		.code = near->code, .size = sizeof(near->code), .addr = (u64)near->code,
		.shorts = &shorts,
	};

	emit_entry = world_from == PE_CODE_RETURN ? near->returned :
		     world_from == PE_CODE_DETOUR ? near->detour : near->entry;
	world_share();
	pe_emit_hit(&all_long, &env, &code);
	shorts.known = true;
	pe_emit_hit(&measure, &env, &code);
	pe_emit_hit(&e, &env, &code);
	EXPECT(!e.bad);
	EXPECT(e.len < all_long.len);
	EXPECT_EQ(measure.len, e.len);
	return e.len;
}

static inline struct pe_hit_part world_part(const struct pe_program *program,
					    const struct pe_filter *filter)
{
	return (struct pe_hit_part){
		.inst = (u64)&instance.buffer,
		.tracing_on = offsetof(struct instance, tracing_on) -
			      offsetof(struct instance, buffer),
		.stat = offsetof(struct cpu, stat), .program = program, .filter = filter,
		.ip = -0x7edcba99, .data_at = DATA_AT,
	};
}

static inline unsigned int world_compile(const struct pe_program *program,
					 const struct pe_filter *filter)
{
	const struct pe_hit_part part = world_part(program, filter);

	return world_compile_parts(&part, 1);
}

/* Hit.  Return: where the code went. */
static inline unsigned int world_hit(void)
{
	near->outcome = RETURNED;
	called = 0;
	emit_call();
	return near->outcome;
}

#endif
