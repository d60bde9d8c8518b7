// SPDX-License-Identifier: GPL-2.0
/*
 * return_words.c - words of arguments on the stack.  [P]
 *
 * This counts the words by a function's parameters, and asks whether its code could see any.
 */
#include <linux/kernel.h>
#include <linux/math.h>
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/return_scan.h"

#define REGISTER_WORDS	6

/**
 * pe_arg_words_add() - count one more parameter; call it in the parameters' order
 * @w: words that the others take; starts as zeros
 * @size: bytes
 * @aggregate: a structure or union
 *
 * A parameter of up to two words goes into registers as a whole, if enough are left.  Any
 * other goes on the stack.  There one of several words may be aligned, which takes a word.
 * A packed structure with unaligned members goes on the stack although it is small,
 * and the type data does not tell.  So an aggregate that fits counts in both places.
 */
void pe_arg_words_add(struct pe_arg_words *w, unsigned int size, bool aggregate)
{
	unsigned int words = DIV_ROUND_UP(size, sizeof(long));

	bool fits = words <= 2 && w->regs + words <= REGISTER_WORDS;

	if (fits)
		w->regs += words;
	if (!fits || aggregate)
		w->stack += words + (words > 1);
}

/* In these opcodes, ModRM's reg field selects an operation and is not a register. */
static bool pe_is_group(const struct pe_insn *insn)
{
	if (insn->enc != PE_ENC_LEGACY)
		return false;
	if (insn->map == PE_MAP_0F)
		return insn->opcode <= 0x01 || (insn->opcode >= 0x18 && insn->opcode <= 0x1f) ||
		       insn->opcode == 0xae || insn->opcode == 0xba || insn->opcode == 0xc7;
	if (insn->map != PE_MAP_ONE)
		return false;
	switch (insn->opcode) {
	case 0x80 ... 0x83: case 0x8f: case 0xc0: case 0xc1: case 0xc6: case 0xc7:
	case 0xd0 ... 0xd3: case 0xf6: case 0xf7: case 0xfe: case 0xff:
		return true;
	default:
		return false;
	}
}

/* May copy the register, so that another instruction can read what it points to. */
static bool pe_copies_register(u8 opcode)
{
	return opcode == 0x89 || opcode == 0x8b || opcode == 0x8d || opcode == 0x87 ||
	       opcode == 0x01 || opcode == 0x03;
}

/*
 * Does it use rsp or rbp in a way that could lead to the caller's words?  rbp may also serve
 * as any other register, so an instruction that only computes with it is accepted.  %ah,
 * %cr4, %fs and %xmm4 have rsp's number and are taken for it, without harm.
 */
static bool pe_reaches_up(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn), rm = pe_modrm_rm(insn);
	bool mem = pe_insn_has_mem(insn);

	if (!(insn->flags & PE_INSN_HAS_MODRM))
		return false;
	if (!(insn->rex & PE_REX_R) && !pe_is_group(insn) &&
	    (reg == 4 || (reg == 5 && pe_copies_register(insn->opcode))))
		return true;
	if (insn->rex & PE_REX_B)
		return false;
	if (!mem)
		return rm == 4;
	if (rm == 4)		/* SIB: base */
		return (insn->sib & 7) == 4 || (insn->sib & 7) == 5;
	return rm == 5 && !(insn->flags & PE_INSN_RIP_RELATIVE);
}

/* enter, leave, push %rsp and other uses of rsp that ModRM does not show. */
static bool pe_moves_stack(const struct pe_insn *insn)
{
	if (insn->map != PE_MAP_ONE || insn->enc != PE_ENC_LEGACY)
		return false;
	switch (insn->opcode) {
	case 0x54: case 0x5c: case 0x94:
		return !(insn->rex & PE_REX_B);
	case 0xc8: case 0xc9:
		return true;
	default:
		return false;
	}
}

/* Does it leave the function, or could it, in another way than by returning? */
static bool pe_jumps_out(const struct pe_insn *insn, size_t next, size_t len, unsigned long addr,
			 pe_is_return_t is_return)
{
	s64 to = (s64)next + insn->imm;

	if (insn->map == PE_MAP_ONE && insn->opcode == 0xff)
		return pe_modrm_reg(insn) == 4 || pe_modrm_reg(insn) == 5;
	if (!(insn->flags & PE_INSN_REL_BRANCH) ||
	    (insn->map == PE_MAP_ONE && insn->opcode == 0xe8))
		return false;
	return (to < 0 || to >= (s64)len) && !is_return(addr + to);
}

/**
 * pe_code_sees_no_words() - is it certain that code uses nothing of its caller's stack?
 * @code: a function from its entry on
 * @len: the number of bytes of the whole function
 * @addr: where it runs
 * @is_return: tells whether a jump to an address is a return
 *
 * It is certain if the code touches the stack by nothing but push, pop, call and ret, and
 * does not jump out of the function.
 */
bool pe_code_sees_no_words(const u8 *code, size_t len, unsigned long addr,
			   pe_is_return_t is_return)
{
	struct pe_insn insn;
	size_t off = 0;

	while (off < len) {
		if (pe_insn_decode(&insn, code + off, len - off))
			return false;
		off += insn.length;
		if (pe_reaches_up(&insn) || pe_moves_stack(&insn) ||
		    pe_jumps_out(&insn, off, len, addr, is_return))
			return false;
	}
	return true;
}
