/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * insn.h - the shape of one x86-64 instruction (insn.c).
 *
 * 64-bit mode only.  A decoded instruction says where its parts are.  insn_check.h says
 * what it does.
 */
#ifndef PE_ARCH_INSN_H
#define PE_ARCH_INSN_H

#include <linux/types.h>

#define PE_INSN_MAX	15	/* an instruction is never longer, prefixes included */

/* How the opcode is encoded. */
enum pe_insn_enc {
	PE_ENC_LEGACY,
	PE_ENC_VEX,		/* 2- or 3-byte VEX */
	PE_ENC_EVEX,
	PE_ENC_XOP,
};

/* Opcode maps; the numbers 1-10 are those of the VEX, EVEX and XOP prefixes. */
enum pe_insn_map {
	PE_MAP_ONE = 0,		/* one-byte opcodes */
	PE_MAP_0F = 1,
	PE_MAP_0F38 = 2,
	PE_MAP_0F3A = 3,
	PE_MAP_5 = 5,
	PE_MAP_6 = 6,
	PE_MAP_XOP8 = 8,
	PE_MAP_XOP9 = 9,
	PE_MAP_XOPA = 10,
};

/* Legacy prefixes that were seen, in pe_insn.prefixes. */
#define PE_PFX_OPSIZE	0x01	/* 66 */
#define PE_PFX_REP	0x02	/* f3 was the last of f2 and f3 */
#define PE_PFX_REPNE	0x04	/* f2 was the last of f2 and f3 */
#define PE_PFX_LOCK	0x08	/* f0 */
#define PE_PFX_ADDRSIZE	0x10	/* 67 */
#define PE_PFX_SEG_FS	0x20	/* 64 was the last segment prefix that counts */
#define PE_PFX_SEG_GS	0x40	/* 65 was */
#define PE_PFX_SEG_NULL	0x80	/* 26, 2e, 36 or 3e: no meaning for addresses */

/* The four low bits of a REX prefix, in pe_insn.rex. */
#define PE_REX_B	0x01
#define PE_REX_X	0x02
#define PE_REX_R	0x04
#define PE_REX_W	0x08
#define PE_REX_PRESENT	0x40	/* there was a REX byte right before the opcode */

/* pe_insn.flags */
#define PE_INSN_HAS_MODRM	0x01
#define PE_INSN_HAS_SIB		0x02
#define PE_INSN_RIP_RELATIVE	0x04	/* memory operand relative to the next address */
#define PE_INSN_REL_BRANCH	0x08	/* the immediate is relative to the next address */

/**
 * struct pe_insn - one decoded instruction
 * @length: bytes, 1 to PE_INSN_MAX
 * @enc: enum pe_insn_enc
 * @map: enum pe_insn_map
 * @opcode: last opcode byte, the index into @map
 * @prefixes: PE_PFX_*; for VEX, EVEX and XOP the implied 66, f3 or f2 is here too
 * @rex: PE_REX_*; VEX, EVEX and XOP fill in W, R, X and B without PRESENT
 * @modrm: ModRM byte if PE_INSN_HAS_MODRM
 * @sib: SIB byte if PE_INSN_HAS_SIB
 * @flags: PE_INSN_*
 * @opcode_off: offset of @opcode
 * @modrm_off: offset of @modrm, 0 if none
 * @disp_off: offset of the displacement of the memory operand, 0 if none
 * @disp_size: its size: 0, 1 or 4
 * @imm_off: offset of the first immediate (branch distance, absolute address), 0 if none
 * @imm_size: its size: 0, 1, 2, 4 or 8
 * @imm2_size: size of a second immediate right after the first (ENTER, EXTRQ,
 *	INSERTQ), else 0
 * @disp: displacement as encoded, sign-extended (EVEX scales an 8-bit one; not here)
 * @imm: first immediate, sign-extended from @imm_size
 */
struct pe_insn {
	u8 length;
	u8 enc;
	u8 map;
	u8 opcode;
	u8 prefixes;
	u8 rex;
	u8 modrm;
	u8 sib;
	u8 flags;
	u8 opcode_off;
	u8 modrm_off;
	u8 disp_off;
	u8 disp_size;
	u8 imm_off;
	u8 imm_size;
	u8 imm2_size;
	s32 disp;
	s64 imm;
};

static inline u8 pe_modrm_mod(const struct pe_insn *insn)
{
	return insn->modrm >> 6;
}

static inline u8 pe_modrm_reg(const struct pe_insn *insn)
{
	return insn->modrm >> 3 & 7;
}

static inline u8 pe_modrm_rm(const struct pe_insn *insn)
{
	return insn->modrm & 7;
}

/* Is the ModRM operand memory, not a register? */
static inline bool pe_insn_has_mem(const struct pe_insn *insn)
{
	return (insn->flags & PE_INSN_HAS_MODRM) && pe_modrm_mod(insn) != 3;
}

int pe_insn_decode(struct pe_insn *insn, const u8 *buf, unsigned int len);
int pe_insn_next(struct pe_insn *insn, const u8 *code, size_t size, size_t *off);
int pe_insn_boundary(struct pe_insn *insn, const u8 *func, size_t size, size_t off);

#endif
