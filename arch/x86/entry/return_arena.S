/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * return_arena.S - calling a probed function through.  [H]
 *
 * Each function with return probes has slots, written at run time (return_slot.c) into the
 * dummy functions below:
 *
 *   entry slot	endbr64; mov $&pe_return_slots[i], %r11; jmp pe_return_enter
 *   call slot	endbr64; call body; jmp pe_return_leave
 *
 * At the function's entry, control is diverted to the entry slot.  The stack and the
 * registers are as they are at the entry.  pe_return_enter makes a frame on the stack:
 *
 *	R	the function's return address, as the caller (or another tracer)
 *		has left it; never changed by us
 *   B:	rbp	of the caller
 *	set	struct pe_return_set *
 *	mask	which of its probes see this call; only with more than one
 *	data	of the probes
 *	words	copies of the arguments on the stack, if the function has any
 *	T	return address into the call slot
 *
 * The steps of a call:
 *
 *   1. pe_return_enter lets C code (return/ret_hit.c, arena/arena_hit.c) fill the frame.
 *   2. It goes to the call slot, with rbp = B.
 *   3. The body returns to T, again with rbp = B.
 *   4. pe_return_leave runs the handler, or lets C code run the handlers, drops the frame, and
 *	returns to the address that is in R by then.
 *
 * A function that only we trace calls us at its entry.  Code that is made for its set
 * (compiled/call_piece.c) does steps 1 and 2 itself for the usual call, with the same result: B
 * takes the place of the return address into the function, which is not needed.  Other calls go on
 * at pe_return_enter_set.  The jump at the end of the call slot may lead to such code in
 * place of pe_return_leave, which does all else.
 *
 * The code here does what the C code would do for the usual return: of a single probe without
 * data, in a task, no hit in progress on this CPU.  It goes to the C code before it has changed
 * anything.
 *
 * Unwinding is right at every instruction, because the slots lie inside
 * functions of the corresponding shape: an entry slot in one without a frame, a call slot in one
 * that has set up rbp.
 *
 * If nothing is to be done for a call, the frame is dropped again, and the body is
 * entered as without us.  The body may have no ENDBR64, so it is entered by a
 * return, not by a jump.
 *
 * At the entry, all registers are preserved but r10, r11 and the flags.  At the return, those
 * are preserved that have the function's value or belong to its caller.  That is enough for a
 * function that the compiler has given a site for ftrace: its callers count on no more than the
 * ABI says, and it expects nothing in r10 and r11 (entry_stub.S).  It is not enough for other
 * functions:
 *
 *   - A function in assembler may have its own rules for registers.
 *   - The compiler may have told a function's callers which registers it preserves.
 *
 * So other functions have exact slots, which preserve everything:
 *
 *   entry slot	 endbr64; call pe_return_enter_exact
 *   call slot	 endbr64; call body; jmp pe_return_leave_exact
 *
 * The return address of the call in the entry slot tells which slot it was.  It is on
 * the stack where B will be.  EFLAGS.AC and DF may be set in these functions, but not
 * while C code runs.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>
#include "arch/x86/entry/flags.S"
#include "arch/x86/entry/regs.S"
#include "arch/x86/entry/return_arena.h"
#include "arch/x86/entry/usual.h"
#include "asm_offsets.gen.h"

/* PE_RETURN_SLOT_SIZE bytes: a nop of 10 and one of 6. */
.macro EMPTY_SLOT
	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	.byte 0x66, 0x0f, 0x1f, 0x44, 0, 0
.endm

/*
 * Makes a struct pt_regs; leaves its address in rdi.  C code adds what is
 * constant.  Stores go through rdi: objtool would take stores through rsp for
 * saves that need a matching restore.
 */
.macro SAVE_REGS
	lea -PE_REGS_SIZE(%rsp), %rsp
	mov %rdi, PE_REGS_DI(%rsp)
	mov %rsp, %rdi
	mov %rax, PE_REGS_AX(%rdi)
	mov %rsi, PE_REGS_SI(%rdi)
	SAVE_OTHERS
	pushfq
	pop %rax
	mov %rax, PE_REGS_FLAGS(%rdi)
	mov (%rbp), %rax
	mov %rax, PE_REGS_BP(%rdi)
.endm

/* preempt_disable_notrace() */
.macro DISABLE_PREEMPTION
#ifdef CONFIG_PREEMPT_COUNT
	incl %gs:PE_CPU_PREEMPT_COUNT
#endif
.endm

/* Undoes that.  C code that follows finds out whether the task is to be preempted. */
.macro UNDO_PREEMPTION
#ifdef CONFIG_PREEMPT_COUNT
	PE_DEC_COUNT %gs:PE_CPU_PREEMPT_COUNT
