// SPDX-License-Identifier: GPL-2.0
/*
 * site_hit.c - run the handlers of a site.  [H]
 *
 * hit.h says how hits nest.  A hit at a busy level is counted in each probe's @missed
 * instead.  In either case the caller executes the probed instruction.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include "kernel/hit.h"
#include "kernel/site.h"
#include "kernel/stat.h"

DEFINE_PER_CPU(struct pe_hit_cpu, pe_hit_cpu);

static void count_missed(struct pe_site *site)
{
	struct pe_kprobe *kp;

	list_for_each_entry_rcu(kp, &site->probes[PE_CLIENT_HITS], node, true) {
		if (pe_wants_hit(kp))
			this_cpu_inc(*kp->missed);
	}
}
NOKPROBE_SYMBOL(count_missed);

/* Return: true if the hit has begun.  Then the caller ends it. */
static __always_inline bool begin_and_handle(struct pe_site *site, struct pe_hit_cpu *cpu,
					     const struct pe_hit *hit)
{
	struct pe_kprobe *kp;

	if (!pe_hit_begin(cpu, hit->level)) {
		count_missed(site);
		return false;
	}
	list_for_each_entry_rcu(kp, &site->probes[PE_CLIENT_HITS], node, true) {
		if (pe_wants_hit(kp))
			kp->handler(kp, hit);
	}
	return true;
}

/**
 * pe_site_hit_exception() - a site's breakpoint has been executed
 * @site: found with interrupts off
 * @regs: ->ip is the address plus one, as the exception left it; on return it is where
 *	to go on
 *
 * The probed instruction is performed within the hit.  So memory reads that may fault
 * make no hits that the kernel would not have made.
 *
 * Nothing is served while RCU does not wait for this CPU.  The site may be looked up there,
 * because code that frees a site waits for CPUs that come or go.
 */
void pe_site_hit_exception(struct pe_site *site, struct pt_regs *regs)
{
	struct pe_hit_cpu *cpu = this_cpu_ptr(&pe_hit_cpu);
	unsigned int depth = cpu->depth + 1;
	struct pe_hit hit = { .regs = regs };
	bool begun = false;

	WRITE_ONCE(cpu->depth, depth);
	barrier();	/* a nested breakpoint sees the depth */
	hit.preempt_count = preempt_count() - depth * PE_EXCEPTION_ADDS;
	hit.level = pe_level_of(hit.preempt_count);
	if (likely(pe_rcu_waits()))
		begun = begin_and_handle(site, cpu, &hit);
	else
		pe_count_unwatched();
	pe_arch_perform(site, regs);
	if (begun)
		pe_hit_end(cpu, hit.level);
	barrier();
	WRITE_ONCE(cpu->depth, depth - 1);
}
NOKPROBE_SYMBOL(pe_site_hit_exception);

/**
 * pe_site_hit_entry() - a function has been entered, as its call of ftrace shows
 * @site: found with preemption off
 * @regs: ->ip is the address plus one; the caller has set it
 * @preempt_added: added to preempt_count() since the call; preemption is off
 */
void pe_site_hit_entry(struct pe_site *site, struct pt_regs *regs, unsigned int preempt_added)
{
	struct pe_hit_cpu *cpu = this_cpu_ptr(&pe_hit_cpu);
	struct pe_hit hit;

	pe_hit_called(&hit, cpu, regs, preempt_added);
	if (begin_and_handle(site, cpu, &hit))
		pe_hit_end(cpu, hit.level);
}
NOKPROBE_SYMBOL(pe_site_hit_entry);
