/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * site_hit.h - run the handlers of a site, inline.  [H]
 *
 * hit.h says how hits nest.  A hit at a busy level is counted in each probe's @missed
 * instead, and so is one for a probe that does not nest, while another one's handler runs.  In any
 * case the caller executes the probed instruction.
 */
#ifndef PE_SITE_HIT_H
#define PE_SITE_HIT_H

#include <linux/percpu.h>
#include <linux/rculist.h>
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"

/* site_hit.c: count for probes without any of @flags. */
void pe_site_count_missed(struct pe_site *site, unsigned int flags);

/* The hit has begun.  No handler that runs changes registers. */
static __always_inline void pe_site_run_handlers(const struct pe_site *site,
						 const struct pe_hit *hit)
{
	struct pe_kprobe *kp;

	list_for_each_entry_rcu(kp, &site->probes[PE_CLIENT_HITS], node, true) {
		if (likely(pe_only_observes(kp)))
			kp->call(kp, hit);
	}
}

/*
 * A function has been entered, as its call of ftrace, or of us, shows.  @site: found with
 * preemption off.  @regs: ->ip is the address plus PE_HIT_IP_PAST.  @preempt_added: added to
 * preempt_count() since the call; preemption is off.
 */
static __always_inline void pe_site_serve_call(struct pe_site *site, struct pt_regs *regs,
					       unsigned int preempt_added)
{
	struct pe_hit hit __uninitialized;

	pe_hit_called(&hit, regs, preempt_added);
	if (unlikely(!pe_hit_begin(hit.level))) {
		pe_site_count_missed(site, PE_KPROBE_NOT_OBSERVING);
		return;
	}
	pe_site_run_handlers(site, &hit);
	pe_hit_end(hit.level);
}

#endif
