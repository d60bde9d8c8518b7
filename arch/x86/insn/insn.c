// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * insn.c - x86-64 instruction decoder: lengths and positions.  [P]
 *
 * An instruction is read strictly from left to right, one step per part:
 *
 *	legacy prefixes and REX  ->  VEX, EVEX or XOP  ->  escape bytes
 *	->  opcode  ->  ModRM, SIB, displacement  ->  immediates
 *
 * insn_table.h says what follows an opcode.
 *
 * The decoder knows opcodes, not operands: an opcode that exists gets its length even
 * if its ModRM byte or prefixes make it undefined.  insn_check.c is stricter.  APX (REX2
 * and its EVEX map 4) and VEX map 7 are left out: no CPU that can run these kernels needs
 * them in kernel text.
 *
 * A near branch with a 66 prefix has a 32-bit distance here, as on Intel; AMD takes 16
 * bits.  insn_check.c refuses such branches.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_table.h"

/* Reads from left to right; never past @end.  @end is at most PE_INSN_MAX away. */
struct cursor {
	const u8 *start;
	const u8 *pos;
	const u8 *end;
};

/* Reads @size bytes, little-endian, and sign-extends them. */
static int pe_insn_take(struct cursor *c, unsigned int size, s64 *value)
{
	u64 v = 0;
	unsigned int i;

	if (c->end - c->pos < size)
		return -ENODATA;
	for (i = 0; i < size; i++)
		v |= (u64)c->pos[i] << (8 * i);
	c->pos += size;
	if (size && size < 8 && (v >> (8 * size - 1) & 1))
		v |= ~0ULL << (8 * size);
	*value = v;
	return 0;
}

static int pe_take_byte(struct cursor *c, u8 *byte)
{
	if (c->pos == c->end)
		return -ENODATA;
	*byte = *c->pos++;
	return 0;
}

/* PE_PFX_* bits of one byte; 0 if it is no legacy prefix. */
static u8 pe_prefix_bits(u8 byte)
{
	switch (byte) {
	case 0x66:
		return PE_PFX_OPSIZE;
	case 0x67:
		return PE_PFX_ADDRSIZE;
	case 0xf0:
		return PE_PFX_LOCK;
	case 0xf2:
		return PE_PFX_REPNE;
	case 0xf3:
		return PE_PFX_REP;
	case 0x64:
		return PE_PFX_SEG_FS;
	case 0x65:
		return PE_PFX_SEG_GS;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return PE_PFX_SEG_NULL;
	default:
		return 0;
	}
}

/* The last one of f2 and f3 counts, and the last one of fs and gs. */
static u8 pe_add_prefix(u8 have, u8 bit)
{
	if (bit & (PE_PFX_REP | PE_PFX_REPNE))
		have &= ~(PE_PFX_REP | PE_PFX_REPNE);
	if (bit & (PE_PFX_SEG_FS | PE_PFX_SEG_GS))
		have &= ~(PE_PFX_SEG_FS | PE_PFX_SEG_GS);
	return have | bit;
}

/*
 * Takes prefixes up to and including the byte after them, which goes to @byte.  The CPU
 * ignores a REX byte if a legacy prefix follows it, so it is forgotten here.
 */
static int pe_take_prefixes(struct cursor *c, struct pe_insn *insn, u8 *byte)
{
	int err;

	for (;;) {
		u8 bit;

		err = pe_take_byte(c, byte);
		if (err)
			return err;
		bit = pe_prefix_bits(*byte);
		if (bit) {
			insn->prefixes = pe_add_prefix(insn->prefixes, bit);
			insn->rex = 0;
		} else if ((*byte & 0xf0) == 0x40) {
			insn->rex = PE_REX_PRESENT | (*byte & 0xf);
		} else {
			return 0;
		}
	}
}

