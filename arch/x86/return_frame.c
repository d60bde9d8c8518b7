// SPDX-License-Identifier: GPL-2.0
/*
 * return_frame.c - where a function drops its frame.  [P]
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "arch/x86/insn.h"
#include "arch/x86/return_scan.h"

#define CALL_OPCODE	0xe8
#define JMP32_OPCODE	0xe9
#define LEAVE_OPCODE	0xc9
#define RET_OPCODE	0xc3
#define JMP32_SIZE	5

/* A return, perhaps through one of the thunks.  There are JMP32_SIZE bytes. */
static bool is_ret(const u8 *code, unsigned long addr, pe_is_return_t is_return)
{
	s32 rel;

	if (code[0] == RET_OPCODE)
		return true;
	if (code[0] != JMP32_OPCODE)
		return false;
	memcpy(&rel, code + 1, sizeof(rel));
	return is_return(addr + JMP32_SIZE + rel);
}

/* A call or a conditional jump, of those that have their target in them. */
static bool is_call_or_jcc(const struct pe_insn *insn)
{
	if (insn->map == PE_MAP_0F)
		return (insn->opcode & 0xf0) == 0x80;
	return insn->map == PE_MAP_ONE &&
	       (insn->opcode == CALL_OPCODE || (insn->opcode & 0xf0) == 0x70);
}

/* Opcodes that go on to the next instruction and write no more than one operand. */
static bool is_tame(const struct pe_insn *insn)
{
	if (insn->map == PE_MAP_0F)
		return insn->opcode == 0x1f || (insn->opcode & 0xf0) == 0x40 ||
		       insn->opcode == 0xb6 || insn->opcode == 0xb7;
	if (insn->map != PE_MAP_ONE)
		return false;
	switch (insn->opcode) {
	case 0x01: case 0x03: case 0x09: case 0x0b: case 0x21: case 0x23:
	case 0x29: case 0x2b: case 0x31: case 0x33:
	case 0x38 ... 0x3b: case 0x50 ... 0x57: case 0x63:
	case 0x81: case 0x83 ... 0x85: case 0x88 ... 0x8b: case 0x8d: case 0x90:
	case CALL_OPCODE:
		return true;
	case 0xc6: case 0xc7:
		return pe_modrm_reg(insn) == 0;
	default:
		return false;
	}
}

/* Does the ModRM byte name rbp as a register?  In groups, reg is no register. */
static bool names_rbp(const struct pe_insn *insn)
{
	bool group = insn->map == PE_MAP_ONE &&
		     (insn->opcode == 0x81 || insn->opcode == 0x83);

	if (!(insn->flags & PE_INSN_HAS_MODRM))
		return false;
	if (!group && pe_modrm_reg(insn) == 5 && !(insn->rex & PE_REX_R))
		return true;
	return !pe_insn_has_mem(insn) && pe_modrm_rm(insn) == 5 && !(insn->rex & PE_REX_B);
}

/* A branch within the function is passed over; it changes no register. */
static bool is_branch(const struct pe_insn *insn)
{
	return insn->flags & PE_INSN_REL_BRANCH;
}

/**
 * pe_code_find_leave() - find `leave; ret` right behind a call or jcc
 * @code: of a function, from behind the making of its frame on
 * @len: bytes
 * @addr: where it runs
 * @is_return: tells whether a jump to an address is a return
 *
 * Nothing on the way changes rbp.  Return: the offset of `leave`; 0 when there is none.
 */
size_t pe_code_find_leave(const u8 *code, size_t len, unsigned long addr,
			  pe_is_return_t is_return)
{
	struct pe_insn insn;
	bool held = false;
	size_t off = 0;

	while (off + PE_INSN_MAX + JMP32_SIZE < len) {
		if (pe_insn_decode(&insn, code + off, len - off))
			return 0;
		if (code[off] == LEAVE_OPCODE && insn.length == 1)
			return held && is_ret(code + off + 1, addr + off + 1, is_return) ?
			       off : 0;
		if (!is_branch(&insn) && (!is_tame(&insn) || names_rbp(&insn)))
			return 0;
		held = is_call_or_jcc(&insn);
		off += insn.length;
	}
	return 0;
}
