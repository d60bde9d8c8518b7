/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * detour_stub.S - where a jump in the place of probed instructions leads.  [H]
 *
 * A detour is written at run time (jump_insn.c) into one of the slots below:
 *
 *	 0	push $site + 1
 *	 5	call pe_detour_front: a static call of the stub, or of a tree (code_area.S)
 *	10	lea 8(%rsp), %rsp
 *	15	copies of the instructions (detour.c)
 *		jmp back
 *	62	number of the slot, times PE_DETOUR_WORDS
 *
 * The stub makes a struct pt_regs like that of a breakpoint, with ->ip one past the site's address
 * and ->sp as it is there, and calls C code with it: the handler of the site's only probe, one
 * that calls those of several, or pe_jump_hit().  It preserves all registers and the flags: code
 * in the middle of a function follows no ABI.
 *
 * It calls handlers only if preempt_count() is 0 and no reschedule is wanted.  This says all that
 * pe_jump_hit() would have to ask for (kernel/probe/hit.h):
 *
 *   - the level is PE_LEVEL_TASK, and no breakpoint's exception is in progress;
 *   - no handler is running at that level: it would have preemption off, and so would all that
 *     it calls or that interrupts it;
 *   - RCU is watching, and waits for this CPU: only the idle task calls code that can be probed
 *     while it does not, with preemption off.
 *
 * The probe is read with preemption off, so that it is not freed meanwhile.
 *
 * Unwinding.  After the push the stack is as if the site had called us: site + 1 is the return
 * address, and registers are the site's.  So the data of an ordinary function (ORC) is right for
 * the call and the lea: each slot has it at the same place.  It stays right while C code runs.
 * The push and the copies have the stack of the probed function, of which nothing is known
 * here.  There is no data for these: an unwinder says that it is lost, and is not wrong.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/cpufeatures.h>
#include <asm/nospec-branch.h>
#include <asm/percpu.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>
#include "arch/x86/entry/flags.S"
#include "arch/x86/entry/regs.S"
#include "arch/x86/entry/return_arena.h"
#include "arch/x86/entry/usual.h"
#include "arch/x86/include/pe_arch/site_jump.h"
#include "asm_offsets.gen.h"

	.text

/*
 * A slot without a detour.  The nop and the jump are where the call and the lea will be.  objtool
 * follows them to the return; so it has no data for what is before and after them.
 */
.macro EMPTY_DETOUR
.Ldetour\@:
	.fill 5, 1, 0xcc
	UNWIND_HINT_FUNC
	.byte 0x0f, 0x1f, 0x44, 0, 0
	{disp32} jmp .Lno_detour
	.fill PE_ARCH_DETOUR_SIZE - (. - .Ldetour\@), 1, 0xcc
.endm

	.balign PE_ARCH_DETOUR_SIZE, 0xcc
SYM_CODE_START_NOALIGN(pe_detours)
	ANNOTATE_NOENDBR
	.rept PE_ARCH_DETOURS
	EMPTY_DETOUR
	.endr
.Lno_detour:
	RET
SYM_CODE_END(pe_detours)

/* From the saved r11 to what is above the stub's return address. */
.set ABOVE_R11, PE_REGS_SIZE - PE_REGS_R11 + 8

/* In a slot, the byte after the call. */
#define CALL_END	10
#define PE_HIT_SIZE	16

/*
 * rsp is at the saved r11.  Registers that a C function preserves are as they were.  The hint: rbp
 * is in its register.
 */
.macro RESTORE_AND_RETURN
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=ABOVE_R11 type=UNWIND_HINT_TYPE_CALL
	POP_FROM_R11
	UNWIND_HINT_FUNC
	RET_KEEPING_FLAGS
.endm

/* (%rsp): return address into the detour; 8(%rsp): site + 1; all else as at the site. */
SYM_CODE_START(pe_detour_stub)
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=8 type=UNWIND_HINT_TYPE_CALL
	ANNOTATE_NOENDBR
	push $__KERNEL_DS
	push %rsp
	pushfq
	push $__KERNEL_CS
	push 40(%rsp)
	push $-1
	PUSH_REGS_FROM_DI
	addq $24, PE_REGS_SP(%rsp)
#ifdef PE_DETOUR_SERVES
	testl $(X86_EFLAGS_AC | X86_EFLAGS_DF), PE_REGS_FLAGS(%rsp)
	jnz .Lask
	cmpl $PE_USUAL_COUNT, %gs:PE_CPU_PREEMPT_COUNT
	jne .Lask
	incl %gs:PE_CPU_PREEMPT_COUNT
	mov PE_REGS_SIZE(%rsp), %rax
	movzwl PE_DETOUR_INDEX - CALL_END(%rax), %eax
	mov pe_detour_slots(, %rax, 8), %rdi	/* its ->probe */
	movb $1, PER_CPU_VAR(pe_hit_cpu + PE_HIT_BUSY)
	push %rsp			/* struct pe_hit */
	push $0
	mov %rsp, %rsi
	mov PE_KPROBE_CALL(%rdi), %rax
	CALL_NOSPEC rax			/* counts the call, if these are counted */
	movb $0, PER_CPU_VAR(pe_hit_cpu + PE_HIT_BUSY)
	PE_DEC_COUNT %gs:PE_CPU_PREEMPT_COUNT
	jz .Lresched
.Lserved:
	lea PE_HIT_SIZE + PE_REGS_R11(%rsp), %rsp
	RESTORE_AND_RETURN

.Lresched:
	call pe_jump_resched
	jmp .Lserved
.Lask:
#endif
	mov PE_REGS_SIZE(%rsp), %rsi
	mov %rsp, %rdi
	TAME_FLAGS
#ifdef X86_FEATURE_CALL_DEPTH
	CALL_DEPTH_ACCOUNT
#endif
	call pe_jump_hit
	lea PE_REGS_R11(%rsp), %rsp
	RESTORE_AND_RETURN
SYM_CODE_END(pe_detour_stub)
