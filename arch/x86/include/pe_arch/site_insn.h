/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * site_insn.h - an instruction under a breakpoint, on x86.  For kernel/arch.h.
 */
#ifndef PE_ARCH_SITE_INSN_H
#define PE_ARCH_SITE_INSN_H

#include <linux/string.h>
#include <linux/types.h>
#include "arch/x86/emit/detour.h"
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_check.h"

/**
 * struct pe_arch_site - the instruction of a site with text that we write
 * @insn: its bytes as they are without any probe
 * @cls: how a hit executes it
 * @slot: out-of-line copy, NULL if the instruction is emulated without one
 *
 * All is written before the site can be hit, and constant afterwards.
 */
struct pe_arch_site {
	u8 insn[PE_INSN_MAX];
	struct pe_insn_class cls;
	void *slot;
};

/* A slot: the longest instruction and a jump, rounded up.  Free ones hold breakpoints. */
#define PE_ARCH_SLOT_SIZE	32
#define PE_ARCH_SLOT_FILL	0xcc

/* Most bytes of text that a probe of ours overwrites. */
#define PE_ARCH_WINDOW_MAX	PE_WINDOW_MAX

/* A breakpoint covers this many bytes; a jump of the kernel's own kprobes; what else is patched. */
#define PE_ARCH_BREAKPOINT_SIZE	1
#define PE_ARCH_JUMP_SIZE	5
#define PE_ARCH_PATCH_MAX	6

static inline unsigned int pe_arch_insn_length(const struct pe_arch_site *as)
{
	return as->cls.length;
}

static inline bool pe_arch_is_breakpoint(u8 byte)
{
	return byte == 0xcc;
}

/* May a jump of ours begin with the byte? */
static inline bool pe_arch_may_jump(u8 byte)
{
	return byte == 0xe9 || byte == 0xeb;
}

static inline bool pe_arch_same_insn(const struct pe_arch_site *a, const struct pe_arch_site *b)
{
	return a->cls.length == b->cls.length && !memcmp(a->insn, b->insn, a->cls.length);
}

/*
 * May it be a site of a jump label?  Such a site is always a jump of 2 or 5 bytes, or the nop that
 * the kernel puts in its place.  Which nop of 5 bytes that is depends on the kernel, and with some
 * (5.10) on the CPU: so any that begins as one of them.  The bytes are a consistent copy, with no
 * patching in progress (pe_text_read()).
 */
static inline bool pe_arch_may_be_jump_label(const struct pe_arch_site *as)
{
	u8 first = as->insn[0], second = as->insn[1];

	switch (as->cls.length) {
	case 2:
		return first == 0xeb || (first == 0x66 && second == 0x90);
	case 5:
		return first == 0xe9 || (first == 0x0f && second == 0x1f) || first == 0x66 ||
		       first == 0x3e;
	default:
		return false;
	}
}

/*
 * May it be a site of a static call?  Such a site is always one of a few instructions: jmp,
 * call, nop (also with prefixes), jcc, ret, int3.
 */
static inline bool pe_arch_may_be_static_call(const struct pe_arch_site *as)
{
	switch (as->insn[0]) {
	case 0x0f: case 0x2e: case 0x3e: case 0x66: case 0x90:
	case 0xc3: case 0xcc: case 0xe8: case 0xe9: case 0xeb:
		return true;
	default:
		return false;
	}
}

#endif
