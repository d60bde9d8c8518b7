/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_target_mix.S - one function with every kind of instruction, and one with a loop.
 *
 * The macro I notes the instruction that follows in a table: its offset and how
 * often one call executes it.  Tests compare hits with the table.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include "pe_func.h"

.macro I times
	.pushsection .rodata.pe_mix, "a"
	.long .Li\@ - pe_target_mix, \times
	.popsection
.Li\@:
.endm

	.pushsection .rodata.pe_mix, "a"
	.balign 8
	.globl pe_mix_insns
pe_mix_insns:
	.popsection

	.data
	.balign 8
mix_counter:	.quad 0
mix_value:	.quad 0x1234567
mix_function:	.quad mix_helper
mix_buffer:	.fill 4, 8, 0

	.text
PE_FUNC_START_LOCAL(mix_helper)
	lea	3(%rax), %rax
	RET
SYM_FUNC_END(mix_helper)

/*
 * A branch back into the middle of five bytes that begin and end at boundaries: a jump at +5 would
 * cover the XOR and the ADD.  Called directly: no ENDBR64.
 */
SYM_START(pe_target_loop, SYM_L_GLOBAL, SYM_A_ALIGN)
	mov	$3, %ecx
	xor	%eax, %eax			/* +5 */
1:	add	$1, %eax			/* +7 */
	dec	%ecx				/* +10 */
	jnz	1b				/* +12 */
	RET
SYM_FUNC_END(pe_target_loop)

/* A function of the same name is in the other file. */
PE_FUNC_START_LOCAL(pe_target_twin)
	lea	(%rdi, %rdi), %rax
	RET
SYM_FUNC_END(pe_target_twin)

PE_FUNC_START(pe_target_call_twin)
	call	pe_target_twin
	RET
SYM_FUNC_END(pe_target_call_twin)

PE_FUNC_START(pe_target_mix)
	I 1
	xor	%eax, %eax
	I 1
	movq	$0, mix_counter(%rip)		/* rip-relative, followed by an immediate */
	I 1
	mov	%rdi, %rdx
	I 1
	lea	mix_value(%rip), %rcx
	I 1
	add	(%rcx), %rax
	I 1
	mov	mix_value(%rip), %r8
	I 1
	addq	$0x11223344, mix_counter(%rip)
	I 1
	lock incq mix_counter(%rip)
	I 1
	add	mix_counter(%rip), %rax
	I 1
	cmp	%rsi, %rdi
	I 1
	jb	1f				/* taken */
	I 0
	add	$1000, %rax
1:	I 1
	ja	2f				/* not taken */
	I 1
	add	%r8, %rax
2:	I 1
	push	%rdx
	I 1
	pushfq
	I 1
	cli
	I 1
	popfq
	I 1
	pop	%rdx
	I 1
	call	mix_helper
	I 1
	lea	mix_helper(%rip), %r9
	ANNOTATE_RETPOLINE_SAFE
	I 1
	call	*%r9
	ANNOTATE_RETPOLINE_SAFE
	I 1
	call	*mix_function(%rip)
	I 1
	lea	mix_function(%rip), %r10
	I 1
	xor	%r11d, %r11d
	ANNOTATE_RETPOLINE_SAFE
	I 1
	call	*(%r10, %r11, 8)
	I 1
	mov	$5, %ecx
3:	I 5
	inc	%rax
	I 5
	loop	3b
	I 1
	jrcxz	4f				/* taken */
	I 0
	add	$2000, %rax
4:	I 1
	inc	%ecx
	I 1
	jrcxz	5f				/* not taken */
	I 1
	add	$4, %rax
5:	I 1
	mov	$3, %ecx
6:	I 3
	dec	%ecx
	I 3
	{disp32} jnz	6b			/* the long form */
	I 1
	sete	%cl
	I 1
	movzbl	%cl, %ecx
	I 1
	cmovnz	%rdi, %rax			/* flags still those of dec */
	I 1
	imul	$3, %rax, %rax
	I 1
	rol	%cl, %rax
	I 1
	jmp	7f
	nop
7:	I 1
	{disp32} jmp	8f
	nop
8:	I 1
	push	%rbp
	I 1
	mov	%rsp, %rbp
	I 1
	leave
	I 1
	push	%rdi
	I 1
	lea	mix_buffer(%rip), %rdi
	I 1
	mov	$4, %ecx
	I 1
	rep stosq
	I 1
	pop	%rdi
	I 1
	xadd	%rax, mix_buffer + 8(%rip)	/* the same value comes back */
	I 1
	movabs	$0x0123456789abcdef, %rcx
	I 1
	xor	%rcx, %rax
	I 1
	bswap	%rax
	I 1
	RET
SYM_FUNC_END(pe_target_mix)
	.globl pe_target_mix_end
pe_target_mix_end:

	.pushsection .rodata.pe_mix, "a"
	.globl pe_mix_insns_end
pe_mix_insns_end:
	.popsection
	.section .note.GNU-stack, "", @progbits
