// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ftrace_hit.c - calls of function entries, as ftrace or our own stubs tell us of them.  [H]
 *
 * mech/ftrace.c says which function is told of which calls.  The stubs tell us of calls of
 * functions that have no other tracer; nothing comes between.
 *
 * ftrace tells us of those that have one.  The ops have no FTRACE_OPS_FL_RECURSION and no
 * _FL_RCU: either flag makes ftrace drop calls without telling us.  One case remains.
 * ftrace's list function silently drops calls that another tracer's callback makes, from the
 * second level of nesting on.
 *
 * Recursion is counted by pe_site_serve_call().  A call while RCU isn't watching, or doesn't wait
 * for the CPU, can't be served, because nothing may be looked up.  It is counted here.
 * (Most such code is noinstr and has no entry to trace.)
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <pe/symbols.h>
#include <pe_arch/hit_entry.h>
#include "kernel/know/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/probe/site_hit.h"
#include "kernel/probe/stat.h"

/* The function that calls several ops one after the other, with preemption off. */
static unsigned long pe_list_func __read_mostly, pe_list_func_size __read_mostly;

/* Call it once, while loading. */
void pe_ftrace_hit_init(void)
{
	unsigned long addr = pe_ksym_address("ftrace_ops_list_func");

	if (addr && !pe_symbol_at(addr, &pe_list_func, &pe_list_func_size))
		pe_list_func_size = 0;
}

/* The value added to preempt_count() since the call, by @caller and by us. */
static __always_inline unsigned int pe_preempt_added(unsigned long caller)
{
	bool by_list = caller - pe_list_func < pe_list_func_size;

	return by_list ? 2 * PREEMPT_DISABLE_OFFSET : PREEMPT_DISABLE_OFFSET;
}

/* Return: has a handler diverted the call?  Only if @may_divert. */
static __always_inline bool pe_ftrace_hit_serve(struct pe_site *site, struct pt_regs *regs,
						unsigned long ip, unsigned int added,
						bool may_divert)
{
	unsigned long orig_ip = instruction_pointer(regs);
	enum pe_site_hits hits = READ_ONCE(site->hits);
	bool diverted = false;

	if (hits == PE_HITS_NONE || pe_arch_call_is_served(regs))
		return false;
	instruction_pointer_set(regs, ip + PE_HIT_IP_PAST);
	if (may_divert && hits == PE_HITS_CHANGED)
		diverted = pe_site_change_call(site, regs, added, pe_arch_stub_return(ip));
	else
		pe_site_serve_call(site, regs, added);
	if (!diverted)
		instruction_pointer_set(regs, orig_ip);
	pe_arch_call_set_served(regs);
	return diverted;
}

/* Count a call that can't be served.  Preemption is off. */
static __always_inline bool pe_can_be_served(void)
{
	if (likely(pe_cpu_watched()))
		return true;
	pe_count_unwatched();
	return false;
}

/*
 * Find the site if its call can be served, with preemption off; or NULL.
 *
 * @regs is NULL only for a call that entered the function before the site was armed.  The
 * call was on its way to ftrace for another tracer, which wants no registers, when ftrace
 * was told of the site.  It is no hit.
 */
static __always_inline struct pe_site *pe_site_entered(unsigned long ip, const struct pt_regs *regs)
{
	if (!pe_can_be_served())
		return NULL;
	return likely(regs) ? pe_site_find(ip) : NULL;
}

/* Any context.  Preemption may be on. */
void pe_ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	unsigned int added = pe_preempt_added((unsigned long)__builtin_return_address(0));
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pe_site *site;

	preempt_disable_notrace();
	site = pe_site_entered(ip, regs);
	if (site)
		pe_ftrace_hit_serve(site, regs, ip, added, false);
	preempt_enable_notrace();
}

/*
 * Serve the entry of a function with diverted calls.  If another tracer has sent this call
 * elsewhere already (the kernel's error injection, with a kprobe), the function is not
 * called.  Preemption may be on.
 */
void pe_ftrace_hit_divert(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	unsigned int added = pe_preempt_added((unsigned long)__builtin_return_address(0));
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pe_site *site;
	unsigned long to;

	preempt_disable_notrace();
	site = pe_site_entered(ip, regs);
	if (site && !pe_ftrace_hit_serve(site, regs, ip, added, true)) {
		to = READ_ONCE(site->divert_to);	/* divert:B */
		if (to && pe_arch_call_goes_on(regs, ip))
			ftrace_regs_set_instruction_pointer(fregs, to);
	}
	preempt_enable_notrace();
}

/*
 * The stubs.  No other tracer could have seen the call, marked it, or sent it elsewhere; and
 * nothing but the lines here has been added to preempt_count().
 */

/**
 * pe_ftrace_stub_hit() - a function has been entered that is in our first filter only
 * @regs: as the stub has made it; ->ip is the address of the call plus PE_HIT_IP_PAST
 *
 * Context: any; preemption may be on.
 */
void __no_stack_protector pe_ftrace_stub_hit(struct pt_regs *regs)
{
	struct pe_site *site;

	preempt_disable_notrace();
	if (pe_can_be_served()) {
		site = pe_site_find(instruction_pointer(regs) - PE_HIT_IP_PAST);
		if (likely(site))
			pe_site_serve_call(site, regs, PREEMPT_DISABLE_OFFSET);
	}
	preempt_enable_notrace();
}

/* Handlers may change registers.  Preemption is off, and on again when this returns. */
static noinline unsigned long __no_stack_protector pe_stub_change(struct pe_site *site,
								  struct pt_regs *regs,
								  unsigned long ip)
{
	unsigned long next = pe_arch_stub_return(ip);

	if (!pe_site_change_call(site, regs, PREEMPT_DISABLE_OFFSET, next))
		instruction_pointer_set(regs, READ_ONCE(site->divert_to) ?: next); /* divert:B */
	preempt_enable_notrace();
	return 0;
}

/**
 * pe_ftrace_stub_hit_divert() - a function with diverted calls has been entered
 * @regs: as the stub has made it; ->ip is the address of the call plus PE_HIT_IP_PAST
 *
 * Context: any; preemption may be on.
 * Return: where the call goes on; 0: that is in ->ip, and any register but ->sp may have been
 * changed.
 */
unsigned long __no_stack_protector pe_ftrace_stub_hit_divert(struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs) - PE_HIT_IP_PAST;
	enum pe_site_hits hits;
	struct pe_site *site;
	unsigned long to = 0;

	preempt_disable_notrace();
	site = pe_can_be_served() ? pe_site_find(ip) : NULL;
	if (likely(site)) {
		hits = READ_ONCE(site->hits);
		if (unlikely(hits == PE_HITS_CHANGED))
			return pe_stub_change(site, regs, ip);
		if (hits != PE_HITS_NONE)
			pe_site_serve_call(site, regs, PREEMPT_DISABLE_OFFSET);
		to = READ_ONCE(site->divert_to);	/* divert:B */
	}
	preempt_enable_notrace();
	return to ?: pe_arch_stub_return(ip);
}
