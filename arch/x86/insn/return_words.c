// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * return_words.c - words of arguments on the stack.  [P]
 *
 * This counts the words by a function's parameters, and asks whether its code could see any.
 */
#include <linux/kernel.h>
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

/*
 * In these opcodes, ModRM's reg field selects an operation, or a register that is none of the
 * general ones.
 */
static bool pe_is_group(const struct pe_insn *insn)
{
	if (insn->enc != PE_ENC_LEGACY)
		return false;
	if (insn->map == PE_MAP_0F)
		return insn->opcode <= 0x01 || (insn->opcode >= 0x18 && insn->opcode <= 0x23) ||
		       insn->opcode == 0xae || insn->opcode == 0xba || insn->opcode == 0xc7;
	if (insn->map != PE_MAP_ONE)
		return false;
	switch (insn->opcode) {
	case 0x80 ... 0x83: case 0x8c: case 0x8e: case 0x8f: case 0xc0: case 0xc1: case 0xc6:
	case 0xc7: case 0xd0 ... 0xd3: case 0xd8 ... 0xdf: case 0xf6: case 0xf7: case 0xfe:
	case 0xff:
		return true;
	default:
		return false;
	}
}

/* Numbers of registers in ModRM and SIB, where no bit of REX adds 8. */
#define RSP	4
#define RBP	5
#define NONE	8

/* Values of rbp that are no place in the function's frame. */
#define CALLERS	0
#define OTHER	(-1)

#define NOT_REACHED	(-1)

/* Code that needs more rounds than this is not understood. */
#define MOST_ROUNDS	16
#define MOST_DEPTH	16384	/* a larger frame does not fit on a stack */

/* A function whose code is walked through; the parameters of pe_code_sees_no_words(). */
struct walk {
	const u8 *code;
	size_t len;
	unsigned long addr;
	pe_is_return_t is_return;
	bool compiled;
	struct pe_stack_state *states;
	bool changed;
};

/* Is it an instruction of the first map that has this opcode? */
static bool pe_is_plain(const struct pe_insn *insn, u8 opcode)
{
	return insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_ONE && insn->opcode == opcode;
}

/* Are registers bytes, of which the numbers of rsp and rbp mean %ah and %ch? */
static bool pe_has_bytes(const struct pe_insn *insn)
{
	u8 op = insn->opcode;

	if (insn->enc != PE_ENC_LEGACY || (insn->rex & PE_REX_PRESENT))
		return false;
	if (insn->map == PE_MAP_0F)
		return (op >= 0x90 && op <= 0x9f) || op == 0xb0 || op == 0xc0;
	if (insn->map != PE_MAP_ONE || (op & 1))
		return false;
	return op < 0x40 || op == 0x80 || (op >= 0x84 && op <= 0x8a) || op == 0xc0 || op == 0xc6 ||
	       (op >= 0xd0 && op <= 0xd2) || op == 0xf6 || op == 0xfe;
}

/* The register in ModRM's reg field; NONE: any but rsp and rbp. */
static u8 pe_operand_reg(const struct pe_insn *insn)
{
	if (!(insn->flags & PE_INSN_HAS_MODRM) || (insn->rex & PE_REX_R) || pe_is_group(insn) ||
	    pe_has_bytes(insn))
		return NONE;
	return pe_modrm_reg(insn);
}

/* movzx or movsx of %ah and the like */
static bool pe_widens_byte(const struct pe_insn *insn)
{
	return insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_0F &&
	       (insn->opcode == 0xb6 || insn->opcode == 0xbe) && !(insn->rex & PE_REX_PRESENT);
}

/* The register in ModRM's rm field. */
static u8 pe_operand_rm(const struct pe_insn *insn)
{
	if (!(insn->flags & PE_INSN_HAS_MODRM) || pe_insn_has_mem(insn) ||
	    (insn->rex & PE_REX_B) || pe_has_bytes(insn) || pe_widens_byte(insn))
		return NONE;
	return pe_modrm_rm(insn);
}

/* The memory operand's base. */
static u8 pe_mem_base(const struct pe_insn *insn)
{
	u8 base = insn->flags & PE_INSN_HAS_SIB ? insn->sib & 7 : pe_modrm_rm(insn);

	if (!pe_insn_has_mem(insn) || (insn->rex & PE_REX_B))
		return NONE;
	return base == 5 && !pe_modrm_mod(insn) ? NONE : base;	/* rip, or a displacement alone */
}

