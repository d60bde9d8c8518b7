// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_ring.c - a place for a record in the ring, and its publication, as machine code.  [P]
 *
 * The ring's algorithm, its barriers and their names are those of ring/rb.c and rb_write.h.
 * Each of the barriers is one for the compiler, or an acquire or release; on x86 the order of
 * the instructions is enough.  Two things differ, and this is why they may:
 *
 *   - nest is raised after the reads that the reservation depends on, just before the
 *     cmpxchg (reserve:G).  If another writer reserves between the first read and the
 *     cmpxchg, the latter fails; then nest has been raised, and pe_rb_leave() publishes what
 *     was left to us (@raced).
 *   - last_ts is added to, not stored.  It is what was read: a writer that changes the pair has
 *     moved write, and the cmpxchg fails; after it no writer changes the pair before us, since
 *     it is not valid and nest is not 0.
 *
 * From the ring on, r11 is the ring; from the reservation on, r10 is the record's page, and rcx
 * is at the record.
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"
#include "kernel/trace/ring/rb.h"

#define RB(member)	pe_at(PE_R11, offsetof(struct pe_rb, member))
#define PAGE(member)	pe_at(PE_R10, offsetof(struct pe_rb_page, member))

/* rdx: the clock "local".  Uses rax. */
static void pe_emit_clock(struct hit *h)
{
	const struct pe_hit_env *env = h->env;
	struct pe_emit *e = h->e;

	if (env->clock.read) {
		pe_emit_call_to(e, env->clock.read);
		pe_emit_mov(e, PE_RDX, PE_RAX);
		return;
	}
	pe_hit_emit_tsc(e);
	pe_emit_rm(e, PE_OP_W | 0xf7, 4, pe_at_addr(env->clock.mul), 0);	/* mul */
	/* Take from 128 bits those from @shift on, which is not 0: shld %rax, %rdx. */
	pe_emit_rr(e, PE_OP_W | PE_OP_0F | 0xa4, PE_RAX, PE_RDX);
	pe_emit_byte(e, 64 - env->clock.shift);
	pe_emit_alu_load(e, PE_ALU_ADD, PE_RDX, pe_at_cpu(env->clock.offset));
	/* Loads are in order: if nothing has changed by now, nothing had when it was read. */
	if (env->clock.seq_of_cpu) {
		pe_emit_load(e, PE_RAX, pe_at_cpu(env->clock.seq_of_cpu), 4);
		pe_emit_rm(e, 0x3b, PE_RAX, pe_at_cpu(env->clock.seq), 0);	/* cmp, 32 bits */
	} else {
		pe_emit_cmp_mem_imm(e, pe_at_cpu(env->clock.seq), env->clock.seq_was, 4);
	}
	pe_emit_jcc(e, PE_COND_NE, pe_hit_slow(h));
}

/* r11: this CPU's ring, which records.  Before: address of the pointer to the buffer. */
void pe_hit_emit_ring(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_emit_load(e, PE_R11, pe_at(PE_R11, 0), 8);
	pe_emit_load(e, PE_RAX, pe_at_cpu(h->env->cpu_number), 4);
	pe_emit_load(e, PE_R11, pe_at_index(PE_R11, PE_RAX, 3, h->env->cpus), 8);
	pe_emit_cmp_mem_imm(e, RB(disabled), 0, 4);		/* reserve:D and K */
	pe_emit_jcc(e, PE_COND_NE, pe_hit_slow(h));
}

/*
 * Is there room in the page for the record that would begin at rcx?  Twice, as tail may be another
 * page: then the difference is huge, or its sum wraps.  r8: the position after the record; rcx:
 * its end in the page, or with a name its begin.
 */
static void pe_emit_room(struct hit *h)
{
	struct pe_emit *e = h->e;

	if (h->size)
		pe_emit_lea(e, PE_R8, pe_at(PE_RCX, h->size));
	else
		pe_emit_load(e, PE_R8, pe_hit_string_size(h), 8);
	if (!h->size)
		pe_emit_alu(e, PE_ALU_ADD, PE_R8, PE_RCX);
	pe_emit_alu_load(e, PE_ALU_SUB, PE_RCX, PAGE(base));
	if (h->size)
		pe_emit_alu_imm(e, PE_ALU_ADD, PE_RCX, h->size, 8);
	else
		pe_emit_alu_load(e, PE_ALU_ADD, PE_RCX, pe_hit_string_size(h));
	pe_emit_jcc(e, PE_COND_B, pe_hit_slow(h));
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RCX, RB(limit));
	pe_emit_jcc(e, PE_COND_A, pe_hit_slow(h));
}

/* The same with a name.  If the page becomes another one meanwhile, its position has moved, too. */
static void pe_emit_room_name(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_emit_lea(e, PE_R8, pe_at(PE_R9, h->part->program->fixed + 3 + 4));
	pe_emit_alu_imm(e, PE_ALU_AND, PE_R8, ~3, 4);		/* its size */
	pe_emit_alu_load(e, PE_ALU_SUB, PE_RCX, PAGE(base));
	pe_emit_jcc(e, PE_COND_B, pe_hit_slow(h));
	pe_emit_alu(e, PE_ALU_ADD, PE_R8, PE_RCX);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_R8, RB(limit));
	pe_emit_jcc(e, PE_COND_A, pe_hit_slow(h));
	pe_emit_alu_load(e, PE_ALU_ADD, PE_R8, PAGE(base));
}

