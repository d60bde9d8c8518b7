/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * entry_stub.S - call targets of functions' entries while they have no other tracer.  [H]
 *
 * ftrace lets a function with a single tracer call that tracer's own trampoline, if it
 * brings one, instead of ftrace_regs_caller.  These are ours (mech/ftrace_ops.c).  They
 * make a struct pt_regs as ftrace_regs_caller would, and call C code with its address.
 * Only that code knows sites.
 *
 *	rsp ->	struct pt_regs
 *		return address into the function, after its call of us
 *		return address of the function
 *
 * Unless the C code says that a handler may have changed registers, the stubs restore only those
 * that a C function does not preserve.  r10, r11 and the flags are not: the
 * compiler keeps nothing there at the call, and ftrace_caller does not preserve them either.
 *
 * Unwinding is right at every instruction: objtool follows the pushes and pops, and the C
 * function's caller is a function that has a struct pt_regs as its frame.  Nothing here needs an
 * ENDBR64: the function calls directly, and returns go to no ENDBR64 either.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/cpufeatures.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>
#include "arch/x86/entry/regs.S"

/*
 * Call depth tracking counts the return of the stub, and the kernel counts no call that a
 * function makes of ftrace: that is for the code that is called.
 */
.macro COUNT_CALL
#ifdef X86_FEATURE_CALL_DEPTH
	CALL_DEPTH_ACCOUNT
#endif
.endm

/* A struct pt_regs at rsp, and its address in rdi; ->ip is the address of the call plus one. */
.macro PUSH_REGS
	push $__KERNEL_DS
	push %rsp
	pushfq
	push $__KERNEL_CS
	push PE_REGS_SIZE - PE_REGS_CS(%rsp)
	subq $4, (%rsp)
	push $0
	PUSH_REGS_FROM_DI
	addq $16, PE_REGS_SP(%rsp)
	mov %rsp, %rdi
.endm

/* From the saved r9 to what is above the function's return address into us. */
.set ABOVE_R9, PE_REGS_SIZE - PE_REGS_R9 + 8

/* A stub up to its C function, which gets a struct pt_regs. */
.macro CALL_WITH_REGS function
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	PUSH_REGS
	COUNT_CALL
	call \function
.endm

/*
 * The first hint forgets that rbp can be found on the stack: it is in its register.  The second is
 * of the RET that follows: a function that jumps to the stub returns there.
 */
.macro POP_REGS
	lea PE_REGS_R9(%rsp), %rsp
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=ABOVE_R9 type=UNWIND_HINT_TYPE_CALL
	POP_FROM_R9
	lea PE_REGS_SIZE - PE_REGS_DI - 8(%rsp), %rsp
	UNWIND_HINT_FUNC
.endm

/* Everything as it is in the struct pt_regs now, but rsp. */
.macro POP_ALL_REGS
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	POP_FROM_R11
.endm

/* rax: where the function goes on. */
.macro RETURN_TO_RAX
	mov %rax, PE_REGS_SIZE(%rsp)
	POP_REGS
	RET
.endm

	.text

/* The function goes on where it is. */
SYM_CODE_START(pe_entry_stub)
	CALL_WITH_REGS pe_ftrace_stub_hit
	POP_REGS
	RET
SYM_CODE_END(pe_entry_stub)

#ifndef PE_NO_CODE
/* Compiled hits of the call have been served, but those that r11 tells.  Preemption is off. */
SYM_CODE_START(pe_rest_stub)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	PUSH_REGS
	mov %r11, %rsi
	xor %edx, %edx
	COUNT_CALL
	call pe_code_rest_hit
	POP_REGS
	RET
SYM_CODE_END(pe_rest_stub)

/*
 * The rest of a function with a frame of its own at rbp.  rax: its ->ip, rcx: its ->sp.  That
 * function's rbp will be in the place where rbp has been pushed; so the hint says that it is in
 * its register.
 */
.macro REST_AT_FRAME
	UNWIND_HINT sp_reg=ORC_REG_SP sp_offset=PE_REGS_SIZE+8 type=UNWIND_HINT_TYPE_CALL
	mov %rax, PE_REGS_IP(%rdi)
	mov %rcx, PE_REGS_SP(%rdi)
	mov (%rbp), %rax
	mov %rax, PE_REGS_BP(%rdi)
	mov %r11, %rsi
	mov %rbp, %rdx
	COUNT_CALL
	call pe_code_rest_hit
	POP_REGS
	RET
.endm

/*
 * The same of a call that is called through: called; above is the return address into the
 * function.
 */
SYM_CODE_START(pe_code_call_rest)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	PUSH_REGS
	mov PE_REGS_SIZE + 8(%rsp), %rax
	sub $4, %rax
	lea 8(%rbp), %rcx
	REST_AT_FRAME
SYM_CODE_END(pe_code_call_rest)

/* The same of its return. */
SYM_CODE_START(pe_code_return_rest)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	PUSH_REGS
	mov 8(%rbp), %rax
	lea 16(%rbp), %rcx
	REST_AT_FRAME
SYM_CODE_END(pe_code_return_rest)
#endif

/* C code says where it goes on. */
SYM_CODE_START(pe_entry_stub_divert)
	CALL_WITH_REGS pe_ftrace_stub_hit_divert
	test %rax, %rax
	jz .Lchanged
	RETURN_TO_RAX
.Lchanged:
	mov PE_REGS_IP(%rsp), %rax
	mov %rax, PE_REGS_SIZE(%rsp)
	POP_ALL_REGS
	RET
SYM_CODE_END(pe_entry_stub_divert)

#ifdef CONFIG_OPTPROBES
/* The same for jump/optprobe.c. */
SYM_CODE_START(pe_optprobe_stub)
	CALL_WITH_REGS pe_optprobe_stub_hit
	RETURN_TO_RAX
SYM_CODE_END(pe_optprobe_stub)
#endif