/* The memory operand's index. */
static u8 pe_mem_index(const struct pe_insn *insn)
{
	u8 index = insn->sib >> 3 & 7;

	if (!(insn->flags & PE_INSN_HAS_SIB))
		return NONE;
	return insn->rex & PE_REX_X ? index + 8 : index == 4 ? NONE : index;
}

/* mov or lea from rsp or rbp, of all 64 bits: which register gets the place in the frame? */
static bool pe_copies_place(const struct pe_insn *insn, u8 from, u8 *to)
{
	if (!(insn->rex & PE_REX_W))
		return false;
	if (pe_is_plain(insn, 0x89) && pe_operand_reg(insn) == from && !pe_insn_has_mem(insn))
		*to = pe_operand_rm(insn);
	else if ((pe_is_plain(insn, 0x8b) && pe_operand_rm(insn) == from) ||
		 (pe_is_plain(insn, 0x8d) && pe_mem_base(insn) == from &&
		  pe_mem_index(insn) == NONE))
		*to = pe_operand_reg(insn);
	else
		return false;
	return true;
}

/* Does it give rbp a new value, which does not depend on the old one? */
static bool pe_sets_rbp(const struct pe_insn *insn)
{
	if (insn->enc != PE_ENC_LEGACY || (insn->prefixes & PE_PFX_OPSIZE))
		return false;
	if (insn->map == PE_MAP_0F)
		return pe_operand_reg(insn) == RBP &&
		       (insn->opcode == 0xb6 || insn->opcode == 0xb7 || insn->opcode == 0xbe ||
			insn->opcode == 0xbf);
	if (insn->map != PE_MAP_ONE)
		return false;
	switch (insn->opcode) {
	case 0x63: case 0x69: case 0x6b: case 0x8b: case 0x8d:
		return pe_operand_reg(insn) == RBP;
	case 0x89: case 0xc7:
		return pe_operand_rm(insn) == RBP;
	case 0x19: case 0x1b: case 0x31: case 0x33:		/* sbb, xor */
		return pe_operand_reg(insn) == RBP && pe_operand_rm(insn) == RBP;
	case 0xbd:
		return !(insn->rex & PE_REX_B);
	default:
		return false;
	}
}

/* By how many bytes does it move rsp down?  Other uses of rsp are not understood. */
static s64 pe_bytes_pushed(const struct pe_insn *insn)
{
	u8 op = insn->opcode;

	if (insn->enc != PE_ENC_LEGACY)
		return 0;
	if (insn->map == PE_MAP_0F)		/* %fs and %gs */
		return op == 0xa0 || op == 0xa8 ? 8 : op == 0xa1 || op == 0xa9 ? -8 : 0;
	if (insn->map != PE_MAP_ONE)
		return 0;
	if ((op >= 0x50 && op <= 0x57) || op == 0x68 || op == 0x6a || op == 0x9c ||
	    (op == 0xff && pe_modrm_reg(insn) == 6))
		return 8;
	if ((op >= 0x58 && op <= 0x5f) || op == 0x8f || op == 0x9d)
		return -8;
	if ((op == 0x81 || op == 0x83) && pe_operand_rm(insn) == RSP)
		return pe_modrm_reg(insn) == 5 ? insn->imm :
		       pe_modrm_reg(insn) == 0 ? -insn->imm : 0;
	return 0;
}

/* enter, iret and uses of rsp that ModRM does not show.  Compiled code may push an address. */
static bool pe_moves_stack(const struct pe_insn *insn, const struct pe_stack_state *s,
			   bool compiled)
{
	if (insn->map != PE_MAP_ONE || insn->enc != PE_ENC_LEGACY)
		return false;
	switch (insn->opcode) {
	case 0x54:
		return !(insn->rex & PE_REX_B) && !(compiled && s->depth);
	case 0x5c: case 0x94:
		return !(insn->rex & PE_REX_B);
	case 0xc8: case 0xcf:
		return true;
	default:
		return false;
	}
}

/*
 * May the operand that is so far above @place reach to what is above the return address?  Of an
 * array, the index may be what the compiler has added to the place of another one.
 */
static bool pe_is_above(const struct pe_insn *insn, s64 place)
{
	return pe_mem_index(insn) != NONE || insn->enc != PE_ENC_LEGACY || insn->disp >= place;
}

/*
 * add and sub of a constant, or and, which aligns: the stack then reaches down at least as far as
 * before.
 */
