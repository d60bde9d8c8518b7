/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * site_jump.h - a site under a jump, on x86.  For kernel/arch.h and detour_stub.S.
 */
#ifndef PE_ARCH_SITE_JUMP_H
#define PE_ARCH_SITE_JUMP_H

/*
 * Sites that can be jumps at a time, and the bytes of a detour's slot: a power of two.  Each costs
 * this text, 30 bytes of the unwinder's data and 16 of jump/jump_hit.c, used or not.
 */
#define PE_ARCH_DETOURS		10240
#define PE_ARCH_DETOUR_SIZE	64
/* In a detour, where 16 bits tell its number; in words of pe_detour_slots[]. */
#define PE_DETOUR_INDEX		(PE_ARCH_DETOUR_SIZE - 2)
#define PE_DETOUR_WORDS		2

/*
 * The stub can serve a hit by itself; jump/jump_hit.c checks what it assumes.  A preempt_count()
 * of 0 tells it the level and more: see detour_stub.S.  So it has to count, also softirqs.
 */
#if defined(CONFIG_PREEMPT_COUNT) && !defined(CONFIG_PREEMPT_RT) && !defined(CONFIG_CFI_CLANG)
#define PE_DETOUR_SERVES
#endif

#ifndef __ASSEMBLY__
#include <linux/types.h>
#include "arch/x86/emit/detour.h"

/* Bytes of a jump to an island; the others take PE_ARCH_JUMP_SIZE. */
#define PE_ARCH_SHORT_SIZE	PE_JMP8_SIZE

/**
 * struct pe_arch_jump - what replaces the instructions at a site
 * @window: these instructions
 * @was: their bytes as they are without any probe
 * @put: what is there while the jump is on: the jump, then breakpoints
 * @body: in the detour, the copy of the window.  A breakpoint at the site goes on there
 * @island: 0, or where a short jump leads, and from there on to the detour
 * @island_was: the island's bytes as they are without it
 * @island_put: what is there while it is
 * @is_put: @put is there, or was, before another writer has changed it; pe_mutex
 */
struct pe_arch_jump {
	struct pe_window window;
	u8 was[PE_WINDOW_MAX];
	u8 put[PE_WINDOW_MAX];
	unsigned long body;
	unsigned long island;
	u8 island_was[PE_JMP32_SIZE];
	u8 island_put[PE_JMP32_SIZE];
	bool is_put;
};

static inline unsigned int pe_arch_jump_length(const struct pe_arch_jump *j)
{
	return j->window.length;
}

/* The offset at which the window's padding begins; the window's length: there is none. */
static inline unsigned int pe_arch_jump_padding(const struct pe_arch_jump *j)
{
	return j->window.padding;
}

/* Can control be between two of its instructions? */
static inline bool pe_arch_jump_is_single(const struct pe_arch_jump *j)
{
	return j->window.nr == 1;
}

/* detour_stub.S.  Only jump_insn.c writes the slots; until then they hold breakpoints. */
extern char pe_detours[];

/* The slot that an address in a detour belongs to. */
static __always_inline unsigned long pe_arch_detour_of(unsigned long addr)
{
	return (addr - (unsigned long)pe_detours) / PE_ARCH_DETOUR_SIZE;
}
#endif

#endif
