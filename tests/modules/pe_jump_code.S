/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_jump_code.S - instructions that a jump may replace, and some that it may not (pe_jump.ko). */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/nospec-branch.h>
#include "pe_func.h"

	.text

/* Changes no register and no flag; the site is in the middle. */
PE_FUNC_START(pe_jump_exact)
	nop
SYM_INNER_LABEL(pe_jump_exact_site, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	mov	%rax, %rax
	xchg	%rcx, %rcx
	mov	%rdx, %rdx
	ANNOTATE_UNRET_SAFE
	ret			/* a thunk might change flags */
	int3
SYM_FUNC_END(pe_jump_exact)

/*
 * What it returns depends on each instruction.  rdi: how often to call pe_jump_helper(), with
 * falling numbers.  Return: twice the sum of these.
 */
PE_FUNC_START(pe_jump_sum)
	push	%rbx
	mov	%rdi, %rbx
	xor	%eax, %eax
.Lagain:
SYM_INNER_LABEL(pe_jump_sum_site, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	%rbx, %rax
	add	%rbx, %rax
SYM_INNER_LABEL(pe_jump_sum_last, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	mov	%rbx, %rdi	/* no push: at a breakpoint, unwinders take ->ip for its end */
	push	%rax
	call	pe_jump_helper
SYM_INNER_LABEL(pe_jump_sum_after, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	pop	%rax
	dec	%rbx
	jnz	.Lagain
	pop	%rbx
	RET
SYM_FUNC_END(pe_jump_sum)

/*
 * The site is the nop.  A load from a bad address goes on after it, so the jump must not be there.
 * Return: 1.
 */
PE_FUNC_START(pe_jump_fixup)
	xor	%eax, %eax
1:	mov	(%rdi), %rcx
SYM_INNER_LABEL(pe_jump_fixup_site, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	nop
2:	lea	1(%rax), %rax
	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(pe_jump_fixup)

/* The same, where an exception goes on nowhere. */
PE_FUNC_START(pe_jump_no_fixup)
	xor	%eax, %eax
	mov	(%rdi), %rcx
SYM_INNER_LABEL(pe_jump_no_fixup_site, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	nop
	lea	1(%rax), %rax
	RET
SYM_FUNC_END(pe_jump_no_fixup)

/* A jump fits at its beginning. */
PE_FUNC_START(pe_jump_unwatched)
	lea	0x1000(%rdi), %rax
	RET
SYM_FUNC_END(pe_jump_unwatched)
/* The site is the return.  A jump of five bytes overwrites what follows: padding. */
.macro PADDED name
PE_FUNC_START(\name)
	nop
SYM_INNER_LABEL(\name\()_site, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ANNOTATE_UNRET_SAFE
	ret
.L\name\()_nop:
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
	int3
SYM_FUNC_END(\name)
.endm

PADDED pe_jump_padded
/* Here it is a jump label's nop. */
PADDED pe_jump_label

#ifdef CONFIG_JUMP_LABEL
	.pushsection __jump_table, "aw"
	.balign 8
	.long .Lpe_jump_label_nop - ., .Lpe_jump_label_nop + 5 - .
	.quad pe_jump_key - .
	.popsection
#endif

	.section .note.GNU-stack, "", @progbits
