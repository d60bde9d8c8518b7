// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_hit.c - the machine code of a site's hits.  [P]
 *
 * The code does what event_hit.c does for the usual hit, with the same result: for each part it
 * takes a record's place in the ring, writes the record, publishes it, and counts.  All that is
 * known when it is made is a constant in it.  It leaves rare cases to the C code: before it
 * has changed anything, it goes to @interpret as if it had not been there; after a part that is
 * done, to @rest.  Rare cases are:
 *
 *   - a context other than a task, softirqs or migration disabled, preemption more than a few
 *     times
 *   - a task that is to be rescheduled, or that has a name other than the one in the slot that
 *     was found last on this CPU
 *   - a hit from within a handler
 *   - a record that does not fit into the page, or comes long after the one before it, or has
 *     a writer that has interrupted another one
 *   - recording that is disabled (but not tracing_on, which is read and counted here)
 *   - a string that is long or cannot be read; user memory where a task has none
 *
 * Is RCU watching?  Only a task that idles calls functions that can be traced while RCU is not.
 * The name of the idle task is in no slot; one that injects idle time is another task, and is
 * asked where the kernel has such functions (@idle_unwatched).  (All else that runs then is
 * noinstr.)  A hit that makes no record, because of tracing_on or the filter, looks for neither:
 * it counts as a hit of its event and a loss, not in kprobes/unwatched.
 *
 * A hit that is only counted in a table (emit_count.c) may be in any context but a task that idles.
 *
 * It calls nothing but what env names.  If that can fault, or call what can be probed, and so lead
 * to other probes, the flag says that a handler is running (hit.h).
 *
 * The code is called at a function's entry, or by the detour of a jump; or at the entry of a
 * function with return probes, and then goes on in the code that enters the call
 * (emit_call.c); or at the return of such a function (hit_parts.h).
 *
 * Which memory may it use?  The memory of the code itself, of the instance's struct and of the
 * counters stays until no task can be in the code any more (event/compile.c).  For anything
 * else, the byte @live has been looked at with preemption off, as a hit in C looks at what it
 * uses.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "arch/x86/entry/usual.h"
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit_stat.h"
#include "kernel/trace/ring/rb.h"

const char *pe_hit_can_save(const struct pe_program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr_saved; i++) {
		if (program->saved[i] == PE_SAVE_SINCE)
			return "it has $since";
		if (program->saved[i] != PE_SAVE_TIME && program->saved[i] >= PE_REG_ARGS)
			return "it saves an argument on the stack";
	}
	return NULL;
}

const char *pe_hit_can_emit(const struct pe_program *program, const struct pe_filter *filter)
{
	const char *why = pe_hit_can_fetch(program) ?: pe_hit_can_save(program);

	if (!why && program->fixed / 4 + 1 > PE_RB_TYPE_MAX_SHORT)
		why = "the record is long";
	if (!why && filter)
		why = pe_hit_can_filter(program, filter);
	return why;
}

/* Nothing has been done: do it in C.  Registers and preemption are as they were. */
static void pe_emit_interpret(struct hit *h)
{
	if (h->code->from == PE_CODE_CALL)
		pe_emit_mov_imm(h->e, PE_R11, h->code->frame->ret);
	pe_emit_jmp_to(h->e, h->env->places.interpret[h->code->from]);
}

/* ---- a part ---- */

/* Is it within its event's limit?  A hit that C code does after all is counted there again. */
static void pe_emit_in_limit(struct hit *h)
{
	if (!h->part->gate)
		return;
	pe_emit_mov_imm(h->e, PE_R11, h->part->gate);
	pe_emit_cmp_mem_imm(h->e, pe_at(PE_R11, 0), 0, 4);
	pe_emit_jcc(h->e, PE_COND_NE, &pe_hit_labels(h)->limited);
	if (h->part->cost && !h->part->extra)
		pe_emit_inc_cpu(h->e, h->part->cost, PE_R11);
}

/* Is it wanted?  r11: address of the pointer to the buffer. */
static void pe_emit_gate(struct hit *h)
{
	if (!h->part->count.hist)
		pe_emit_in_limit(h);
	pe_emit_mov_imm(h->e, PE_R11, h->part->inst);
	pe_emit_cmp_mem_imm(h->e, pe_at(PE_R11, h->part->tracing_on), 0, 1);
	pe_emit_jcc(h->e, PE_COND_E, &pe_hit_labels(h)->off);
	if (h->part->filter)
		pe_hit_emit_filter(h);
}