static bool pe_computes_depth(const struct pe_insn *insn)
{
	u8 operation = pe_modrm_reg(insn);

	return (pe_is_plain(insn, 0x81) || pe_is_plain(insn, 0x83)) && (insn->rex & PE_REX_W) &&
	       (operation == 0 || operation == 5 || (operation == 4 && insn->imm < 0));
}

/* Does ModRM name rsp in a way that is not understood, or that leads above the frame? */
static bool pe_misuses_rsp(const struct pe_insn *insn, const struct pe_stack_state *s,
			   bool compiled)
{
	u8 to;

	if (pe_mem_base(insn) == RSP && pe_is_plain(insn, 0x8f))
		return true;		/* pop counts from where rsp is then */
	if (pe_copies_place(insn, RSP, &to) && to == RSP)
		return !pe_is_plain(insn, 0x8d);
	if (pe_mem_base(insn) == RSP && pe_is_above(insn, s->depth))
		return true;
	if (pe_copies_place(insn, RSP, &to))
		return !s->depth || (!compiled && to != RBP);
	if (pe_copies_place(insn, RBP, &to) && to == RSP)
		return s->rbp <= CALLERS;
	if (pe_operand_rm(insn) == RSP)
		return !pe_computes_depth(insn);
	if (pe_operand_reg(insn) != RSP)
		return false;
	/* Compiled code may also store an address, or compare it. */
	return !compiled || !s->depth || !(pe_is_plain(insn, 0x89) || pe_is_plain(insn, 0x39));
}

/* The same of rbp, as long as it is the caller's or a place in the frame. */
static bool pe_misuses_rbp(const struct pe_insn *insn, const struct pe_stack_state *s)
{
	bool named = pe_operand_reg(insn) == RBP || pe_operand_rm(insn) == RBP;

	if (s->rbp == OTHER)
		return false;
	if (pe_mem_index(insn) == RBP ||
	    (pe_mem_base(insn) == RBP && pe_is_above(insn, s->rbp)))
		return true;
	if (pe_is_plain(insn, 0x95) && !(insn->rex & PE_REX_B))
		return true;		/* xchg %rax,%rbp */
	if (!named || pe_sets_rbp(insn))
		return false;
	/* Another register may have an address in the frame, and so may memory. */
	return s->rbp == CALLERS || !(pe_is_plain(insn, 0x89) || pe_is_plain(insn, 0x8b));
}

/* Go over one instruction.  Return: false if it may lead to the caller's words. */
static bool pe_stack_step(const struct pe_insn *insn, struct pe_stack_state *s, bool compiled)
{
	s64 depth = s->depth;
	u8 to = NONE;

	if (pe_moves_stack(insn, s, compiled) || pe_misuses_rsp(insn, s, compiled) ||
	    pe_misuses_rbp(insn, s))
		return false;
	if (pe_is_plain(insn, 0xc9)) {		/* leave */
		if (s->rbp <= CALLERS)
			return false;
		depth = s->rbp - 8;
		s->rbp = CALLERS;
	} else if (pe_copies_place(insn, RSP, &to)) {
		if (to == RSP)
			depth -= insn->disp;
		if (to == RBP)
			s->rbp = depth - insn->disp;
	} else if (pe_copies_place(insn, RBP, &to) && to == RSP) {
		depth = s->rbp - insn->disp;
	} else if (pe_sets_rbp(insn)) {
		s->rbp = OTHER;
	} else if (pe_is_plain(insn, 0x5d) && !(insn->rex & PE_REX_B)) {
		s->rbp = CALLERS;
	}
	if (pe_bytes_pushed(insn) && (insn->prefixes & PE_PFX_OPSIZE))
		return false;
	depth += pe_bytes_pushed(insn);
	s->depth = depth;
	return depth >= 0 && depth <= MOST_DEPTH;
}

/*
 * Control comes to the instruction at @off with the state @s.  @perhaps: it does not if the depth
 * there is another one.
 */
static bool pe_walk_comes(struct walk *w, s64 off, const struct pe_stack_state *s, bool perhaps)
{
	struct pe_stack_state *at = w->states + off;

	if (off >= w->len)
		return w->compiled || perhaps;	/* assembler may go on in the next symbol */
	if (at->depth == NOT_REACHED) {
		*at = *s;
		w->changed = true;
	} else if (at->depth != s->depth) {
		return perhaps;
	} else if (at->rbp != s->rbp && at->rbp != CALLERS) {
		at->rbp = CALLERS;
		w->changed = true;
	}
	return true;
}

