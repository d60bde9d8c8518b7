// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_regs.c - the probed code's registers, and where compiled hits keep them.  [P]
 *
 * r10, r11 and the flags need not be preserved at a function's entry (entry_stub.S), and in a
 * detour they have been pushed.  Registers that the code uses besides are pushed.  The rest of the
 * registers is as the probed code found it.
 *
 * At a return, those are pushed that belong to the function's value, and of the others those that
 * programs want.  The function's caller expects nothing in the rest.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include "arch/x86/hit/hit_parts.h"

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

const enum pe_reg pe_hit_words[PE_HIT_WORDS] = { PE_RCX, PE_R8, PE_R9, PE_RSI, PE_RDI };

static bool pe_is_key_word(const struct hit *h, enum pe_reg reg)
{
	unsigned int i;

	for (i = 0; i < h->nr_words; i++) {
		if (pe_hit_words[i] == reg)
			return true;
	}
	return false;
}

/* Does the code use it? */
static bool pe_is_used(const struct hit *h, enum pe_reg reg)
{
	if (h->lean)
		return false;
	if (pe_is_key_word(h, reg) || reg == PE_RAX || reg == PE_RDX)
		return true;
	if (h->light || reg == PE_RSI || reg == PE_RDI)
		return false;
	return reg != PE_R9 || h->with_strings || h->name;
}

static bool pe_has_to_be_saved(const struct hit *h, enum pe_reg reg)
{
	if (!pe_is_used(h, reg))
		return false;
	return !pe_hit_is_return(h) || reg == PE_RAX || reg == PE_RDX || h->used & 1 << reg;
}

/*
 * The name as it is now; it is compared later.  It is above the registers: who drops the frame
 * drops it, too.  r10: the task.
 */
void pe_hit_push_name(struct hit *h)
{
	if (!h->name)
		return;
	pe_emit_load(h->e, PE_R10, pe_at_cpu(h->env->current_task), 8);
	pe_emit_rm(h->e, 0xff, 6, pe_at(PE_R10, h->env->comm + 8), 0);	/* push */
	pe_emit_rm(h->e, 0xff, 6, pe_at(PE_R10, h->env->comm), 0);
	h->above = 16;
	h->pushed = h->above;
}

struct pe_mem pe_hit_name(const struct hit *h, int offset)
{
	return pe_at(PE_RSP, (s64)h->pushed - h->above + offset);
}

/* Pushes the registers that the code uses. */
void pe_hit_save(struct hit *h)
{
	static const enum pe_reg scratch[] = {
		PE_RAX, PE_RCX, PE_RDX, PE_R8, PE_R9, PE_RSI, PE_RDI,
	};
	unsigned int i;

	static_assert(ARRAY_SIZE(scratch) <= ARRAY_SIZE(h->saved));
	for (i = 0; i < ARRAY_SIZE(scratch); i++) {
		if (!pe_has_to_be_saved(h, scratch[i]))
			continue;
		pe_emit_push(h->e, scratch[i]);
		h->saved[h->nr_saved++] = scratch[i];
	}
	h->pushed += 8 * h->nr_saved;
}

/* Pops them; they are the last that have been pushed. */
static void pe_pop_saved(struct hit *h)
{
	unsigned int i;

	for (i = h->nr_saved; i; i--)
		pe_emit_pop(h->e, h->saved[i - 1]);
}

/* The same, and takes away what is above them. */
void pe_hit_restore(struct hit *h)
{
	pe_pop_saved(h);
	if (h->above)
		pe_emit_lea(h->e, PE_RSP, pe_at(PE_RSP, h->above));
}

/* The same, at the end of a hit. */
void pe_hit_restore_done(struct hit *h)
{
	bool drops = h->code->from == PE_CODE_ENTRY || h->code->from == PE_CODE_RETURN;

	if (drops)		/* the frame */
		pe_pop_saved(h);
	else
		pe_hit_restore(h);
}

/* Are they those that env->places.finish pops? */
bool pe_hit_saves_few(const struct hit *h)
{
	return !pe_hit_is_return(h) && h->nr_saved == 4 && !h->above;
}

/* Takes away what is below them.  Uses r11. */
void pe_hit_drop(struct hit *h)
{
	unsigned int below = h->pushed - h->above - 8 * h->nr_saved;

	if (below == 8)
		pe_emit_pop(h->e, PE_R11);
	else if (below)
		pe_emit_lea(h->e, PE_RSP, pe_at(PE_RSP, below));
}

/* Offset from rbp to the stack pointer of the probed code. */
static unsigned int pe_sp_at(const struct hit *h)
{
	switch (h->code->from) {
	case PE_CODE_DETOUR:
		return 24;
	case PE_CODE_CALL:
		return 8;
	default:
		return 16;
	}
}

/* The register that has, or gets, what the probed code found in @reg. */
static enum pe_reg pe_hit_found(struct hit *h, enum pe_reg reg, enum pe_reg scratch)
{
	unsigned int i, at;

	if (reg == PE_RBP) {
		pe_emit_load(h->e, scratch, pe_at(PE_RBP, 0), 8);
		return scratch;
	}
	if (reg == PE_RSP) {		/* as before the call, or the detour; after the return */
		pe_emit_lea(h->e, scratch, pe_at(PE_RBP, pe_sp_at(h)));
		return scratch;
	}
	for (i = 0; i < h->nr_saved; i++) {
		if (h->saved[i] == reg) {
			at = h->pushed - h->above - 8 * (i + 1);
			pe_emit_load(h->e, scratch, pe_at(PE_RSP, at), 8);
			return scratch;
		}
	}
	return reg;
}

/*
 * The register that has, or gets, what a fetch begins with: a register, a saved word, the task, a
 * number.
 */
enum pe_reg pe_hit_value(struct hit *h, const struct pe_fetch *fetch, enum pe_reg scratch)
{
	unsigned int time = pe_hit_labels(h)->time;

	if (fetch->load == PE_LOAD_REG)
		return pe_hit_found(h, pe_hit_reg_at(fetch->reg), scratch);
	if (fetch->load == PE_LOAD_CURRENT) {
		pe_emit_load(h->e, scratch, pe_at_cpu(h->env->current_task), 8);
		return scratch;
	}
	if (fetch->load == PE_LOAD_IMM) {
		pe_emit_mov_imm(h->e, scratch, fetch->imm);
		return scratch;
	}
	h->e->bad |= fetch->load != PE_LOAD_SAVED;
	if (h->part->program->time_word == (int)fetch->index)
		pe_emit_load(h->e, scratch, pe_at(PE_RSP, h->pushed - time), 8);
	else
		pe_emit_load(h->e, scratch,
			     pe_at(PE_RBP, 8LL * fetch->index - h->part->data_at), 8);
	return scratch;
}
