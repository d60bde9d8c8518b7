// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_key.c - what a table counts by, and what it adds up, as machine code.  [P]
 *
 * The meaning is that of hit/table_hit.c, of fields that the record would have.  There need not be
 * a record: the code takes arguments from where they come.  The words of a key are in registers of
 * their own.  Values are fetched when they are added; those in memory are read before the row is
 * looked for, as the step of a distribution is of the same number.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

/* ---- what can be compiled ---- */

static bool pe_is_pid(const struct pe_hist_field *field)
{
	return field->offset == offsetof(struct pe_record_head, pid);
}

static bool pe_is_place(const struct pe_hist_field *field)
{
	return field->offset == offsetof(struct pe_record_head, ip);
}

static bool pe_is_return_place(const struct pe_program *program, const struct pe_hist_field *field)
{
	return program->is_return && field->offset == offsetof(struct pe_return_head, ret_ip);
}

static const char *pe_cannot_number(const struct pe_program *program,
				    const struct pe_hist_field *field)
{
	const struct pe_arg *arg = pe_hit_arg_at(program, field->offset);

	if (pe_is_pid(field) || pe_is_place(field) || pe_is_return_place(program, field))
		return NULL;
	if (!arg || arg->size != field->size || arg->count || pe_type_is_string(arg->type))
		return "a key or value of its table is no number of the probe";
	if (pe_hit_cannot_load(&arg->fetch))
		return "a key or value of its table is a word of the stack";
	return NULL;
}

static const char *pe_cannot_field(const struct pe_program *program,
				   const struct pe_hist_field *field, bool entry)
{
	switch (field->source) {
	case PE_HIST_NUMBER:
		return pe_cannot_number(program, field);
	case PE_HIST_CALLER:
		return entry ? NULL : "the caller of its table is found by C code there";
	case PE_HIST_CPU:
	case PE_HIST_TGID:
	case PE_HIST_COMM:
	case PE_HIST_HITCOUNT:
		return NULL;
	case PE_HIST_STRING:
		return "a key of its table is a text";
	case PE_HIST_STACK_TRACE:
		return "a key of its table is a stack";
	}
	return "a key or value of its table is a time";
}

const char *pe_hit_can_count(const struct pe_program *program, const struct pe_hit_count *count,
			     bool entry)
{
	const struct pe_hist *hist = count->hist;
	const char *why = NULL;
	unsigned int i;

	for (i = 0; i < hist->nr_keys && !why; i++)
		why = pe_cannot_field(program, &hist->keys[i], entry);
	for (i = 0; i < hist->nr_vals && !why; i++)
		why = pe_cannot_field(program, &hist->vals[i], program->is_return);
	if (!why && count->table->shape.nr_keys > PE_HIT_WORDS)
		why = "the key of its table is long";
	if (!why && count->filter)
		why = pe_hit_can_filter(program, count->filter);
	return why;
}

/* The argument that a key or value is; NULL: it is none. */
static const struct pe_arg *pe_arg_of(const struct pe_program *program,
				      const struct pe_hist_field *field)
{
	return field->source == PE_HIST_NUMBER ? pe_hit_arg_at(program, field->offset) : NULL;
}

/* Note what has to be known before any code is made. */
void pe_hit_look_at_count(struct hit *h, const struct pe_hit_part *part)
{
	const struct pe_hit_count *count = &part->count;
	unsigned int i, n = count->hist->nr_keys + count->hist->nr_vals;
	const struct pe_hist_field *field;
	const struct pe_arg *arg;

	if (!count->table->shape.by_cpu)
		h->nr_words = max_t(unsigned int, h->nr_words, count->table->shape.nr_keys);
	for (i = 0; i < n; i++) {
		field = i < count->hist->nr_keys ? &count->hist->keys[i] :
						   &count->hist->vals[i - count->hist->nr_keys];
		arg = pe_arg_of(part->program, field);
		if (arg)
			pe_hit_look_at_arg(h, arg);
	}
	/* C code, to which hits may be left, makes the whole record. */
	for (arg = part->program->args; arg < part->program->end; arg++) {
		if (arg->fetch.load == PE_LOAD_REG && pe_hit_reg_at(arg->fetch.reg) >= 0)
			h->used |= 1 << pe_hit_reg_at(arg->fetch.reg);
	}
}

static void pe_push_place(struct hit *h, unsigned int *at)
{
	pe_emit_push_imm(h->e, 0);
	h->pushed += 8;
	*at = h->pushed;
}

