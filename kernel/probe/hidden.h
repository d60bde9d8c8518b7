/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hidden.h - the text that our writes to it hide (hidden.c).
 */
#ifndef PE_HIDDEN_H
#define PE_HIDDEN_H

#include <linux/list.h>
#include <linux/types.h>
#include "kernel/arch.h"

/**
 * struct pe_hidden - padding that has been overwritten (jump/islands.c)
 * @node: in the table, by the 16 bytes that it begins in; RCU, written under pe_mutex
 * @at: its address
 * @was: its bytes
 */
struct pe_hidden {
	struct hlist_node node;
	unsigned long at;
	u8 was[PE_ARCH_JUMP_SIZE];
};

/* pe_mutex held.  After pe_unhide() @hidden is freed by RCU. */
void pe_hide(struct pe_hidden *hidden);
void pe_unhide(struct pe_hidden *hidden);

/* At sites, in the text, or lost jumps; breakpoint.c counts them.  pe_mutex. */
extern unsigned int pe_nr_breakpoints;
bool pe_hidden_any(void);	/* is there any, or an island? */

/*
 * Preemption off, or pe_mutex held:
 *
 * pe_island_in(): is a byte of [addr, addr + len) padding that has been overwritten?
 * pe_jump_covers(): is there, or will there be, a jump over @addr?
 */
bool pe_island_in(unsigned long addr, unsigned int len);
bool pe_jump_covers(unsigned long addr);

/* Undo all probes in a copy of the text at @start: ours, and the kernel's.  pe_mutex held. */
void pe_hidden_recover(u8 *code, unsigned long start, size_t len);

#endif
