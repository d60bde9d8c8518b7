/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit.h - x86 instructions as bytes.  [P]
 *
 * Just those that compiled hits and calls are made of (emit_hit.c, emit_call.c, emit_tree.c).
 * The code is put at an address that is known while it is made.  The length does not depend on
 * the address.  So the same calls with a struct pe_emit without memory tell how long the code
 * will be.
 *
 * An operand that does not fit its instruction sets @bad, and so does code that is too long.
 * Look at it once, at the end.
 */
#ifndef PE_ARCH_EMIT_H
#define PE_ARCH_EMIT_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

/* The numbers that instructions have for registers. */
enum pe_reg {
	PE_RAX, PE_RCX, PE_RDX, PE_RBX, PE_RSP, PE_RBP, PE_RSI, PE_RDI,
	PE_R8, PE_R9, PE_R10, PE_R11, PE_R12, PE_R13, PE_R14, PE_R15,
};

/* Conditions, as in the opcodes of jcc. */
enum pe_cond {
	PE_COND_B = 0x2, PE_COND_AE, PE_COND_E, PE_COND_NE, PE_COND_BE, PE_COND_A, PE_COND_S,
	PE_COND_NS,
	PE_COND_L = 0xc, PE_COND_GE, PE_COND_LE, PE_COND_G,
	PE_COND_ALWAYS,			/* a jmp */
};

/*
 * The jumps to labels that can be short: 2 bytes, not 5 or 6.  To find out, the caller makes the
 * code three times: without memory and @known false, without memory and @known true, with memory.
 * @jumps: a bit for each of the first jumps, in their order; the others are long.
 *
 * Many jumps lead to the rare cases after the code, too far for a short one.  But on its way there
 * is mostly another jump to the same label, on the same condition, which will be taken as well: a
 * short jump may lead there.  So a rare case takes some jumps more, and nothing else does.
 */
#define PE_EMIT_JUMPS	512
#define PE_SHORT_MAX	127u

struct pe_short_jumps {
	bool known;
	u8 jumps[PE_EMIT_JUMPS / 8];
};

/**
 * struct pe_emit - code in the making
 * @code: @size bytes; NULL: only count
 * @size: room for so many bytes
 * @addr: where the code will be executed
 * @len: bytes made so far
 * @bad: an operand did not fit, or the code
 * @shorts: NULL: jumps to labels are long
 * @nr_jumps: such jumps so far
 */
struct pe_emit {
	u8 *code;
	unsigned int size;
	u64 addr;
	unsigned int len;
	bool bad;
	struct pe_short_jumps *shorts;
	unsigned int nr_jumps;
};

/*
 * A place in the code, to jump forward to.  @last: the end of the last long jump there, 0 if there
 * is none; until the label is bound, the distance in each of them is the end of the one before it.
 * @uses: the last jumps on two different conditions: where it ends, 0 if there is none; its number
 */
struct pe_label {
	u32 last;
	struct pe_label_use {
		u32 end;
		u16 nr;
		u8 cond;
	} uses[2];
};

/* An operand in memory. */
struct pe_mem {
	enum { PE_MEM_BASE, PE_MEM_INDEX, PE_MEM_GS, PE_MEM_GS_BASE, PE_MEM_RIP } kind;
	u8 shift;			/* of the index */
	enum pe_reg base, index;
	s64 disp;			/* PE_MEM_RIP: the address */
};

/* disp(base) */
static inline struct pe_mem pe_at(enum pe_reg base, s64 disp)
{
	return (struct pe_mem){ .kind = PE_MEM_BASE, .base = base, .disp = disp };
}

/* disp(base, index, 1 << shift); the index is not rsp */
static inline struct pe_mem pe_at_index(enum pe_reg base, enum pe_reg index, unsigned int shift,
					s64 disp)
{
	return (struct pe_mem){
		.kind = PE_MEM_INDEX, .base = base, .index = index, .shift = shift, .disp = disp,
	};
}

