// SPDX-License-Identifier: GPL-2.0
/*
 * emit_count.c - a hit is counted in its table's row, as machine code.  [P]
 *
 * What it does is what hit/count_hit.c and hit/table_hit.c do for a key that has a row, or for
 * which the bank has no place any more.  A new row, and a CPU without a bank, are left to C, before
 * anything has been counted.  Each change is one instruction on memory of this CPU, as there.  So a
 * hit in an interrupt or NMI, compiled or not, may come at any moment.
 *
 * Barriers: pe_table:A and B.  The tag is read before the key, and the banks once, with preemption
 * off: on x86 the order of the instructions is enough.
 *
 * While a row is looked for, the key's words are in registers of their own; r11 is the table, and
 * then counts places; r10 is the bank, rax the tag, and rdx the row's place: bytes from the first
 * one.  A hit that is also recorded keeps the row's address on the stack, and counts when the
 * record is there: whatever may be left to C comes before.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

#define TABLE(member)	pe_at(PE_R11, offsetof(struct pe_table_hits, member))
#define BANK(member)	pe_at(PE_R10, offsetof(struct pe_bank, member))

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
	if (arg->fetch.nr_derefs)
		return "a key or value of its table is in memory";
	if (arg->fetch.load == PE_LOAD_SAVED || arg->fetch.load == PE_LOAD_CURRENT ||
	    arg->fetch.load == PE_LOAD_IMM)
		return NULL;
	if (arg->fetch.load != PE_LOAD_REG || pe_hit_reg_at(arg->fetch.reg) < 0)
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

/* Note what has to be known before any code is made. */
void pe_hit_look_at_count(struct hit *h, const struct pe_hit_part *part)
{
	const struct pe_program *program = part->program;
	const struct pe_arg *arg;
	int reg;

	h->nr_words = max_t(unsigned int, h->nr_words, part->count.table->shape.nr_keys);
	for (arg = program->args; arg < program->end; arg++) {
		reg = arg->fetch.load == PE_LOAD_REG ? pe_hit_reg_at(arg->fetch.reg) : -1;
		if (reg >= 0)
			h->used |= 1 << reg;
	}
}

/* A place for the row of each hit that is recorded as well. */
void pe_hit_push_rows(struct hit *h)
{
	unsigned int i;

	for (i = 0; i < h->code->nr_parts; i++) {
		if (!h->code->parts[i].count.hist || h->code->parts[i].count_only)
			continue;
		pe_emit_push_imm(h->e, 0);
		h->pushed += 8;
		h->at[i].row = h->pushed;
	}
}

/*
 * Where a hit goes that C code counts.  If that took the time of a return anew, it would find a
 * longer one, and so not make the row of the time that compiled hits find.
 */
static struct pe_label *pe_count_slow(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);

	return !h->nr && at->time ? &at->rest : pe_hit_slow(h);
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

static void pe_emit_argument(struct hit *h, const struct pe_hist_field *field, enum pe_reg to)
{
	const struct pe_arg *arg = pe_hit_arg_at(h->part->program, field->offset);
	enum pe_reg from = pe_hit_value(h, &arg->fetch, to);
	unsigned int up = 64 - arg->bf_shift - arg->bf_width;

	if (arg->bf_width) {
		if (from != to)
			pe_emit_mov(h->e, to, from);
		pe_emit_shift(h->e, PE_SHL, to, up, 8);
		pe_emit_shift(h->e, PE_SHR, to, up + arg->bf_shift, 8);
		from = to;
	}
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
	for (i = 0; i < ARRAY_SIZE(env->tracers); i++) {
		if (!env->tracers[i])
			continue;
		pe_emit_alu_imm(e, PE_ALU_CMP, to, env->tracers[i], 8);
		pe_emit_jcc(e, PE_COND_E, pe_count_slow(h));
	}
	pe_emit_lea(e, PE_RAX, pe_at(to, -(s64)env->call_slots));
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RAX, env->call_slots_size, 8);
	pe_emit_jcc(e, PE_COND_B, pe_count_slow(h));
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

/* pe_changed(), of a key.  Uses rax, rdx, r11. */
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

/* pe_step(): the value becomes its step.  Uses rcx: the first word is not there yet. */
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