/* The opcode after 0f, 0f 38 or 0f 3a. */
static int pe_take_escaped(struct cursor *c, struct pe_insn *insn)
{
	u8 byte;
	int err;

	err = pe_take_byte(c, &byte);
	if (err)
		return err;
	insn->map = PE_MAP_0F;
	if (byte == 0x38 || byte == 0x3a) {
		insn->map = byte == 0x38 ? PE_MAP_0F38 : PE_MAP_0F3A;
		err = pe_take_byte(c, &byte);
	}
	insn->opcode = byte;
	return err;
}

/* R, X and B are stored inverted in the three top bits of a VEX payload. */
static u8 pe_inverted_rxb(u8 byte)
{
	return ~byte >> 5 & (PE_REX_R | PE_REX_X | PE_REX_B);
}

/*
 * VEX, EVEX or XOP; @lead is their first byte.  All three exclude REX and the
 * prefixes that they encode themselves.
 */
static int pe_take_vector_prefix(struct cursor *c, struct pe_insn *insn, u8 lead)
{
	static const u8 implied[] = { 0, PE_PFX_OPSIZE, PE_PFX_REP, PE_PFX_REPNE };
	unsigned int i, size = lead == 0xc5 ? 1 : lead == 0x62 ? 3 : 2;
	u8 payload[3];
	int err;

	if (insn->rex || (insn->prefixes & (PE_PFX_OPSIZE | PE_PFX_REP | PE_PFX_REPNE |
					    PE_PFX_LOCK)))
		return -EINVAL;
	for (i = 0; i < size; i++) {
		err = pe_take_byte(c, &payload[i]);
		if (err)
			return err;
	}
	switch (lead) {
	case 0xc5:
		insn->enc = PE_ENC_VEX;
		insn->map = PE_MAP_0F;
		insn->rex = pe_inverted_rxb(payload[0]) & PE_REX_R;
		break;
	case 0x62:
		insn->enc = PE_ENC_EVEX;
		insn->map = payload[0] & 0x07;
		/* Bit 3 of the first and bit 2 of the second byte tell EVEX from APX. */
		if ((payload[0] & 0x08) || !(payload[1] & 0x04))
			return -EINVAL;
		break;
	default:
		insn->enc = lead == 0xc4 ? PE_ENC_VEX : PE_ENC_XOP;
		insn->map = payload[0] & 0x1f;
		break;
	}
	if (lead != 0xc5) {
		insn->rex = pe_inverted_rxb(payload[0]);
		if (payload[1] & 0x80)
			insn->rex |= PE_REX_W;
	}
	insn->prefixes |= implied[payload[lead == 0xc5 ? 0 : 1] & 3];
	return pe_take_byte(c, &insn->opcode);
}

/* From the first byte after the prefixes to the last byte of the opcode. */
static int pe_take_opcode(struct cursor *c, struct pe_insn *insn, u8 byte)
{
	switch (byte) {
	case 0x0f:
		return pe_take_escaped(c, insn);
	case 0xc4:
	case 0xc5:
	case 0x62:
		return pe_take_vector_prefix(c, insn, byte);
	case 0x8f:
		/* Bits 3 and 4 tell POP (reg field 0) from XOP (map 8 and up). */
		if (c->pos == c->end)
			return -ENODATA;
		if ((*c->pos & 0x1f) >= PE_MAP_XOP8)
			return pe_take_vector_prefix(c, insn, byte);
		break;
	}
	insn->opcode = byte;
	return 0;
}

/* The format character of the opcode. */
static char pe_opcode_format(const struct pe_insn *insn)
{
	u8 row = insn->opcode >> 4, bit = insn->opcode & 0xf;

	if (insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_ONE)
		return pe_insn_one_byte[row][bit];
	if (insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_0F)
		return pe_insn_map_0f[row][bit];
	if (insn->enc > PE_ENC_XOP || insn->map >= ARRAY_SIZE(pe_insn_known[0]))
		return '-';
	if (!(pe_insn_known[insn->enc][insn->map][row] >> bit & 1))
		return '-';

	switch (insn->map) {
	case PE_MAP_0F:			/* as in legacy encoding, if that has an immediate */
		if (insn->opcode == 0x77)
			return '.';	/* VZEROUPPER, VZEROALL */
		return pe_insn_map_0f[row][bit] == 'B' ? 'B' : 'm';
	case PE_MAP_0F3A:
	case PE_MAP_XOP8:
		return 'B';
	case PE_MAP_XOPA:
		return 'Z';
	default:
		return 'm';
	}
}

