// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_hit.c - calls that ftrace tells us of.  [H]
 *
 * mech/ftrace.c says which of the two functions is told of which calls.  Their ops have no
 * FTRACE_OPS_FL_RECURSION and no _FL_RCU: either flag makes ftrace drop calls without
 * telling us.  One case remains.  If several tracers trace a function, ftrace's list function
 * silently drops calls that another tracer's callback makes, from the second level of
 * nesting on.
 *
 * pe_site_hit_entry() counts recursion.  A call while RCU isn't watching, or doesn't wait for
 * the CPU, can't be served, because nothing may be looked up.  It is counted here.  (Most such
 * code is noinstr and has no entry to trace.)
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include "kernel/hit.h"
#include "kernel/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/site.h"
#include "kernel/stat.h"

/* The function that calls several ops one after the other, with preemption off. */
static unsigned long list_func __read_mostly, list_func_size __read_mostly;

/* Call it once, while loading. */
void pe_ftrace_hit_init(void)
{
	unsigned long addr = pe_ksym_address("arch_ftrace_ops_list_func");

	if (addr && !pe_symbol_at(addr, &list_func, &list_func_size))
		list_func_size = 0;
}

/* The value added to preempt_count() since the call, by @caller and by us. */
static __always_inline unsigned int preempt_added(unsigned long caller)
{
	bool by_list = caller - list_func < list_func_size;

	return by_list ? 2 * PREEMPT_DISABLE_OFFSET : PREEMPT_DISABLE_OFFSET;
}

static __always_inline void serve(struct pe_site *site, struct pt_regs *regs, unsigned long ip,
				  unsigned int added)
{
	unsigned long orig_ip = instruction_pointer(regs);

	if (list_empty(&site->probes[PE_CLIENT_HITS]) || pe_arch_call_is_served(regs))
		return;
	instruction_pointer_set(regs, ip + 1);
	pe_site_hit_entry(site, regs, added);
	instruction_pointer_set(regs, orig_ip);
	pe_arch_call_set_served(regs);
}

/*
 * The site whose call can be served, with preemption off; or NULL.
 *
 * @regs is NULL only for a call that entered the function before the site was armed.  The
 * call was on its way to ftrace for another tracer, which wants no registers, when ftrace
 * was told of the site.  It is no hit.
 */
static __always_inline struct pe_site *site_entered(unsigned long ip, const struct pt_regs *regs)
{
	if (unlikely(!pe_cpu_watched())) {
		pe_count_unwatched();
		return NULL;
	}
	return likely(regs) ? pe_site_find(ip) : NULL;
}

/* Any context.  Preemption may be on. */
void pe_ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	unsigned int added = preempt_added((unsigned long)__builtin_return_address(0));
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pe_site *site;

	preempt_disable_notrace();
	site = site_entered(ip, regs);
	if (site)
		serve(site, regs, ip, added);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(pe_ftrace_hit);

/*
 * The entry of a function whose calls are diverted.  If another tracer has sent this call
 * elsewhere already (the kernel's error injection, with a kprobe), the function is not
 * called.  Preemption may be on.
 */
void pe_ftrace_hit_divert(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	unsigned int added = preempt_added((unsigned long)__builtin_return_address(0));
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pe_site *site;
	unsigned long to;

	preempt_disable_notrace();
	site = site_entered(ip, regs);
	if (site) {
		serve(site, regs, ip, added);
		to = READ_ONCE(site->divert_to);
		if (to && pe_arch_call_goes_on(regs, ip))
			ftrace_regs_set_instruction_pointer(fregs, to);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(pe_ftrace_hit_divert);
