// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_return.c - the parts that only returns have, as machine code.  [P]
 *
 * The frame may be that of another set of probes, or of a call that C code has to end.  The return
 * address may be one that another tracer has put there.  Then C code does it all.
 *
 * The values that the entry has saved are in the frame; so is the time of the entry.  Records have
 * the elapsed time.  All records of a return have the same, so it is on the stack of the code.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/elapsed.h"

/* Is the frame one of this set, with all its probes, and of a usual task? */
void pe_hit_begin_return(struct hit *h)
{
	const struct pe_code_frame *frame = h->code->frame;
	u64 interpret = h->env->places.interpret[PE_CODE_RETURN];
	struct pe_emit *e = h->e;

	pe_emit_mov_imm(e, PE_R11, frame->set);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_R11, pe_at(PE_RBP, -8));
	pe_emit_jcc_to(e, PE_COND_NE, interpret);
	if (!frame->mask)
		return;
	pe_emit_cmp_mem_imm(e, pe_at(PE_RBP, -16), frame->mask, 8);
	pe_emit_jcc_to(e, PE_COND_NE, interpret);
}

/* Is the return address the true one?  See pe_is_true_return(). */
void pe_hit_emit_true_return(struct hit *h)
{
	const struct pe_hit_env *env = h->env;
	u64 interpret = env->places.interpret[PE_CODE_RETURN];
	struct pe_emit *e = h->e;
	unsigned int i;

	pe_emit_load(e, PE_R10, pe_at(PE_RBP, 8), 8);
	for (i = 0; i < ARRAY_SIZE(env->places.tracers); i++) {
		if (!env->places.tracers[i])
			continue;
		pe_emit_alu_imm(e, PE_ALU_CMP, PE_R10, env->places.tracers[i], 8);
		pe_emit_jcc_to(e, PE_COND_E, interpret);
	}
	pe_emit_lea(e, PE_R10, pe_at(PE_R10, -(s64)env->places.call_slots));
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_R10, env->places.call_slots_size, 8);
	pe_emit_jcc_to(e, PE_COND_B, interpret);
}

/*
 * The count of cycles; the flag S is clear if there is none now (hit/elapsed.h).  The TSC may be
 * read a moment before the skew, but not one from before a sleep and a skew from after it
 * (pe_elapsed_begin()).  rax: it; uses rdx.
 */
static void pe_emit_cycles(struct pe_emit *e, const struct pe_hit_env *env)
{
	pe_hit_emit_tsc(e);
	pe_emit_alu_load(e, PE_ALU_ADD, PE_RAX, pe_at_addr(env->skew));
}

/*
 * rax: nanoseconds since @word was saved; uses rdx.  A difference of counts is less than 2^62.
 * The difference of a count and a time is more than 2^63, and so is a negative difference.
 */
static void pe_emit_since(struct hit *h, struct pe_mem word)
{
	struct pe_label other = {}, cycles = {}, done = {};
	struct pe_emit *e = h->e;

	pe_emit_cycles(e, h->env);
	pe_emit_jcc(e, PE_COND_NS, &other);
	pe_emit_alu_load(e, PE_ALU_SUB, PE_RAX, word);
	pe_emit_jcc(e, PE_COND_NS, &cycles);
	pe_emit_bind(e, &other);
	pe_emit_load(e, PE_RAX, word, 8);
	pe_emit_call_to(e, h->env->since);
	pe_emit_jmp(e, &done);
	pe_emit_bind(e, &cycles);
	BUILD_BUG_ON(PE_ELAPSED_SHIFT != 32);
	pe_emit_rm(e, PE_OP_W | 0xf7, 4, pe_at_addr(h->env->factor), 0);	/* mul */
	pe_emit_rr(e, PE_OP_W | PE_OP_0F | 0xac, PE_RDX, PE_RAX);	/* shrd %rdx, %rax */
	pe_emit_byte(e, PE_ELAPSED_SHIFT);
	pe_emit_bind(e, &done);
}

/* The times of all probes that want it, before anything else takes time.  Uses rax, rdx. */
void pe_hit_push_times(struct hit *h)
{
	const struct pe_hit_part *part;
	unsigned int i, time = 0;

	for (i = 0; i < h->code->nr_parts; i++) {
		part = &h->code->parts[i];
		if (part->program->time_word < 0)
			continue;
		if (!part->extra) {
			pe_emit_since(h, pe_at(PE_RBP, 8LL * part->program->time_word -
						    part->data_at));
			pe_emit_push(h->e, PE_RAX);
			h->pushed += 8;
			time = h->pushed;
		}
		h->at[i].time = time;
	}
}

void pe_hit_emit_save(struct pe_emit *e, const struct pe_hit_env *env,
		      const struct pe_program *program, unsigned int data_at)
{
	struct pe_label cycles = {};
	unsigned int i;

	for (i = 0; i < program->nr_saved; i++) {
		if (program->saved[i] != PE_SAVE_TIME)
			pe_emit_store(e, pe_at(PE_RBP, 8LL * i - data_at),
				      pe_hit_reg_at(pe_arg_regs[program->saved[i]]), 8);
	}
	if (program->time_word < 0)
		return;
	/* Last here, first at the return: so the time of our own code does not count. */
	pe_emit_mov(e, PE_R11, PE_RAX);
	pe_emit_mov(e, PE_R10, PE_RDX);
	pe_emit_cycles(e, env);
	pe_emit_jcc(e, PE_COND_S, &cycles);
	pe_emit_call_to(e, env->time);
	pe_emit_bind(e, &cycles);
	pe_emit_store(e, pe_at(PE_RBP, 8LL * program->time_word - data_at), PE_RAX, 8);
	pe_emit_mov(e, PE_RAX, PE_R11);
	pe_emit_mov(e, PE_RDX, PE_R10);
}

/* For C code, in the place of the entry's time.  Uses rax. */
void pe_hit_keep_times(struct hit *h)
{
	const struct pe_hit_part *part;
	unsigned int i;

	for (i = 0; i < h->code->nr_parts; i++) {
		part = &h->code->parts[i];
		if (!h->at[i].time || part->extra)
			continue;
		pe_emit_load(h->e, PE_RAX, pe_at(PE_RSP, h->pushed - h->at[i].time), 8);
		pe_emit_store(h->e, pe_at(PE_RBP, 8LL * part->program->time_word - part->data_at),
			      PE_RAX, 8);
	}
}
