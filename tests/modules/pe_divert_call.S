/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_divert_call.S - see pe_divert.h. */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include "pe_divert.h"
#include "pe_func.h"

	.text

PE_FUNC_START(divert_call)
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	push	%rsi
	push	%rdx
	mov	%rdi, %rax
	mov	DIVERT_BX(%rax), %rbx
	mov	DIVERT_CX(%rax), %rcx
	mov	DIVERT_DX(%rax), %rdx
	mov	DIVERT_SI(%rax), %rsi
	mov	DIVERT_DI(%rax), %rdi
	mov	DIVERT_BP(%rax), %rbp
	mov	DIVERT_R8(%rax), %r8
	mov	DIVERT_R9(%rax), %r9
	mov	DIVERT_R10(%rax), %r10
	mov	DIVERT_R11(%rax), %r11
	mov	DIVERT_R12(%rax), %r12
	mov	DIVERT_R13(%rax), %r13
	mov	DIVERT_R14(%rax), %r14
	mov	DIVERT_R15(%rax), %r15
	pushq	DIVERT_FLAGS(%rax)
	popfq
	mov	(%rax), %rax
	ANNOTATE_RETPOLINE_SAFE
	call	*(%rsp)			/* a thunk might change flags */
	push	%rax
	pushfq
	mov	24(%rsp), %rax
	mov	%rbx, DIVERT_BX(%rax)
	mov	%rcx, DIVERT_CX(%rax)
	mov	%rdx, DIVERT_DX(%rax)
	mov	%rsi, DIVERT_SI(%rax)
	mov	%rdi, DIVERT_DI(%rax)
	mov	%rbp, DIVERT_BP(%rax)
	mov	%r8, DIVERT_R8(%rax)
	mov	%r9, DIVERT_R9(%rax)
	mov	%r10, DIVERT_R10(%rax)
	mov	%r11, DIVERT_R11(%rax)
	mov	%r12, DIVERT_R12(%rax)
	mov	%r13, DIVERT_R13(%rax)
	mov	%r14, DIVERT_R14(%rax)
	mov	%r15, DIVERT_R15(%rax)
	popq	DIVERT_FLAGS(%rax)
	popq	(%rax)
	add	$16, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(divert_call)

PE_FUNC_START(divert_ret)
	ANNOTATE_UNRET_SAFE
	ret			/* a thunk might change flags */
	int3
SYM_FUNC_END(divert_ret)

/* Indirect jumps.  The first three, never taken, show objtool what can be reached. */
PE_FUNC_START(divert_jumps)
	js	1f
	js	2f
	js	3f
	lea	1f(%rip), %rcx
SYM_INNER_LABEL(divert_jmp_reg, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ANNOTATE_RETPOLINE_SAFE
	jmp	*%rcx
	int3
SYM_INNER_LABEL(divert_after_reg, SYM_L_GLOBAL)
1:	ENDBR
	lea	divert_address(%rip), %rcx
SYM_INNER_LABEL(divert_jmp_mem, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ANNOTATE_RETPOLINE_SAFE
	jmp	*(%rcx)
	int3
SYM_INNER_LABEL(divert_after_mem, SYM_L_GLOBAL)
2:	ENDBR
	RET
SYM_INNER_LABEL(divert_jmp_gs, SYM_L_GLOBAL)	/* never executed */
	ANNOTATE_NOENDBR
	ANNOTATE_RETPOLINE_SAFE
3:	jmp	*%gs:(%rcx)
	int3
SYM_FUNC_END(divert_jumps)

	.data
	.balign	8
divert_address:
	.quad	divert_after_mem

	.section .note.GNU-stack, "", @progbits
