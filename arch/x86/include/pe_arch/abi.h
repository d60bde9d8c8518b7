/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * abi.h - registers, how functions get arguments and return a value, and addresses, on x86.  For
 * what is fetched: kernel/trace/parse/ and hit/.  [P]
 */
#ifndef PE_ARCH_ABI_H
#define PE_ARCH_ABI_H

#include <linux/ptrace.h>
#include <linux/types.h>

/* Members of struct pt_regs that a fetch may name. */
#define PE_ARCH_REGS(X)								\
	X(r15) X(r14) X(r13) X(r12) X(r11) X(r10) X(r9) X(r8) X(bx) X(cx) X(dx)	\
	X(si) X(di) X(bp) X(ax) X(orig_ax) X(ip) X(cs) X(flags) X(sp) X(ss)

/* What other names of a register, as rdi, edi and r8d, have before or after ours. */
#define PE_ARCH_REG_PREFIXES	"re"
#define PE_ARCH_REG_SUFFIXES	"bdw"

/* Arguments in registers; the others are on the stack, at the entry after so many words. */
#define PE_REG_ARGS		6
#define PE_ARCH_ARG_REGS(X)	X(di) X(si) X(dx) X(cx) X(r8) X(r9)
#define PE_ARCH_ARG_REGS_TEXT	"%di, %si, %dx, %cx, %r8 and %r9"
#define PE_ARCH_ENTRY_WORDS	1	/* the return address */

/* Where struct pt_regs has the stack's pointer, and the value of a function that has returned. */
#define PE_ARCH_REG_SP		offsetof(struct pt_regs, sp)
#define PE_ARCH_REG_VALUE	offsetof(struct pt_regs, ax)

/* [H] Is it the address of user memory, and not of the kernel's? */
static inline bool pe_arch_is_user(u64 addr)
{
	return (s64)addr >= 0;
}

/* The page of vsyscalls. */
#define PE_ARCH_VSYSCALL	(-10UL << 20)
#define PE_ARCH_VSYSCALL_SIZE	4096

/*
 * [H] Must @n bytes at @addr never be read as kernel memory?  The page of vsyscalls belongs to
 * users, and SMAP makes the kernel's accesses to it fatal: no entry of the exception table helps.
 * The kernel's own functions ask this of the first byte only.
 */
static inline bool pe_arch_is_fatal(u64 addr, u64 n)
{
	return addr + n > PE_ARCH_VSYSCALL && addr < PE_ARCH_VSYSCALL + PE_ARCH_VSYSCALL_SIZE;
}

#endif
