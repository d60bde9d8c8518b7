// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jump_hit.c - a detour has been entered.  [H]
 *
 * The usual hit is served by the stub, without any code here (detour_stub.S): that of a site
 * with a single probe, by a task with preemption on.
 *
 * The hit is a call, with preemption and interrupts as they are at the site.  The detour's slot
 * tells the site.  A site is here as long as a task may be on its way from its jump
 * (jump/jump.c), unless it has been disarmed.
 */
#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include "kernel/arch.h"
#include "kernel/jump/jump.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/probe/site_hit.h"
#include "kernel/probe/stat.h"

struct pe_detour pe_detour_slots[PE_ARCH_DETOURS];

/* For the stub, where a site has not a single probe: all that it has.  The hit has begun. */
static void __no_stack_protector pe_run_all(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	unsigned long from = *(unsigned long *)(hit->regs + 1);
	const struct pe_site *site = READ_ONCE(pe_detour_slots[pe_arch_detour_of(from)].jump->site);

	if (likely(site))
		pe_site_run_handlers(site, hit);
}

struct pe_kprobe pe_detour_all = { .call = pe_run_all };

/* The stub relies on this layout, and that a slot's number there is that of a word. */
static_assert(!offsetof(struct pe_detour, probe) &&
	      sizeof(struct pe_detour) == PE_DETOUR_WORDS * sizeof(long));
static_assert(!offsetof(struct pe_hit, preempt_count) && PE_LEVEL_TASK == 0 &&
	      offsetof(struct pe_hit, level) == 4 && offsetof(struct pe_hit, regs) == 8 &&
	      sizeof(struct pe_hit) == 16);

/* Not for the site: where RCU is not watching, that may be freed meanwhile, but not the jump. */
static noinline void __no_stack_protector pe_cannot_be_served(struct pe_jump *j)
{
	pe_count_unwatched();
	if (!pe_rcu_is_watching())
		WRITE_ONCE(j->unwatched, true);	/* read by pe_jump_look_at_all() */
}

/**
 * pe_jump_hit() - a site's jump has led to its detour
 * @regs: at the site; ->ip is its address plus PE_HIT_IP_PAST
 * @from: an address in the detour
 *
 * Context: any; preemption may be on.
 */
void __no_stack_protector pe_jump_hit(struct pt_regs *regs, unsigned long from)
{
	struct pe_site *site;
	struct pe_jump *j;

	preempt_disable_notrace();
	j = pe_detour_slots[pe_arch_detour_of(from)].jump;
	site = READ_ONCE(j->site);
	if (unlikely(!pe_cpu_watched()))
		pe_cannot_be_served(j);
	else if (likely(site))
		pe_site_serve_call(site, regs, PREEMPT_DISABLE_OFFSET);
	preempt_enable_notrace();
}

/* The stub has switched preemption on; a reschedule is wanted. */
void __no_stack_protector pe_jump_resched(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
