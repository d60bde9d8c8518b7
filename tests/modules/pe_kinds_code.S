/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_kinds_code.S - a function for each kind of window that a jump can replace (pe_kinds.ko).
 *
 * Each begins with a nop; the site is after it.  What the window does, and where control goes from
 * it, shows in the registers and flags that the function returns.  Called with rdi at memory of
 * its own, and a small number in rcx.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>
#include "pe_func.h"

	.section .rodata.pe_kinds, "a"
	.balign 8
	.globl pe_kinds
pe_kinds:
	.data
	.balign 8
kind_value:	.quad 0x7123456789abcdef
kind_scratch:	.quad 0
kind_function:	.quad kind_helper, kind_helper, kind_helper

	.text
.macro LEAVE
	ANNOTATE_UNRET_SAFE
	ret			/* a thunk might change flags */
	int3
.endm

/* Tells its caller's address, and changes no flag. */
PE_FUNC_START_LOCAL(kind_helper)
	mov	(%rsp), %r10
	lea	3(%rax), %rax
	LEAVE
SYM_FUNC_END(kind_helper)

/* BEFORE: an instruction before the site that makes a register ready. */
.macro KIND name, before="nop"
	.pushsection .rodata.pe_kinds, "a"
	.quad pe_kind_\name, .Lsite_\name - pe_kind_\name, .Lname_\name
	.popsection
	.pushsection .rodata.pe_kind_names, "a"
.Lname_\name:
	.asciz "\name"
	.popsection
PE_FUNC_START(pe_kind_\name)
	\before
.Lsite_\name:
.endm

.macro END name
SYM_FUNC_END(pe_kind_\name)
.endm

.macro SIMPLE name, before, insns
	KIND \name, "\before"
	\insns
	LEAVE
	END \name
.endm

/* Where a branch leads. */
.macro TARGET
1:	lea	2(%rax), %rax
	LEAVE
.endm

/* Two ways out of a function: that of a branch which is not taken, and the other one. */
.macro WAYS
	lea	1(%rax), %rax
	LEAVE
	TARGET
.endm

/* ---- copied as they are, or with another displacement ---- */

	SIMPLE plain, nop, "mov %rcx, %r8; mov %rdx, %r9"
	SIMPLE one_long, nop, "lea 0x12345678(%rax, %rcx, 2), %r8"
	SIMPLE five_short, nop, "push %rax; push %rcx; pop %rdx; pop %rsi; cmc"
	SIMPLE last_long, nop, "mov %ecx, %edx; movabs $0x0123456789abcdef, %r8"
	SIMPLE flags_used, nop, "adc %rcx, %rax; cmovz %rdx, %r8; setp %r9b"
	SIMPLE flags_made, nop, "sub %rcx, %rax; xor %edx, %edx"
	SIMPLE flags_saved, nop, "pushfq; pop %r8; push %r8; popfq"
	SIMPLE interrupts, nop, "cli; mov %rcx, %r9; nop"
	SIMPLE frame, nop, "push %rbp; mov %rsp, %rbp; pop %rbp"
	SIMPLE string, nop, "rep stosq; mov %rcx, %r9"
	SIMPLE rip_load, nop, "mov kind_value(%rip), %rax"
	SIMPLE rip_lea, nop, "lea kind_value(%rip), %rax"
	SIMPLE rip_compare, nop, "cmpq $0x11223344, kind_value(%rip)"
	SIMPLE rip_exchange, "mov %rcx, kind_scratch(%rip)", "xchg %rax, kind_scratch(%rip)"
	SIMPLE rip_second, nop, "mov %rcx, %r9; imul $3, kind_value(%rip), %r8"

/* ---- branches ---- */

	.irp cond, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
	KIND j\cond\()_short
	j\cond	1f
	mov	%rcx, %r9
	WAYS
	END j\cond\()_short

	KIND j\cond\()_near
	{disp32} j\cond 1f
	WAYS
	END j\cond\()_near
	.endr

	KIND two_branches
	jz	1f
	jc	1f
	nop
	WAYS
	END two_branches

	.irp insn, loop, loope, loopne, jrcxz, jecxz
	KIND \insn
	\insn	1f
	mov	%rax, %r9
	WAYS
	END \insn
	.endr

	KIND loop_last
	mov	%rax, %r9
	loop	1f
	WAYS
	END loop_last

/* To the site itself: another arrival. */
	KIND loop_back, "mov $3, %ecx"
	lea	1(%rax), %rax
	loop	.Lsite_loop_back
	LEAVE
	END loop_back

/* ---- control leaves ---- */

	KIND jmp_short
	mov	%rcx, %r9
	jmp	1f
	int3
	TARGET
	END jmp_short

	KIND jmp_short_padding
	jmp	1f
	.fill	3, 1, 0xcc
	TARGET
	END jmp_short_padding

	KIND jmp_near
	{disp32} jmp 1f
	int3
	TARGET
	END jmp_near

	KIND return
	mov	%rcx, %r9
	nop
	LEAVE
	END return

	KIND return_padding
	LEAVE
	.fill	3, 1, 0xcc
	END return_padding

/* ---- calls, which see the original return address ---- */

	SIMPLE call, nop, "call kind_helper"
	SIMPLE call_second, nop, "mov %rcx, %r9; call kind_helper"

	KIND call_register, "lea kind_helper(%rip), %r11"
	mov	%rcx, %r9
	ANNOTATE_RETPOLINE_SAFE
	call	*%r11
	LEAVE
	END call_register

	KIND call_memory
	ANNOTATE_RETPOLINE_SAFE
	call	*kind_function(%rip)
	LEAVE
	END call_memory

	KIND call_indexed, "lea kind_function(%rip), %r11"
	mov	%rcx, %r9
	ANNOTATE_RETPOLINE_SAFE
	call	*(%r11, %rcx, 8)
	LEAVE
	END call_indexed

	.section .rodata.pe_kinds, "a"
	.globl pe_kinds_end
pe_kinds_end:
	.section .note.GNU-stack, "", @progbits
