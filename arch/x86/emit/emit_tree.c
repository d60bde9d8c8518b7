// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_tree.c - from a return address to the code for it.  [P]
 *
 * Kernel text and modules are in the highest 2 GB, so the lower 32 bits of an address tell it
 * from any other one there.
 */
#include "arch/x86/emit/emit_tree.h"

/* The comparison has been made. */
static void pe_emit_leaf(struct pe_emit *e, const struct pe_tree_leaf *leaf, u64 miss)
{
	pe_emit_jcc_to(e, PE_COND_E, leaf->to);
	pe_emit_jmp_to(e, miss);
}

/* The halves nest log2(@n) deep. */
static void pe_emit_search(struct pe_emit *e, const struct pe_tree_leaf *leaves, unsigned int n,
			   u64 miss)
{
	unsigned int left = n / 2;
	struct pe_label right = {};

	if (n == 1) {
		pe_emit_alu_imm(e, PE_ALU_CMP, PE_R11, leaves->ret, 4);
		pe_emit_leaf(e, leaves, miss);
		return;
	}
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_R11, leaves[left].ret, 4);
	pe_emit_jcc(e, PE_COND_AE, &right);
	pe_emit_search(e, leaves, left, miss);
	pe_emit_bind(e, &right);
	pe_emit_search(e, leaves + left, n - left, miss);
}

void pe_emit_tree(struct pe_emit *e, const struct pe_mem *at, const struct pe_tree_leaf *leaves,
		  unsigned int n, u64 miss)
{
	if (n == 1 && at) {
		pe_emit_cmp_mem_imm(e, *at, leaves->ret, 4);
		pe_emit_leaf(e, leaves, miss);
		return;
	}
	if (at)
		pe_emit_load(e, PE_R11, *at, 4);
	pe_emit_search(e, leaves, n, miss);
}
