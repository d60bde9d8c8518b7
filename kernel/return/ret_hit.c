// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_hit.c - entries into and returns from functions with return probes.  [H]
 *
 * The arena's code calls these in the context of the probed function, which is any context,
 * with preemption off and RCU watching (arena/arena_hit.c).  hit.h says how hits nest.  For the
 * usual call the arena does the same without these: usual.h.
 */
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <pe/nofault.h>
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"
#include "kernel/return/return.h"

/*
 * Stack that a call leaves to the probed function and all it calls.  A call that finds less
 * gets no frame.  A frame is large if it has copied many words because the number of
 * arguments is unknown.  A few dozen such calls inside each other could fill a stack, and
 * leave too little for a deep path below.  So large frames stay in its upper half.
 */
#define STACK_RESERVE		PE_STACK_RESERVE
#define STACK_RESERVE_LARGE	(THREAD_SIZE / 2)

/*
 * Is enough left of a stack that is not the task's?  The stack of interrupts, if its address
 * is known, is judged by arithmetic.  Stacks of exceptions have different sizes, but all
 * have an unmapped page below.  So has the stack of interrupts with VMAP_STACK.  There the
 * lowest word of the reserve is mapped or not.
 */
static noinline bool pe_other_stack_left(const void *sp, unsigned long need)
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

/* Is there enough stack below @sp and the set's frame above it? */
static __always_inline bool pe_stack_left(const void *sp, const struct pe_return_set *set)
{
	unsigned long need = set->frame_size > PE_FRAME_SMALL ? STACK_RESERVE_LARGE : STACK_RESERVE;
	unsigned long left = (unsigned long)sp - (unsigned long)task_stack_page(current);

	return likely(left < THREAD_SIZE) ? left >= need : pe_other_stack_left(sp, need);
}

static void pe_hit_count_missed(const struct pe_return_set *set)
{
	struct pe_kretprobe *rp;
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (rp && pe_wants_hit(&rp->kp))
			pe_count_missed(&rp->kp);
	}
}

/* Run a probe's entry handler.  Return: does the probe want the call's return? */
static __always_inline bool pe_enter_one(struct pe_kretprobe *rp, const struct pe_hit *hit,
					 void *data, bool room)
{
	if (!room) {
		this_cpu_inc(rp->stat->no_stack);
		pe_tell_miss(&rp->kp, PE_MISS_NO_STACK);
		return false;
	}
	if (rp->entry && !rp->entry(rp, hit, data)) {
		this_cpu_inc(rp->stat->skipped);
		return false;
	}
	this_cpu_inc(rp->stat->entries);	/* pe_return_enter_probes:E, see ret_set.c */
	return true;
}

/*
 * The same for a probe without PE_KPROBE_NESTS, or one that does not want the hit.  Under a
 * breakpoint interrupts are off in such handlers.  The breakpoint has led here, and its exception
 * is over; so they are switched off again.
 */
static noinline bool pe_enter_alone(const struct pe_return_set *set, struct pe_kretprobe *rp,
				    const struct pe_hit *hit, void *data, bool room)
{
	unsigned long flags = 0;
	bool wants;

	if (!pe_wants_hit(&rp->kp))
		return false;
	if (unlikely(!pe_alone_begin())) {
		pe_count_missed(&rp->kp);
		return false;
	}
	if (set->point->insn)
		local_irq_save(flags);
	wants = pe_enter_one(rp, hit, data, room);
	if (set->point->insn)
		local_irq_restore(flags);
	pe_alone_end();
	return wants;
}

/*
 * Copy the arguments on the stack to where the body expects them.  Their number is an upper
 * bound: at the very top of a stack, the next page may not exist.
 */
static __always_inline void pe_copy_arguments(unsigned long *base, const struct pe_return_set *set)
{
	size_t len = set->point->stack_words * sizeof(long);
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
 * pe_return_enter_probes() - run the entry handlers of a call
 * @set: its probes
 * @regs: as at the function's entry; below the frame on the stack
 * @base: of the frame, for which there is room
 *
 * Return: a bit for each probe that wants the return.
 */
unsigned long pe_return_enter_probes(const struct pe_return_set *set, struct pt_regs *regs,
				     unsigned long *base)
{
	struct pe_kretprobe *rp;
	unsigned long mask = 0;
	struct pe_hit hit;
	unsigned int i;
	void *data;
	bool room;

	pe_hit_called(&hit, regs, PREEMPT_DISABLE_OFFSET);
	if (!pe_hit_begin(hit.level)) {
		pe_hit_count_missed(set);
		return 0;
	}
	room = pe_stack_left(regs, set);
	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (!rp)
			continue;
		data = (void *)base - set->member[i].offset;
		if (likely(pe_fires_and_nests(&rp->kp)) ? pe_enter_one(rp, &hit, data, room) :
							  pe_enter_alone(set, rp, &hit, data, room))
			mask |= 1UL << i;
	}
	/* Before the hit ends: copying calls functions that may be probed. */
	if (mask)
		pe_copy_arguments(base, set);
	pe_hit_end(hit.level);
	return mask;
}