/*
 * Can code use the offset of a variable of each CPU as it is?  Code and offset have to be within
 * 2 GB of each other.  The code is a module's, so it is in the highest 1.5 GB, but not in the last
 * 16 MB.  Offsets of the kernel's own variables begin at 0 or, on newer kernels, where its image
 * is, in the highest 2 GB.
 */
static inline bool pe_is_near(s64 offset)
{
	return offset >= -(1LL << 31) && offset < 1LL << 28;
}

/* %gs:offset, a variable of this CPU; @offset is near */
static inline struct pe_mem pe_at_cpu(s64 offset)
{
	return (struct pe_mem){ .kind = PE_MEM_GS, .disp = offset };
}

/* %gs:disp(base) */
static inline struct pe_mem pe_at_cpu_base(enum pe_reg base, s64 disp)
{
	return (struct pe_mem){ .kind = PE_MEM_GS_BASE, .base = base, .disp = disp };
}

/* addr(%rip) */
static inline struct pe_mem pe_at_addr(u64 addr)
{
	return (struct pe_mem){ .kind = PE_MEM_RIP, .disp = (s64)addr };
}

static inline void pe_emit_bytes(struct pe_emit *e, const void *bytes, unsigned int n)
{
	if (e->code && n <= e->size - e->len)
		memcpy(e->code + e->len, bytes, n);
	else if (e->code)
		e->bad = true;
	if (!e->code || !e->bad)
		e->len += n;
}

static inline void pe_emit_byte(struct pe_emit *e, u8 byte)
{
	pe_emit_bytes(e, &byte, 1);
}

/* The lowest @n bytes of a number. */
static inline void pe_emit_imm(struct pe_emit *e, s64 value, unsigned int n)
{
	pe_emit_bytes(e, &value, n);
}

static inline void pe_emit_s32(struct pe_emit *e, s64 value)
{
	if (value != (s32)value)
		e->bad = true;
	pe_emit_imm(e, value, 4);
}

/* The distance from the end of an instruction, @more bytes after these, to @addr. */
static inline void pe_emit_distance(struct pe_emit *e, u64 addr, unsigned int more)
{
	s64 distance = addr - (e->addr + e->len + 4 + more);

	if (e->code)
		pe_emit_s32(e, distance);
	else
		pe_emit_imm(e, 0, 4);
}

/* Properties of an opcode, beside its bytes. */
#define PE_OP_W		0x10000		/* 64 bits */
#define PE_OP_66	0x20000		/* 16 bits */
#define PE_OP_0F	0x40000
#define PE_OP_BYTE	0x80000		/* @reg is a byte register */
#define PE_OP_IMM8	0x02		/* of arithmetic: the constant is a byte */

/* Prefixes, then the opcode.  @x: index register; @b: base, or the register of modrm.rm. */
static inline void pe_emit_op(struct pe_emit *e, unsigned int op, unsigned int reg,
			      unsigned int x, unsigned int b)
{
	u8 rex = 0x40 | (op & PE_OP_W ? 8 : 0) | (reg & 8) >> 1 | (x & 8) >> 2 | (b & 8) >> 3;

	if (op & PE_OP_66)
		pe_emit_byte(e, 0x66);
	if (rex != 0x40 || (op & PE_OP_BYTE && reg >= PE_RSP))
		pe_emit_byte(e, rex);
	if (op & PE_OP_0F)
		pe_emit_byte(e, 0x0f);
	pe_emit_byte(e, op & 0xff);
}

static inline void pe_emit_modrm(struct pe_emit *e, unsigned int mod, unsigned int reg,
				 unsigned int rm)
{
	pe_emit_byte(e, mod << 6 | (reg & 7) << 3 | (rm & 7));
}

