// SPDX-License-Identifier: GPL-2.0
/*
 * emit_regs.c - the probed code's registers, and where compiled hits keep them.  [P]
 *
 * r10, r11 and the flags need not be preserved at a function's entry (entry_stub.S), and in a
 * detour they have been pushed.  Those that the code uses besides are pushed.  The rest of the
 * registers is as the probed code found it.
 *
 * At a return, all registers are in memory, and the code may use what a called function may.  It
 * pushes those of the handler's arguments that it uses.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include "arch/x86/hit/hit_parts.h"

/* r9: only with strings. */
static const enum pe_reg saved[] = { PE_RAX, PE_RCX, PE_RDX, PE_R8, PE_R9 };
static const enum pe_reg saved_at_return[] = { PE_RCX, PE_RDX };

/* Where they are in struct pt_regs. */
static const u16 offsets[] = {
	[PE_RAX] = offsetof(struct pt_regs, ax), [PE_RCX] = offsetof(struct pt_regs, cx),
	[PE_RDX] = offsetof(struct pt_regs, dx), [PE_RBX] = offsetof(struct pt_regs, bx),
	[PE_RSP] = offsetof(struct pt_regs, sp), [PE_RBP] = offsetof(struct pt_regs, bp),
	[PE_RSI] = offsetof(struct pt_regs, si), [PE_RDI] = offsetof(struct pt_regs, di),
	[PE_R8] = offsetof(struct pt_regs, r8), [PE_R9] = offsetof(struct pt_regs, r9),
	[PE_R12] = offsetof(struct pt_regs, r12), [PE_R13] = offsetof(struct pt_regs, r13),
	[PE_R14] = offsetof(struct pt_regs, r14), [PE_R15] = offsetof(struct pt_regs, r15),
};

/* The number of the register at @offset in struct pt_regs; -1: none that can be read here. */
int pe_hit_reg_at(unsigned int offset)
{
	switch (offset) {
	case offsetof(struct pt_regs, ax): return PE_RAX;
	case offsetof(struct pt_regs, bx): return PE_RBX;
	case offsetof(struct pt_regs, cx): return PE_RCX;
	case offsetof(struct pt_regs, dx): return PE_RDX;
	case offsetof(struct pt_regs, si): return PE_RSI;
	case offsetof(struct pt_regs, di): return PE_RDI;
	case offsetof(struct pt_regs, r8): return PE_R8;
	case offsetof(struct pt_regs, r9): return PE_R9;
	case offsetof(struct pt_regs, r12): return PE_R12;
	case offsetof(struct pt_regs, r13): return PE_R13;
	case offsetof(struct pt_regs, r14): return PE_R14;
	case offsetof(struct pt_regs, r15): return PE_R15;
	case offsetof(struct pt_regs, bp): return PE_RBP;
	case offsetof(struct pt_regs, sp): return PE_RSP;
	default: return -1;
	}
}

/* Pushes the registers that the code uses. */
void pe_hit_save(struct hit *h)
{
	unsigned int n = ARRAY_SIZE(saved), i;

	h->saved = saved;
	if (pe_hit_is_return(h)) {
		h->saved = saved_at_return;
		n = ARRAY_SIZE(saved_at_return);
	} else if (!h->with_strings) {
		n--;
	}
	for (i = 0; i < n; i++)
		pe_emit_push(h->e, h->saved[i]);
	h->nr_saved = n;
	h->pushed = 8 * n;
}

/* Pops them; they are the last that have been pushed. */
void pe_hit_restore(struct hit *h)
{
	unsigned int i;

	for (i = h->nr_saved; i; i--)
		pe_emit_pop(h->e, h->saved[i - 1]);
}

/* Takes away what is below them. */
void pe_hit_drop(struct hit *h)
{
	if (h->pushed != 8 * h->nr_saved)
		pe_emit_lea(h->e, PE_RSP, pe_at(PE_RSP, h->pushed - 8 * h->nr_saved));
}

/* The register that has, or gets, what the function found in @reg. */
enum pe_reg pe_hit_found(struct hit *h, enum pe_reg reg, enum pe_reg scratch)
{
	unsigned int i;

	if (pe_hit_is_return(h)) {
		pe_emit_load(h->e, scratch, pe_hit_at_return(offsets[reg]), 8);
		return scratch;
	}
	if (reg == PE_RBP) {
		pe_emit_load(h->e, scratch, pe_at(PE_RBP, 0), 8);
		return scratch;
	}
	if (reg == PE_RSP) {		/* as before the call, or the detour */
		pe_emit_lea(h->e, scratch,
			    pe_at(PE_RBP, h->code->from == PE_CODE_DETOUR ? 24 : 16));
		return scratch;
	}
	for (i = 0; i < h->nr_saved; i++) {
		if (h->saved[i] == reg) {
			pe_emit_load(h->e, scratch, pe_at(PE_RSP, h->pushed - 8 * (i + 1)), 8);
			return scratch;
		}
	}
	return reg;
}