/* As many frames as fit on a stack. */
#define TAIL_CALLS_MAX	(THREAD_SIZE / (4 * sizeof(long)))

/*
 * Find the outer frame if the one at @base returns into that one's call slot.  The saved frame
 * pointer is the outer frame's base.  A function that jumps with another one never returns to
 * the outer call slot.  Its hit comes before that.  So the value is checked, and memory is read
 * by pe_read_nofault().
 *
 * Return: the outer frame's base, with its frame pointer and R in @frame; or NULL.
 */
static unsigned long *pe_outer_frame(unsigned long *base, unsigned long frame[2])
{
	unsigned long below = (unsigned long)(base + 2), outer = base[0];

	/* Its words are between its T, which is our R, and its base. */
	if (outer - below > PE_FRAME_MAX || outer % sizeof(long) ||
	    !pe_read_nofault(frame, outer, 2 * sizeof(long)))
		return NULL;
	return (unsigned long *)outer;
}

/*
 * Where does the function return to?  The word on the stack is one of these:
 *
 *   - the true address;
 *   - the address of another tracer, which has kept the word that it found;
 *   - our own address, if another probed function has ended with a jump to this one.
 *
 * The word that the other tracer found may be our own address, too.  This runs before the
 * hit ends: it calls functions that may be probed.
 */
static noinline unsigned long pe_find_true_return(unsigned long *base)
{
	unsigned long ret = base[1], found, frame[2];
	unsigned int i;

	for (i = 0; i < TAIL_CALLS_MAX; i++) {
		if (pe_arch_in_call_slots(ret)) {
			base = pe_outer_frame(base, frame);
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

static __always_inline unsigned long pe_true_return(unsigned long *base)
{
	return likely(pe_is_true_return(base[1])) ? base[1] : pe_find_true_return(base);
}

/*
 * A return calls this to run the handler of a probe without PE_KPROBE_NESTS.  No handler of such a
 * probe is running here.  A running one would have begun after the call's entry, which would have
 * been missed otherwise.  And it ends before the code that it has interrupted, or that has been
 * probed, goes on: that is all code between the call's entry and its return.
 */
void pe_return_alone(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
		     void *data)
{
	pe_alone_begin();
	rp->handler(rp, hit, ret_ip, data);
	pe_alone_end();
}

/**
 * pe_return_leave_probes() - run the handlers of a call that has returned to its call slot
 * @set: the set with which the call was entered
 * @mask: a bit for each probe that wants the return
 * @regs: as the function left them
 * @base: of the frame
 *
 * A probe that is gone or disabled is left out.
 */
void pe_return_leave_probes(const struct pe_return_set *set, unsigned long mask,
			    struct pt_regs *regs, unsigned long *base)
{
	struct pe_kretprobe *rp;
	struct pe_hit hit;
	unsigned int i;
	bool begun;

	pe_hit_called(&hit, regs, PREEMPT_DISABLE_OFFSET);
	begun = pe_hit_begin(hit.level);
	if (begun)
		instruction_pointer_set(regs, pe_true_return(base));
	for (i = 0; i < set->n; i++) {
		rp = READ_ONCE(set->member[i].rp);
		if (!rp || !(mask & (1UL << i)))
			continue;
		if (!begun || !pe_wants_hit(&rp->kp)) {
			this_cpu_inc(rp->stat->dropped);
			if (!begun)
				pe_tell_miss(&rp->kp, PE_MISS_RETURN);
			continue;
		}
		rp->call(rp, &hit, instruction_pointer(regs),
			 (void *)base - set->member[i].offset);
		smp_wmb();				/* pe_return_enter_probes:E */
		this_cpu_inc(rp->stat->returns);
	}
	if (begun)
		pe_hit_end(hit.level);
}