static void pe_emit_head(struct hit *h)
{
	u16 type = h->part->program->type;
	struct pe_emit *e = h->e;

	static_assert(offsetof(struct pe_record_head, ip) == 8);
	/* Nothing but the only part needs it, and it is where it can be popped. */
	if (h->code->nr_parts == 1 && !h->strings && !h->part->count.hist) {
		pe_emit_rm(e, 0x8f, 0, pe_hit_in_record(h, 0), 0);	/* pop */
		h->pushed -= 8;
	} else {
		pe_emit_load(e, PE_RAX, pe_at(PE_RSP, 0), 8);
		pe_emit_store(e, pe_hit_in_record(h, 0), PE_RAX, 8);
	}
	if (type != h->code->parts->program->type)
		pe_emit_store_imm(e, pe_hit_in_record(h, 0), type, 2);
	pe_emit_store_imm(e, pe_hit_in_record(h, offsetof(struct pe_record_head, ip)),
			  h->part->ip, 8);
	if (!pe_hit_is_return(h))
		return;
	pe_emit_load(e, PE_RAX, pe_at(PE_RBP, 8), 8);
	pe_emit_store(e, pe_hit_in_record(h, offsetof(struct pe_return_head, ret_ip)), PE_RAX, 8);
}

static void pe_emit_record(struct hit *h)
{
	unsigned int fixed = h->part->program->fixed;

	if (h->size && fixed % 4)	/* the bytes after it are 0 */
		pe_emit_store_imm(h->e, pe_hit_in_record(h, fixed & ~3u), 0, 4);
	pe_emit_head(h);
	pe_hit_emit_args(h);
}

static void pe_emit_count_record(struct hit *h)
{
	if (h->part->extra)
		pe_hit_emit_count(h, PE_RAX, offsetof(struct pe_event_stat, records));
	else
		pe_emit_inc_cpu(h->e, h->part->stat + offsetof(struct pe_event_stat, both),
				PE_RAX);
}

/* The hit is counted in a table, and that is all. */
static void pe_emit_only_count(struct hit *h)
{
	if (!h->bare)
		pe_emit_in_limit(h);
	pe_hit_emit_find(h);
	pe_hit_emit_add(h);
	pe_hit_emit_count(h, PE_R11, offsetof(struct pe_event_stat, counted));
	pe_hit_labels(h)->done = h->e->addr + h->e->len;
}

/* The hit has been recorded, or was not to be, and is counted as well. */
static void pe_emit_also_count(struct hit *h)
{
	s64 stat = h->part->stat;

	pe_hit_emit_add(h);
	pe_emit_inc_cpu(h->e, stat + offsetof(struct pe_event_stat, counted), PE_R11);
	pe_emit_inc_cpu(h->e, stat + offsetof(struct pe_event_stat, extra), PE_R11);
}

/* Is it the first one of its probe that makes a record? */
static bool pe_emit_is_first_record(const struct hit *h)
{
	const struct pe_hit_part *part = h->part;

	while (part->extra) {
		part--;
		if (!part->count_only)
			return false;
	}
	return true;
}

/* @alone: it is wanted, and r11 says where. */
static void pe_emit_wanted(struct hit *h, bool alone)
{
	const struct pe_program *program = h->part->program;
	bool strings = pe_hit_has_strings(program), copied = strings && !h->name;

	if (h->part->count_only) {
		pe_emit_only_count(h);
		return;
	}
	if (h->part->count.hist) {
		pe_emit_in_limit(h);
		pe_hit_emit_find(h);
	}
	h->size = strings ? 0 : 4 + DIV_ROUND_UP(program->fixed, 4) * 4;
	if (copied && pe_emit_is_first_record(h))
		pe_hit_emit_strings(h);
	if (!alone)
		pe_emit_gate(h);
	else if (copied)
		pe_emit_mov_imm(h->e, PE_R11, h->part->inst);
	pe_hit_emit_ring(h);
	pe_hit_emit_reserve(h);
	pe_emit_record(h);
	pe_emit_count_record(h);
	pe_hit_emit_leave(h);
	if (h->part->count.hist)
		pe_emit_also_count(h);
}

static void pe_emit_part(struct hit *h, bool alone)
{
	pe_emit_wanted(h, alone);
	pe_hit_labels(h)->after = h->e->addr + h->e->len;
}

/* ---- the end ---- */

/* The first time, which is after the last record, the code itself is there. */
static void pe_emit_hit_enter(struct hit *h)
{
	if (h->enter) {
		pe_emit_jmp_back(h->e, h->enter);
		return;
	}
	h->enter = h->e->addr + h->e->len;
	h->code->frame->enter(h->e, h->code->frame->enter_data);
}

