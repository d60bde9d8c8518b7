// SPDX-License-Identifier: GPL-2.0
/*
 * kprobes_hit.c - run the handlers of a site.  [H]
 *
 * Nesting.  Contexts interrupt one another in the order of enum pe_level; on
 * one CPU each level is active at most once, apart from recursion.  So one busy
 * flag per CPU and level decides: a hit at a level that is idle is served, also
 * when handlers of a lower level are running beneath; a hit at a level that is
 * busy comes from within a handler (or from what a handler called) and is
 * counted in each probe's @missed instead.  Either way the probed instruction
 * is executed by the caller.
 *
 * The flag needs no atomic operation: only this CPU writes it, preemption is
 * off, and an interrupt that finds it at another level leaves it as it was.
 *
 * What level?  That of the probed code, read from preempt_count() minus what
 * was added on the way here.  A breakpoint's exception entry makes in_nmi()
 * true; if handlers of a breakpoint hit another breakpoint, that has happened
 * twice.  @depth counts the breakpoint hits in progress on the CPU, and each
 * accounts for one addition; an NMI in the count that is left is a real one.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include "kernel/compat.h"
#include "kernel/kprobes.h"

struct hit_cpu {
	unsigned int depth;
	bool busy[PE_NR_LEVELS];
};

static DEFINE_PER_CPU(struct hit_cpu, hit_cpu);

/*
 * What irqentry_nmi_enter() and, where read-side sections disable preemption,
 * the notifier chain's rcu_read_lock() have added.
 */
#define EXCEPTION_ADDS	(NMI_OFFSET + HARDIRQ_OFFSET +				\
			 (IS_ENABLED(CONFIG_PREEMPT_RCU) ? 0 : PREEMPT_DISABLE_OFFSET))

static enum pe_level level_of(unsigned int preempt_count)
{
	if (preempt_count & NMI_MASK)
		return PE_LEVEL_NMI;
	if (preempt_count & HARDIRQ_MASK)
		return PE_LEVEL_IRQ;
	if (pe_softirq_bits(preempt_count) & SOFTIRQ_OFFSET)
		return PE_LEVEL_SOFTIRQ;
	return PE_LEVEL_TASK;
}
NOKPROBE_SYMBOL(level_of);

static bool wants_hit(const struct pe_kprobe *kp)
{
	return !(READ_ONCE(kp->flags) & (PE_KPROBE_DISABLED | PE_KPROBE_GONE));
}
NOKPROBE_SYMBOL(wants_hit);

static void count_missed(struct pe_site *site)
{
	struct pe_kprobe *kp;

	list_for_each_entry_rcu(kp, &site->probes, node, true) {
		if (wants_hit(kp))
			this_cpu_inc(*kp->missed);
	}
}
NOKPROBE_SYMBOL(count_missed);

static void run_handlers(struct pe_site *site, struct hit_cpu *cpu, struct pt_regs *regs,
			 unsigned int preempt_count)
{
	struct pe_hit hit = {
		.regs = regs,
		.preempt_count = preempt_count,
		.level = level_of(preempt_count),
	};
	struct pe_kprobe *kp;

	if (READ_ONCE(cpu->busy[hit.level])) {
		count_missed(site);
		return;
	}
	WRITE_ONCE(cpu->busy[hit.level], true);
	barrier();	/* an interrupt in a handler sees the flag */
	list_for_each_entry_rcu(kp, &site->probes, node, true) {
		if (wants_hit(kp))
			kp->handler(kp, &hit);
	}
	barrier();
	WRITE_ONCE(cpu->busy[hit.level], false);
}
NOKPROBE_SYMBOL(run_handlers);

/**
 * pe_site_hit_exception() - a site's breakpoint has been executed
 * @site: found under the RCU protection of the notifier chain
 * @regs: ->ip is the address plus one, as the exception left it
 */
void pe_site_hit_exception(struct pe_site *site, struct pt_regs *regs)
{
	struct hit_cpu *cpu = this_cpu_ptr(&hit_cpu);
	unsigned int depth = cpu->depth + 1;

	WRITE_ONCE(cpu->depth, depth);
	barrier();	/* a nested breakpoint sees the depth */
	run_handlers(site, cpu, regs, preempt_count() - depth * EXCEPTION_ADDS);
	barrier();
	WRITE_ONCE(cpu->depth, depth - 1);
}
NOKPROBE_SYMBOL(pe_site_hit_exception);

/**
 * pe_site_hit_entry() - a function has been entered, seen by its call site
 * @site: found with preemption off
 * @regs: ->ip is the address plus one, made so by the caller
 *
 * The caller has disabled preemption once and changed nothing else.
 */
void pe_site_hit_entry(struct pe_site *site, struct pt_regs *regs)
{
	struct hit_cpu *cpu = this_cpu_ptr(&hit_cpu);
	unsigned int depth = READ_ONCE(cpu->depth);

	run_handlers(site, cpu, regs,
		     preempt_count() - PREEMPT_DISABLE_OFFSET - depth * EXCEPTION_ADDS);
}
NOKPROBE_SYMBOL(pe_site_hit_entry);
