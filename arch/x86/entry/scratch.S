/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * scratch.S - macros for code that calls C: the registers that a C function does not preserve, but
 * rax, r10 and r11; and the flags.
 */
#include <asm/processor-flags.h>

/* In a detour, AC and DF may be set; it restores them. */
.macro TAME
	pushfq
	andl $~(X86_EFLAGS_AC | X86_EFLAGS_DF), (%rsp)
	popfq
.endm

.macro PUSH_SCRATCH
	push %rcx
	push %rdx
	push %rsi
	push %rdi
	push %r8
	push %r9
.endm

.macro POP_SCRATCH
	pop %r9
	pop %r8
	pop %rdi
	pop %rsi
	pop %rdx
	pop %rcx
.endm