/* A jump or a return, after which @s is the state.  @next: offset after it. */
static bool pe_walk_jumps(struct walk *w, const struct pe_insn *insn, s64 next, bool reached,
			  const struct pe_stack_state *s)
{
	s64 to = next + insn->imm;

	if (pe_is_plain(insn, 0xff) && (pe_modrm_reg(insn) == 4 || pe_modrm_reg(insn) == 5))
		return false;
	if (pe_is_plain(insn, 0xc3) || pe_is_plain(insn, 0xc2))
		return !s->depth;
	if (!(insn->flags & PE_INSN_REL_BRANCH) || pe_is_plain(insn, 0xe8))
		return true;
	if (to < 0 || to >= (s64)w->len)
		return !s->depth && w->is_return(w->addr + to);
	return !reached || pe_walk_comes(w, to, s, false);
}

static bool pe_path_ends(const struct pe_insn *insn)
{
	return pe_is_plain(insn, 0xe9) || pe_is_plain(insn, 0xeb) || pe_is_plain(insn, 0xc3) ||
	       pe_is_plain(insn, 0xc2);
}

/*
 * After any other instruction than a jump or a return control comes to the next one.  Not every
 * call returns, and not every ud2 is for a warning: what follows may be another part.
 */
static bool pe_goes_on(struct walk *w, const struct pe_insn *insn, s64 next,
		       const struct pe_stack_state *s)
{
	bool call = pe_is_plain(insn, 0xe8) ||
		    (pe_is_plain(insn, 0xff) &&
		     (pe_modrm_reg(insn) == 2 || pe_modrm_reg(insn) == 3));

	if (insn->map == PE_MAP_0F && insn->opcode == 0x0b && next < (s64)w->len &&
	    w->states[next].depth != NOT_REACHED)
		return true;
	if (pe_path_ends(insn))
		return true;
	return pe_walk_comes(w, next, s, call);
}

/*
 * Go through the code from its beginning to its end.  @rest: judge what nothing has been found to
 * lead to, from where such code begins as if nothing were on the stack there: an exception may lead
 * there, or it is another function, which has no symbol.
 */
static bool pe_walk_code(struct walk *w, bool rest)
{
	const struct pe_stack_state begins = { 0, CALLERS };
	struct pe_stack_state s, run = begins;
	struct pe_insn insn;
	size_t off, next;
	bool reached;

	w->changed = false;
	for (off = 0; off < w->len; off = next) {
		s = w->states[off];
		reached = s.depth != NOT_REACHED;
		/* Zeros may follow the last function of a module: two are an instruction. */
		if (pe_insn_decode(&insn, w->code + off, w->len - off))
			return !reached && off + 1 == w->len && !w->code[off];
		next = off + insn.length;
		if (!reached && !rest)
			continue;
		if (!reached)
			s = run;
		if (!pe_stack_step(&insn, &s, w->compiled) ||
		    !pe_walk_jumps(w, &insn, next, reached, &s) ||
		    (reached && !pe_goes_on(w, &insn, next, &s)))
			return false;
		run = reached || pe_path_ends(&insn) ? begins : s;
	}
	return true;
}

/**
 * pe_code_sees_no_words() - is it certain that code uses nothing of its caller's stack?
 * @code: a function from its entry on
 * @len: the number of bytes of the whole function
 * @addr: where it runs
 * @is_return: tells whether a jump to an address is a return
 * @compiled: the function is known not to be assembler
 * @states: for use by this function, one for each byte of @code
 *
 * It is certain if at each instruction it is known how far the stack reaches down from the return
 * address, if no operand and no address that is taken is above that, and if the code does not
 * leave the function but by a return.  Compiled code may put an address in its frame into any
 * register: no compiler makes that of another object from it.
 */
bool pe_code_sees_no_words(const u8 *code, size_t len, unsigned long addr,
			   pe_is_return_t is_return, bool compiled, struct pe_stack_state *states)
{
	struct walk w = { code, len, addr, is_return, compiled, states, true };
	unsigned int round;
	size_t i;

	for (i = 0; i < len; i++)
		states[i].depth = NOT_REACHED;
	if (len)
		states[0] = (struct pe_stack_state){ 0, CALLERS };
	for (round = 0; round < MOST_ROUNDS && w.changed; round++) {
		if (!pe_walk_code(&w, false))
			return false;
	}
	return !w.changed && pe_walk_code(&w, true);
}
