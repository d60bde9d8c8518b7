/* SPDX-License-Identifier: GPL-2.0 */
/*
 * return.h - calling functions through, on x86.  For kernel/return/.
 */
#ifndef PE_ARCH_INCLUDE_RETURN_H
#define PE_ARCH_INCLUDE_RETURN_H

#include <linux/ptrace.h>
#include <asm/segment.h>
#include "arch/x86/return.h"
#include "arch/x86/return_scan.h"

/* [H] Fill in the registers that return_arena.S has left out. */
static __always_inline void pe_arch_complete_regs(struct pt_regs *regs)
{
	regs->cs = __KERNEL_CS;
	regs->ss = __KERNEL_DS;
	regs->orig_ax = -1;
}

#endif
