// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_context.c - is a hit a usual one, as machine code; and code that all returns share.  [P]
 *
 * A hit is usual if its context is that of a task, if all that the common fields could tell but
 * the depth of preemption and interrupts is 0, and if the task's name is known.  The code also
 * makes the first 8 bytes of the record, on the stack.
 *
 * At an entry and in a detour all this is in the code of each site: it is fast.  A function with
 * return probes has code for two places, so what is the same for all returns is there once, and
 * called: that takes three instructions more, and less memory for each function.
 */
#include <linux/kernel.h>
#include "arch/x86/entry/usual.h"
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/cmdline_slot.h"
#include "kernel/trace/hit_stat.h"

#define MAX_DEPTH	15		/* of disabled preemption that a record can tell */

void pe_hit_disable_preemption(struct hit *h)
{
	if (h->env->preempts)
		pe_emit_inc(h->e, pe_at_cpu(h->env->preempt_count), PE_COUNT_SIZE);
}

/* C code follows, which finds out as well that a reschedule may be wanted. */
void pe_hit_undo_preemption(struct hit *h)
{
	if (h->env->preempts)
		pe_emit_dec(h->e, pe_at_cpu(h->env->preempt_count), PE_COUNT_SIZE);
}

void pe_hit_enable_preemption(struct hit *h, struct pe_label *resched)
{
	pe_hit_undo_preemption(h);
	if (h->env->preempts)
		pe_emit_jcc(h->e, PE_COND_E, resched);
}

static struct pe_mem pe_in_head(const struct hit *h, unsigned int offset)
{
	return pe_at(PE_RSP, h->head + offset);
}

/* setnc: the carry is the flag IF. */
static void pe_emit_flag_of_carry(struct hit *h)
{
	static_assert(PE_FLAG_IRQS_OFF == 1);
	pe_emit_rm(h->e, PE_OP_0F | 0x93, 0, pe_in_head(h, offsetof(struct pe_record_head, flags)),
		   0);
}

/* Makes the record's first bytes on the stack; the other ones are 0. */
static void pe_push_head(struct hit *h)
{
	u16 type = h->code->parts->program->type;
	struct pe_emit *e = h->e;

	if (h->code->from == PE_CODE_DETOUR) {
		pe_emit_push_imm(e, type);
		h->pushed += 8;
		pe_emit_rm(e, PE_OP_0F | 0xba, 4, pe_hit_flags(h), 1);	/* bt $9 */
		pe_emit_byte(e, 9);
	} else {
		pe_emit_byte(e, 0x9c);					/* pushfq */
		h->pushed += 8;
		pe_emit_rm(e, PE_OP_0F | 0xba, 4, pe_in_head(h, 0), 1);
		pe_emit_byte(e, 9);
		pe_emit_store_imm(e, pe_in_head(h, 0), type, 4);
	}
	pe_emit_flag_of_carry(h);
}

/* In code that is called the head is there.  Uses rax. */
static void pe_emit_flags(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_emit_byte(e, 0x9c);						/* pushfq */
	pe_emit_pop(e, PE_RAX);
	pe_emit_rr(e, PE_OP_0F | 0xba, 4, PE_RAX);			/* bt $9 */
	pe_emit_byte(e, 9);
	pe_emit_flag_of_carry(h);
}

/* @counts: how often the code itself has disabled preemption. */
static void pe_emit_level(struct hit *h, unsigned int counts)
{
	pe_emit_cmp_mem_imm(h->e, pe_at_cpu(h->env->preempt_count), PE_USUAL_COUNT + counts, 4);
	pe_emit_jcc(h->e, PE_COND_NE, &h->depth);
	h->plain = h->e->addr + h->e->len;
}

/* A task that disables preemption, a few times. */
static void pe_emit_depth(struct hit *h, unsigned int counts, struct pe_label *too_deep)
{
	struct pe_emit *e = h->e;

	pe_emit_bind(e, &h->depth);
	pe_emit_load(e, PE_RAX, pe_at_cpu(h->env->preempt_count), 4);
	pe_emit_alu_imm(e, PE_ALU_SUB, PE_RAX, (s32)(PE_USUAL_COUNT + counts), 4);
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RAX, MAX_DEPTH, 4);
	pe_emit_jcc(e, PE_COND_A, too_deep);
	pe_emit_store(e, pe_in_head(h, offsetof(struct pe_record_head, preempt_count)), PE_RAX, 1);
	pe_emit_jmp_back(e, h->plain);
}

static void pe_emit_live(struct hit *h)
{
	pe_emit_cmp_mem_imm(h->e, pe_at_addr(h->code->live), 0, 1);
	pe_emit_jcc(h->e, PE_COND_E, &h->slow_preempt);
}