#endif
.endm

/* preempt_enable_notrace(), but for the call at \resched, of pe_return_resched() */
.macro ENABLE_PREEMPTION resched
	UNDO_PREEMPTION
#ifdef CONFIG_PREEMPTION
	jz \resched
#endif
.endm

	.text

SYM_FUNC_START_LOCAL(pe_return_counted)
	RET
SYM_FUNC_END(pe_return_counted)

	.balign PE_RETURN_SLOT_SIZE
SYM_FUNC_START_NOALIGN(pe_entry_arena)
SYM_INNER_LABEL(pe_entry_slots, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.rept PE_RETURN_SLOTS
	EMPTY_SLOT
	.endr
	RET
SYM_FUNC_END(pe_entry_arena)

/* r11: &pe_return_slots[i]; all else as at the function's entry. */
SYM_CODE_START(pe_return_enter)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	push %rbp
	mov %rsp, %rbp
	mov (%r11), %r11		/* pe_return_enter:A, see return/ret_set.c */
	/* r11: the set; rbp, rsp: the frame's base */
SYM_INNER_LABEL(pe_return_enter_set, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	sub PE_SET_FRAME_SIZE(%r11), %rsp
	SAVE_REGS
	mov %r11, %rsi
	call pe_return_entry
	test %al, %al
	mov PE_REGS_IP(%rsp), %r11
	RESTORE_SCRATCH
	jz .Lskip
	lea PE_REGS_SIZE(%rsp), %rsp
	JMP_NOSPEC r11
.Lskip:
	leave
	push %r11
	RET
SYM_CODE_END(pe_return_enter)

/*
 * The same, exact.  (%rsp): the return address of the call in the entry slot.
 *
 * objtool makes the data for the unwinder.  It takes the state at a place from the
 * instructions that lead there, and does not understand how the frame is made here.
 * So the code before pe_return_enter_exact, which is never executed, leads to both
 * places (label 1 and .Lframe) with ordinary instructions.  The ud2 before .Lframe
 * keeps objtool from following the straight way.  pe_arch_return_init() replaces it
 * by a nop.
 */
SYM_CODE_START(pe_enter_exact)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	jc 1f
	push %rbp
	mov %rsp, %rbp
	jmp .Lframe
1:	push %rax
SYM_INNER_LABEL(pe_return_enter_exact, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	push %rax
	mov 8(%rsp), %rax
	mov %rbp, 8(%rsp)
	lea 8(%rsp), %rbp
SYM_INNER_LABEL(pe_exact_gap, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ud2
	/* -8(%rbp): rax; rax: return address in the entry slot; all else as at the entry */
.Lframe:
	pushfq
	sub $pe_entry_slots + PE_RETURN_EXACT_CALL, %rax
	shr $1, %rax			/* from 16 bytes to 8 */
	mov pe_return_slots(%rax), %rax	/* pe_return_enter:A */
	sub PE_SET_FRAME_SIZE(%rax), %rsp
	lea 16 - PE_REGS_SIZE(%rsp), %rsp
	mov %rdi, PE_REGS_DI(%rsp)
	mov %rsp, %rdi
	mov %rsi, PE_REGS_SI(%rdi)
	mov %rax, %rsi
	mov -8(%rbp), %rax
	mov %rax, PE_REGS_AX(%rdi)
	mov -16(%rbp), %rax
	mov %rax, PE_REGS_FLAGS(%rdi)
	mov (%rbp), %rax
	mov %rax, PE_REGS_BP(%rdi)
	SAVE_OTHERS
	TAME_FLAGS
	call pe_return_entry
	test %al, %al
	mov PE_REGS_FLAGS(%rsp), %rcx
	mov PE_REGS_IP(%rsp), %rax
	jz .Lskip_exact
	/* The last two words of the struct pt_regs: flags, call slot. */
	mov %rcx, PE_REGS_SP(%rsp)
	mov %rax, PE_REGS_SS(%rsp)
	COUNT_RETURN
	RESTORE_SCRATCH_EXACT
	lea PE_REGS_SP(%rsp), %rsp
	popfq
	RET_KEEPING_FLAGS
.Lskip_exact:
	/* The last words of the frame: body, flags, rbp.  The body takes rbp's place. */
	mov %rax, -16(%rbp)
	mov %rcx, -8(%rbp)
	COUNT_RETURN
	RESTORE_SCRATCH_EXACT
	lea -16(%rbp), %rsp
	mov (%rbp), %rbp
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=32 type=UNWIND_HINT_TYPE_CALL
	popq 8(%rsp)			/* relative to rsp as it is after the pop */
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=24 type=UNWIND_HINT_TYPE_CALL
	popfq
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=16 type=UNWIND_HINT_TYPE_CALL
	RET_KEEPING_FLAGS
SYM_CODE_END(pe_enter_exact)

	.balign PE_RETURN_SLOT_SIZE
SYM_FUNC_START_NOALIGN(pe_call_arena)
	ANNOTATE_NOENDBR
	push %rbp
	mov %rsp, %rbp
	jc pe_return_leave_exact	/* for objtool */
	.balign PE_RETURN_SLOT_SIZE, 0x90
SYM_INNER_LABEL(pe_call_slots, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.rept PE_RETURN_SLOTS
	EMPTY_SLOT
	.endr
SYM_INNER_LABEL(pe_return_leave, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	/* A struct pt_regs. */
	pushq $__KERNEL_DS
	push %rbp			/* plus 16, below */
	pushfq
	pushq $__KERNEL_CS
	pushq 8(%rbp)
	pushq $-1
	PUSH_REGS_FROM_DI rbp=(%rbp)
	addq $16, PE_REGS_SP(%rsp)
	mov -8(%rbp), %r8
	testb $PE_MARKS_ANY, %r8b
	jnz .Lleave_slow
	DISABLE_PREEMPTION
	mov PE_SET_PLAIN(%r8), %rdi
	testl $PE_RP_NOT_FIRING, PE_RP_FLAGS(%rdi)
	jnz .Lleave_undo
	cmpq $0, %gs:pe_hit_cpu		/* no breakpoint in progress, no level busy */
	jne .Lleave_undo
#ifdef CONFIG_PREEMPT_RT
	mov %gs:PE_CPU_CURRENT, %rax
	testl $PE_SOFTIRQ_OFFSET, PE_TASK_SOFTIRQ(%rax)
	jnz .Lleave_undo
#endif
	/* Is R the true return address?  See pe_is_true_return(). */
	mov 8(%rbp), %rdx
	mov %rdx, %rax
	sub $pe_call_slots, %rax
	cmp $PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE, %rax
	jb .Lleave_undo
	cmp pe_graph_trampoline(%rip), %rdx
	je .Lleave_undo
	cmp pe_rethook_trampoline(%rip), %rdx
	je .Lleave_undo
	/* A struct pe_hit: ->regs, ->level, which is 0, and ->preempt_count. */
	cmpl $PE_COUNT_PLAIN, %gs:PE_CPU_PREEMPT_COUNT
	jne .Lleave_depth
	push %rsp
	pushq $0
.Lleave_level:
	movb $1, %gs:pe_hit_cpu + PE_HIT_BUSY	/* pe_hit_begin:A */
	mov %rsp, %rsi
	lea -8(%rbp), %rcx
	mov PE_RP_CALL(%rdi), %rax
	CALL_NOSPEC rax
	movb $0, %gs:pe_hit_cpu + PE_HIT_BUSY	/* pe_hit_end:A */
	mov -8(%rbp), %rax
	mov PE_SET_COUNTERS(%rax), %rax
	incq %gs:PE_COUNT_RETURNS(%rax)	/* pe_return_enter_probes:E, pe_return_exit:D */
	ENABLE_PREEMPTION .Lleave_resched
.Lleft:
	mov 16 + PE_REGS_AX(%rsp), %rax
	mov 16 + PE_REGS_DX(%rsp), %rdx
	leave
	UNWIND_HINT_FUNC
	RET
#ifdef CONFIG_PREEMPTION
.Lleave_resched:
	call pe_return_resched
	jmp .Lleft
#endif
	/* Preemption has been disabled, apart from us.  Is it a task? */
.Lleave_depth:
	mov %gs:PE_CPU_PREEMPT_COUNT, %eax
	test $PE_COUNT_NO_TASK, %eax
	jnz .Lleave_undo
	and $PE_COUNT_BITS, %eax
	sub $PE_COUNT_US, %eax
	push %rsp
	push %rax
	jmp .Lleave_level
.Lleave_undo:
	UNDO_PREEMPTION
.Lleave_slow:
	mov %rsp, %rdi
	mov %rbp, %rsi
	call pe_return_exit
	mov PE_REGS_AX(%rsp), %rax
	mov PE_REGS_DX(%rsp), %rdx
	leave
	UNWIND_HINT_FUNC
	RET
SYM_INNER_LABEL(pe_return_leave_exact, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	SAVE_REGS
	TAME_FLAGS
	mov %rbp, %rsi
	call pe_return_exit
	COUNT_RETURN
	RESTORE_SCRATCH_EXACT
	pushq PE_REGS_FLAGS(%rsp)
	popfq
	leave
	RET_KEEPING_FLAGS
SYM_FUNC_END(pe_call_arena)
