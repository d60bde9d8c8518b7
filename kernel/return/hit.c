// SPDX-License-Identifier: GPL-2.0
/*
 * hit.c - entries into and returns from functions with return probes.  [H]
 *
 * The arena's code calls these in the context of the probed function, whatever that
 * is, with preemption off and RCU watching (arena/hit.c); hit.h says how hits nest.
 */
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include "kernel/compat.h"
#include "kernel/hit.h"
#include "kernel/return/return.h"

/*
 * Stack that is left to the probed function and all it calls.  A call that finds
 * less gets no frame.  Frames that have copied many words, because nobody knows
 * what arguments there are, could fill a stack with a few dozen calls inside each
 * other and leave too little for a deep path below: these stay in its upper half.
 */
#define STACK_RESERVE		3072
#define STACK_RESERVE_LARGE	(THREAD_SIZE / 2)
#define FRAME_SMALL		256

/*
 * On the stack of interrupts if we know it, by arithmetic.  Those of exceptions are
 * of different sizes but all have an unmapped page below, as that of interrupts has
 * with VMAP_STACK: the lowest word that would be used is there or not.
 */
static noinline bool other_stack_left(const void *sp, unsigned long need)
{
	unsigned long last = pe_irq_stack_last();
	unsigned long left = (unsigned long)sp - (last + sizeof(long) - IRQ_STACK_SIZE);
	unsigned long word;

	if (last && left < IRQ_STACK_SIZE)
		return left >= need;
	if (!last && !IS_ENABLED(CONFIG_VMAP_STACK))
		return false;
	if (offset_in_page(sp) >= STACK_RESERVE)
		return true;
	return pe_read_nofault(&word, (unsigned long)sp - STACK_RESERVE, sizeof(word));
}
NOKPROBE_SYMBOL(other_stack_left);

/* Is there enough stack below @sp and the set's frame above it? */
static __always_inline bool stack_left(const void *sp, const struct pe_return_set *set)
{
	unsigned long need = set->frame_size > FRAME_SMALL ? STACK_RESERVE_LARGE : STACK_RESERVE;
	unsigned long left = (unsigned long)sp - (unsigned long)task_stack_page(current);

	return likely(left < THREAD_SIZE) ? left >= need : other_stack_left(sp, need);
}

static void count_missed(const struct pe_return_set *set)
{
	struct pe_kretprobe *rp;
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (rp && pe_wants_hit(&rp->kp))
			this_cpu_inc(*rp->kp.missed);
	}
}
NOKPROBE_SYMBOL(count_missed);

/* Does this probe want the call's return? */
static __always_inline bool enter_one(struct pe_kretprobe *rp, const struct pe_hit *hit,
				      void *data, bool room)
{
	if (!room) {
		this_cpu_inc(rp->stat->no_stack);
		return false;
	}
	if (rp->entry && !rp->entry(rp, hit, data)) {
		this_cpu_inc(rp->stat->skipped);
		return false;
	}
	this_cpu_inc(rp->stat->entries);
	return true;
}

/*
 * Copy the arguments on the stack to where the body expects them.  How many there
 * are is an upper bound: at the very top of a stack, the next page may not exist.
 */
static __always_inline void copy_arguments(unsigned long *base, const struct pe_return_set *set)
{
	size_t len = set->stack_words * sizeof(long);
	void *dst = (void *)base - set->frame_size;
	unsigned long src = (unsigned long)(base + 2);

	if (!len)
		return;
	if (offset_in_page(src) + len <= PAGE_SIZE)
		memcpy(dst, (void *)src, len);
	else if (!pe_read_nofault(dst, src, len))
		pe_read_nofault(dst, src, -src & ~PAGE_MASK);
}

/**
 * pe_return_enter_probes() - a function has been entered, its frame has been allotted
 * @set: its probes
 * @regs: as at its entry; lies below the frame
 * @base: of the frame
 *
 * Runs the entry handlers.  Return: a bit for each probe that wants the return.
 */
