/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * run.S - the two stubs that serve usual hits, with what is around them, for test_usual.c.
 *
 * It is assembled like a kernel with PREEMPT_RT for the end of a call, and like one without for
 * a detour: with all conditions that there are.
 */
#define CONFIG_PREEMPT_COUNT	1
#define CONFIG_PREEMPTION	1
#include "arch/x86/entry/detour_stub.S"
#define CONFIG_PREEMPT_RT	1
#include "arch/x86/entry/return_arena.S"

/* Offsets in struct cpu of test_usual.c */
.set pe_hit_cpu, 16
.globl pe_hit_cpu

.macro PUSH_PRESERVED
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
.endm

.macro POP_PRESERVED
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
.endm

/* As a detour calls the stub; edi: bits of the flags. */
SYM_CODE_START(run_detour)
	PUSH_PRESERVED
	pushfq
	or %rdi, (%rsp)
	popfq
	push $0x1235
	call pe_detour_stub
.Lback:	lea 8(%rsp), %rsp
	pushfq
	andl $~(X86_EFLAGS_AC | X86_EFLAGS_DF), (%rsp)
	popfq
	jmp 1f
	.org .Lback + PE_DETOUR_INDEX - CALL_END
	.word 3 * PE_DETOUR_WORDS
1:	POP_PRESERVED
	ret

/* As a body returns to its call slot; rdi: the set with its marks, rsi: the word at R. */
SYM_CODE_START(run_leave)
	PUSH_PRESERVED
	push %rsi
	push %rbp
	mov %rsp, %rbp
	push %rdi
	mov $0x1111, %eax
	jmp pe_return_leave
SYM_INNER_LABEL(run_left, SYM_L_GLOBAL)
	POP_PRESERVED
	ret

/* A handler: what it finds; a reschedule may become wanted meanwhile. */
SYM_CODE_START(run_handler)
	movl $1, outcome(%rip)
	mov %gs:PE_CPU_PREEMPT_COUNT, %ecx
	mov %ecx, count_there(%rip)
	mov %gs:pe_hit_cpu + PE_HIT_BUSY, %ecx
	mov %ecx, busy_there(%rip)
	mov resched_there(%rip), %ecx
	sub %ecx, %gs:PE_CPU_PREEMPT_COUNT + PE_COUNT_SIZE - 4
	ret

/* C code. */
SYM_CODE_START(pe_jump_hit)
	movl $2, outcome(%rip)
	ret
SYM_CODE_START(pe_return_exit)
	movl $2, outcome(%rip)
	movq $run_left, 8(%rsi)
	ret
SYM_CODE_START(pe_jump_resched)
SYM_CODE_START(pe_return_resched)
	incl rescheduled(%rip)
	ret
SYM_CODE_START(pe_return_entry)
	ud2

	.section .note.GNU-stack, "", @progbits
