/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_mem.S - compiled hits read memory that may not be there.  [H]
 *
 * Preemption is off, so a fault does not sleep; it goes on at the fixup.  emit_hit.h says what the
 * functions do.  In all of them the flag CF says that memory could be read.
 *
 * An address in the kernel's half is one below the page of vsyscalls, and so is the last byte that
 * is read.  That page is never read (pe_arch/abi.h).  C code reads memory above it.
 * Entries of the exception table for users' memory let the kernel survive a bad page there, but
 * complain about addresses that belong to neither half.
 *
 * The zeroes in a word of a string (a well-known trick): a byte of
 *
 *	(word - 0x01...01) & ~word & 0x80...80
 *
 * is 0x80 if the word's byte is 0, and no byte below it is.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/page_types.h>
#include <asm/smap.h>
#include "arch/x86/entry/scratch.S"

/* Checked in hit_env.c. */
#define STRING_MAX	64		/* PE_HIT_STRING_MAX */
#define VSYSCALL_ADDR	(-10 << 20)	/* PE_ARCH_VSYSCALL */

	.text

/* rax: what C code has read at rax. */
SYM_FUNC_START_LOCAL(pe_read_in_c)
	PUSH_SCRATCH
	push %r10
	push %r11
	TAME
	mov %rax, %rdi
	mov %r10d, %esi
	call pe_hit_read_c
	neg %rdx			/* CF: not 0 */
	pop %r11
	pop %r10
	POP_SCRATCH
	RET
SYM_FUNC_END(pe_read_in_c)

/* @get: the instruction that reads @size bytes into rax. */
.macro LOAD size, get:vararg
SYM_FUNC_START(pe_hit_load\size)
	ANNOTATE_NOENDBR
	cmp $VSYSCALL_ADDR - \size + 1, %rax
	jge .Lin_c\@
.Lload\@:
	\get
	RET				/* below: CF */
.Lfault\@:
	xor %eax, %eax
	RET
.Lin_c\@:
	push %r10
	mov $\size, %r10d
	call pe_read_in_c
	pop %r10
	RET
	_ASM_EXTABLE(.Lload\@, .Lfault\@)
SYM_FUNC_END(pe_hit_load\size)

SYM_FUNC_START(pe_hit_load_user\size)
	ANNOTATE_NOENDBR
	cmp pe_hit_user_end(%rip), %rax
	jae .Lnot_user\@
	ASM_STAC
.Lload_user\@:
	\get
	ASM_CLAC
	stc
	RET
.Lfault_user\@:
	ASM_CLAC
.Lnot_user\@:
	xor %eax, %eax
	RET
	_ASM_EXTABLE_UA(.Lload_user\@, .Lfault_user\@)
SYM_FUNC_END(pe_hit_load_user\size)
.endm

LOAD 1, movzbl (%rax), %eax
LOAD 2, movzwl (%rax), %eax
LOAD 4, mov (%rax), %eax
LOAD 8, mov (%rax), %rax

/* Words that end in the same page as the first byte. */
.macro COPY_STRING user=0
	mov %eax, %ecx
	and $PAGE_SIZE - 1, %ecx
	cmp $PAGE_SIZE - STRING_MAX, %ecx
	ja .Lno\@
	mov $~0x0101010101010101 + 1, %r10
	mov $0x8080808080808080, %r11
	lea STRING_MAX(%rdx), %r8
	.if \user
	ASM_STAC
	.endif
.Lword\@:
	mov (%rax), %rcx
	mov %rcx, (%rdx)
	lea (%rcx, %r10), %r9
	not %rcx
	and %rcx, %r9
	and %r11, %r9
	jnz .Lend\@
	add $8, %rax
	add $8, %rdx
	cmp %r8, %rdx
	jb .Lword\@
.Lfault\@:
	.if \user
	ASM_CLAC
	.endif
.Lno\@:
	clc
	RET
.Lend\@:
	.if \user
	ASM_CLAC
	.endif
	bsf %r9, %r9
	shr $3, %r9			/* CF: of 8 * n + 7 */
	lea 1(%rdx, %r9), %rdx
	RET
	.if \user
	_ASM_EXTABLE_UA(.Lword\@, .Lfault\@)
	.else
	_ASM_EXTABLE(.Lword\@, .Lfault\@)
	.endif
.endm

SYM_FUNC_START(pe_hit_string)
	ANNOTATE_NOENDBR
	cmp $VSYSCALL_ADDR, %rax
	jge .Lnot_kernel
	COPY_STRING
.Lnot_kernel:
	clc
	RET
SYM_FUNC_END(pe_hit_string)

SYM_FUNC_START(pe_hit_string_user)
	ANNOTATE_NOENDBR
	cmp pe_hit_user_end(%rip), %rax
	jae .Lnot_user
	COPY_STRING user=1
.Lnot_user:
	clc
	RET
SYM_FUNC_END(pe_hit_string_user)