/* disp(base); of rsp and r12 with a SIB byte, of rbp and r13 never without a displacement. */
static inline void pe_emit_base_disp(struct pe_emit *e, unsigned int reg, struct pe_mem m)
{
	unsigned int mod = m.disp != (s8)m.disp ? 2 : m.disp || (m.base & 7) == PE_RBP;

	pe_emit_modrm(e, mod, reg, m.base);
	if ((m.base & 7) == PE_RSP)
		pe_emit_byte(e, 0x24);
	if (mod == 1)
		pe_emit_imm(e, m.disp, 1);
	else if (mod == 2)
		pe_emit_s32(e, m.disp);
}

/* An instruction with a register, or a part of the opcode, and memory.  @imm: bytes after it. */
static inline void pe_emit_rm(struct pe_emit *e, unsigned int op, unsigned int reg,
			      struct pe_mem m, unsigned int imm)
{
	if (m.kind == PE_MEM_GS || m.kind == PE_MEM_GS_BASE)
		pe_emit_byte(e, 0x65);
	switch (m.kind) {
	case PE_MEM_BASE:
	case PE_MEM_GS_BASE:
		pe_emit_op(e, op, reg, 0, m.base);
		pe_emit_base_disp(e, reg, m);
		break;
	case PE_MEM_INDEX:
		pe_emit_op(e, op, reg, m.index, m.base);
		pe_emit_modrm(e, 2, reg, 4);
		pe_emit_byte(e, m.shift << 6 | (m.index & 7) << 3 | (m.base & 7));
		pe_emit_s32(e, m.disp);
		break;
	case PE_MEM_GS:		/* relative to the instruction: the shortest form */
	case PE_MEM_RIP:
		pe_emit_op(e, op, reg, 0, 0);
		pe_emit_modrm(e, 0, reg, 5);
		pe_emit_distance(e, m.disp, imm);
		break;
	}
}

/* An instruction with two registers. */
static inline void pe_emit_rr(struct pe_emit *e, unsigned int op, unsigned int reg,
			      unsigned int rm)
{
	pe_emit_op(e, op, reg, 0, rm);
	pe_emit_modrm(e, 3, reg, rm);
}

/* mov %from, %to; 64 bits */
static inline void pe_emit_mov(struct pe_emit *e, enum pe_reg to, enum pe_reg from)
{
	pe_emit_rr(e, PE_OP_W | 0x8b, to, from);
}

static inline void pe_emit_lea(struct pe_emit *e, enum pe_reg reg, struct pe_mem m)
{
	pe_emit_rm(e, PE_OP_W | 0x8d, reg, m, 0);
}

static inline void pe_emit_push(struct pe_emit *e, enum pe_reg reg)
{
	pe_emit_op(e, 0x50 + (reg & 7), 0, 0, reg);
}

static inline void pe_emit_pop(struct pe_emit *e, enum pe_reg reg)
{
	pe_emit_op(e, 0x58 + (reg & 7), 0, 0, reg);
}

/* Is a number of @size bytes its lowest one, with the sign extended? */
static inline bool pe_is_imm8(s64 value, unsigned int size)
{
	s64 lowest = ((value & 0xff) ^ 0x80) - 0x80;

	return !((u64)(value - lowest) << (64 - 8 * size));
}

static inline void pe_emit_push_imm(struct pe_emit *e, s32 value)
{
	bool is_short = pe_is_imm8(value, 4);

	pe_emit_byte(e, is_short ? 0x6a : 0x68);
	pe_emit_imm(e, value, is_short ? 1 : 4);
}

/* mov $value, %reg, the shortest form that has the value in all 64 bits */
static inline void pe_emit_mov_imm(struct pe_emit *e, enum pe_reg reg, u64 value)
{
	if (value == (u32)value) {
		pe_emit_op(e, 0xb8 + (reg & 7), 0, 0, reg);
		pe_emit_imm(e, value, 4);
	} else if (value == (u64)(s32)value) {
		pe_emit_rr(e, PE_OP_W | 0xc7, 0, reg);
		pe_emit_imm(e, value, 4);
	} else {
		pe_emit_op(e, PE_OP_W | (0xb8 + (reg & 7)), 0, 0, reg);
		pe_emit_imm(e, value, 8);
	}
}