/* Is the name of @task in the slot in r8?  With @name, r9 gets its length.  Uses rax. */
static void pe_emit_same_name(struct hit *h, enum pe_reg task)
{
	struct pe_emit *e = h->e;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		pe_emit_load(e, PE_RAX, h->name ? pe_hit_name(h, 8 * i) :
						  pe_at(task, h->env->comm + 8 * i), 8);
		pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX,
				 pe_at(PE_R8, offsetof(struct pe_cmdline_slot, words[i])));
		pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	}
	if (!h->name)
		return;
	pe_emit_load(e, PE_R9, pe_at_cpu(h->env->name +
					 offsetof(struct pe_cmdline_last, version)), 8);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_R9,
			 pe_at(PE_R8, offsetof(struct pe_cmdline_slot, version)));
	pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
}

/*
 * No handler is running, what else the common fields could tell is 0, and the task's name is known.
 * Leaves the task in rcx if the rest is guarded, and the carry clear.  Uses rax, r8.
 */
static void pe_emit_task(struct hit *h)
{
	enum pe_reg task = h->name ? PE_R10 : PE_RCX;	/* pe_hit_push_name() */
	const struct pe_hit_env *env = h->env;
	struct pe_emit *e = h->e;

	pe_emit_cmp_mem_imm(e, pe_at_cpu(env->places.busy), 0, PE_USUAL_BUSY);
	pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	if (!h->name)
		pe_emit_load(e, task, pe_at_cpu(env->current_task), 8);
	pe_emit_test_mem_imm(e, pe_at(task, env->flags), env->flags_mask);
	pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	if (env->idle_unwatched) {
		pe_emit_test_mem_imm(e, pe_at(task, env->task_flags), env->idle);
		pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	}
	if (env->migration) {
		pe_emit_cmp_mem_imm(e, pe_at(task, env->migration), 0, 2);
		pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	}
	if (env->softirq) {
		pe_emit_cmp_mem_imm(e, pe_at(task, env->softirq), 0, 4);
		pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	}
	pe_emit_load(e, PE_R8, pe_at_cpu(env->name + offsetof(struct pe_cmdline_last, slot)), 8);
	pe_emit_load(e, PE_RAX, pe_at(task, env->pid), 8);
	pe_emit_store(e, pe_in_head(h, offsetof(struct pe_record_head, pid)), PE_RAX, 4);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX,
			 pe_at(PE_R8, offsetof(struct pe_cmdline_slot, pid)));
	pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	pe_emit_same_name(h, task);
	if (h->name && (h->guarded || h->users))
		pe_emit_mov(e, PE_RCX, PE_R10);
}

/* ---- memory ---- */

/*
 * User memory: with interrupts on, of a task that has some; else to @none.  rcx: task.  (Between
 * the steps in which exec() changes it, it is the old program's.)
 */
void pe_hit_emit_user(struct hit *h, struct pe_label *none)
{
	struct pe_emit *e = h->e;

	pe_emit_cmp_mem_imm(e, pe_in_head(h, offsetof(struct pe_record_head, flags)), 0, 1);
	pe_emit_jcc(e, PE_COND_NE, none);
	pe_emit_cmp_mem_imm(e, pe_at(PE_RCX, h->env->mm), 0, 8);
	pe_emit_jcc(e, PE_COND_E, none);
}

/* A fault finds out from preempt_count() or from the task that it must not sleep.  rcx: task. */
static void pe_emit_begin_guarded(struct hit *h)
{
	pe_emit_store_imm(h->e, pe_at_cpu(h->env->places.busy), 1, 4);	/* pe_hit_begin:A */
	if (!h->env->preempts)
		pe_emit_inc(h->e, pe_at(PE_RCX, h->env->pagefault_disabled), 4);
}

/* Uses rcx. */
void pe_hit_emit_end_guarded(struct hit *h)
{
	if (!h->guarded)
		return;
	if (!h->env->preempts) {
		pe_emit_load(h->e, PE_RCX, pe_at_cpu(h->env->current_task), 8);
		pe_emit_dec(h->e, pe_at(PE_RCX, h->env->pagefault_disabled), 4);
	}
	pe_emit_store_imm(h->e, pe_at_cpu(h->env->places.busy), 0, 4);	/* pe_hit_end:A */
}

/*
 * Hits that are only counted may come in any context, but RCU has to watch: it does not always in
 * a task that idles, which is any that injects idle time, too.  r10: the task.
 */
void pe_hit_emit_idle(struct hit *h, struct pe_label *idle)
{
	pe_emit_load(h->e, PE_R10, pe_at_cpu(h->env->current_task), 8);
	pe_emit_test_mem_imm(h->e, pe_at(PE_R10, h->env->task_flags), h->env->idle);
	pe_emit_jcc(h->e, PE_COND_NE, idle);
}

static void pe_emit_light_context(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_hit_disable_preemption(h);
	pe_emit_live(h);
	pe_emit_cmp_mem_imm(e, pe_at_cpu(h->env->places.busy), 0, PE_USUAL_BUSY);
	pe_emit_jcc(e, PE_COND_NE, &h->slow_preempt);
	pe_hit_emit_idle(h, &h->slow_preempt);
	h->task = true;
}

/* ---- a site ---- */

/*
 * The hit is a usual one; preemption is off from here on, and the code is up to date.  It looks at
 * that before it changes registers that programs could not want when it was made.
 */
