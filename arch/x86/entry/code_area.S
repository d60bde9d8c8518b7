/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * code_area.S - memory for code that is made at run time.  [H]
 *
 * While hits are compiled, a function that we alone trace calls one of two trees.  It is a
 * search for the return address (emit_tree.c), which leads to the site's code (emit_hit.c), or
 * to pe_code_interpret, which goes on as without compiled hits.  While one tree is in use, the
 * next one is written into the other (compiled/round.c).
 *
 * The code lies inside functions that have pushed rbp and set it up.  So unwinding is right at
 * every instruction of it, whatever it pushes and calls.  It does not pop rbp, but goes to
 * pe_code_done for that.
 *
 * Detours call trees of their own (detour_stub.S), and the code of their sites is here as well.
 * There all registers and the flags are the probed code's, so r10, r11 and flags are pushed
 * below rbp.
 *
 * After the area is code that the sites' code calls, written once, before there is any.
 *
 * If a function's calls are diverted, it calls one of two more trees.  There rbp takes the place of
 * the return address into the function, which is in r11; so the unwinder goes on in the function's
 * caller, as in a call that is called through (return_arena.S).
 *
 * All here is text of this module, read-only as any text.  Until code is written it holds nops.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>
#include "arch/x86/entry/code_area.h"
#include "arch/x86/entry/flags.S"
#include "arch/x86/entry/regs.S"
#include "arch/x86/entry/scratch.S"
#include "arch/x86/entry/usual.h"
#include "asm_offsets.gen.h"

/* @size bytes of nops: a nop of 10 and one of 6. */
.macro EMPTY_CODE size
	.rept \size / 16
	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	.byte 0x66, 0x0f, 0x1f, 0x44, 0, 0
	.endr
.endm

/*
 * Called; \name\()_code: with rbp pushed and set up.  A function's start would have an ENDBR64, so
 * the tree is called at a label.
 */
.macro TREE name push=PUSH_ENTRY pop=POP_ENTRY stub=pe_entry_stub
	.balign 64