/* Loads: 4 bytes clear the upper half of the register. */
static inline void pe_emit_load(struct pe_emit *e, enum pe_reg reg, struct pe_mem m,
				unsigned int size)
{
	pe_emit_rm(e, (size == 8 ? PE_OP_W : 0) | 0x8b, reg, m, 0);
}

/* The lowest 1, 2, 4 or 8 bytes of a register. */
static inline void pe_emit_store(struct pe_emit *e, struct pe_mem m, enum pe_reg reg,
				 unsigned int size)
{
	static const unsigned int ops[] = {
		[1] = PE_OP_BYTE | 0x88, [2] = PE_OP_66 | 0x89, [4] = 0x89, [8] = PE_OP_W | 0x89,
	};

	pe_emit_rm(e, ops[size], reg, m, 0);
}

/* 2, 4 or 8 bytes of memory; of 8, the value is extended from 32 bits with its sign. */
static inline void pe_emit_store_imm(struct pe_emit *e, struct pe_mem m, s64 value,
				     unsigned int size)
{
	static const unsigned int ops[] = {
		[2] = PE_OP_66 | 0xc7, [4] = 0xc7, [8] = PE_OP_W | 0xc7,
	};

	pe_emit_rm(e, ops[size], 0, m, size == 2 ? 2 : 4);
	if (size == 8)
		pe_emit_s32(e, value);
	else
		pe_emit_imm(e, value, size);
}

/* cmp $value, memory of 1, 2, 4 or 8 bytes */
static inline void pe_emit_cmp_mem_imm(struct pe_emit *e, struct pe_mem m, s32 value,
				       unsigned int size)
{
	static const unsigned int ops[] = {
		[1] = 0x80, [2] = PE_OP_66 | 0x81, [4] = 0x81, [8] = PE_OP_W | 0x81,
	};
	bool is_short = size > 1 && pe_is_imm8(value, size);
	unsigned int imm = is_short ? 1 : size == 8 ? 4 : size;

	pe_emit_rm(e, ops[size] | (is_short ? PE_OP_IMM8 : 0), 7, m, imm);
	pe_emit_imm(e, value, imm);
}

/* test $value, memory of 4 bytes, of which the first may be enough */
static inline void pe_emit_test_mem_imm(struct pe_emit *e, struct pe_mem m, u32 value)
{
	unsigned int size = value <= 0xff ? 1 : 4;

	pe_emit_rm(e, size == 1 ? 0xf6 : 0xf7, 0, m, size);
	pe_emit_imm(e, value, size);
}

/* Arithmetic with a constant: the number of the operation in modrm. */
enum pe_alu {
	PE_ALU_ADD = 0, PE_ALU_OR = 1, PE_ALU_AND = 4, PE_ALU_SUB = 5, PE_ALU_XOR = 6,
	PE_ALU_CMP = 7,
};

static inline void pe_emit_alu_imm(struct pe_emit *e, enum pe_alu alu, enum pe_reg reg,
				   s64 value, unsigned int size)
{
	static const unsigned int ops[] = {
		[1] = PE_OP_BYTE | 0x80, [2] = PE_OP_66 | 0x81, [4] = 0x81, [8] = PE_OP_W | 0x81,
	};
	bool is_short = size > 1 && pe_is_imm8(value, size);
	unsigned int op = (ops[size] & ~PE_OP_BYTE) | (is_short ? PE_OP_IMM8 : 0);

	/* A byte register is in modrm.rm here. */
	if (size == 1 && reg >= PE_RSP && reg < PE_R8)
		pe_emit_byte(e, 0x40);
	pe_emit_rr(e, op, alu, reg);
	if (is_short)
		pe_emit_imm(e, value, 1);
	else if (size == 8)
		pe_emit_s32(e, value);
	else
		pe_emit_imm(e, value, size);
}

