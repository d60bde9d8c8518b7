// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * site_hit.c - the hits of breakpoints, and hits that handlers are not told of.  [H]
 */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/probe/site_hit.h"
#include "kernel/probe/stat.h"

DEFINE_PER_CPU(bool, pe_alone_runs);

void pe_site_count_missed(struct pe_site *site, unsigned int flags)
{
	struct pe_kprobe *kp;

	list_for_each_entry_rcu(kp, &site->probes[PE_CLIENT_HITS], node, true) {
		if (!(READ_ONCE(kp->flags) & flags))
			pe_count_missed(kp);
	}
}

/* A hit calls this to run the handler of a probe without PE_KPROBE_NESTS. */
void pe_hit_alone(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	if (unlikely(!pe_alone_begin())) {
		pe_count_missed(kp);
		return;
	}
	kp->handler(kp, hit);
	pe_alone_end();
}

/* @diverts: the site's state may be PE_SITE_DIVERTING. */
static __always_inline void pe_hit_exception(struct pe_site *site, struct pt_regs *regs,
					     bool diverts)
{
	bool begun = false;
	struct pe_hit hit;

	pe_hit_trapped(&hit, regs);
	if (unlikely(!pe_rcu_waits())) {
		pe_count_unwatched();
	} else if (unlikely(!pe_hit_begin(hit.level))) {
		pe_site_count_missed(site, PE_KPROBE_NOT_OBSERVING);
	} else {
		pe_site_run_handlers(site, &hit);
		begun = true;
	}
	if (unlikely(!pe_nmi_in_watched()))
		WRITE_ONCE(site->text->never, PE_UNWATCHED);	/* read by pe_jump_may_be() */
	if (diverts)
		pe_arch_perform_or_divert(site, regs);
	else
		pe_arch_perform(site, regs);
	if (begun)
		pe_hit_end(hit.level);
	pe_hit_trap_ends();
}

/**
 * pe_site_hit_exception() - a site's breakpoint has been executed
 * @site: found with interrupts off
 * @regs: ->ip is the address plus PE_HIT_IP_PAST, as the exception left it; on return it is where
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
	pe_hit_exception(site, regs, false);
}

/* The same, of a site that may have return probes.  None of its probes changes registers. */
void pe_site_divert_exception(struct pe_site *site, struct pt_regs *regs)
{
	pe_hit_exception(site, regs, true);
}