/* pe_table_key(): the words, in registers. */
static void pe_emit_key(struct hit *h)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	const struct pe_hist *hist = h->part->count.hist;
	unsigned int i, n = 0, half;
	enum pe_reg reg, task;

	if (shape->dist >= 0) {
		reg = pe_hit_words[shape->nr_keys - 1];
		pe_emit_field(h, &hist->vals[shape->dist], reg);
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

/* ---- the row ---- */

/* r11: the table; r10: this CPU's bank. */
static void pe_emit_bank(struct hit *h, struct pe_label *none)
{
	struct pe_emit *e = h->e;

	h->task = false;
	pe_emit_mov_imm(e, PE_R11, (unsigned long)h->part->count.table);
	pe_emit_load(e, PE_R10, TABLE(now), 8);			/* pe_table:B */
	pe_emit_load(e, PE_R10, pe_at_cpu_base(PE_R10, 0), 8);
	pe_emit_rr(e, PE_OP_W | 0x85, PE_R10, PE_R10);		/* test */
	pe_emit_jcc(e, PE_COND_E, none);
}

/* Goes on if the trigger is not paused.  Uses r11. */
static void pe_emit_awake(struct hit *h, struct pe_label *paused)
{
	pe_emit_mov_imm(h->e, PE_R11, h->part->count.paused);
	pe_emit_cmp_mem_imm(h->e, pe_at(PE_R11, 0), 0, 1);
	pe_emit_jcc(h->e, PE_COND_NE, paused);
}

/* pe_hash(), to rax. */
static void pe_emit_hash(struct hit *h)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	struct pe_emit *e = h->e;
	unsigned int i;

	pe_emit_mov_imm(e, PE_RAX, pe_table_seed(shape->secret));
	for (i = 0; i < shape->nr_keys; i++) {
		pe_emit_alu(e, PE_ALU_XOR, PE_RAX, pe_hit_words[i]);
		pe_emit_rm(e, PE_OP_W | 0xf7, 4, TABLE(shape.secret), 0);	/* mul */
		pe_emit_alu(e, PE_ALU_XOR, PE_RAX, PE_RDX);
	}
}

/* At @offset in the row whose place is in rdx. */
static struct pe_mem pe_at_row(unsigned int offset)
{
	return pe_at_index(PE_R10, PE_RDX, 0, offsetof(struct pe_bank, rows) + offset);
}

static unsigned int pe_word_at(unsigned int i)
{
	return offsetof(struct pe_table_row, word) + 8 * i;
}

/* Does the row have the tag and the key?  Else to @other, or back to @again. */
static void pe_emit_compare(struct hit *h, struct pe_label *other, u64 again)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	struct pe_emit *e = h->e;
	unsigned int i;

	pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX, pe_at_row(offsetof(struct pe_table_row, tag)));
	for (i = 0; i <= shape->nr_keys; i++) {			/* pe_table:A */
		if (other)
			pe_emit_jcc(e, PE_COND_NE, other);
		else
			pe_emit_jcc_back(e, PE_COND_NE, again);
		if (i < shape->nr_keys)
			pe_emit_alu_load(e, PE_ALU_CMP, pe_hit_words[i], pe_at_row(pe_word_at(i)));
	}
}

/*
 * Find the row of the part's hit.  A hit that is not to be counted goes on at @paused or
 * @uncounted, or to C if it is also recorded.
 */
void pe_hit_emit_find(struct hit *h)
{
	const struct pe_hit_count *count = &h->part->count;
	struct hit_labels *at = pe_hit_labels(h);
	bool only = h->part->count_only;
	struct pe_emit *e = h->e;

	pe_emit_awake(h, only ? &at->paused : pe_count_slow(h));
	if (count->filter && !h->bare) {
		h->task = false;
		pe_hit_emit_filter_of(h, count->filter, only ? &at->uncounted : pe_count_slow(h));
	}
	pe_emit_key(h);
	pe_emit_bank(h, pe_count_slow(h));
	pe_emit_hash(h);
	pe_emit_mov(e, PE_RDX, PE_RAX);
	pe_emit_shift(e, PE_SHR, PE_RDX, 32, 8);
	pe_emit_rm(e, 0x23, PE_RDX, BANK(mask), 0);		/* and, 32 bits */
	pe_emit_rr(e, 0x69, PE_RDX, PE_RDX);			/* imul, 32 bits */
	pe_emit_imm(e, count->table->shape.row_size, 4);
	pe_emit_alu_imm(e, PE_ALU_OR, PE_RAX, PE_ROW_READY, 8);
	pe_emit_compare(h, &at->elsewhere, 0);
	at->found = e->addr + e->len;
	if (only)
		return;
	pe_emit_lea(e, PE_RDX, pe_at_row(0));
	pe_emit_store(e, pe_at(PE_RSP, h->pushed - at->row), PE_RDX, 8);
}

/* ---- count ---- */

/* The hit, and what became of it: the counter at @result.  Uses @reg if they are far away. */
void pe_hit_emit_count(struct hit *h, enum pe_reg reg, unsigned int result)
{
	unsigned int hit = h->part->extra ? offsetof(struct pe_event_stat, extra) :
					    offsetof(struct pe_event_stat, hits);
	s64 stat = h->part->stat;

	if (pe_is_near(stat)) {
		pe_emit_inc(h->e, pe_at_cpu(stat + hit), 8);
		pe_emit_inc(h->e, pe_at_cpu(stat + result), 8);
		return;
	}
	pe_emit_mov_imm(h->e, reg, stat);
	pe_emit_inc(h->e, pe_at_cpu_base(reg, hit), 8);
	pe_emit_inc(h->e, pe_at_cpu_base(reg, result), 8);
}

/* @offset in the row that pe_hit_emit_find() has found. */
static struct pe_mem pe_in_row(const struct hit *h, unsigned int offset)
{
	return h->part->count_only ? pe_at_row(offset) : pe_at(PE_R10, offset);
}