/* Nothing is left to be done, and only rbp is pushed, or a frame. */
static void pe_emit_return(struct hit *h)
{
	if (h->code->from == PE_CODE_CALL) {
		pe_emit_hit_enter(h);
		return;
	}
	/* pe_return_enter_probes:E, pe_return_exit:D */
	if (pe_hit_is_return(h))
		pe_emit_inc_cpu(h->e, h->code->frame->returns, PE_R11);
	pe_emit_jmp_to(h->e, h->env->places.done[h->code->from]);
}

static void pe_emit_finish(struct hit *h)
{
	u64 finish = h->env->places.finish[h->code->from];

	pe_hit_emit_end_guarded(h);
	pe_hit_drop(h);
	if (finish && pe_hit_saves_few(h)) {
		pe_emit_jmp_to(h->e, finish);
		return;
	}
	if (h->light && h->env->places.finish_bare[h->code->from]) {
		pe_hit_restore(h);
		pe_emit_jmp_to(h->e, h->env->places.finish_bare[h->code->from]);
		return;
	}
	pe_hit_enable_preemption(h, &h->resched);
	h->preempted = h->e->addr + h->e->len;
	pe_hit_restore_done(h);
	pe_emit_return(h);
	pe_emit_bind(h->e, &h->resched);
	pe_emit_call_to(h->e, h->env->resched);
	pe_emit_jmp_back(h->e, h->preempted);
}

/* ---- the ways out ---- */

/* A hit that makes no record looks at less, but at this. */
static void pe_emit_begin_loss(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_hit_disable_preemption(h);
	pe_emit_cmp_mem_imm(e, pe_at_addr(h->code->live), 0, 1);
	pe_emit_jcc(e, PE_COND_E, &h->interpret_preempt);
	pe_emit_cmp_mem_imm(e, pe_at_cpu(h->env->places.busy), 0, PE_USUAL_BUSY);
	pe_emit_jcc(e, PE_COND_NE, &h->interpret_preempt);
}

/*
 * The only part makes no record, unless that has to be counted otherwise.  No register is
 * pushed.
 */
static void pe_emit_loss_alone(struct hit *h, struct pe_label *label, enum pe_loss loss)
{
	struct pe_emit *e = h->e;

	if (!pe_label_is_used(label))
		return;
	pe_emit_bind(e, label);
	if (pe_hit_is_return(h)) {
		pe_hit_emit_lost_return(h, loss);
		return;
	}
	pe_emit_begin_loss(h);
	if (h->bare && loss == PE_LOSS_SOFT)
		pe_hit_emit_rejected(h);
	pe_hit_emit_count(h, PE_R11, offsetof(struct pe_event_stat, lost[loss]));
	if (h->env->places.finish_bare[h->code->from]) {
		pe_emit_jmp_to(e, h->env->places.finish_bare[h->code->from]);
		return;
	}
	pe_hit_enable_preemption(h, &h->resched_bare);
	pe_emit_return(h);
}

static void pe_emit_losses_alone(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_emit *e = h->e;

	if (!h->bare)
		pe_emit_loss_alone(h, &at->off, PE_LOSS_OFF);
	pe_emit_loss_alone(h, &at->rejected, h->bare ? PE_LOSS_SOFT : PE_LOSS_FILTER);
	pe_emit_loss_alone(h, &at->limited, PE_LOSS_LIMITED);
	if (pe_label_is_used(&h->interpret_preempt)) {
		pe_emit_bind(e, &h->interpret_preempt);
		pe_hit_undo_preemption(h);
		pe_emit_interpret(h);
	}
	if (pe_label_is_used(&h->resched_bare)) {
		pe_emit_bind(e, &h->resched_bare);
		pe_emit_call_to(e, h->env->resched);
		pe_emit_return(h);
	}
}

/* The part makes no record, and the code goes on at @to. */
static void pe_emit_loss(struct hit *h, struct pe_label *label, enum pe_loss loss, u64 to)
{
	if (!pe_label_is_used(label))
		return;
	pe_emit_bind(h->e, label);
	pe_hit_emit_count(h, PE_R11, offsetof(struct pe_event_stat, lost[loss]));
	pe_emit_jmp_back(h->e, to);
}

/* C code does the part, and those after it; then it goes on, or we do. */
static void pe_emit_rest(struct hit *h)
{
	u64 to = h->env->places.rest[h->code->from];
	struct pe_emit *e = h->e;

	pe_hit_keep_times(h);
	pe_hit_drop(h);
	pe_hit_restore(h);
	pe_emit_mov_imm(e, PE_R11, h->code->rest + h->nr * h->code->rest_size);
	switch (h->code->from) {
	case PE_CODE_CALL:
		pe_emit_push_imm(e, h->code->frame->ret);
		pe_emit_call_to(e, to);
		pe_emit_pop(e, PE_R11);
		pe_emit_return(h);
		break;
	case PE_CODE_RETURN:
		pe_emit_call_to(e, to);
		pe_emit_return(h);
		break;
	default:
		pe_emit_jmp_to(e, to);
	}
}

