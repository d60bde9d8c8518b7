// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * check.c - may this function have return probes?
 */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/stringify.h>
#include <pe/symbols.h>
#include <pe_arch/kernel_names.h>
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"
#include "kernel/return/return.h"

static const char pe_because_stack[] = "the function switches stacks";
static const char pe_because_frame[] = "the function finds more than a return address on its stack";
static const char pe_because_watching[] = "RCU does not watch before or after the function";

/*
 * Functions that can't be called through, besides those of the kernel's own list.
 */
static const struct pe_named pe_return_check_names[] = {
	{ "__switch_to", pe_because_stack, true },
	{ "ret_from_fork", pe_because_frame, true },
	PE_ARCH_NO_RETURN_PROBES
	{ "ct_irq_*", pe_because_watching },
	/* Their names before 6.0. */
	{ "rcu_irq_enter_irqson", pe_because_watching },
	{ "rcu_irq_exit_irqson", pe_because_watching },
	{ "rcu_irq_exit_preempt", pe_because_watching },
};

/* Called once, at load.  Return: false, and said in the log, if one is not known by its name. */
bool pe_return_check_init(void)
{
	return pe_named_complete(pe_return_check_names, ARRAY_SIZE(pe_return_check_names));
}

/* The kernel's own list, where it has one. */
static bool pe_switches_stacks(unsigned long addr)
{
#ifdef CONFIG_KRETPROBES
	const struct kretprobe_blackpoint *p;
	unsigned long start, size;

	if (!pe_ks_data.kretprobe_blacklist || !pe_symbol_at(addr, &start, &size))
		return false;
	for (p = pe_ks_data.kretprobe_blacklist; p->name; p++) {
		if (pe_ksym_address(p->name) == start)
			return true;
	}
#endif
	return false;
}

/**
 * pe_return_check() - is this the entry of a function that can be called through?
 * @rp: ->kp.addr and ->on_entry are known
 *
 * Context: process.
 */
struct pe_refusal pe_return_check(const struct pe_kretprobe *rp)
{
	const char *reason;

	if (!rp->kp.on_entry)
		return PE_REFUSE(EINVAL, "not the entry of a function");
	if (!rp->handler)
		return PE_REFUSE(EINVAL, "the return probe has no handler");
	if (rp->data_size > PE_KRETPROBE_DATA_MAX)
		return PE_REFUSE(EINVAL, "the return probe has too much data: more than "
				 __stringify(PE_KRETPROBE_DATA_MAX) " bytes");
	if (pe_switches_stacks(rp->kp.addr))
		return PE_REFUSE(EINVAL, pe_because_stack);
	reason = pe_named_reason(rp->kp.addr, pe_return_check_names,
				 ARRAY_SIZE(pe_return_check_names));
	if (!reason)
		reason = pe_reach_reason(rp->kp.addr, PE_REACH_RETURN);
	return reason ? PE_REFUSE(EINVAL, reason) : PE_ACCEPT;
}

/*
 * The function in which a task gets its exit state, which returns; and the function in which
 * it dies.  If the compiler has inlined one into do_exit(), it can't be probed.
 */
static const struct pe_named pe_gives_exit_state[] = { { "exit_notify*", "" } };
static const struct pe_named pe_task_dies[] = { { "do_task_dead", "" } };

/**
 * pe_return_ending() - which calls count as those of ending tasks
 * @addr: of the function
 *
 * Context: process.
 */
enum pe_return_ending pe_return_ending(unsigned long addr)
{
	if (pe_named_reason(addr, pe_gives_exit_state, ARRAY_SIZE(pe_gives_exit_state)))
		return PE_ENDING_ALL;
	if (pe_named_reason(addr, pe_task_dies, ARRAY_SIZE(pe_task_dies)))
		return PE_ENDING_NONE;
	return PE_ENDING_LATE;
}