/* pe_word_limit(), of the value in r11.  Uses rax. */
static void pe_emit_limit(struct hit *h, struct pe_mem word, u8 op)
{
	static const enum pe_cond is_no_limit[] = {
		[PE_OP_MAX] = PE_COND_BE, [PE_OP_MAX_SIGNED] = PE_COND_LE,
		[PE_OP_MIN] = PE_COND_AE, [PE_OP_MIN_SIGNED] = PE_COND_GE,
	};
	struct pe_label done = {};
	struct pe_emit *e = h->e;
	u64 again;

	pe_emit_load(e, PE_RAX, word, 8);
	again = e->addr + e->len;
	pe_emit_alu(e, PE_ALU_CMP, PE_R11, PE_RAX);
	pe_emit_jcc(e, is_no_limit[op], &done);
	pe_emit_rm(e, PE_OP_W | PE_OP_0F | 0xb1, PE_R11, word, 0);	/* cmpxchg */
	pe_emit_jcc_back(e, PE_COND_NE, again);
	pe_emit_bind(e, &done);
}

/* pe_row_add(), of one hit, in the row that has been found. */
void pe_hit_emit_add(struct hit *h)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	const struct pe_hist *hist = h->part->count.hist;
	unsigned int i, words, word = shape->nr_keys + shape->nr_notes, op = 0;
	struct pe_emit *e = h->e;
	struct pe_mem at;

	if (!h->part->count_only)
		pe_emit_load(e, PE_R10, pe_at(PE_RSP, h->pushed - pe_hit_labels(h)->row), 8);
	for (i = 0; i < hist->nr_vals; i++) {
		pe_emit_field(h, &hist->vals[i], PE_R11);
		for (words = hist->vals[i].mod == PE_MOD_DIST ? 2 : 1; words; words--) {
			at = pe_in_row(h, pe_word_at(word++));
			if (shape->op[op] == PE_OP_SUM)
				pe_emit_alu_store(e, PE_ALU_ADD, at, PE_R11);
			else
				pe_emit_limit(h, at, shape->op[op]);
			op++;
		}
	}
	pe_emit_inc(e, pe_in_row(h, offsetof(struct pe_table_row, hits)), 8);
}

/* ---- rare cases ---- */

/* The key is not in its first place: pe_find_row(), from the second one on. */
static void pe_emit_elsewhere(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_label more = {}, full = {};
	struct pe_emit *e = h->e;
	u64 again;

	pe_emit_bind(e, &at->elsewhere);
	pe_emit_mov_imm(e, PE_R11, PE_TABLE_PROBES);
	again = e->addr + e->len;
	pe_emit_cmp_mem_imm(e, pe_at_row(offsetof(struct pe_table_row, tag)), 0, 8);
	pe_emit_jcc(e, PE_COND_E, pe_count_slow(h));
	pe_emit_alu_imm(e, PE_ALU_ADD, PE_RDX, h->part->count.table->shape.row_size, 4);
	pe_emit_rm(e, 0x3b, PE_RDX, BANK(end), 0);		/* cmp, 32 bits */
	pe_emit_jcc(e, PE_COND_NE, &more);
	pe_emit_mov_imm(e, PE_RDX, 0);
	pe_emit_bind(e, &more);
	pe_emit_alu_imm(e, PE_ALU_SUB, PE_R11, 1, 4);
	pe_emit_jcc(e, PE_COND_E, &full);
	pe_emit_compare(h, NULL, again);
	pe_emit_jmp_back(e, at->found);
	pe_emit_bind(e, &full);
	pe_emit_load(e, PE_RDX, BANK(end), 4);			/* pe_bank_other() */
	pe_emit_jmp_back(e, at->found);
}

static void pe_emit_uncounted(struct hit *h, struct pe_label *label, unsigned int counter)
{
	if (!pe_label_is_used(label))
		return;
	pe_emit_bind(h->e, label);
	pe_emit_bank(h, pe_count_slow(h));
	pe_emit_inc(h->e, pe_at(PE_R10, counter), 8);
	pe_hit_emit_count(h, PE_R11, offsetof(struct pe_event_stat, lost[PE_LOSS_SOFT]));
	pe_emit_jmp_back(h->e, pe_hit_labels(h)->done);
}

/* Emit the rare cases of pe_hit_emit_find(). */
void pe_hit_emit_count_exits(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);

	pe_emit_elsewhere(h);
	pe_emit_uncounted(h, &at->paused, offsetof(struct pe_bank, paused));
	pe_emit_uncounted(h, &at->uncounted, offsetof(struct pe_bank, filtered));
}

/* The hit does not pass the filter of the only part's trigger.  Uses r10, r11. */
void pe_hit_emit_rejected(struct hit *h)
{
	pe_hit_emit_idle(h, &h->interpret_preempt);
	pe_emit_awake(h, &h->interpret_preempt);
	pe_emit_bank(h, &h->interpret_preempt);
	pe_emit_inc(h->e, pe_at(PE_R10, offsetof(struct pe_bank, filtered)), 8);
}
