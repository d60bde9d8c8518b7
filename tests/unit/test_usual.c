// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Which hits the two stubs in assembler serve, and which they leave to C code: each condition of
 * the table in usual.h.  What emit_context.c and emit_call.c leave to C code is in test_emit_hit.c
 * (GUARD) and test_emit_call.c.
 *
 * The stubs are those of the modules; only what they include of the kernel is ours (usual/).
 */
#include <linux/kernel.h>
#include <linux/types.h>

#include "arch/x86/entry/return_arena.h"
#include "arch/x86/entry/usual.h"
#include "harness.h"

#define ARCH_SET_GS	0x1001
#define SYS_ARCH_PRCTL	158
#define AC		0x40000
#define DF		0x400
#define PLAIN		PE_USUAL_COUNT
#define NO_RESCHED	0x80000000	/* in one of the counter's two words */
#define WIDE		(PE_COUNT_SIZE == 8)
#define NR_DETOURS	4

long syscall(long nr, ...);

/* struct task_struct */
struct task {
	u32 other, softirq;
};

/* This CPU's variables; usual/ knows where they are. */
static struct {
	u32 preempt_count, high;
	struct task *current;
	u32 depth;			/* pe_hit_cpu */
	u8 busy[4];
	u64 counters[2];
} cpu;

/* struct pe_kprobe, struct pe_kretprobe */
struct probe {
	u32 flags;
	void (*call)(void);
};

/* struct pe_return_set; a multiple of 4, as the low bits are marks */
static struct set {
	u64 frame_size;
	struct probe *plain;
	u64 counters;
} set __aligned(8);

static struct task task;
static struct probe probe;

enum { HANDLER = 1, C_CODE };

/* What usual/run.S notes, and what the stubs ask for. */
u32 outcome, count_there, busy_there, rescheduled, resched_there;
u64 pe_graph_trampoline, pe_rethook_trampoline;
struct { struct probe *probe; void *jump; } pe_detour_slots[NR_DETOURS];
void *pe_return_slots[1];

void run_detour(u64 flags);
void run_leave(u64 set, u64 ret);
void run_handler(void);
extern char run_left[];

/* What a case changes: in the surroundings, and what a run is given. */
static u64 flags, marks, ret;

#define CASE(name, ...) static void name(void) { __VA_ARGS__; }
CASE(nothing, )
CASE(preemption_off, cpu.preempt_count++)
CASE(softirq_off, cpu.preempt_count += 0x200)
CASE(in_softirq, cpu.preempt_count += 0x100)
CASE(in_hardirq, cpu.preempt_count += 0x10000)
CASE(in_nmi, cpu.preempt_count += 0x100000)
CASE(resched_wanted, *(WIDE ? &cpu.high : &cpu.preempt_count) -= NO_RESCHED)
CASE(resched_meanwhile, resched_there = NO_RESCHED)
CASE(busy_task, cpu.busy[0] = 1)
CASE(busy_softirq, cpu.busy[1] = 1)
CASE(busy_hardirq, cpu.busy[2] = 1)
CASE(busy_nmi, cpu.busy[3] = 1)
CASE(in_breakpoint, cpu.depth = 1)
CASE(task_in_softirq, task.softirq = 0x100)
CASE(task_softirq_off, task.softirq = 0x200)
CASE(disabled, probe.flags = 1)
CASE(gone, probe.flags = 2)
CASE(stopped, probe.flags = 4)
CASE(other_flag, probe.flags = 8)
CASE(ending, marks = 1)
CASE(idle, marks = 2)
CASE(into_slot, ret = (u64)pe_call_slots)
CASE(into_last_slot, ret = (u64)pe_call_slots + PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE - 1)
CASE(graph_tracer, pe_graph_trampoline = ret)
CASE(rethook, pe_rethook_trampoline = ret)
CASE(alignment_check, flags = AC)
CASE(direction, flags = DF)

