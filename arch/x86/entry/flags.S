/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * flags.S - macros for code that preserves the flags; to be included.
 *
 * A return that does so is made in two steps.  RET may be a jump to a thunk.  The thunk
 * of call depth tracking (retbleed=stuff) counts the return, which changes the flags, and
 * refills the return predictor when the count asks for it.  So with that thunk:
 *
 *   - COUNT_RETURN, of code that is not called by a counted call, counts a return before the
 *     flags are restored;
 *   - RET_KEEPING_FLAGS, after the popfq, is the plain instruction.
 */
#ifndef PE_ARCH_FLAGS_H
#define PE_ARCH_FLAGS_H

#include <linux/stringify.h>
#include <asm/alternative.h>
#include <asm/cpufeatures.h>
#include <asm/nospec-branch.h>
#include <asm/processor-flags.h>
#include "arch/x86/entry/return_arena.h"

/* C code needs AC and DF clear.  rdi: the struct pt_regs, with the flags. */
.macro TAME_FLAGS
	testl $(X86_EFLAGS_AC | X86_EFLAGS_DF), PE_REGS_FLAGS(%rdi)
	jz .Ltame\@
	pushq PE_REGS_FLAGS(%rdi)
	andl $~(X86_EFLAGS_AC | X86_EFLAGS_DF), (%rsp)
	popfq
.Ltame\@:
.endm

#ifdef X86_FEATURE_CALL_DEPTH
.macro COUNT_RETURN
	ALTERNATIVE "", "call pe_return_counted", X86_FEATURE_CALL_DEPTH
.endm
.macro RET_KEEPING_FLAGS
	ALTERNATIVE __stringify(RET), __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		    X86_FEATURE_CALL_DEPTH
.endm
#else
.macro COUNT_RETURN
.endm
.macro RET_KEEPING_FLAGS
	RET
.endm
#endif

#endif