unsigned long pe_return_enter_probes(const struct pe_return_set *set, struct pt_regs *regs,
				     unsigned long *base)
{
	struct pe_hit_cpu *cpu = this_cpu_ptr(&pe_hit_cpu);
	struct pe_kretprobe *rp;
	unsigned long mask = 0;
	struct pe_hit hit;
	unsigned int i;
	bool room;

	pe_hit_called(&hit, cpu, regs, PREEMPT_DISABLE_OFFSET);
	if (!pe_hit_begin(cpu, hit.level)) {
		count_missed(set);
		return 0;
	}
	room = stack_left(regs, set);
	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (rp && pe_wants_hit(&rp->kp) &&
		    enter_one(rp, &hit, (void *)base - set->member[i].offset, room))
			mask |= 1UL << i;
	}
	/* Within the hit: it may call what is probed. */
	if (mask)
		copy_arguments(base, set);
	pe_hit_end(cpu, hit.level);
	return mask;
}
NOKPROBE_SYMBOL(pe_return_enter_probes);

/* Frames that fit on a stack. */
#define TAIL_CALLS_MAX	(THREAD_SIZE / (4 * sizeof(long)))

/*
 * The frame around the one at @base, which returns into its call slot: rbp is its base.
 * Whoever jumps with something else in rbp never gets back to there; but until then
 * nothing is read that can't be.  Return: @frame filled with rbp and R of that frame, and
 * its base; or NULL.
 */
static unsigned long *outer_frame(unsigned long *base, unsigned long frame[2])
{
	unsigned long below = (unsigned long)(base + 2), outer = base[0];

	/* Its words are between its T, which is our R, and its base. */
	if (outer - below > PE_FRAME_MAX || outer % sizeof(long) ||
	    !pe_read_nofault(frame, outer, 2 * sizeof(long)))
		return NULL;
	return (unsigned long *)outer;
}
NOKPROBE_SYMBOL(outer_frame);

/*
 * Where does the function return to?  The word on the stack may be that of
 * another tracer; or, when a probed function has been jumped to at the end of
 * another one, our own.  What the other tracer has found there may be our own, too.
 * Within the hit: all this calls what can be probed.
 */
static noinline unsigned long find_true_return(unsigned long *base)
{
	unsigned long ret = base[1], found, frame[2];
	unsigned int i;

	for (i = 0; i < TAIL_CALLS_MAX; i++) {
		if (pe_arch_in_call_slots(ret)) {
			base = outer_frame(base, frame);
			if (!base)
				break;
			ret = frame[1];
			continue;
		}
		found = pe_other_tracer_return(ret, base + 1);
		if (found == ret)
			break;
		ret = found;
	}
	return ret;
}
NOKPROBE_SYMBOL(find_true_return);

static __always_inline unsigned long true_return(unsigned long *base)
{
	return likely(pe_is_true_return(base[1])) ? base[1] : find_true_return(base);
}

/**
 * pe_return_leave_probes() - the function has returned to its call slot
 * @set: of its entry
 * @mask: a bit for each probe that wants the return
 * @regs: as the function left them
 * @base: of the frame
 *
 * Runs their handlers, but of those that are gone or disabled.
 */
void pe_return_leave_probes(const struct pe_return_set *set, unsigned long mask,
			    struct pt_regs *regs, unsigned long *base)
{
	struct pe_hit_cpu *cpu = this_cpu_ptr(&pe_hit_cpu);
	struct pe_kretprobe *rp;
	struct pe_hit hit;
	unsigned int i;
	bool begun;

	pe_hit_called(&hit, cpu, regs, PREEMPT_DISABLE_OFFSET);
	begun = pe_hit_begin(cpu, hit.level);
	if (begun)
		instruction_pointer_set(regs, true_return(base));
	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (!rp || !(mask & (1UL << i)))
			continue;
		if (!begun || !pe_wants_hit(&rp->kp)) {
			this_cpu_inc(rp->stat->dropped);
			continue;
		}
		rp->handler(rp, &hit, instruction_pointer(regs), (void *)base - set->member[i].offset);
		this_cpu_inc(rp->stat->returns);
	}
	if (begun)
		pe_hit_end(cpu, hit.level);
}
NOKPROBE_SYMBOL(pe_return_leave_probes);
