/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_exact_call.S - see pe_exact.h. */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include "pe_exact.h"
#include "pe_func.h"

	.text

PE_FUNC_START(exact_call)
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	pushfq
	mov	%rdi, %rbx
	mov	%rsi, %r12
	mov	%rdx, %r13
	mov	(%rbx), %rax
	mov	8(%rbx), %rcx
	mov	16(%rbx), %rdx
	mov	24(%rbx), %rsi
	mov	32(%rbx), %rdi
	mov	40(%rbx), %r8
	mov	48(%rbx), %r9
	mov	56(%rbx), %r10
	mov	64(%rbx), %r11
	mov	%rsi, %r14
	mov	%rdi, %r15
	mov	%r11, %rbp
	pushq	EXACT_FLAGS(%rbx)
	popfq
	ANNOTATE_RETPOLINE_SAFE
	call	*%r13		/* a thunk might change flags */
	pushfq
	popq	EXACT_FLAGS(%r12)
	mov	%rax, (%r12)
	mov	%rcx, 8(%r12)
	mov	%rdx, 16(%r12)
	mov	%rsi, 24(%r12)
	mov	%rdi, 32(%r12)
	mov	%r8, 40(%r12)
	mov	%r9, 48(%r12)
	mov	%r10, 56(%r12)
	mov	%r11, 64(%r12)
	popfq
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(exact_call)

PE_FUNC_START(exact_target)
	pushfq
	popq	exact_seen + EXACT_FLAGS(%rip)
	mov	%rax, exact_seen(%rip)
	mov	%rcx, exact_seen + 8(%rip)
	mov	%rdx, exact_seen + 16(%rip)
	mov	%rsi, exact_seen + 24(%rip)
	mov	%rdi, exact_seen + 32(%rip)
	mov	%r8, exact_seen + 40(%rip)
	mov	%r9, exact_seen + 48(%rip)
	mov	%r10, exact_seen + 56(%rip)
	mov	%r11, exact_seen + 64(%rip)
	mov	exact_next(%rip), %rax
	mov	exact_next + 8(%rip), %rcx
	mov	exact_next + 16(%rip), %rdx
	mov	exact_next + 24(%rip), %rsi
	mov	exact_next + 32(%rip), %rdi
	mov	exact_next + 40(%rip), %r8
	mov	exact_next + 48(%rip), %r9
	mov	exact_next + 56(%rip), %r10
	mov	exact_next + 64(%rip), %r11
	pushq	exact_next + EXACT_FLAGS(%rip)
	popfq
	ANNOTATE_UNRET_SAFE
	ret			/* so might this one */
	int3
SYM_FUNC_END(exact_target)

	.section .note.GNU-stack, "", @progbits