/*
 * A place for the row of each hit that is recorded as well; and for each value that is in memory,
 * which is read once.
 */
void pe_hit_push_rows(struct hit *h)
{
	const struct pe_hit_part *part;
	const struct pe_arg *arg;
	unsigned int i, v;

	for (i = 0; i < h->code->nr_parts; i++) {
		part = &h->code->parts[i];
		if (!part->count.hist)
			continue;
		if (!part->count_only)
			pe_push_place(h, &h->at[i].row);
		for (v = 0; v < part->count.hist->nr_vals; v++) {
			arg = pe_arg_of(part->program, &part->count.hist->vals[v]);
			if (arg && arg->fetch.nr_derefs)
				pe_push_place(h, &h->at[i].val[v]);
		}
	}
}

/* ---- a key or a value ---- */

/* The register that has, or gets, the task. */
static enum pe_reg pe_emit_current(struct hit *h, enum pe_reg to)
{
	if (h->task)
		return PE_R10;
	pe_emit_load(h->e, to, pe_at_cpu(h->env->current_task), 8);
	return to;
}

/* @at: of pid or tgid in the task. */
static void pe_emit_pid(struct hit *h, unsigned int at, enum pe_reg to)
{
	enum pe_reg task = pe_emit_current(h, to);

	pe_emit_rm(h->e, PE_OP_W | 0x63, to, pe_at(task, at), 0);	/* movslq */
}

/* Uses rax, r10, r11 if it is in memory. */
static void pe_emit_argument(struct hit *h, const struct pe_hist_field *field, enum pe_reg to)
{
	const struct pe_arg *arg = pe_hit_arg_at(h->part->program, field->offset);
	enum pe_reg from = PE_RAX;

	if (arg->fetch.nr_derefs)
		pe_hit_emit_number(h, arg);
	else
		from = pe_hit_value(h, &arg->fetch, to);
	from = pe_hit_emit_bits(h, arg, to, from);
	if (field->size < 8 || from != to)
		pe_emit_extend(h->e, to, from, field->size, field->is_signed);
}

/*
 * The function's return address; if another tracer or we have put one of ours there, C code finds
 * the true one.  Uses rax.
 */
static void pe_emit_caller(struct hit *h, enum pe_reg to)
{
	const struct pe_hit_env *env = h->env;
	struct pe_emit *e = h->e;
	unsigned int i;

	pe_emit_load(e, to, pe_at(PE_RBP, h->code->from == PE_CODE_ENTRY ? 16 : 8), 8);
	if (pe_hit_is_return(h))	/* it has been looked at */
		return;
	for (i = 0; i < ARRAY_SIZE(env->places.tracers); i++) {
		if (!env->places.tracers[i])
			continue;
		pe_emit_alu_imm(e, PE_ALU_CMP, to, env->places.tracers[i], 8);
		pe_emit_jcc(e, PE_COND_E, pe_hit_count_slow(h));
	}
	pe_emit_lea(e, PE_RAX, pe_at(to, -(s64)env->places.call_slots));
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RAX, env->places.call_slots_size, 8);
	pe_emit_jcc(e, PE_COND_B, pe_hit_count_slow(h));
}

/* The number of a key or value, in all 64 bits of @to. */
static void pe_emit_field(struct hit *h, const struct pe_hist_field *field, enum pe_reg to)
{
	switch (field->source) {
	case PE_HIST_CPU:
		pe_emit_load(h->e, to, pe_at_cpu(h->env->cpu_number), 4);
		return;
	case PE_HIST_TGID:
		pe_emit_pid(h, h->env->pid + 4, to);
		return;
	case PE_HIST_CALLER:
		pe_emit_caller(h, to);
		return;
	case PE_HIST_HITCOUNT:
		pe_emit_mov_imm(h->e, to, 1);
		return;
	}
	if (pe_is_pid(field))
		pe_emit_pid(h, h->env->pid, to);
	else if (pe_is_place(field))
		pe_emit_mov_imm(h->e, to, h->part->ip);
	else if (pe_is_return_place(h->part->program, field))
		pe_emit_load(h->e, to, pe_at(PE_RBP, 8), 8);
	else
		pe_emit_argument(h, field, to);
}

static void pe_emit_bsr(struct hit *h, enum pe_reg to, enum pe_reg from)
{
	pe_emit_rr(h->e, PE_OP_W | PE_OP_0F | 0xbd, to, from);
}

