// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * breakpoint_hit.c - a breakpoint has been executed.  [H]
 *
 * Interrupts are off and in_nmi() is true until the return from the exception, whatever
 * was interrupted; a real NMI can still come.  Code between the trap and the recursion
 * check of pe_site_hit_exception() must never hold a breakpoint: trap_hook.c keeps this
 * code short, reach.c finds it.
 *
 * A hit costs one exception.  After the handlers, either the instruction is performed on
 * the saved registers, or execution continues in the site's slot.  The slot has a copy of
 * the instruction, followed by a jump back.  Nothing is single-stepped, so no state is
 * kept until a second exception.  There is a second one if a probe has a post handler:
 * then a breakpoint follows the copy (mech/breakpoint.c).
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include "arch/x86/insn/emulate.h"
#include "kernel/arch.h"
#include "kernel/know/compat.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/site.h"
#include "kernel/probe/stat.h"

#define INT3_OPCODE	0xcc

/*
 * The entry of a function with return probes: go on in its entry slot.  If RCU watches only
 * because of this exception, do not: nothing would keep the probes from being freed between
 * the return from it and their first use.
 */
static bool pe_breakpoint_hit_divert(const struct pe_site *site, struct pt_regs *regs)
{
	unsigned long to = READ_ONCE(site->divert_to);	/* divert:B */

	if (READ_ONCE(site->state) != PE_SITE_DIVERTING || !to || !pe_rcu_waits())
		return false;
	if (!pe_nmi_in_watched()) {
		pe_count_unwatched();
		return false;
	}
	regs->ip = to;
	return true;
}

/*
 * Run the copy.  An emulated instruction has a copy, too, for when its operand can't be read: the
 * copy takes the fault that the original would take.
 */
static __always_inline void pe_go_to_slot(const struct pe_arch_site *as, struct pt_regs *regs)
{
	regs->ip = (unsigned long)as->slot;
}

/* Is the text after the instruction overwritten by a jump, now or soon?  Then go where it leads. */
static __always_inline bool pe_go_to_detour(const struct pe_site *site, struct pt_regs *regs)
{
#ifndef PE_NO_JUMPS
	const struct pe_arch_jump *jump = READ_ONCE(site->text->jump);

	if (unlikely(jump)) {
		regs->ip = jump->body;
		return true;
	}
#endif
	return false;
}

/**
 * pe_arch_perform() - do what the probed instruction does
 * @site: its breakpoint has been hit
 * @regs: of the hit; continue after the instruction, or in its slot
 */
void pe_arch_perform(const struct pe_site *site, struct pt_regs *regs)
{
	const struct pe_arch_site *as = &site->text->arch;

	if (pe_go_to_detour(site, regs))
		return;
	if (as->cls.kind == PE_INSN_EMULATE &&
	    pe_emulate(&as->cls, regs, site->addr) == PE_EMULATE_DONE)
		return;
	pe_go_to_slot(as, regs);
}

/**
 * pe_arch_perform_or_divert() - the same at a site that may divert
 * @site: its breakpoint has been hit
 * @regs: of the hit; continue in the entry slot, after the instruction, or in its slot
 *
 * A copy of RET or of an indirect JMP never reaches its end.  For a post handler these are
 * performed, too.
 *
 * Return: has the instruction been performed?
 */
bool pe_arch_perform_or_divert(const struct pe_site *site, struct pt_regs *regs)
{
	const struct pe_arch_site *as = &site->text->arch;
	bool here;

	if (pe_breakpoint_hit_divert(site, regs) || pe_go_to_detour(site, regs))
		return false;
	here = as->cls.kind == PE_INSN_EMULATE ||
	       (READ_ONCE(site->posts) && as->cls.op != PE_EMU_NONE);
	if (here && pe_emulate(&as->cls, regs, site->addr) == PE_EMULATE_DONE)
		return true;
	pe_go_to_slot(as, regs);
	return false;
}

/*
 * There is no site.  If the breakpoint was removed between the trap and now, the
 * instruction is back: execute it.
 */
static bool pe_was_removed(struct pt_regs *regs, unsigned long addr)
{
	if (READ_ONCE(*(const u8 *)addr) == INT3_OPCODE)
		return false;
	regs->ip = addr;
	return true;
}

/*
 * Not that of a site that is served and does not divert.  We are asked first.  At a site that
 * is not armed, the breakpoint may be of the kernel's own kprobes.  A breakpoint of ours that
 * was overwritten may have been put back.  A slot may have one after its copy.
 */
static bool pe_other_breakpoint(struct pe_site *site, struct pt_regs *regs, unsigned long addr)
{
	if (site && site->text && READ_ONCE(site->state) != PE_SITE_IDLE) {
		if (READ_ONCE(site->hits) == PE_HITS_CHANGED)
			pe_site_change_exception(site, regs);
		else
			pe_site_divert_exception(site, regs);
		return true;
	}
	site = pe_site_find_followed(addr);
	if (!site)
		return pe_was_removed(regs, addr);
	pe_site_follow_exception(site, regs);
	return true;
}

/**
 * pe_breakpoint() - the kernel has executed a breakpoint
 * @regs: ->ip is after it
 *
 * Context: exception; interrupts are off, so RCU waits for us.
 * Return: false if it is not ours; @regs are unchanged.
 */
bool pe_breakpoint(struct pt_regs *regs)
{
	unsigned long addr = regs->ip - 1;
	struct pe_site *site;

	if (user_mode(regs))
		return false;
	site = pe_site_find(addr);
	if (!site || !site->text || READ_ONCE(site->state) != PE_SITE_SERVING)
		return pe_other_breakpoint(site, regs, addr);
	pe_site_hit_exception(site, regs);
	return true;
}