/* alu %from, %to; 64 bits */
static inline void pe_emit_alu(struct pe_emit *e, enum pe_alu alu, enum pe_reg to,
			       enum pe_reg from)
{
	pe_emit_rr(e, PE_OP_W | (alu << 3 | 3), to, from);
}

/* The lowest @size bytes of %from, extended to 64 bits, to %to. */
static inline void pe_emit_extend(struct pe_emit *e, enum pe_reg to, enum pe_reg from,
				  unsigned int size, bool is_signed)
{
	static const unsigned int ops[2][9] = {
		{ [1] = PE_OP_W | PE_OP_0F | 0xb6, [2] = PE_OP_0F | 0xb7, [4] = 0x8b,
		  [8] = PE_OP_W | 0x8b },
		{ [1] = PE_OP_W | PE_OP_0F | 0xbe, [2] = PE_OP_W | PE_OP_0F | 0xbf,
		  [4] = PE_OP_W | 0x63, [8] = PE_OP_W | 0x8b },
	};

	pe_emit_rr(e, ops[is_signed][size], to, from);
}

/* Shifts of 32 or 64 bits by a constant. */
enum pe_shift { PE_SHL = 4, PE_SHR = 5 };

static inline void pe_emit_shift(struct pe_emit *e, enum pe_shift shift, enum pe_reg reg,
				 unsigned int by, unsigned int size)
{
	pe_emit_rr(e, (size == 8 ? PE_OP_W : 0) | 0xc1, shift, reg);
	pe_emit_byte(e, by);
}

/* alu memory, %reg; 64 bits */
static inline void pe_emit_alu_load(struct pe_emit *e, enum pe_alu alu, enum pe_reg reg,
				    struct pe_mem m)
{
	pe_emit_rm(e, PE_OP_W | (alu << 3 | 3), reg, m, 0);
}

/* alu %reg, memory; 64 bits */
static inline void pe_emit_alu_store(struct pe_emit *e, enum pe_alu alu, struct pe_mem m,
				     enum pe_reg reg)
{
	pe_emit_rm(e, PE_OP_W | (alu << 3 | 1), reg, m, 0);
}

static inline void pe_emit_inc(struct pe_emit *e, struct pe_mem m, unsigned int size)
{
	pe_emit_rm(e, (size == 8 ? PE_OP_W : 0) | 0xff, 0, m, 0);
}

static inline void pe_emit_dec(struct pe_emit *e, struct pe_mem m, unsigned int size)
{
	pe_emit_rm(e, (size == 8 ? PE_OP_W : 0) | 0xff, 1, m, 0);
}

/* A counter of 8 bytes of this CPU.  Uses @reg if it is far away. */
static inline void pe_emit_inc_cpu(struct pe_emit *e, s64 offset, enum pe_reg reg)
{
	if (pe_is_near(offset)) {
		pe_emit_inc(e, pe_at_cpu(offset), 8);
		return;
	}
	pe_emit_mov_imm(e, reg, offset);
	pe_emit_inc(e, pe_at_cpu_base(reg, 0), 8);
}

/* Jumps to code elsewhere. */
static inline void pe_emit_jmp_to(struct pe_emit *e, u64 addr)
{
	pe_emit_byte(e, 0xe9);
	pe_emit_distance(e, addr, 0);
}

static inline void pe_emit_jcc_to(struct pe_emit *e, enum pe_cond cond, u64 addr)
{
	pe_emit_byte(e, 0x0f);
	pe_emit_byte(e, 0x80 + cond);
	pe_emit_distance(e, addr, 0);
}

static inline void pe_emit_call_to(struct pe_emit *e, u64 addr)
{
	pe_emit_byte(e, 0xe8);
	pe_emit_distance(e, addr, 0);
}

/* Jumps to code that has just been made. */
static inline void pe_emit_jmp_back(struct pe_emit *e, u64 addr)
{
	s64 distance = addr - (e->addr + e->len + 2);

	if (distance != (s8)distance) {
		pe_emit_jmp_to(e, addr);
		return;
	}
	pe_emit_byte(e, 0xeb);
	pe_emit_imm(e, distance, 1);
}

