/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_exit.S - work that compiled hits leave to C code.  [H]
 *
 * The code of a hit (emit_hit.c) calls these functions, and goes on after the call.  The first one
 * gets the ring in r11.  They are called directly, so they need no ENDBR64.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include "arch/x86/entry/scratch.S"

.macro CALLS_C name, function
SYM_FUNC_START(\name)
	ANNOTATE_NOENDBR
	PUSH_SCRATCH
	push %rax
	TAME
	mov %r11, %rdi
	call \function
	pop %rax
	POP_SCRATCH
	RET
SYM_FUNC_END(\name)
.endm

	.text

/* Leave the ring; the code has done that itself only if nothing is special about it. */
CALLS_C pe_hit_leave, pe_hit_leave_c
/* The task may be preempted. */
CALLS_C pe_hit_resched, pe_hit_resched_c

/* rax is what a C function of rax returns; changes only rax and the flags. */
.macro READS_CLOCK name, function
SYM_FUNC_START(\name)
	ANNOTATE_NOENDBR
	PUSH_SCRATCH
	push %r10
	push %r11
	TAME
	mov %rax, %rdi
	call \function
	pop %r11
	pop %r10
	POP_SCRATCH
	RET
SYM_FUNC_END(\name)
.endm

/* The clock "local"; a word of $elapsed, and the time since. */
READS_CLOCK pe_hit_clock, sched_clock
READS_CLOCK pe_hit_time, pe_hit_time_c
READS_CLOCK pe_hit_since, pe_hit_since_c