/* pe_mod_apply(), of a key.  Uses rax, rdx, r11. */
static void pe_emit_change(struct hit *h, const struct pe_hist_field *field, enum pe_reg reg)
{
	struct pe_label zero = {}, done = {};
	struct pe_emit *e = h->e;

	if (field->mod == PE_MOD_LOG2) {
		pe_emit_alu_imm(e, PE_ALU_SUB, reg, 1, 8);
		pe_emit_jcc(e, PE_COND_BE, &zero);
		pe_emit_bsr(h, reg, reg);
		pe_emit_alu_imm(e, PE_ALU_ADD, reg, 1, 8);
		pe_emit_jmp(e, &done);
		pe_emit_bind(e, &zero);
		pe_emit_mov_imm(e, reg, 0);
		pe_emit_bind(e, &done);
	} else if (field->mod == PE_MOD_BUCKETS) {
		pe_emit_mov(e, PE_RAX, reg);
		pe_emit_mov_imm(e, PE_RDX, 0);
		pe_emit_mov_imm(e, PE_R11, field->buckets);
		pe_emit_rr(e, PE_OP_W | 0xf7, 6, PE_R11);		/* div */
		pe_emit_alu(e, PE_ALU_SUB, reg, PE_RDX);
	}
}

/* pe_signed_step(): the value becomes its step.  Uses rcx: the first word is not there yet. */
static void pe_emit_step(struct hit *h, const struct pe_hist_field *field, enum pe_reg reg)
{
	struct pe_label negative = {}, done = {};
	struct pe_emit *e = h->e;

	if (field->is_signed) {
		pe_emit_rr(e, PE_OP_W | 0x85, reg, reg);		/* test */
		pe_emit_jcc(e, PE_COND_S, &negative);
	}
	pe_emit_alu_imm(e, PE_ALU_CMP, reg, 63, 8);
	pe_emit_jcc(e, PE_COND_BE, &done);
	pe_emit_bsr(h, PE_RCX, reg);
	pe_emit_alu_imm(e, PE_ALU_SUB, PE_RCX, 5, 4);
	pe_emit_rr(e, PE_OP_W | 0xd3, PE_SHR, reg);			/* shr %cl */
	pe_emit_shift(e, PE_SHL, PE_RCX, 5, 4);
	pe_emit_alu(e, PE_ALU_ADD, reg, PE_RCX);
	if (field->is_signed) {
		pe_emit_jmp(e, &done);
		pe_emit_bind(e, &negative);
		pe_emit_mov_imm(e, reg, PE_STEP_NEG);
	}
	pe_emit_bind(e, &done);
}

/* Value @i, in @to: from where it has been put, if it is in memory. */
void pe_hit_emit_value(struct hit *h, unsigned int i, enum pe_reg to)
{
	unsigned int at = pe_hit_labels(h)->val[i];

	if (at)
		pe_emit_load(h->e, to, pe_hit_pushed_at(h, at), 8);
	else
		pe_emit_field(h, &h->part->count.hist->vals[i], to);
}

/* Read the values that are in memory. */
static void pe_emit_read_values(struct hit *h)
{
	const struct pe_hist *hist = h->part->count.hist;
	unsigned int i, at;

	for (i = 0; i < hist->nr_vals; i++) {
		at = pe_hit_labels(h)->val[i];
		if (!at)
			continue;
		pe_emit_field(h, &hist->vals[i], PE_RDX);
		pe_emit_store(h->e, pe_hit_pushed_at(h, at), PE_RDX, 8);
	}
}

/* pe_table_key(): the words, in registers. */
void pe_hit_emit_key(struct hit *h)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	const struct pe_hist *hist = h->part->count.hist;
	unsigned int i, n = 0, half;
	enum pe_reg reg, task;

	pe_emit_read_values(h);
	if (shape->by_cpu)		/* whose bank it is says all */
		return;
	if (shape->dist >= 0) {
		reg = pe_hit_words[shape->nr_keys - 1];
		pe_hit_emit_value(h, shape->dist, reg);
		pe_emit_step(h, &hist->vals[shape->dist], reg);
	}
	for (i = 0; i < hist->nr_keys; i++) {
		reg = pe_hit_words[n++];
		if (hist->keys[i].source != PE_HIST_COMM) {
			pe_emit_field(h, &hist->keys[i], reg);
			pe_emit_change(h, &hist->keys[i], reg);
			continue;
		}
		task = pe_emit_current(h, PE_RAX);
		for (half = 0; half < 2; half++) {
			pe_emit_load(h->e, reg, pe_at(task, h->env->comm + 8 * half), 8);
			reg = half ? reg : pe_hit_words[n++];
		}
	}
}
