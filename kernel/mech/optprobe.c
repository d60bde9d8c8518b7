// SPDX-License-Identifier: GPL-2.0
/*
 * optprobe.c - no jump of the kernel's kprobes in a function with a breakpoint of ours.
 *
 * The kernel replaces a kprobe by a jump, which overwrites five bytes.  Before, it decodes the
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
 * breakpoint.
 *
 * While ftrace is switched off, there is no such guard, and there is none until another
 * breakpoint is armed.  Breakpoints are armed all the same, with a warning.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <pe_arch/hit.h>
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/mech/mech.h"
#include "kernel/symbols.h"

static struct ftrace_ops *ops;	/* NULL while there is no breakpoint; pe_mutex */

static bool has_breakpoint(unsigned long start, unsigned long size)
{
	const struct pe_arch_site *as;
	unsigned long addr;
	bool found = false;

	preempt_disable_notrace();
	for (addr = start; addr < start + size && !found; addr++)
		found = pe_breakpoint_hides(addr, &as) && as;
	preempt_enable_notrace();
	return found;
}

/* In the place of arch_prepare_optimized_kprobe(). */
static int cannot_prepare(struct optimized_kprobe *op, struct kprobe *unused)
{
	return -EILSEQ;
}

/* The kernel calls arch_prepare_optimized_kprobe().  Return: where that goes on, 0: there. */
static unsigned long divert(struct pt_regs *regs)
{
	const struct optimized_kprobe *op = (void *)regs_get_kernel_argument(regs, 0);
	unsigned long start, size;

	if (!pe_symbol_at((unsigned long)op->kp.addr, &start, &size) ||
	    !has_breakpoint(start, size))
		return 0;
	return (unsigned long)cannot_prepare;
}

/* Another tracer has the function, too. */
static void prepare_called(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
			   struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned long to = regs ? divert(regs) : 0;

	if (to)
		ftrace_regs_set_instruction_pointer(fregs, to);
}

/* No other tracer has it: called by pe_optprobe_stub(). */
unsigned long pe_optprobe_stub_hit(struct pt_regs *regs)
{
	return divert(regs) ?: pe_arch_stub_return(instruction_pointer(regs) - 1);
}

static const struct pe_ftrace_kind kind = {
	.func = prepare_called,
	.stub = pe_optprobe_stub,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,
};

static int register_guard(unsigned long addr)
{
	int err;

	ops = pe_ftrace_ops_take(&kind);
	if (!ops)
		return -ENOMEM;
	err = ftrace_set_filter_ip(ops, addr, 0, 1);
	if (!err)
		err = pe_ftrace_ops_register(ops);
	if (!err)
		return 0;
	pe_ftrace_ops_put(ops);
	ops = NULL;
	return err;
}

/* It has killed itself, or the sysctl ftrace_enabled is 0. */
static bool ftrace_is_off(int err)
{
	const int *enabled = pe_ks_data.ftrace_enabled;

	return err == -ENODEV || (err == -EBUSY && enabled && !READ_ONCE(*enabled));
}

int pe_optprobe_guard(const char **reason)
{
	unsigned long addr;
	int err;

	lockdep_assert_held(&pe_mutex);
	if (ops)
		return 0;
	addr = pe_ksym_address("arch_prepare_optimized_kprobe");
	addr = addr && pe_ks_has(ftrace_location) ? pe_ks(ftrace_location)(addr) : 0;
	err = addr ? register_guard(addr) : -ENODEV;
	if (err && !ftrace_is_off(err)) {
		*reason = err == -ENOMEM ? NULL :
			  "somebody else diverts the kernel's jump optimiser";
		return err;
	}
	if (err)
		pr_warn_once("no ftrace: the kernel's kprobes must keep away from our breakpoints\n");
	return 0;
}

void pe_optprobe_unguard(void)
{
	lockdep_assert_held(&pe_mutex);
	if (!ops)
		return;
	pe_ftrace_ops_unregister(ops);
	ops = NULL;
}
