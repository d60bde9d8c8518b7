/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hit.h - nesting of hits on a CPU.  [H]
 *
 * Contexts interrupt one another in the order of enum pe_level; on one CPU each
 * level is active at most once, apart from recursion.  So one busy flag per CPU
 * and level decides: a hit at a level that is idle is served, also when handlers
 * of a lower level are running beneath; a hit at a level that is busy comes from
 * within a handler (or from what a handler called) and is only counted.
 *
 * The flag needs no atomic operation: only this CPU writes it, preemption is
 * off, and an interrupt that finds it at another level leaves it as it was.
 *
 * What level?  That of the probed code, read from preempt_count() minus what was
 * added on the way here.  A breakpoint's exception entry makes in_nmi() true; if
 * handlers of a breakpoint hit another breakpoint, that has happened twice.
 * @depth counts the breakpoint hits in progress on the CPU, and each accounts
 * for one addition; an NMI in the count that is left is a real one.
 */
#ifndef PE_HIT_H
#define PE_HIT_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <pe/kprobe.h>
#include <pe_arch/hit.h>
#include "kernel/compat.h"

struct pe_hit_cpu {
	unsigned int depth;
	bool busy[PE_NR_LEVELS];
};

DECLARE_PER_CPU(struct pe_hit_cpu, pe_hit_cpu);

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

#define PE_KPROBE_NOT_FIRING	(PE_KPROBE_DISABLED | PE_KPROBE_GONE | PE_KPROBE_STOPPED)

static __always_inline bool pe_wants_hit(const struct pe_kprobe *kp)
{
	return !(READ_ONCE(kp->flags) & PE_KPROBE_NOT_FIRING);
}

/*
 * The hit of code that was called, not interrupted, by what is probed: on the way
 * @added has been added to preempt_count(), and nothing else.
 */
static __always_inline void pe_hit_called(struct pe_hit *hit, const struct pe_hit_cpu *cpu,
					  struct pt_regs *regs, unsigned int added)
{
	hit->regs = regs;
	hit->preempt_count = preempt_count() - added -
			     READ_ONCE(cpu->depth) * PE_EXCEPTION_ADDS;
	hit->level = pe_level_of(hit->preempt_count);
}

/* The same, shorter where the address of the CPU's struct is not at hand. */
static __always_inline void pe_hit_called_here(struct pe_hit *hit, struct pt_regs *regs,
					       unsigned int added)
{
	hit->regs = regs;
	hit->preempt_count = preempt_count() - added -
			     raw_cpu_read(pe_hit_cpu.depth) * PE_EXCEPTION_ADDS;
	hit->level = pe_level_of(hit->preempt_count);
}

/*
 * Does RCU wait for this CPU?  It stops when the idle task has reported the CPU dead and
 * starts when the idle task brings the CPU up; in between the CPU is not online.  (What
 * stops a CPU before, while RCU does wait, is another task.)
 */
static __always_inline bool pe_rcu_waits(void)
{
	return likely(cpu_online(raw_smp_processor_id())) || !is_idle_task(current);
}

/*
 * May a call be served on this CPU?  Preemption is off.  Only then can a probe be looked up
 * without anybody freeing it.  (Whoever frees one waits for CPUs on their way, too:
 * pe_wait_for_hits().)
 */
static __always_inline bool pe_cpu_watched(void)
{
	return likely(pe_rcu_is_watching()) && pe_rcu_waits();
}

/* May handlers run now?  If so, they run until pe_hit_end(). */
static __always_inline bool pe_hit_begin(struct pe_hit_cpu *cpu, enum pe_level level)
{
	if (READ_ONCE(cpu->busy[level]))
		return false;
	WRITE_ONCE(cpu->busy[level], true);
	barrier();	/* an interrupt in a handler sees the flag */
	return true;
}

static __always_inline void pe_hit_end(struct pe_hit_cpu *cpu, enum pe_level level)
{
	barrier();
	WRITE_ONCE(cpu->busy[level], false);
}

/* The same on this CPU, shorter where the address of its struct is not at hand. */
static __always_inline bool pe_hit_begin_here(unsigned long level)
{
	if (raw_cpu_read(pe_hit_cpu.busy[level]))
		return false;
	raw_cpu_write(pe_hit_cpu.busy[level], true);
	barrier();	/* an interrupt in a handler sees the flag */
	return true;
}

static __always_inline void pe_hit_end_here(unsigned long level)
{
	barrier();
	raw_cpu_write(pe_hit_cpu.busy[level], false);
}

#endif
