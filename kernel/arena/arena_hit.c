// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * arena_hit.c - entries into and returns from functions with return probes.  [H]
 *
 * return_arena.S calls these in the context of the probed function, which is any context.  Code
 * that is made for a set does a usual entry itself (compiled/call_piece.c), and a usual return is
 * done there or in return_arena.S.
 * probe_core does the work for probes, with preemption off and RCU watching.  So probe_core
 * can go.  Without it, calls are entered without a frame, and those in progress return to
 * their callers.
 *
 * A call counts as in flight from the moment when its set is known until its last use.  The two
 * ends are inside sections with preemption off.  So:
 *
 *   pe_return_entry:C / reap_once:C   no call is counted in a set that is not published, once
 *           no call can be on the way to the first section.  Then the set's sum only falls.
 *           (Made code is no such section: a quiescence waits for tasks in it, too.)
 *   pe_return_exit:D / reap_once:D   one RCU grace period after the sum has become 0, no call
 *           refers to the set (return/ret_set.c).
 *
 * Calls of tasks that are ending are counted in addition (scan.c).
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <pe/kretprobe.h>
#include "kernel/arena/arena.h"
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/stat.h"

DEFINE_PER_CPU(unsigned long, pe_unwatched);
EXPORT_PER_CPU_SYMBOL_GPL(pe_unwatched);

/* Here, because return_arena.S uses it. */
DEFINE_PER_CPU(struct pe_hit_cpu, pe_hit_cpu);
EXPORT_PER_CPU_SYMBOL_GPL(pe_hit_cpu);

DEFINE_PER_CPU(struct pe_return_counters, pe_return_no_calls);
EXPORT_PER_CPU_SYMBOL_GPL(pe_return_no_calls);

struct pe_kretprobe pe_return_nobody = { .kp.flags = PE_KPROBE_GONE };
EXPORT_SYMBOL_GPL(pe_return_nobody);

unsigned long pe_graph_trampoline __read_mostly;
EXPORT_SYMBOL_GPL(pe_graph_trampoline);
unsigned long pe_rethook_trampoline __read_mostly;
EXPORT_SYMBOL_GPL(pe_rethook_trampoline);
const struct hlist_head *pe_kretprobed __read_mostly;
EXPORT_SYMBOL_GPL(pe_kretprobed);

/* Without handlers, no call gets a frame. */
static unsigned long pe_no_enter(const struct pe_return_set *set, struct pt_regs *regs,
				 unsigned long *base)
{
	return 0;
}

DEFINE_STATIC_CALL(pe_arena_enter, pe_no_enter);
DEFINE_STATIC_CALL_NULL(pe_arena_leave, pe_arena_leave_t);

/* Calls by ending tasks that are in progress: +1 where one was entered, -1 where it returned. */
static DEFINE_PER_CPU(unsigned long, pe_ending_calls);

/* Calls by ending tasks that may return after the task has left the list of tasks. */
unsigned long pe_return_ending_calls(void)
{
	return pe_counter_sum(&pe_ending_calls);
}

/* NULL: no handler.  The old handlers may run until a grace period has passed. */
void pe_arena_set_handlers(pe_arena_enter_t *enter, pe_arena_leave_t *leave)
{
	static_call_update(pe_arena_enter, enter ?: pe_no_enter);
	static_call_update(pe_arena_leave, leave);
}

/*
 * A task that is ending makes a call.  Mark and count the call if it may return after the task
 * has left the list of tasks (scan.c).  Rarely called; preemption off.
 */
static noinline unsigned long pe_count_ending(const struct pe_return_point *point)
{
	if (point->ending == PE_ENDING_NONE || pe_task_state(current) == TASK_DEAD)
		return 0;
	if (point->ending == PE_ENDING_LATE && !READ_ONCE(current->exit_state))
		return 0;
	this_cpu_inc(pe_ending_calls);
	return PE_MARK_ENDING;
}

/*
 * PF_EXITING is set before there is an exit state.  Only the idle task calls functions that can
 * be traced while RCU is not watching, or does not wait for the CPU; all else that runs then is
 * noinstr.
 */
static __always_inline unsigned long pe_hit_marks(const struct pe_return_point *point)
{
	unsigned long mark = 0;

	if (unlikely(current->flags & PF_EXITING))
		mark = pe_count_ending(point);
	if (unlikely(is_idle_task(current)))
		mark |= PE_MARK_IDLE;
	return mark;
}

/**
 * pe_return_entry() - a function has been entered; there is room for its frame
 * @regs: as at its entry; below the frame on the stack
 * @set: its probes
 *
 * Context: any; preemption may be on.  ->ip becomes the address where to go on.
 * Return: true: go to the call slot, with the frame; false: to the body, without it.
 */
bool pe_return_entry(struct pt_regs *regs, struct pe_return_set *set)
{
	unsigned long *base = (void *)(regs + 1) + set->frame_size;
	const struct pe_return_point *point = set->point;
	unsigned long mask = 0;

	preempt_disable_notrace();
	this_cpu_inc(set->counters->balance);	/* pe_return_entry:C */
	pe_arch_complete_regs(regs, base + 1);
	instruction_pointer_set(regs, point->addr + PE_HIT_IP_PAST);
	if (likely(pe_cpu_watched()))
		mask = static_call(pe_arena_enter)(set, regs, base);
	else
		pe_count_unwatched();
	if (mask) {
		base[-1] = (unsigned long)set | pe_hit_marks(point);
		if (set->n > 1)
			base[-2] = mask;
		instruction_pointer_set(regs, pe_arch_return_call(point->slot));
	} else {
		instruction_pointer_set(regs, point->body);
		this_cpu_dec(set->counters->balance);
	}
	preempt_enable_notrace();
	return mask;
}
EXPORT_SYMBOL_GPL(pe_return_entry);

/*
 * The probes can't be looked at.  But the set stays as long as the call is counted in it, so it
 * counts for them.
 */
static noinline void pe_count_lost(const struct pe_return_set *set, unsigned long mask)
{
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		if (mask & (1UL << i))
			this_cpu_inc(set->counters->lost[i]);
	}
}

/**
 * pe_return_exit() - the function has returned to its call slot
 * @regs: as it left them
 * @base: of its frame
 *
 * Context: any; preemption may be on.
 */
void pe_return_exit(struct pt_regs *regs, unsigned long *base)
{
	struct pe_return_set *set = (struct pe_return_set *)(base[-1] & ~PE_MARKS);
	unsigned long mask = set->n > 1 ? base[-2] : 1;

	preempt_disable_notrace();
	pe_arch_complete_regs(regs, base + 2);
	if (likely(pe_cpu_watched()))
		static_call_cond(pe_arena_leave)(set, mask, regs, base);
	else
		pe_count_lost(set, mask);
	this_cpu_dec(set->counters->balance);	/* pe_return_exit:D */
	if (unlikely(base[-1] & PE_MARK_ENDING))
		this_cpu_dec(pe_ending_calls);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(pe_return_exit);

/* A call has enabled preemption, in return_arena.S, and the task may have to be preempted. */
void pe_return_resched(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
