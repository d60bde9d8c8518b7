// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * optprobe.c - no jump of the kernel's kprobes in a function with a breakpoint of ours.
 *
 * The kernel replaces a kprobe by a jump, which overwrites some bytes.  Before, it decodes the
 * whole function: no branch may lead to the second or a later one of these bytes.  It sees
 * through its own breakpoints, but not through ours.  Ours hides an instruction, and the
 * decoder may take what follows for others.  A branch that it misses would crash the machine.
 *
 * The kernel looks in arch_prepare_optimized_kprobe(), once in the life of a kprobe.  An
 * ftrace_ops diverts this call if the function has a breakpoint of ours.  Then the answer is
 * that no jump is possible, and the kprobe stays a breakpoint.
 *
 * The ops is registered before the first breakpoint is armed, with kprobe_mutex held, as it is
 * whenever the kernel looks: so the kernel has looked before, or is diverted.  A breakpoint that
 * is armed after the kernel has looked hides nothing from it.  The ops goes after the last
 * breakpoint and the last island.
 *
 * No kprobe at all may come where a jump of ours is: its breakpoint would be put on the jump, or
 * on what the jump has overwritten.  So the same ops diverts arch_prepare_kprobe() for such an
 * address.  It is called with kprobe_mutex held, under which jumps are written.
 *
 * While ftrace is switched off, there is no such guard, and there is none until another
 * breakpoint is armed.  Breakpoints are armed all the same, with a warning; no jumps are.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <pe/symbols.h>
#include <pe_arch/hit_entry.h>
#include "kernel/engine.h"
#include "kernel/know/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/hidden.h"

static struct ftrace_ops
	*pe_optprobe_ops; /* NULL while there is neither breakpoint nor island; pe_mutex */

/* The addresses where ftrace patches the two functions; written while there is no ops. */
static unsigned long pe_optprobe_optimizes, pe_optprobe_prepares;

static bool pe_has_breakpoint(unsigned long start, unsigned long size)
{
	const struct pe_site *site;
	unsigned long addr;
	bool found = false;

	preempt_disable_notrace();
	for (addr = start; addr < start + size && !found; addr++) {
		site = pe_site_find(addr);
		found = site && site->text && pe_site_is_armed(site);
	}
	preempt_enable_notrace();
	return found;
}

/* In the place of arch_prepare_optimized_kprobe(). */
static int pe_cannot_prepare(struct optimized_kprobe *op, struct kprobe *unused)
{
	return -EILSEQ;
}

/* In the place of arch_prepare_kprobe(). */
static int pe_cannot_come(struct kprobe *kp)
{
	return -EBUSY;
}

static bool pe_is_covered(unsigned long addr)
{
	bool covered;

	preempt_disable_notrace();
	covered = pe_jump_covers(addr) || pe_island_in(addr, 1);
	preempt_enable_notrace();
	return covered;
}

/* The kernel calls the function at @ip.  Return: where that goes on, 0: there. */
static unsigned long pe_optprobe_divert(struct pt_regs *regs, unsigned long ip)
{
	unsigned long arg = regs_get_kernel_argument(regs, 0), start, size;
	const struct optimized_kprobe *op = (void *)arg;
	const struct kprobe *kp = (void *)arg;

	if (ip == pe_optprobe_prepares)
		return pe_is_covered((unsigned long)kp->addr) ? (unsigned long)pe_cannot_come : 0;
	if (!pe_symbol_at((unsigned long)op->kp.addr, &start, &size) ||
	    !pe_has_breakpoint(start, size))
		return 0;
	return (unsigned long)pe_cannot_prepare;
}

/* Another tracer has the function, too. */
static void pe_prepare_called(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
			      struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned long to = regs ? pe_optprobe_divert(regs, ip) : 0;

	if (to)
		ftrace_regs_set_instruction_pointer(fregs, to);
}

/* No other tracer has it: called by pe_optprobe_stub(). */
unsigned long pe_optprobe_stub_hit(struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs) - PE_HIT_IP_PAST;

	return pe_optprobe_divert(regs, ip) ?: pe_arch_stub_return(ip);
}

static const struct pe_ftrace_kind pe_optprobe_kind = {
	.func = pe_prepare_called,
	.stub = pe_optprobe_stub,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,
};

static unsigned long pe_traced_at(const char *name)
{
	unsigned long addr = pe_ksym_address(name);

	return addr && pe_ks_has(ftrace_location) ? pe_ks(ftrace_location)(addr) : 0;
}

static int pe_register_guard(void)
{
	unsigned long ips[] = { pe_optprobe_optimizes, pe_optprobe_prepares };
	struct ftrace_ops *ops = pe_ftrace_ops_begin(&pe_optprobe_kind, ips, ips[1] ? 2 : 1);

	if (IS_ERR(ops))
		return PTR_ERR(ops);
	pe_optprobe_ops = ops;
	return 0;
}

/* It has killed itself, or the sysctl ftrace_enabled is 0. */
static bool pe_ftrace_is_off(int err)
{
	const int *enabled = pe_ks_data.ftrace_enabled;

	return err == -ENODEV || (err == -EBUSY && enabled && !READ_ONCE(*enabled));
}

int pe_optprobe_guard(const char **reason)
{
	int err;

	lockdep_assert_held(&pe_mutex);
	if (pe_optprobe_ops)
		return 0;
	pe_optprobe_optimizes = pe_traced_at("arch_prepare_optimized_kprobe");
	pe_optprobe_prepares = pe_traced_at("arch_prepare_kprobe");
	err = pe_optprobe_optimizes ? pe_register_guard() : -ENODEV;
	if (err && !pe_ftrace_is_off(err)) {
		*reason = err == -ENOMEM ? NULL :
			  "another module diverts the kernel's jump optimiser";
		return err;
	}
	if (err)
		pr_warn_once("no ftrace: the kernel's kprobes must keep away from our breakpoints\n");
	return 0;
}

void pe_optprobe_unguard(void)
{
	lockdep_assert_held(&pe_mutex);
	if (!pe_optprobe_ops || pe_hidden_any())
		return;
	pe_ftrace_ops_unregister(pe_optprobe_ops);
	pe_optprobe_ops = NULL;
}

bool pe_optprobe_guards(void)
{
	lockdep_assert_held(&pe_mutex);
	return pe_optprobe_ops && pe_optprobe_prepares;
}
