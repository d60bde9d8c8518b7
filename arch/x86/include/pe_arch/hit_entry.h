/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_entry.h - how hits come, on x86.  For kernel/arch.h.  [H]
 */
#ifndef PE_ARCH_HIT_ENTRY_H
#define PE_ARCH_HIT_ENTRY_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <asm/cpufeature.h>
#include <asm/processor-flags.h>

/*
 * irqentry_nmi_enter(), on a breakpoint's way to us, has added this to preempt_count().  Since 7.3
 * a kernel may have one bit there for all NMIs.  A nested one would not add NMI_OFFSET then.
 */
#define PE_EXCEPTION_ADDS	(NMI_OFFSET + HARDIRQ_OFFSET)
static_assert(NMI_BITS > 1);

/* Bytes that ->ip of a hit's registers is past the probed address, as this exception leaves it. */
#define PE_HIT_IP_PAST		1

/* Is the hit on its way through a breakpoint, or in an NMI? */
static __always_inline bool pe_arch_in_exception(void)
{
	return in_nmi();
}

/*
 * ftrace may tell us of a call twice.  A bit of the saved %ss marks a call that has been
 * served.  No other code uses it: ftrace writes %ss at each call, and does not restore
 * it.
 */
static __always_inline unsigned long *pe_arch_call_mark(struct pt_regs *regs)
{
	return (void *)regs + offsetof(struct pt_regs, ss);
}

static __always_inline bool pe_arch_call_is_served(struct pt_regs *regs)
{
	return *pe_arch_call_mark(regs) & BIT(63);
}

static __always_inline void pe_arch_call_set_served(struct pt_regs *regs)
{
	*pe_arch_call_mark(regs) |= BIT(63);
}

/* Does the CPU demand an ENDBR64 where an indirect call leads?  What users are told then. */
#define PE_ARCH_CHECKS_TARGETS	"the CPU checks the targets of indirect calls (IBT)"
static inline bool pe_arch_checks_targets(void)
{
#ifdef CONFIG_X86_KERNEL_IBT
	return cpu_feature_enabled(X86_FEATURE_IBT);
#else
	return false;
#endif
}

static __always_inline bool pe_arch_irqs_were_off(const struct pt_regs *regs)
{
	return !(regs->flags & X86_EFLAGS_IF);
}

#define PE_CALL_SIZE	5

/* The address at which the function goes on after the call of a stub at @ip. */
static __always_inline unsigned long pe_arch_stub_return(unsigned long ip)
{
	return ip + PE_CALL_SIZE;
}

#ifdef CONFIG_DYNAMIC_FTRACE
static_assert(PE_CALL_SIZE == MCOUNT_INSN_SIZE);

/* Does the call at @ip go on in its function?  If not, another tracer has sent it elsewhere. */
static __always_inline bool pe_arch_call_goes_on(const struct pt_regs *regs, unsigned long ip)
{
	return regs->ip == ip + MCOUNT_INSN_SIZE;
}
#endif

#endif
