// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_count.c - a hit is counted in its table's row, as machine code.  [P]
 *
 * It does the same as hit/count_hit.c and hit/table_hit.c for a key that has a row, or for
 * which the bank has no place any more.  A new row, and a CPU without a bank, are left to C, before
 * anything has been counted.  Each change is one instruction on memory of this CPU, as there.  So a
 * hit in an interrupt or NMI, compiled or not, may come at any moment.
 *
 * Barriers: pe_table:A and B.  The tag is read before the key, and the banks once, with preemption
 * off: on x86 the order of the instructions is enough.
 *
 * While a row is looked for, the key's words are in registers (emit_key.c); r11 is the table, and
 * then counts places; r10 is the bank, rax the tag, and rdx the row's place: bytes from the first
 * one.  A table by CPU needs none of these: its row is the first of the bank.  A hit that is also
 * recorded keeps the row's address on the stack, and counts when the record is there: whatever may
 * be left to C comes before.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"

#define TABLE(member)	pe_at(PE_R11, offsetof(struct pe_table_hits, member))
#define BANK(member)	pe_at(PE_R10, offsetof(struct pe_bank, member))

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

/* Of the key's product: the hash to rax, the place to edx. */
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
	pe_emit_rm(e, PE_OP_W | 0xf7, 4, TABLE(shape.secret), 0);		/* mul */
}

static bool pe_is_by_cpu(const struct hit *h)
{
	return h->part->count.table->shape.by_cpu;
}

/* At @offset in the first row, or in that whose place is in rdx. */
static struct pe_mem pe_at_row(const struct hit *h, unsigned int offset)
{
	offset += offsetof(struct pe_bank, rows);
	return pe_is_by_cpu(h) ? pe_at(PE_R10, offset) : pe_at_index(PE_R10, PE_RDX, 0, offset);
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

	pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX, pe_at_row(h, offsetof(struct pe_table_row, tag)));
	for (i = 0; i <= shape->nr_keys; i++) {			/* pe_table:A */
		if (other)
			pe_emit_jcc(e, PE_COND_NE, other);
		else
			pe_emit_jcc_back(e, PE_COND_NE, again);
		if (i < shape->nr_keys)
			pe_emit_alu_load(e, PE_ALU_CMP, pe_hit_words[i],
					 pe_at_row(h, pe_word_at(i)));
	}
}

/* The bank is this CPU's, so its first row has the key, if that has been written.  pe_table:A */
static void pe_emit_first_row(struct hit *h)
{
	struct pe_mem tag = pe_at_row(h, offsetof(struct pe_table_row, tag));

	pe_emit_test_mem_imm(h->e, tag, PE_ROW_READY & ~PE_ROW_CLAIMED);
	pe_emit_jcc(h->e, PE_COND_E, pe_hit_count_slow(h));
}

/* By its key's hash, which says where to begin. */
static void pe_emit_hashed_row(struct hit *h)
{
	const struct pe_table_shape *shape = &h->part->count.table->shape;
	struct pe_emit *e = h->e;

	pe_emit_hash(h);
	pe_emit_rm(e, 0x23, PE_RDX, BANK(mask), 0);		/* and, 32 bits */
	pe_emit_rr(e, 0x69, PE_RDX, PE_RDX);			/* imul, 32 bits */
	pe_emit_imm(e, shape->row_size, 4);
	pe_emit_alu_imm(e, PE_ALU_OR, PE_RAX, PE_ROW_READY, 8);
	pe_emit_compare(h, &pe_hit_labels(h)->elsewhere, 0);
	pe_hit_labels(h)->found = e->addr + e->len;
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

	pe_emit_awake(h, only ? &at->paused : pe_hit_count_slow(h));
	if (count->filter && !h->bare) {
		h->task = false;
		pe_hit_emit_filter_of(h, count->filter,
				      only ? &at->uncounted : pe_hit_count_slow(h));
	}
	pe_hit_emit_key(h);
	pe_emit_bank(h, pe_hit_count_slow(h));
	if (pe_is_by_cpu(h))
		pe_emit_first_row(h);
	else
		pe_emit_hashed_row(h);
	if (only)
		return;
	pe_emit_lea(e, PE_RDX, pe_at_row(h, 0));
	pe_emit_store(e, pe_hit_pushed_at(h, at->row), PE_RDX, 8);
}

/* Does the part count a hit, and is there nothing to be calculated for it? */
bool pe_hit_is_lean(const struct hit *h, const struct pe_hit_part *part)
{
	const struct pe_hit_count *count = &part->count;

	return part->count_only && count->table->shape.by_cpu && !count->hist->nr_vals &&
	       (!count->filter || h->bare);
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
	return h->part->count_only ? pe_at_row(h, offset) : pe_at(PE_R10, offset);
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
		pe_emit_load(e, PE_R10, pe_hit_pushed_at(h, pe_hit_labels(h)->row), 8);
	for (i = 0; i < hist->nr_vals; i++) {
		pe_hit_emit_value(h, i, PE_R11);
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
	struct pe_label full = {};
	struct pe_emit *e = h->e;
	u64 again;

	pe_emit_bind(e, &at->elsewhere);
	pe_emit_mov_imm(e, PE_R11, PE_TABLE_PROBES);
	again = e->addr + e->len;
	pe_emit_cmp_mem_imm(e, pe_at_row(h, offsetof(struct pe_table_row, tag)), 0, 8);
	pe_emit_jcc(e, PE_COND_E, pe_hit_count_slow(h));
	pe_emit_alu_imm(e, PE_ALU_ADD, PE_RDX, h->part->count.table->shape.row_size, 4);
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
	pe_emit_bank(h, pe_hit_count_slow(h));
	pe_emit_inc(h->e, pe_at(PE_R10, counter), 8);
	pe_hit_emit_count(h, PE_R11, offsetof(struct pe_event_stat, lost[PE_LOSS_SOFT]));
	pe_emit_jmp_back(h->e, pe_hit_labels(h)->done);
}

/* Emit the rare cases of pe_hit_emit_find(). */
void pe_hit_emit_count_exits(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);

	if (!pe_is_by_cpu(h))
		pe_emit_elsewhere(h);
	if (!h->part->count_only)
		return;
	pe_emit_uncounted(h, &at->paused, offsetof(struct pe_bank, paused));
	if (!h->bare)
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
