/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit.h - nesting of hits on a CPU.  [H]
 *
 * Contexts interrupt one another in the order of enum pe_level.  On one CPU each
 * level is active at most once, apart from recursion.  So each CPU has a busy flag
 * for each level:
 *
 *   clear   the hit is served, even if handlers of a lower level are interrupted
 *   set     the hit comes from within a handler, or from code that a handler called;
 *           it is only counted
 *
 * The flag needs no atomic operation: only this CPU writes it, preemption is
 * off, and an interrupt at another level leaves it as it was.  Two compiler barriers
 * order it against a hit that interrupts the handlers:
 *
 *   pe_hit_begin:A   the flag is set before the handlers' first instruction
 *   pe_hit_end:A     it is cleared after their last one
 *
 * A handler may hold a lock, if its probe does not have PE_KPROBE_NESTS.  So each CPU has one more
 * flag, over all levels: a handler of such a probe is running.  Hits see it in the same way, and
 * only for such probes (pe_alone_begin:A, pe_alone_end:A).
 *
 * The level of a hit is that of the probed code: preempt_count() minus what was added
 * on the way here.  A breakpoint's exception entry makes in_nmi() true.  If handlers of
 * a breakpoint hit another breakpoint, that has happened twice.  @depth counts the
 * breakpoint hits in progress on the CPU, and each has made one addition.  An NMI in the
 * count that is left is a real one.
 *
 * An interrupt that ends has taken back its part of the count when the kernel starts threads for
 * its softirqs: always on RT, or with threadirqs.  Hits there have the count of the interrupted
 * code.  If that is a handler of ours, they would pass for recursion.  But they are not on the
 * task's stack, as that code is.  Interrupts are off, so PE_LEVEL_IRQ is free (pe_hit_level()).
 * (On 5.10 an interrupt ends on the task's stack, and such hits do count as recursion.)
 */
#ifndef PE_HIT_H
#define PE_HIT_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <pe/kprobe.h>
#include <pe_arch/hit_entry.h>
#include "kernel/know/compat.h"

/* A function that runs at hits, in a file without that mark: no kprobe may come there (Kbuild). */
#define __pe_hit_text	__section(".kprobes.text")

struct pe_hit_cpu {
	unsigned int depth;
	bool busy[PE_NR_LEVELS];
};

/* Defined in the arena. */
DECLARE_PER_CPU(struct pe_hit_cpu, pe_hit_cpu);

/* A handler of a probe without PE_KPROBE_NESTS is running; site_hit.c. */
DECLARE_PER_CPU(bool, pe_alone_runs);

static __always_inline enum pe_level pe_level_of(unsigned int preempt_count)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT) &&
	    likely(!(preempt_count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return PE_LEVEL_TASK;
	if (preempt_count & NMI_MASK)
		return PE_LEVEL_NMI;
	if (preempt_count & HARDIRQ_MASK)
		return PE_LEVEL_IRQ;
	if (pe_softirq_bits(preempt_count) & SOFTIRQ_OFFSET)
		return PE_LEVEL_SOFTIRQ;
	return PE_LEVEL_TASK;
}

/* May code at this level be only on the stack of its task, but for an interrupt that ends? */
static __always_inline bool pe_level_of_task(enum pe_level level)
{
	return level == PE_LEVEL_TASK ||
	       (IS_ENABLED(CONFIG_PREEMPT_RT) && level == PE_LEVEL_SOFTIRQ);
}

/* @hit is on the stack of the probed code. */
static __always_inline void pe_hit_level(struct pe_hit *hit)
{
	enum pe_level level = pe_level_of(hit->preempt_count);

	if (unlikely(raw_cpu_read(pe_hit_cpu.busy[level])) && pe_level_of_task(level) &&
	    !object_is_on_stack(hit))
		level = PE_LEVEL_IRQ;
	hit->level = level;
}

#define PE_KPROBE_NOT_FIRING	(PE_KPROBE_DISABLED | PE_KPROBE_GONE | PE_KPROBE_STOPPED)

static __always_inline bool pe_wants_hit(const struct pe_kprobe *kp)
{
	return !(READ_ONCE(kp->flags) & PE_KPROBE_NOT_FIRING);
}

static __always_inline void pe_tell_miss(struct pe_kprobe *kp, enum pe_miss why)
{
	if (unlikely(kp->miss))
		kp->miss(kp, why);
}

/* A hit has come while the level was busy, or for a probe that does not nest, and may not run. */
static __always_inline void pe_count_missed(struct pe_kprobe *kp)
{
	this_cpu_inc(*kp->missed);
	pe_tell_miss(kp, PE_MISS_BUSY);
}

/* Does the probe want hits, whatever handler they interrupt? */
static __always_inline bool pe_fires_and_nests(const struct pe_kprobe *kp)
{
	return !(READ_ONCE(kp->flags) & (PE_KPROBE_NOT_FIRING | PE_KPROBE_ALONE));
}

#define PE_KPROBE_NOT_OBSERVING	(PE_KPROBE_NOT_FIRING | PE_KPROBE_CHANGES)

/* The same, where only probes that change nothing are served. */
static __always_inline bool pe_only_observes(const struct pe_kprobe *kp)
{
	return !(READ_ONCE(kp->flags) & PE_KPROBE_NOT_OBSERVING);
}

/*
 * A breakpoint of ours has been executed; until pe_hit_trap_ends().  Its exception has added to
 * preempt_count(), and so have those below it on this CPU.
 */
static __always_inline void pe_hit_trapped(struct pe_hit *hit, struct pt_regs *regs)
{
	unsigned int depth = raw_cpu_read(pe_hit_cpu.depth) + 1;

	raw_cpu_write(pe_hit_cpu.depth, depth);
	barrier();	/* a nested breakpoint sees the depth */
	hit->regs = regs;
	hit->preempt_count = preempt_count() - depth * PE_EXCEPTION_ADDS;
	pe_hit_level(hit);
}

/* Breakpoints in between have ended: the depth is what it was. */
static __always_inline void pe_hit_trap_ends(void)
{
	barrier();
	raw_cpu_write(pe_hit_cpu.depth, raw_cpu_read(pe_hit_cpu.depth) - 1);
}

/*
 * A hit that came by a call (ftrace, a stub, a return), not by an exception.  @added has been
 * added to preempt_count() on the way, and nothing else.
 */
static __always_inline void pe_hit_called(struct pe_hit *hit, struct pt_regs *regs,
					  unsigned int added)
{
	hit->regs = regs;
	hit->preempt_count = preempt_count() - added -
			     raw_cpu_read(pe_hit_cpu.depth) * PE_EXCEPTION_ADDS;
	pe_hit_level(hit);
}

/*
 * Does RCU wait for this CPU?  RCU stops waiting when the idle task has reported the CPU dead,
 * and starts when the idle task brings the CPU up.  In between the CPU is not online.  (A CPU
 * that goes is already marked not online while RCU still waits for it.  Then it runs another
 * task.)
 */
static __always_inline bool pe_rcu_waits(void)
{
	return likely(cpu_online(raw_smp_processor_id())) || !is_idle_task(current);
}

/*
 * May a call be served on this CPU?  Preemption is off.  If so, a probe that is looked up is
 * not freed meanwhile.  (Code that frees a probe also waits for CPUs that come up or go down:
 * pe_wait_for_hits().)
 */
static __always_inline bool pe_cpu_watched(void)
{
	return likely(pe_rcu_is_watching()) && pe_rcu_waits();
}

/*
 * May handlers run now?  If so, they run until pe_hit_end().  @level: a word, so that it is not
 * extended to index the flags.
 */
static __always_inline bool pe_hit_begin(unsigned long level)
{
	if (raw_cpu_read(pe_hit_cpu.busy[level]))
		return false;
	raw_cpu_write(pe_hit_cpu.busy[level], true);
	barrier();	/* pe_hit_begin:A, a hit from within a handler sees the flag */
	return true;
}

static __always_inline void pe_hit_end(unsigned long level)
{
	barrier();	/* pe_hit_end:A */
	raw_cpu_write(pe_hit_cpu.busy[level], false);
}

/*
 * May the handlers of a probe without PE_KPROBE_NESTS run now?  The hit has begun.  If so, they are
 * the only such ones on this CPU until pe_alone_end().  If not, a hit is to be counted as missed.
 */
static __always_inline bool pe_alone_begin(void)
{
	if (raw_cpu_read(pe_alone_runs))
		return false;
	raw_cpu_write(pe_alone_runs, true);
	barrier();	/* pe_alone_begin:A, a hit that interrupts a handler sees the flag */
	return true;
}

static __always_inline void pe_alone_end(void)
{
	barrier();	/* pe_alone_end:A */
	raw_cpu_write(pe_alone_runs, false);
}

#endif
