// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * targets.c - find text that control may reach from elsewhere.  [P]
 *
 * A jump over several instructions is right only if control never comes to one of them but the
 * first.  This file finds all that could lead there, in two ways.
 *
 * **From afar**, for a whole text at once, a bit for each byte (pe_targets_scan()).  A branch
 * over more than 128 bytes has a distance of 32 bits.  The text is not decoded: every byte is
 * taken for the beginning of a branch.  So the result does not depend on knowing where
 * instructions begin, and nothing can be missed.  Bytes that are no branch rarely look like
 * one with a target in the text: in 16 MB it is some hundred bytes.  Instructions that take the
 * address of code are found in the same way: lea, push, mov.
 *
 * Words of data that are addresses in the text are marked as well (pe_targets_words()): tables
 * of jumps, and addresses of labels.
 *
 * **From nearby**, for one window (pe_ways_scan()).  In 128 bytes around, too many bytes look
 * like a short branch.  So the functions there are decoded from their beginnings.  If that meets
 * bytes that are no instruction, the answer is that anything may be.
 *
 * The caller has to add the targets that no instruction shows: jump labels that are off now, and
 * the exception table.
 */
#include <linux/compiler.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/targets.h"

#define SIZE32	4

static s32 pe_targets_get32(const u8 *p)
{
	s32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Bytes at which something of interest may begin. */
static const bool pe_targets_is_first[256] = {
	[0xe8] = true, [0xe9] = true,	/* call, jmp */
	[0x0f] = true,			/* jcc */
	[0x8d] = true,			/* lea */
	[0x68] = true,			/* push */
	[0xc7] = true,			/* mov $imm32 */
	[0xb8 ... 0xbf] = true,		/* mov $imm64 */
};

/*
 * mov $imm32 to a register or to memory; the decoder knows where the immediate is.  xbegin, which
 * is among them, has the distance of where an abort leads.
 */
static void pe_scan_mov(struct pe_targets *t, const u8 *code, unsigned long addr)
{
	struct pe_insn insn;

	if (pe_insn_decode(&insn, code, PE_INSN_MAX) || insn.imm_size != SIZE32)
		return;
	if (insn.flags & PE_INSN_REL_BRANCH)
		pe_targets_mark(t, addr + insn.length + insn.imm);
	else
		pe_targets_mark(t, insn.imm);
}

/* @code has PE_TARGETS_AHEAD bytes after its first one.  It is at @addr. */
static void pe_scan_byte(struct pe_targets *t, const u8 *code, unsigned long addr)
{
	u64 imm;

	switch (code[0]) {
	case 0xe8: case 0xe9:
		pe_targets_mark(t, addr + 1 + SIZE32 + pe_targets_get32(code + 1));
		break;
	case 0x0f:
		if ((code[1] & 0xf0) == 0x80)
			pe_targets_mark(t, addr + 2 + SIZE32 + pe_targets_get32(code + 2));
		break;
	case 0x8d:
		if ((code[1] & 0xc7) == 0x05)
			pe_targets_mark(t, addr + 2 + SIZE32 + pe_targets_get32(code + 2));
		break;
	case 0x68:
		pe_targets_mark(t, pe_targets_get32(code + 1));
		break;
	case 0xc7:
		pe_scan_mov(t, code, addr);
		break;
	default:
		memcpy(&imm, code + 1, sizeof(imm));
		pe_targets_mark(t, imm);
		break;
	}
}

/**
 * pe_targets_scan - mark the targets of whatever may be a branch or the address of code
 * @t: gets marks
 * @code: text, without breakpoints of any prober
 * @size: how many bytes of it to scan
 * @avail: how many there are; the last PE_TARGETS_AHEAD of a text are scanned with bytes that
 *	do not matter after them
 * @addr: address of @code
 *
 * Context: any; time proportional to @size.
 */
void pe_targets_scan(struct pe_targets *t, const u8 *code, size_t size, size_t avail,
		     unsigned long addr)
{
	u8 last[1 + PE_TARGETS_AHEAD];
	size_t i;

	for (i = 0; i < size; i++) {
		if (likely(!pe_targets_is_first[code[i]]))
			continue;
		if (avail - i >= sizeof(last)) {
			pe_scan_byte(t, code + i, addr + i);
			continue;
		}
		memset(last, 0, sizeof(last));
		memcpy(last, code + i, avail - i);
		pe_scan_byte(t, last, addr + i);
	}
}

/**
 * pe_targets_words - mark what words of data may refer to
 * @t: gets marks
 * @words: data, aligned
 * @n: how many
 *
 * Context: any.
 */
void pe_targets_words(struct pe_targets *t, const unsigned long *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		pe_targets_mark(t, words[i]);
}

/**
 * pe_targets_any - is a byte of a range marked?
 * @t: the marks
 * @from: the first byte
 * @to: the byte after the last one
 *
 * Context: any.
 * Return: yes, or part of the range is not in the text of @t.
 */
bool pe_targets_any(const struct pe_targets *t, unsigned long from, unsigned long to)
{
	unsigned long addr;

	if (from < t->start || to > t->end || from > to)
		return true;
	for (addr = from; addr < to; addr++) {
		if (t->bits[(addr - t->start) / 64] >> (addr - t->start) % 64 & 1)
			return true;
	}
	return false;
}

static bool pe_jumps_indirectly(const struct pe_insn *insn)
{
	return insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_ONE && insn->opcode == 0xff &&
	       (pe_modrm_reg(insn) == 4 || pe_modrm_reg(insn) == 5);
}

/*
 * The addresses that an instruction refers to: of a branch, of an operand relative to rip, and
 * its immediate.  Return: is one of them in the range?
 */
static bool pe_targets_refers(const struct pe_insn *insn, unsigned long next, unsigned long from,
			      unsigned long to)
{
	unsigned long refs[2] = { insn->imm, next + insn->disp };

	if (insn->flags & PE_INSN_REL_BRANCH)
		refs[0] += next;
	if (insn->imm_off && refs[0] - from < to - from)
		return true;
	return (insn->flags & PE_INSN_RIP_RELATIVE) && refs[1] - from < to - from;
}

/* Between sections of a module: fewer bytes than an instruction has, at the end of the code. */
static bool pe_is_padding(const u8 *code, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (code[i])
			return false;
	}
	return true;
}

/**
 * pe_ways_scan - decode code and find ways into a range
 * @code: from the beginning of an instruction; without breakpoints of any prober
 * @size: only instructions that begin in so many bytes are decoded
 * @avail: how many bytes there are
 * @addr: address of @code
 * @from: the first byte of the range
 * @to: the byte after the last one
 *
 * Context: any.
 * Return: a set of enum pe_ways.
 */
unsigned int pe_ways_scan(const u8 *code, size_t size, size_t avail, unsigned long addr,
			  unsigned long from, unsigned long to)
{
	struct pe_insn insn;
	unsigned int ways = 0;
	size_t off = 0;

	while (off < size) {
		if (pe_insn_next(&insn, code, avail, &off) <= 0)
			return pe_is_padding(code + off, avail - off) ? ways :
									ways | PE_WAYS_UNKNOWN;
		if (pe_targets_refers(&insn, addr + off, from, to))
			ways |= PE_WAYS_INTO;
		if (pe_jumps_indirectly(&insn))
			ways |= PE_WAYS_INDIRECT;
	}
	return ways;
}
