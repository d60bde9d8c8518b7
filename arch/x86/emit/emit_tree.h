/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_tree.h - from a return address to the code for it.  [P]
 */
#ifndef PE_ARCH_EMIT_TREE_H
#define PE_ARCH_EMIT_TREE_H

#include <linux/types.h>
#include "arch/x86/emit/emit.h"

/**
 * struct pe_tree_leaf - where a call leads
 * @ret: the call's return address
 * @to: the code for it
 */
struct pe_tree_leaf {
	u64 ret;
	u64 to;
};

/* Bytes of the code for @n leaves, at most. */
#define PE_TREE_SIZE(n)		(16 + (n) * 31u)

/* Where trees of detours and of a function's first call find it; those of calls have it in r11. */
static inline struct pe_mem pe_tree_return(void)
{
	return pe_at(PE_RBP, 8);
}

/**
 * pe_emit_tree() - a binary search, as code
 * @e: the code
 * @at: where the return address is; NULL: in r11, with all its bits
 * @leaves: @n, in ascending order, at least one; all return addresses are in the highest 2 GB
 * @n: number of leaves
 * @miss: where other calls lead
 *
 * Changes the flags and, if it is not there already, r11.
 */
void pe_emit_tree(struct pe_emit *e, const struct pe_mem *at, const struct pe_tree_leaf *leaves,
		  unsigned int n, u64 miss);

#endif