/*
 * The record's first word, and the name at its end.  rax and r8: positions of its begin and end;
 * rcx: the former, in the page.
 */
static void pe_emit_first_word_name(struct hit *h)
{
	struct pe_emit *e = h->e;

	pe_emit_alu(e, PE_ALU_SUB, PE_R8, PE_RAX);
	pe_emit_shift(e, PE_SHL, PE_RDX, 5, 4);
	pe_emit_alu_load(e, PE_ALU_ADD, PE_RCX, PAGE(data));
	pe_hit_put_name(h);
	pe_emit_shift(e, PE_SHR, PE_R8, 2, 4);
	pe_emit_lea(e, PE_RDX, pe_at_index(PE_RDX, PE_R8, 0, -1));
	pe_emit_store(e, pe_at(PE_RCX, 0), PE_RDX, 4);
}

/* The record's first word, of the time difference in rdx and the length in words. */
static void pe_emit_first_word(struct hit *h)
{
	struct pe_emit *e = h->e;

	if (h->name) {
		pe_emit_first_word_name(h);
		return;
	}
	pe_emit_shift(e, PE_SHL, PE_RDX, 5, 4);
	if (h->size) {
		pe_emit_alu_imm(e, PE_ALU_OR, PE_RDX, h->size / 4 - 1, 4);
		pe_emit_alu_load(e, PE_ALU_ADD, PE_RCX, PAGE(data));
		pe_emit_store(e, pe_at(PE_RCX, -(s64)h->size), PE_RDX, 4);
		return;
	}
	pe_emit_load(e, PE_RAX, pe_hit_string_size(h), 8);
	pe_emit_alu_load(e, PE_ALU_ADD, PE_RCX, PAGE(data));
	pe_emit_alu(e, PE_ALU_SUB, PE_RCX, PE_RAX);
	pe_emit_shift(e, PE_SHR, PE_RAX, 2, 4);
	pe_emit_lea(e, PE_RDX, pe_at_index(PE_RDX, PE_RAX, 0, -1));
	pe_emit_store(e, pe_at(PE_RCX, 0), PE_RDX, 4);
}

/* Takes the record's place, writes its first word. */
void pe_hit_emit_reserve(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_emit *e = h->e;

	pe_emit_clock(h);
	pe_emit_load(e, PE_RCX, RB(write), 8);			/* reserve:H */
	pe_emit_alu_load(e, PE_ALU_SUB, PE_RDX, RB(last_ts));
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RCX, RB(last_pos));
	pe_emit_jcc(e, PE_COND_NE, pe_hit_slow(h));
	pe_emit_alu_imm(e, PE_ALU_CMP, PE_RDX, (1 << PE_RB_DELTA_BITS) - 1, 8);
	pe_emit_jcc(e, PE_COND_A, pe_hit_slow(h));
	pe_emit_load(e, PE_R10, RB(tail), 8);
	pe_emit_mov(e, PE_RAX, PE_RCX);
	if (h->name)
		pe_emit_room_name(h);
	else
		pe_emit_room(h);
	pe_emit_inc(e, RB(nest), 4);				/* reserve:G */
	pe_emit_rm(e, PE_OP_W | PE_OP_0F | 0xb1, PE_R8, RB(write), 0);	/* cmpxchg */
	pe_emit_jcc(e, PE_COND_NE, &at->raced);
	pe_emit_alu_store(e, PE_ALU_ADD, RB(last_ts), PE_RDX);
	pe_emit_store(e, RB(last_pos), PE_R8, 8);		/* reserve:I */
	pe_emit_first_word(h);
}

/* @offset in the record. */
struct pe_mem pe_hit_in_record(const struct hit *h, unsigned int offset)
{
	return pe_at(PE_RCX, (s64)offset + 4 - h->size);
}

/* pe_rb_leave() */
void pe_hit_emit_leave(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_emit *e = h->e;

	pe_emit_inc(e, PAGE(total), 8);
	pe_emit_cmp_mem_imm(e, RB(nest), 1, 4);			/* leave:G */
	pe_emit_jcc(e, PE_COND_NE, &at->leave);
	pe_emit_load(e, PE_RAX, RB(write), 8);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX, RB(open_end));
	pe_emit_jcc(e, PE_COND_AE, &at->leave);
	pe_emit_store(e, RB(commit), PE_RAX, 8);		/* leave:A */
	pe_emit_dec(e, RB(nest), 4);
	pe_emit_alu_load(e, PE_ALU_CMP, PE_RAX, RB(write));	/* leave:J */
	pe_emit_jcc(e, PE_COND_NE, &at->leave);
	at->done = e->addr + e->len;
}

/* Emit the rare cases of pe_hit_emit_leave(); then control goes on after its code. */
void pe_hit_emit_ring_exits(struct hit *h)
{
	struct hit_labels *at = pe_hit_labels(h);
	struct pe_emit *e = h->e;

	pe_emit_bind(e, &at->leave);
	pe_emit_call_to(e, h->env->leave);
	pe_emit_jmp_back(e, at->done);
	/* Nothing of the record is there; the hit is done in C. */
	pe_emit_bind(e, &at->raced);
	pe_emit_call_to(e, h->env->leave);
	pe_emit_jmp(e, pe_hit_slow(h));
}