static inline void pe_emit_jcc_back(struct pe_emit *e, enum pe_cond cond, u64 addr)
{
	s64 distance = addr - (e->addr + e->len + 2);

	if (distance != (s8)distance) {
		pe_emit_jcc_to(e, cond, addr);
		return;
	}
	pe_emit_byte(e, 0x70 + cond);
	pe_emit_imm(e, distance, 1);
}

/* Return, as this kernel does it: @thunk, or 0. */
static inline void pe_emit_ret(struct pe_emit *e, u64 thunk)
{
	if (thunk) {
		pe_emit_jmp_to(e, thunk);
		return;
	}
	pe_emit_byte(e, 0xc3);
	pe_emit_byte(e, 0xcc);	/* nothing is executed after it, not even in advance */
}

/* ---- jumps to a label further on ---- */

static inline bool pe_emit_is_short(const struct pe_emit *e, unsigned int nr)
{
	return e->shorts && e->shorts->known && nr < PE_EMIT_JUMPS &&
	       e->shorts->jumps[nr / 8] & 1 << nr % 8;
}

/* A jump to a label may lead here: note whether it can be short, or if it is, complete it. */
static inline void pe_emit_meet(struct pe_emit *e, const struct pe_label_use *use)
{
	u32 distance = e->len - use->end;

	if (!use->end || !e->shorts || use->nr >= PE_EMIT_JUMPS)
		return;
	if (!e->shorts->known && distance <= PE_SHORT_MAX)
		e->shorts->jumps[use->nr / 8] |= 1 << use->nr % 8;
	if (!pe_emit_is_short(e, use->nr))
		return;
	if (distance > PE_SHORT_MAX)
		e->bad = true;
	if (e->code && !e->bad)
		e->code[use->end - 1] = distance;
}

/* A jump on @cond is about to be made: the last one to the label may lead there. */
static inline void pe_label_use(struct pe_emit *e, struct pe_label *label, enum pe_cond cond)
{
	unsigned int i = label->uses[0].end && label->uses[0].cond != cond;

	if (label->uses[i].cond == cond)
		pe_emit_meet(e, &label->uses[i]);
	label->uses[1] = label->uses[!i];
}

static inline void pe_emit_jcc(struct pe_emit *e, enum pe_cond cond, struct pe_label *label)
{
	unsigned int nr = e->nr_jumps++;

	pe_label_use(e, label, cond);
	if (pe_emit_is_short(e, nr)) {
		pe_emit_byte(e, cond == PE_COND_ALWAYS ? 0xeb : 0x70 + cond);
		pe_emit_byte(e, 0);
	} else {
		if (cond != PE_COND_ALWAYS)
			pe_emit_byte(e, 0x0f);
		pe_emit_byte(e, cond == PE_COND_ALWAYS ? 0xe9 : 0x80 + cond);
		pe_emit_imm(e, label->last, 4);
		label->last = e->len;
	}
	label->uses[0] = (struct pe_label_use){ .end = e->len, .nr = nr, .cond = cond };
}

static inline void pe_emit_jmp(struct pe_emit *e, struct pe_label *label)
{
	pe_emit_jcc(e, PE_COND_ALWAYS, label);
}

/* The label is here. */
static inline void pe_emit_bind(struct pe_emit *e, struct pe_label *label)
{
	u32 use, before;
	s32 distance;

	pe_emit_meet(e, &label->uses[0]);
	pe_emit_meet(e, &label->uses[1]);
	for (use = label->last; use && e->code && !e->bad; use = before) {
		memcpy(&before, e->code + use - 4, 4);
		distance = e->len - use;
		memcpy(e->code + use - 4, &distance, 4);
	}
}

/* Is there a jump to it? */
static inline bool pe_label_is_used(const struct pe_label *label)
{
	return label->uses[0].end;
}

#endif