/* Displacement size of a ModRM byte with a memory operand; takes the SIB byte. */
static int pe_take_memory(struct cursor *c, struct pe_insn *insn)
{
	u8 mod = pe_modrm_mod(insn), base = pe_modrm_rm(insn);
	s64 disp;
	int err;

	if (base == 4) {
		err = pe_take_byte(c, &insn->sib);
		if (err)
			return err;
		insn->flags |= PE_INSN_HAS_SIB;
		base = insn->sib & 7;
	}
	if (mod == 1)
		insn->disp_size = 1;
	else if (mod == 2 || base == 5)
		insn->disp_size = 4;
	if (mod == 0 && pe_modrm_rm(insn) == 5)
		insn->flags |= PE_INSN_RIP_RELATIVE;
	if (!insn->disp_size)
		return 0;

	insn->disp_off = c->pos - c->start;
	err = pe_insn_take(c, insn->disp_size, &disp);
	if (err)
		return err;
	insn->disp = disp;
	return 0;
}

static int pe_take_modrm(struct cursor *c, struct pe_insn *insn, char format)
{
	int err;

	insn->modrm_off = c->pos - c->start;
	err = pe_take_byte(c, &insn->modrm);
	if (err)
		return err;
	if (format == 'c')
		insn->modrm |= 0xc0;
	insn->flags |= PE_INSN_HAS_MODRM;
	return pe_insn_has_mem(insn) ? pe_take_memory(c, insn) : 0;
}

/*
 * Immediates that the ModRM byte or a prefix decides, not the format character: XABORT and
 * XBEGIN among MOV, EXTRQ and INSERTQ in VMREAD's place.
 */
static bool pe_special_immediate(struct pe_insn *insn)
{
	if (insn->enc != PE_ENC_LEGACY)
		return false;
	if (insn->map == PE_MAP_ONE && insn->opcode == 0xc7 && insn->modrm == 0xf8) {
		insn->flags |= PE_INSN_REL_BRANCH;
		return false;
	}
	if (insn->map == PE_MAP_0F && insn->opcode == 0x78 &&
	    (insn->prefixes & (PE_PFX_OPSIZE | PE_PFX_REPNE))) {
		insn->imm_size = 1;
		insn->imm2_size = 1;
		return true;
	}
	return false;
}

/* Sizes of the immediates that follow. */
static void pe_size_immediates(struct pe_insn *insn, char format)
{
	bool opsize16 = (insn->prefixes & PE_PFX_OPSIZE) && !(insn->rex & PE_REX_W);
	u8 size_z = opsize16 ? 2 : 4;

	if (insn->enc != PE_ENC_LEGACY)
		size_z = 4;
	if (pe_special_immediate(insn))
		return;
	switch (format) {
	case 'b':
	case 'B':
		insn->imm_size = 1;
		break;
	case 'w':
		insn->imm_size = 2;
		break;
	case 'e':
		insn->imm_size = 2;
		insn->imm2_size = 1;
		break;
	case 'z':
	case 'Z':
		insn->imm_size = size_z;
		break;
	case 'v':
		insn->imm_size = insn->rex & PE_REX_W ? 8 : size_z;
		break;
	case 'a':
		insn->imm_size = insn->prefixes & PE_PFX_ADDRSIZE ? 4 : 8;
		break;
	case 't':
		insn->imm_size = pe_modrm_reg(insn) < 2 ? 1 : 0;
		break;
	case 'T':
		insn->imm_size = pe_modrm_reg(insn) < 2 ? size_z : 0;
		break;
	case 'r':
		insn->imm_size = 1;
		insn->flags |= PE_INSN_REL_BRANCH;
		break;
	case 'R':
		insn->imm_size = 4;
		insn->flags |= PE_INSN_REL_BRANCH;
		break;
	}
}