/* NOT_ASKED: it follows from another condition, or does not matter there; see the table. */
enum { NOT_ASKED };
static const struct {
	const char *name;
	void (*make)(void);
	u32 detour, leave;
} cases[] = {
#define ROW(name, detour, leave) { #name, name, detour, leave }
	ROW(nothing, HANDLER, HANDLER),
	ROW(preemption_off, C_CODE, HANDLER),
	ROW(softirq_off, C_CODE, HANDLER),
	ROW(in_softirq, C_CODE, C_CODE),
	ROW(in_hardirq, C_CODE, C_CODE),
	ROW(in_nmi, C_CODE, C_CODE),
	ROW(resched_wanted, WIDE ? HANDLER : C_CODE, HANDLER),
	ROW(resched_meanwhile, HANDLER, HANDLER),
	ROW(busy_task, NOT_ASKED, C_CODE),
	ROW(busy_softirq, NOT_ASKED, C_CODE),
	ROW(busy_hardirq, NOT_ASKED, C_CODE),
	ROW(busy_nmi, NOT_ASKED, C_CODE),
	ROW(in_breakpoint, NOT_ASKED, C_CODE),
	ROW(task_in_softirq, NOT_ASKED, C_CODE),
	ROW(task_softirq_off, NOT_ASKED, HANDLER),
	ROW(disabled, NOT_ASKED, C_CODE),
	ROW(gone, NOT_ASKED, C_CODE),
	ROW(stopped, NOT_ASKED, C_CODE),
	ROW(other_flag, NOT_ASKED, HANDLER),
	ROW(ending, NOT_ASKED, C_CODE),
	ROW(idle, NOT_ASKED, C_CODE),
	ROW(into_slot, NOT_ASKED, C_CODE),
	ROW(into_last_slot, NOT_ASKED, C_CODE),
	ROW(graph_tracer, NOT_ASKED, C_CODE),
	ROW(rethook, NOT_ASKED, C_CODE),
	ROW(alignment_check, C_CODE, NOT_ASKED),
	ROW(direction, C_CODE, NOT_ASKED),
};

static void begin(unsigned int i)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.preempt_count = PLAIN;
	cpu.high = WIDE ? NO_RESCHED : 0;
	cpu.current = &task;
	task.softirq = 0;
	probe = (struct probe){ 0, run_handler };
	set.plain = &probe;
	set.counters = (u64)((char *)cpu.counters - (char *)&cpu);
	pe_graph_trampoline = 0;
	pe_rethook_trampoline = 0;
	pe_detour_slots[3].probe = &probe;
	flags = 0;
	marks = 0;
	ret = (u64)run_left;
	outcome = 0;
	rescheduled = 0;
	resched_there = 0;
	cases[i].make();
}

static void check(unsigned int i, const char *where, u32 wanted, u32 count)
{
	bool usual = wanted == HANDLER;
	u32 left = count - (WIDE ? 0 : resched_there);

	if (outcome != wanted || cpu.preempt_count != left ||
	    (usual && (count_there != count + 1 || busy_there != 1 || cpu.busy[0] != 0)) ||
	    rescheduled != (usual && !left && !cpu.high)) {
		printf("%s, %s: went to %u, count %x of %x, busy %x\n", cases[i].name, where,
		       outcome, cpu.preempt_count, count, busy_there);
		pe_test_failures++;
	}
}

static void test_detour(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (cases[i].detour == NOT_ASKED)
			continue;
		begin(i);
		u32 count = cpu.preempt_count;

		run_detour(flags);
		check(i, "detour", cases[i].detour, count);
	}
}

static void test_leave(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (cases[i].leave == NOT_ASKED)
			continue;
		begin(i);
		u32 count = cpu.preempt_count;

		run_leave((u64)&set | marks, ret);
		check(i, "leave", cases[i].leave, count);
		EXPECT_EQ(cpu.counters[1], cases[i].leave == HANDLER);
	}
}

static const struct pe_test tests[] = {
	{ "a detour's stub", test_detour },
	{ "the end of a call", test_leave },
};

int main(void)
{
	if (syscall(SYS_ARCH_PRCTL, ARCH_SET_GS, &cpu))
		return 2;
	return PE_RUN(tests);
}
