// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * change_hit.c - hits of sites with probes that may change registers, divert, or see the end of
 * the instruction.  [H]
 *
 * Probes run in the order of their registration, those that only observe among them.  The
 * first handler that diverts ends the hit: no handler after it runs, the instruction is not
 * executed, and no post handler runs.
 *
 * Probes without PE_KPROBE_NESTS have the whole hit for themselves: from the first one's handler
 * on, no handler of another hit interrupts it that might want the same lock.
 *
 * An instruction that is executed here has its post handlers in the same hit.  One that is
 * executed from a slot has them in a hit of its own, when the breakpoint after the copy is
 * reached.  Nothing is kept in between: the task may sleep there, or move to another CPU.
 */
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include "kernel/arch.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/probe/site_hit.h"
#include "kernel/probe/stat.h"

/* A hit that has begun.  @asked: it has met a probe without PE_KPROBE_NESTS; @alone: these run. */
struct pe_change_hit {
	const struct pe_site *site;
	const struct pe_hit *hit;
	bool asked, alone;
};

static bool pe_change_hit_may_run(struct pe_change_hit *c, const struct pe_kprobe *kp)
{
	if (!(READ_ONCE(kp->flags) & PE_KPROBE_ALONE))
		return true;
	if (!c->asked) {
		c->asked = true;
		c->alone = pe_alone_begin();
	}
	return c->alone;
}

static void pe_change_hit_ends(const struct pe_change_hit *c)
{
	if (c->alone)
		pe_alone_end();
	pe_hit_end(c->hit->level);
}

/* Return: false if a handler has diverted.  Otherwise ->ip is what it was. */
static bool pe_run_handlers(struct pe_change_hit *c)
{
	const struct pe_hit *hit = c->hit;
	unsigned long ip = instruction_pointer(hit->regs);
	struct pe_kprobe *kp;

	list_for_each_entry_rcu(kp, &c->site->probes[PE_CLIENT_HITS], node, true) {
		if (!pe_wants_hit(kp))
			continue;
		if (!pe_change_hit_may_run(c, kp)) {
			pe_count_missed(kp);
			continue;
		}
		if (!kp->change) {
			if (kp->handler)
				kp->handler(kp, hit);
			continue;
		}
		if (kp->change(kp, hit) && instruction_pointer(hit->regs) != ip)
			return false;
		instruction_pointer_set(hit->regs, ip);
	}
	return true;
}

/* ->ip is where to go on, and stays so.  Probes that may not run have missed the hit before. */
static void pe_run_posts(struct pe_change_hit *c)
{
	unsigned long ip = instruction_pointer(c->hit->regs);
	struct pe_kprobe *kp;

	if (!READ_ONCE(c->site->posts))
		return;
	list_for_each_entry_rcu(kp, &c->site->probes[PE_CLIENT_HITS], node, true) {
		if (!kp->post || !pe_wants_hit(kp) || !pe_change_hit_may_run(c, kp))
			continue;
		kp->post(kp, c->hit);
		instruction_pointer_set(c->hit->regs, ip);
	}
}

static void pe_change_hit_change(struct pe_site *site, const struct pe_hit *hit)
{
	struct pe_change_hit c = { .site = site, .hit = hit };
	bool begun = pe_hit_begin(hit->level);
	bool goes_on = true;

	if (likely(begun))
		goes_on = pe_run_handlers(&c);
	else
		pe_site_count_missed(site, PE_KPROBE_NOT_FIRING);
	if (goes_on && pe_arch_perform_or_divert(site, hit->regs) && begun)
		pe_run_posts(&c);
	if (begun)
		pe_change_hit_ends(&c);
}

/**
 * pe_site_change_exception() - a breakpoint has been executed, and handlers may change registers
 * @site: found with interrupts off
 * @regs: as for pe_site_hit_exception()
 *
 * Nothing is diverted where RCU watches only because of the exception: no wait would include a
 * task that has been diverted there.  The arrival is counted, once for all probes.
 */
void pe_site_change_exception(struct pe_site *site, struct pt_regs *regs)
{
	struct pe_hit hit;

	pe_hit_trapped(&hit, regs);
	if (likely(pe_rcu_waits() && pe_nmi_in_watched())) {
		pe_change_hit_change(site, &hit);
	} else {
		pe_count_unwatched();
		pe_arch_perform(site, regs);
	}
	pe_hit_trap_ends();
}

/**
 * pe_site_follow_exception() - the breakpoint after the copy of an instruction
 * @site: found with interrupts off
 * @regs: ->ip becomes the address of the next instruction
 *
 * A busy level was busy before the instruction, too: that hit has been counted.  The same goes for
 * a handler of a probe that does not nest.
 */
void pe_site_follow_exception(struct pe_site *site, struct pt_regs *regs)
{
	struct pe_hit hit;
	struct pe_change_hit c = { .site = site, .hit = &hit };

	pe_hit_trapped(&hit, regs);
	instruction_pointer_set(regs, site->addr + pe_arch_insn_length(&site->text->arch));
	if (pe_rcu_waits() && pe_hit_begin(hit.level)) {
		pe_run_posts(&c);
		pe_change_hit_ends(&c);
	}
	pe_hit_trap_ends();
}

/**
 * pe_site_change_call() - a function has been entered at a site that may divert
 * @site: found with preemption off
 * @regs: ->ip is the address plus PE_HIT_IP_PAST
 * @added: to preempt_count() since the call; preemption is off
 * @next: address after the call of us
 *
 * Return: has a handler diverted?  Then ->ip is where to go on; else it is not defined.
 */
bool pe_site_change_call(struct pe_site *site, struct pt_regs *regs, unsigned int added,
			 unsigned long next)
{
	struct pe_hit hit;
	struct pe_change_hit c = { .site = site, .hit = &hit };
	bool goes_on;

	pe_hit_called(&hit, regs, added);
	if (unlikely(!pe_hit_begin(hit.level))) {
		pe_site_count_missed(site, PE_KPROBE_NOT_FIRING);
		return false;
	}
	goes_on = pe_run_handlers(&c);
	if (goes_on) {
		instruction_pointer_set(regs, next);
		pe_run_posts(&c);
	}
	pe_change_hit_ends(&c);
	return !goes_on;
}