void pe_hit_emit_context(struct hit *h)
{
	struct pe_emit *e = h->e;

	if (h->light) {
		pe_emit_light_context(h);
		return;
	}
	if (pe_hit_shares_context(h)) {
		pe_emit_push_imm(e, h->code->parts->program->type);
		h->pushed += 8;
		pe_hit_disable_preemption(h);
		pe_emit_live(h);
		pe_emit_call_to(e, h->env->shared.context);
		pe_emit_jcc(e, PE_COND_B, &h->slow_preempt);
	} else {
		pe_push_head(h);
		pe_emit_level(h, 0);
		pe_hit_disable_preemption(h);
		pe_emit_live(h);
		pe_emit_task(h);
	}
	if (h->users)
		pe_hit_emit_user(h, &h->slow_preempt);
	if (h->guarded)
		pe_emit_begin_guarded(h);
}

/* Emit the slow exits of pe_hit_emit_context(). */
void pe_hit_emit_context_exits(struct hit *h)
{
	if (!h->light && !pe_hit_shares_context(h))
		pe_emit_depth(h, 0, &h->slow);
}

static void pe_push_number(struct hit *h, s64 value)
{
	if (value == (s32)value) {
		pe_emit_push_imm(h->e, value);
		return;
	}
	pe_emit_mov_imm(h->e, PE_R11, value);
	pe_emit_push(h->e, PE_R11);
}

/* The only part of a return makes no record.  Nothing but the frame is on the stack. */
void pe_hit_emit_lost_return(struct hit *h, enum pe_loss loss)
{
	pe_push_number(h, h->code->frame->returns);
	pe_push_number(h, h->part->stat);
	pe_push_number(h, h->code->live);
	pe_emit_jmp_to(h->e, h->env->shared.lost[loss]);
}

/* ---- what returns share ---- */

/*
 * Called, with preemption off; the record's first 8 bytes are above the return address.  The carry
 * is set if the hit is not a usual one.  Uses rax, rcx, r8.
 */
static void pe_emit_shared_context(struct hit *h)
{
	unsigned int counts = h->env->preempts;
	struct pe_emit *e = h->e;

	h->head = 8;
	pe_emit_flags(h);
	pe_emit_level(h, counts);
	pe_emit_task(h);
	pe_emit_ret(e, h->env->places.ret);
	pe_emit_depth(h, counts, &h->slow_preempt);
	pe_emit_bind(e, &h->slow_preempt);
	pe_emit_byte(e, 0xf9);					/* stc */
	pe_emit_ret(e, h->env->places.ret);
}

/* Jumped to; what pe_hit_emit_lost_return() has pushed is on the stack.  Uses r11. */
static void pe_emit_shared_loss(struct hit *h, enum pe_loss loss)
{
	struct pe_label interpret = {}, resched = {};
	struct pe_emit *e = h->e;
	u64 counted;

	pe_hit_disable_preemption(h);
	pe_emit_pop(e, PE_R11);
	pe_emit_cmp_mem_imm(e, pe_at(PE_R11, 0), 0, 1);		/* live? */
	pe_emit_pop(e, PE_R11);
	pe_emit_jcc(e, PE_COND_E, &interpret);
	pe_emit_cmp_mem_imm(e, pe_at_cpu(h->env->places.busy), 0, PE_USUAL_BUSY);
	pe_emit_jcc(e, PE_COND_NE, &interpret);
	pe_emit_inc(e, pe_at_cpu_base(PE_R11, offsetof(struct pe_event_stat, hits)), 8);
	pe_emit_inc(e, pe_at_cpu_base(PE_R11, offsetof(struct pe_event_stat, lost[loss])), 8);
	pe_hit_enable_preemption(h, &resched);
	counted = e->addr + e->len;
	pe_emit_pop(e, PE_R11);
	pe_emit_inc(e, pe_at_cpu_base(PE_R11, 0), 8);	/* pe_return_exit:D */
	pe_emit_jmp_to(e, h->env->places.done[PE_CODE_RETURN]);
	pe_emit_bind(e, &resched);
	pe_emit_call_to(e, h->env->resched);
	pe_emit_jmp_back(e, counted);
	pe_emit_bind(e, &interpret);
	pe_hit_undo_preemption(h);
	pe_emit_pop(e, PE_R11);
	pe_emit_jmp_to(e, h->env->places.interpret[PE_CODE_RETURN]);
}

void pe_emit_hit_shared(struct pe_emit *e, struct pe_hit_env *env)
{
	static const enum pe_loss losses[] = { PE_LOSS_OFF, PE_LOSS_FILTER, PE_LOSS_LIMITED };
	const struct pe_hit_code code = { .from = PE_CODE_RETURN };
	struct hit_labels at = {};
	struct hit h = { .e = e, .env = env, .code = &code, .at = &at };
	unsigned int i;

	env->shared.context = e->addr + e->len;
	pe_emit_shared_context(&h);
	for (i = 0; i < ARRAY_SIZE(losses); i++) {
		env->shared.lost[losses[i]] = e->addr + e->len;
		pe_emit_shared_loss(&h, losses[i]);
	}
}
