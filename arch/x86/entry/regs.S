/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * regs.S - macros for code that makes a struct pt_regs, or takes registers from one.
 */
#ifndef PE_ARCH_REGS_H
#define PE_ARCH_REGS_H

#include "arch/x86/entry/return_arena.h"

/* Push the registers from rdi on.  @rbp: where its value is */
.macro PUSH_REGS_FROM_DI rbp=%rbp
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %rax
	push %r8
	push %r9
	push %r10
	push %r11
	push %rbx
	push \rbp
	push %r12
	push %r13
	push %r14
	push %r15
.endm

/* The registers of a struct pt_regs from r9 to rdi. */
.macro POP_FROM_R9
	pop %r9
	pop %r8
	pop %rax
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
.endm

/* Those from r11 on, and the flags; rsp is at the saved r11, and then above the struct pt_regs. */
.macro POP_FROM_R11
	pop %r11
	pop %r10
	POP_FROM_R9
	lea PE_REGS_FLAGS - PE_REGS_DI - 8(%rsp), %rsp
	popfq
	lea PE_REGS_SIZE - PE_REGS_FLAGS - 8(%rsp), %rsp
.endm

/* Restores from the struct pt_regs at rsp, which C code has filled.  Preserves the flags. */
.macro RESTORE_SCRATCH
	mov PE_REGS_AX(%rsp), %rax
	mov PE_REGS_CX(%rsp), %rcx
	mov PE_REGS_DX(%rsp), %rdx
	mov PE_REGS_SI(%rsp), %rsi
	mov PE_REGS_DI(%rsp), %rdi
	mov PE_REGS_R8(%rsp), %r8
	mov PE_REGS_R9(%rsp), %r9
	mov PE_REGS_R10(%rsp), %r10
.endm

.macro RESTORE_SCRATCH_EXACT
	RESTORE_SCRATCH
	mov PE_REGS_R11(%rsp), %r11
.endm

/* Stores all registers but ax, di, si and bp into the struct pt_regs at rdi. */
.macro SAVE_OTHERS
	mov %rcx, PE_REGS_CX(%rdi)
	mov %rdx, PE_REGS_DX(%rdi)
	mov %r8, PE_REGS_R8(%rdi)
	mov %r9, PE_REGS_R9(%rdi)
	mov %r10, PE_REGS_R10(%rdi)
	mov %r11, PE_REGS_R11(%rdi)
	mov %rbx, PE_REGS_BX(%rdi)
	mov %r12, PE_REGS_R12(%rdi)
	mov %r13, PE_REGS_R13(%rdi)
	mov %r14, PE_REGS_R14(%rdi)
	mov %r15, PE_REGS_R15(%rdi)
.endm

#endif