static int pe_take_immediates(struct cursor *c, struct pe_insn *insn, char format)
{
	s64 second;
	int err;

	pe_size_immediates(insn, format);
	if (!insn->imm_size)
		return 0;
	insn->imm_off = c->pos - c->start;
	err = pe_insn_take(c, insn->imm_size, &insn->imm);
	if (err)
		return err;
	return pe_insn_take(c, insn->imm2_size, &second);
}

static bool pe_format_has_modrm(char format)
{
	return strchr("mBZtTc", format);
}

static int pe_x86_insn_decode(struct cursor *c, struct pe_insn *insn)
{
	char format;
	u8 byte;
	int err;

	err = pe_take_prefixes(c, insn, &byte);
	if (err)
		return err;
	err = pe_take_opcode(c, insn, byte);
	if (err)
		return err;
	insn->opcode_off = c->pos - c->start - 1;

	format = pe_opcode_format(insn);
	if (format == '-')
		return -EINVAL;
	if (pe_format_has_modrm(format)) {
		err = pe_take_modrm(c, insn, format);
		if (err)
			return err;
	}
	return pe_take_immediates(c, insn, format);
}

/**
 * pe_insn_decode - decode one instruction
 * @insn: filled in; a part that the instruction does not have is 0
 * @buf: bytes of the instruction, never read at or after @buf + @len
 * @len: the number of bytes there; PE_INSN_MAX is always enough
 *
 * Context: any.
 * Return: 0; -EINVAL if the bytes are no instruction, or one of more than PE_INSN_MAX
 * bytes; -ENODATA if the instruction continues after @len.  After an error @insn
 * is undefined.
 */
int pe_insn_decode(struct pe_insn *insn, const u8 *buf, unsigned int len)
{
	struct cursor c = {
		.start = buf,
		.pos = buf,
		.end = buf + min_t(unsigned int, len, PE_INSN_MAX),
	};
	int err;

	memset(insn, 0, sizeof(*insn));
	err = pe_x86_insn_decode(&c, insn);
	if (err == -ENODATA && len >= PE_INSN_MAX)
		return -EINVAL;
	if (err)
		return err;
	insn->length = c.pos - c.start;
	return 0;
}

/**
 * pe_insn_next - decode the instruction at an offset and step over it
 * @insn: filled in
 * @code: bytes of a function or another straight run of instructions
 * @size: the number of bytes in @code
 * @off: offset to decode at; moved past the instruction unless there is an error
 *
 * Context: any.
 * Return: 1 for an instruction, 0 at the end (@off >= @size), or the error of
 * pe_insn_decode().
 */
int pe_insn_next(struct pe_insn *insn, const u8 *code, size_t size, size_t *off)
{
	int err;

	if (*off >= size)
		return 0;
	err = pe_insn_decode(insn, code + *off, min_t(size_t, size - *off, PE_INSN_MAX));
	if (err)
		return err;
	*off += insn->length;
	return 1;
}

/**
 * pe_insn_boundary - is there an instruction at an offset of a function?
 * @insn: the instruction at @off if the answer is yes
 * @func: bytes of the function, from its first instruction, as the compiler and the
 *	boot-time patching left them: without breakpoints of any prober
 * @size: the number of bytes in @func; up to the function's end or less
 * @off: the offset in question
 *
 * x86 code can't be read backwards, so this decodes everything from the start.
 *
 * Context: any; time proportional to @off.
 * Return: 0 if an instruction begins at @off and decodes; -EILSEQ if @off is inside an
 * instruction, or not below @size; else the error of pe_insn_decode(), at @off or before it.
 */
int pe_insn_boundary(struct pe_insn *insn, const u8 *func, size_t size, size_t off)
{
	size_t pos = 0;
	int ret;

	if (off >= size)
		return -EILSEQ;
	while (pos < off) {
		ret = pe_insn_next(insn, func, size, &pos);
		if (ret < 0)
			return ret;
	}
	if (pos != off)
		return -EILSEQ;
	ret = pe_insn_next(insn, func, size, &pos);
	return ret < 0 ? ret : 0;
}