SYM_CODE_START_LOCAL_NOALIGN(\name\()_frame)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	\push
SYM_INNER_LABEL(\name\()_code, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	EMPTY_CODE PE_CODE_TREE_SIZE
	\pop
	jmp \stub
SYM_CODE_END(\name\()_frame)
.endm

.macro PUSH_ENTRY
	push %rbp
	mov %rsp, %rbp
.endm

.macro POP_ENTRY
	pop %rbp
.endm

.macro PUSH_DETOUR
	push %rbp
	mov %rsp, %rbp
	pushfq
	push %r11
	push %r10
.endm

.macro POP_DETOUR
	pop %r10
	pop %r11
	popfq
	pop %rbp
.endm

/*
 * Called.  At \name\()_code: rbp is in the place of the return address, and points there; that
 * is in r11.  objtool gets the push that the call has made.
 */
.macro CALL_TREE name
	.balign 64
SYM_FUNC_START_LOCAL_NOALIGN(\name\()_frame)
	ANNOTATE_NOENDBR
	push %rax
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	mov (%rsp), %r11
	mov %rbp, (%rsp)
	mov %rsp, %rbp
SYM_INNER_LABEL(\name\()_code, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	EMPTY_CODE PE_CODE_CALL_TREE_SIZE
	pop %rbp
	RET
SYM_FUNC_END(\name\()_frame)
.endm

/* Tell objtool of the registers that code has pushed; these pushes are never executed. */
.macro PUSH_SAVED
	push %rax
	push %rcx
	push %rdx
	push %r8
.endm

.macro POP_SAVED
	pop %r8
	pop %rdx
	pop %rcx
	pop %rax
.endm

/* r10, r11 and the flags are free, or have been pushed. */
.macro ENABLE_PREEMPTION
#ifdef CONFIG_PREEMPT_COUNT
	PE_DEC_COUNT %gs:PE_CPU_PREEMPT_COUNT
	jnz .Lgo_on\@
	PUSH_SCRATCH
	push %rax
	TAME
	call pe_jump_resched
	pop %rax
	POP_SCRATCH
.Lgo_on\@:
#endif
.endm

	.text

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
TREE pe_code_tree_a
TREE pe_code_tree_b
#endif
TREE pe_code_detour_tree_a PUSH_DETOUR POP_DETOUR pe_detour_stub
TREE pe_code_detour_tree_b PUSH_DETOUR POP_DETOUR pe_detour_stub

/* The first instructions tell objtool how the frame is; they are never executed. */
	.balign 64
SYM_FUNC_START_NOALIGN(pe_code_frame)
	ANNOTATE_NOENDBR
	push %rbp
	mov %rsp, %rbp
	jc pe_code_done
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	js pe_code_rest
	jo pe_code_interpret
	jp pe_code_finish_bare
	PUSH_SAVED
	jp pe_code_finish
	POP_SAVED
#endif
	.balign 64, 0x90
SYM_INNER_LABEL(pe_code_area, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	EMPTY_CODE PE_CODE_AREA_SIZE
SYM_INNER_LABEL(pe_code_shared, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	EMPTY_CODE PE_CODE_SHARED_SIZE
	jmp pe_code_done
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	/* The same as pe_code_done, of an entry.  Preemption is off; registers have been pushed. */
SYM_INNER_LABEL(pe_code_finish, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ENABLE_PREEMPTION
	POP_SAVED
	leave
	RET
	/* None have been pushed. */
SYM_INNER_LABEL(pe_code_finish_bare, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ENABLE_PREEMPTION
#endif
	/* All has been done, of an entry or of a return: rbp points to the caller's rbp. */
SYM_INNER_LABEL(pe_code_done, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	leave
SYM_INNER_LABEL(pe_code_ret, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
SYM_INNER_LABEL(pe_code_interpret, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	pop %rbp
	jmp pe_entry_stub
SYM_INNER_LABEL(pe_code_rest, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	pop %rbp
	jmp pe_rest_stub
#endif
SYM_FUNC_END(pe_code_frame)

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* The code of calls leads here.  r11: the return address into the function; rsp == rbp. */
SYM_CODE_START_LOCAL(pe_code_call_frame)
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	push %rbp
	mov %rsp, %rbp
SYM_INNER_LABEL(pe_code_call_interpret, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	pop %rbp
	push %r11
	UNWIND_HINT_FUNC
	jmp pe_entry_stub_divert
SYM_CODE_END(pe_code_call_frame)

CALL_TREE pe_code_call_tree_a
CALL_TREE pe_code_call_tree_b
#endif

/* The code of detours' sites leads here.  The first instructions are for objtool, as above. */
SYM_FUNC_START_LOCAL(pe_code_detour_frame)
	ANNOTATE_NOENDBR
	PUSH_DETOUR
	jc pe_code_detour_return
	js pe_code_detour_rest
	jp pe_code_detour_finish_bare
	PUSH_SAVED
	jp pe_code_detour_finish
	POP_SAVED
SYM_INNER_LABEL(pe_code_detour_interpret, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	POP_DETOUR
	jmp pe_detour_stub
	/* As of an entry. */
SYM_INNER_LABEL(pe_code_detour_finish, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ENABLE_PREEMPTION
	POP_SAVED
	POP_DETOUR
	RET_KEEPING_FLAGS
SYM_INNER_LABEL(pe_code_detour_finish_bare, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	ENABLE_PREEMPTION
SYM_INNER_LABEL(pe_code_detour_return, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	POP_DETOUR
	RET_KEEPING_FLAGS
	/* r11: data for C code, which makes the rest of the hit's records.  Preemption is off. */
SYM_INNER_LABEL(pe_code_detour_rest, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	xchg %r11, -16(%rbp)
	mov -24(%rbp), %r10
	lea -PE_REGS_SIZE(%rsp), %rsp
	mov %rdi, PE_REGS_DI(%rsp)
	/* Stores go through rdi: objtool would take stores through rsp for saves. */
	mov %rsp, %rdi
	mov %rsi, PE_REGS_SI(%rdi)
	mov %rax, PE_REGS_AX(%rdi)
	SAVE_OTHERS
	mov (%rbp), %rax
	mov %rax, PE_REGS_BP(%rdi)
	mov -8(%rbp), %rax
	mov %rax, PE_REGS_FLAGS(%rdi)
	mov 16(%rbp), %rax
	mov %rax, PE_REGS_IP(%rdi)
	lea 24(%rbp), %rax
	mov %rax, PE_REGS_SP(%rdi)
	movq $-1, PE_REGS_IP - 8(%rdi)
	movq $__KERNEL_CS, PE_REGS_CS(%rdi)
	movq $__KERNEL_DS, PE_REGS_SS(%rdi)
	mov -16(%rbp), %rsi
	xor %edx, %edx
	TAME_FLAGS
	call pe_code_rest_hit
	RESTORE_SCRATCH_EXACT
	lea -8(%rbp), %rsp
	popfq
	pop %rbp
	RET_KEEPING_FLAGS
SYM_FUNC_END(pe_code_detour_frame)