/* The stack is as it was in the part. */
static void pe_emit_slow(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_emit *e = h->e;

	if (!h->nr && pe_label_is_used(&h->slow_time)) {
		pe_emit_bind(e, &h->slow_time);
		pe_hit_emit_end_guarded(h);
		pe_emit_rest(h);
	}
	pe_emit_bind(e, &at->slow);
	pe_hit_emit_end_guarded(h);
	if (h->nr) {
		pe_emit_rest(h);
		return;
	}
	pe_emit_bind(e, &h->slow_preempt);
	pe_hit_undo_preemption(h);
	pe_emit_bind(e, &h->slow);
	pe_hit_drop(h);
	pe_hit_restore(h);
	pe_emit_interpret(h);
}

static void pe_emit_exits(struct hit *h, bool alone)
{
	struct hit_labels *at = pe_hit_labels(h);

	if (h->part->count.hist)
		pe_hit_emit_count_exits(h);
	if (!h->part->count_only)
		pe_hit_emit_ring_exits(h);
	if (alone || h->bare) {
		pe_emit_losses_alone(h);
	} else {
		if (!h->part->count_only) {
			pe_emit_loss(h, &at->off, PE_LOSS_OFF, at->done);
			pe_emit_loss(h, &at->rejected, PE_LOSS_FILTER, at->done);
		}
		pe_emit_loss(h, &at->limited, PE_LOSS_LIMITED, at->after);
	}
	pe_emit_slow(h);
}

/* ---- all ---- */

static void pe_emit_hit_choose(struct hit *h, unsigned int nr)
{
	h->nr = nr;
	h->part = &h->code->parts[nr];
}

/* Note what has to be known before any code is made. */
static void pe_emit_hit_look(struct hit *h)
{
	const struct pe_hit_part *part;
	unsigned int i;

	h->light = true;
	for (i = 0; i < h->code->nr_parts; i++) {
		part = &h->code->parts[i];
		h->light &= part->count_only;
		if (!part->count_only) {
			pe_hit_look_at(h, part->program);
			h->guarded |= h->env->clock.read != 0;
		}
		if (part->count.hist)
			pe_hit_look_at_count(h, part);
	}
	pe_hit_look_for_name(h);
	h->light &= !h->guarded;
	h->bare = h->light && h->code->nr_parts == 1 && h->code->parts->count.filter &&
		  !pe_hit_is_return(h);
	/* A return saves the function's value, and has times. */
	h->lean = h->light && !pe_hit_is_return(h);
	for (i = 0; i < h->code->nr_parts && h->lean; i++)
		h->lean = pe_hit_is_lean(h, &h->code->parts[i]);
}

void pe_emit_hit(struct pe_emit *e, const struct pe_hit_env *env, const struct pe_hit_code *code)
{
	static struct hit_labels at[PE_HIT_PARTS];	/* too much for the stack */
	struct hit h = { .e = e, .env = env, .code = code, .at = at };
	bool alone = code->nr_parts == 1 && !code->parts->count.hist;
	unsigned int i, pushed;

	memset(at, 0, sizeof(at));
	pe_emit_hit_look(&h);
	pe_emit_hit_choose(&h, 0);
	if (pe_hit_is_return(&h))
		pe_hit_begin_return(&h);
	if (alone)
		pe_emit_gate(&h);
	if (h.bare) {
		pe_emit_in_limit(&h);
		pe_hit_emit_filter_of(&h, h.part->count.filter, &pe_hit_labels(&h)->rejected);
	}
	if (pe_hit_is_return(&h))
		pe_hit_emit_true_return(&h);
	pe_hit_push_name(&h);
	pe_hit_save(&h);
	pe_hit_push_strings(&h);
	pe_hit_push_times(&h);
	pe_hit_push_rows(&h);
	pe_hit_emit_context(&h);
	pushed = h.pushed;
	for (i = 0; i < code->nr_parts; i++) {
		pe_emit_hit_choose(&h, i);
		pe_emit_part(&h, alone);
	}
	pe_emit_finish(&h);
	h.pushed = pushed;
	pe_hit_emit_context_exits(&h);
	for (i = 0; i < code->nr_parts; i++) {
		pe_emit_hit_choose(&h, i);
		pe_emit_exits(&h, alone);
	}
}
