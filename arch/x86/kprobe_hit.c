// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe_hit.c - a breakpoint has been executed.  [H]
 *
 *   exc_int3 -> irqentry_nmi_enter -> do_int3 -> notify_die -> breakpoint()
 *
 * Interrupts are off and in_nmi() is true until the return from the exception,
 * whatever was interrupted; a real NMI can still come.  What stands between the
 * trap and the recursion check of pe_site_hit_exception(), and what follows it,
 * must never be probed: blacklist.c lists it.
 *
 * One exception per hit: after the handlers, either the instruction is performed
 * on the saved registers, or execution continues in the site's slot, where a
 * copy of the instruction is followed by a jump back.  Nothing is single-stepped,
 * so nothing has to be remembered until a second exception.
 */
#include <linux/compiler.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include "arch/x86/emulate.h"
#include "kernel/arch.h"
#include "kernel/compat.h"
#include "kernel/kprobes.h"
#include "kernel/kretprobes.h"

#define INT3_OPCODE	0xcc

/*
 * The entry of a function with return probes: go on in its entry slot.  Not where
 * RCU watches only because of this exception: nothing would keep the probes from
 * being freed between the return from it and their first use.
 */
static bool divert(const struct pe_site *site, struct pt_regs *regs)
{
	const struct pe_return_point *point = READ_ONCE(site->point);

	if (!READ_ONCE(site->returns_armed) || !point)
		return false;
	if (!pe_nmi_in_watched()) {
		pe_return_count_unwatched();
		return false;
	}
	regs->ip = point->entry;
	return true;
}
NOKPROBE_SYMBOL(divert);

/* Continue behind the instruction at @site, having done what it does. */
static void perform(const struct pe_site *site, struct pt_regs *regs)
{
	const struct pe_arch_site *as = &site->arch;

	if (divert(site, regs))
		return;
	if (as->cls.kind == PE_INSN_EMULATE &&
	    pe_emulate(&as->cls, regs, site->addr) == PE_EMULATE_DONE)
		return;
	/*
	 * A copy; or an emulated instruction whose operand can't be read, which
	 * has a copy too: it takes the fault that the original would take.
	 */
	regs->ip = (unsigned long)as->slot;
}
NOKPROBE_SYMBOL(perform);

/*
 * No site.  A breakpoint that has been removed between the trap and now: the
 * instruction is there again, execute it.
 */
static int not_ours(struct pt_regs *regs, unsigned long addr)
{
	if (READ_ONCE(*(const u8 *)addr) == INT3_OPCODE)
		return NOTIFY_DONE;
	regs->ip = addr;
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(not_ours);

static int breakpoint(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct die_args *args = data;
	struct pt_regs *regs = args->regs;
	struct pe_site *site;
	unsigned long addr;

	if (event != DIE_INT3 || user_mode(regs))
		return NOTIFY_DONE;

	addr = regs->ip - 1;
	site = pe_site_find(addr);
	if (!site || site->mech != PE_MECH_INT3)
		return not_ours(regs, addr);

	pe_site_hit_exception(site, regs);
	perform(site, regs);
	return NOTIFY_STOP;
}
NOKPROBE_SYMBOL(breakpoint);

/* As early as possible: fewer other functions lie on the way to us. */
static struct notifier_block die_notifier = {
	.notifier_call = breakpoint,
	.priority = INT_MAX,
};

/**
 * pe_arch_hit_init() - make breakpoints reach us
 * @nb: where to tell the notifier, so that those before it can be found
 */
int pe_arch_hit_init(const struct notifier_block **nb)
{
	*nb = &die_notifier;
	return register_die_notifier(&die_notifier);
}

void pe_arch_hit_exit(void)
{
	unregister_die_notifier(&die_notifier);
}
