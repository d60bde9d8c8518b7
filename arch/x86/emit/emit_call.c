// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_call.c - the machine code that enters a function with return probes.  [P]
 *
 * It does the same as return/ret_hit.c and arena/arena_hit.c for the usual call: of a task
 * that is neither idle nor ending, no hit in progress on this CPU, enough stack.  Anything else
 * goes to C code, before anything has been counted.
 *
 * Preemption is as the function's caller had it.  So a task may be preempted here, and go on with
 * a set that is not published any more, or has lost its probes.  It touches nothing of a probe,
 * and the set stays until tasks have left this code (pe_return_entry:C in return/ret_set.c).
 *
 * Control leaves by a return, to a call: so on the CPU's own stack of return addresses there is
 * none too many.
 */
#include "arch/x86/emit/emit_call.h"
#include "arch/x86/entry/usual.h"

void pe_emit_call_look(struct pe_emit *e, struct pe_call_code *code)
{
	pe_emit_cmp_mem_imm(e, pe_at_addr(code->live), 0, 1);
	pe_emit_jcc(e, PE_COND_E, &code->stale);
}

/* Is what is left of the task's stack at least what the call needs, and less than all? */
static void pe_emit_call_stack(struct pe_emit *e, const struct pe_call_env *env,
			       struct pe_call_code *code)
{
	unsigned int need = env->reserve + pe_call_frame_size(code);

	pe_emit_lea(e, PE_R11, pe_at(PE_RSP, -(s64)need));
	pe_emit_alu_load(e, PE_ALU_SUB, PE_R11, pe_at(PE_R10, env->task_stack));
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_R11, (s64)env->stack_size - need, 8);
	pe_emit_jcc(e, PE_COND_AE, &code->slow);
}

static void pe_emit_context(struct pe_emit *e, const struct pe_call_env *env,
			    struct pe_call_code *code)
{
	pe_emit_load(e, PE_R10, pe_at_cpu(env->current_task), 8);
	pe_emit_test_mem_imm(e, pe_at(PE_R10, env->task_flags), env->unusual);
	pe_emit_jcc(e, PE_COND_NE, &code->slow);
	pe_emit_cmp_mem_imm(e, pe_at_cpu(env->busy), 0, PE_USUAL_BUSY);
	pe_emit_jcc(e, PE_COND_NE, &code->slow);
	pe_emit_call_stack(e, env, code);
}

void pe_emit_call_frame(struct pe_emit *e, const struct pe_call_env *env,
			struct pe_call_code *code)
{
	unsigned int i;

	pe_emit_context(e, env, code);
	/* pe_return_entry:C, pe_return_enter_probes:E */
	pe_emit_inc_cpu(e, code->entries, PE_R11);
	pe_emit_mov_imm(e, PE_R11, code->set);
	pe_emit_push(e, PE_R11);
	if (code->mask)
		pe_emit_push_imm(e, code->mask);
	if (code->data)
		pe_emit_lea(e, PE_RSP, pe_at(PE_RSP, -(s64)code->data));
	/* The first one is above the function's return address. */
	for (i = code->words; i; i--)
		pe_emit_rm(e, 0xff, 6, pe_at(PE_RBP, 8 + 8 * i), 0);	/* push */
}

void pe_emit_call_go(struct pe_emit *e, const struct pe_call_env *env, struct pe_call_code *code)
{
	if (code->call != (u64)(s32)code->call && e->code)
		e->bad = true;
	pe_emit_push_imm(e, code->call);
	pe_emit_ret(e, env->ret);
	pe_emit_bind(e, &code->slow);
	pe_emit_mov_imm(e, PE_R11, code->set);
	pe_emit_jmp_to(e, env->enter);
	pe_emit_bind(e, &code->stale);
	pe_emit_mov_imm(e, PE_R11, code->ret);
	pe_emit_jmp_to(e, env->interpret);
}
