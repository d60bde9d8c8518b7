// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * insn_check.c - what a probe may do with one instruction.  [P]
 *
 * A probed instruction is executed at another address: as a copy in a slot, followed by
 * a jump back, or by emulation.  A copy does what the original does unless it
 *
 *	- computes with its own address: relative branches and calls are emulated, a
 *	  memory operand relative to rip is adjusted when it is copied, XBEGIN is refused;
 *	- saves its own address where other code reads it: calls are emulated, INT n,
 *	  SYSCALL, SYSENTER and the like are refused;
 *	- affects the instruction after it: a load of %ss, and STI, hold interrupts off for
 *	  one more instruction, and that would be the jump back;
 *	- is recognised by its address: UD0, UD1 and UD2 by the bug table, INT3 by the code
 *	  that put it there, ENDBR64 by the CPU at the end of an indirect branch;
 *	- runs where a breakpoint can't be handled: around SWAPGS, between STI and HLT,
 *	  in a transaction, at the entry of a guest or an enclave;
 *	- leaves the kernel's own return path: changes of the shadow stack, far transfers.
 *
 * Everything else is copied.  Nothing is ever single-stepped.
 *
 * RET is copied, not emulated: it uses the CPU's return predictor as the original does.
 * An indirect JMP is copied, too: it checks for ENDBR64 at its target like the original.
 * Nothing can follow such a copy, so a probe with a post handler has them emulated.
 *
 * Privileged instructions are copied.  text_reserved.c refuses an instruction with an entry
 * in the exception table.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_check.h"

static const char * const pe_reason_text[PE_REASON_NR] = {
	[PE_REASON_NONE]	= "none",
	[PE_REASON_UNDEFINED]	= "undefined instruction",
	[PE_REASON_TRAP]	= "breakpoint or trap instruction",
	[PE_REASON_IDLE]	= "idle instruction",
	[PE_REASON_ENTRY]	= "kernel entry or exit instruction",
	[PE_REASON_GS_BASE]	= "instruction changes the per-CPU base",
	[PE_REASON_FAR]		= "far call, jump or return",
	[PE_REASON_SHADOW]	= "instruction holds off interrupts for the next one",
	[PE_REASON_TSX]		= "transactional memory instruction",
	[PE_REASON_ENDBR]	= "indirect branch target",
	[PE_REASON_SHSTK]	= "shadow stack instruction",
	[PE_REASON_VIRT]	= "virtual machine entry or exit",
	[PE_REASON_ENCLAVE]	= "enclave or secure launch instruction",
	[PE_REASON_LOCK]	= "invalid lock prefix",
	[PE_REASON_OPSIZE]	= "16-bit near branch",
	[PE_REASON_ADDRSIZE]	= "32-bit instruction-relative address",
	[PE_REASON_SEGMENT]	= "indirect call through a segment",
};

static bool pe_has_prefix(const struct pe_insn *insn, u8 prefix)
{
	return insn->prefixes & prefix;
}

static bool pe_legacy_in(const struct pe_insn *insn, u8 map)
{
	return insn->enc == PE_ENC_LEGACY && insn->map == map;
}

/* The prefix that selects among instructions of one opcode: f3 and f2 override 66. */
static u8 pe_insn_check_selector(const struct pe_insn *insn)
{
	u8 rep = insn->prefixes & (PE_PFX_REP | PE_PFX_REPNE);

	return rep ? rep : insn->prefixes & PE_PFX_OPSIZE;
}

/* Bit @n of @set. */
static bool pe_in_set(unsigned int set, unsigned int n)
{
	return set >> n & 1;
}

/* LOCK needs a read-modify-write instruction with its destination in memory. */
static bool pe_lock_allowed(const struct pe_insn *insn)
{
	u8 op = insn->opcode, reg = pe_modrm_reg(insn);

	if (!pe_insn_has_mem(insn))
		return false;
	if (pe_legacy_in(insn, PE_MAP_ONE)) {
		if (op < 0x38)			/* ADD OR ADC SBB AND SUB XOR to r/m */
			return (op & 7) < 2;
		switch (op) {
		case 0x80:
		case 0x81:
		case 0x83:
			return reg != 7;	/* not CMP */
		case 0x86:
		case 0x87:			/* XCHG */
			return true;
		case 0xf6:
		case 0xf7:			/* NOT NEG */
			return reg == 2 || reg == 3;
		case 0xfe:
		case 0xff:			/* INC DEC */
			return reg < 2;
		}
		return false;
	}
	if (!pe_legacy_in(insn, PE_MAP_0F))
		return false;
	switch (op) {
	case 0xab:
	case 0xb3:
	case 0xbb:				/* BTS BTR BTC */
	case 0xb0:
	case 0xb1:				/* CMPXCHG */
	case 0xc0:
	case 0xc1:				/* XADD */
		return true;
	case 0xba:
		return reg > 4;			/* BTS BTR BTC */
	case 0xc7:
		return reg == 1;		/* CMPXCHG8B CMPXCHG16B */
	}
	return false;
}

/* One-byte opcodes that their ModRM byte may make undefined. */
static bool pe_one_byte_undefined(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn);
	bool mem = pe_insn_has_mem(insn);

	switch (insn->opcode) {
	case 0x8c:				/* MOV from a segment register */
		return reg > 5;
	case 0x8e:
		return reg > 5 || reg == 1;	/* no MOV to %cs */
	case 0x8d:				/* LEA */
		return !mem;
	case 0x8f:				/* POP */
		return reg != 0;
	case 0xc6:
	case 0xc7:
		return reg != 0 && insn->modrm != 0xf8;
	case 0xfe:
		return reg > 1;
	case 0xff:
		return reg == 7 || (!mem && (reg == 3 || reg == 5));
	}
	return false;
}

/* Opcodes after 0f that their ModRM byte may make undefined. */
static bool pe_map_0f_undefined(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn);
	u8 number = reg | (insn->rex & PE_REX_R) << 1;
	bool mem = pe_insn_has_mem(insn);

	switch (insn->opcode) {
	case 0x00:
		return reg == 7 || (reg == 6 && pe_insn_check_selector(insn) != PE_PFX_REPNE);
	case 0x01:
		return mem && reg == 5 && pe_insn_check_selector(insn) != PE_PFX_REP;
	case 0x20:
	case 0x22:				/* control registers 0 2 3 4 8 */
		return !pe_in_set(0x11d, number);
	case 0x21:
	case 0x23:
		return number > 7;
	case 0x71:
	case 0x72:				/* shifts of MMX and SSE by an immediate */
		return mem || !pe_in_set(0x54, reg);
	case 0x73:
		return mem || !pe_in_set(0xcc, reg);
	case 0xb2:
	case 0xb4:
	case 0xb5:				/* far pointers are in memory */
	case 0xc3:				/* MOVNTI */
		return !mem;
	case 0xb8:
		return pe_insn_check_selector(insn) != PE_PFX_REP;
	case 0xba:
		return reg < 4;
	case 0xc7:
		return mem ? !pe_in_set(0xfa, reg) : reg < 6;
	}
	return false;
}

static bool pe_is_undefined(const struct pe_insn *insn)
{
	if (pe_legacy_in(insn, PE_MAP_ONE))
		return pe_one_byte_undefined(insn);
	if (pe_legacy_in(insn, PE_MAP_0F))
		return pe_map_0f_undefined(insn);
	return false;
}

static u8 pe_refuse_one_byte(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn);

	switch (insn->opcode) {
	case 0xcc:				/* INT3 */
	case 0xcd:				/* INT n */
	case 0xf1:				/* INT1 */
		return PE_REASON_TRAP;
	case 0xf4:				/* HLT */
		return PE_REASON_IDLE;
	case 0xcf:				/* IRET */
		return PE_REASON_ENTRY;
	case 0xca:
	case 0xcb:				/* far RET */
		return PE_REASON_FAR;
	case 0xff:				/* far CALL, far JMP */
		return reg == 3 || reg == 5 ? PE_REASON_FAR : PE_REASON_NONE;
	case 0x8e:				/* MOV to a segment register */
		if (reg == 2)
			return PE_REASON_SHADOW;
		return reg == 5 ? PE_REASON_GS_BASE : PE_REASON_NONE;
	case 0xc6:				/* XABORT */
	case 0xc7:				/* XBEGIN */
		return insn->modrm == 0xf8 ? PE_REASON_TSX : PE_REASON_NONE;
	}
	return PE_REASON_NONE;
}

/* 0f 01 with a register: no operands, the whole ModRM byte is an opcode. */
static u8 pe_refuse_0f01(const struct pe_insn *insn)
{
	u8 sel = pe_insn_check_selector(insn);

	switch (insn->modrm) {
	case 0xc2:				/* VMLAUNCH */
	case 0xc3:				/* VMRESUME */
	case 0xd8:				/* VMRUN */
		return PE_REASON_VIRT;
	case 0xcd:				/* SEAMRET */
	case 0xcf:				/* SEAMCALL; ENCLS without 66 */
		return sel == PE_PFX_OPSIZE ? PE_REASON_VIRT : PE_REASON_NONE;
	case 0xc9:				/* MWAIT */
	case 0xfb:				/* MWAITX */
		return PE_REASON_IDLE;
	case 0xca:				/* ERETS, ERETU; CLAC without f2, f3 */
		return sel == PE_PFX_REP || sel == PE_PFX_REPNE ?
			PE_REASON_ENTRY : PE_REASON_NONE;
	case 0xec:				/* UIRET */
		return sel == PE_PFX_REP ? PE_REASON_ENTRY : PE_REASON_NONE;
	case 0xd5:				/* XEND */
		return PE_REASON_TSX;
	case 0xd7:				/* ENCLU */
	case 0xde:				/* SKINIT */
		return PE_REASON_ENCLAVE;
	case 0xda:				/* VMLOAD */
	case 0xf8:				/* SWAPGS */
		return PE_REASON_GS_BASE;
	case 0xe8:				/* SETSSBSY */
	case 0xea:				/* SAVEPREVSSP */
		return sel == PE_PFX_REP ? PE_REASON_SHSTK : PE_REASON_NONE;
	}
	return PE_REASON_NONE;
}

/* 0f ae with f3: the FS and GS base registers and two shadow-stack instructions. */
static u8 pe_refuse_0fae(const struct pe_insn *insn)
{
	u8 reg = pe_modrm_reg(insn);

	if (pe_insn_check_selector(insn) != PE_PFX_REP)
		return PE_REASON_NONE;
	if (pe_insn_has_mem(insn))		/* CLRSSBSY */
		return reg == 6 ? PE_REASON_SHSTK : PE_REASON_NONE;
	if (reg == 5)				/* INCSSP */
		return PE_REASON_SHSTK;
	return reg == 3 ? PE_REASON_GS_BASE : PE_REASON_NONE;	/* WRGSBASE */
}

static u8 pe_refuse_0f(const struct pe_insn *insn)
{
	switch (insn->opcode) {
	case 0x00:				/* LKGS */
		return pe_modrm_reg(insn) == 6 ? PE_REASON_GS_BASE : PE_REASON_NONE;
	case 0x01:
		if (!pe_insn_has_mem(insn))
			return pe_refuse_0f01(insn);
		/* RSTORSSP */
		return pe_modrm_reg(insn) == 5 ? PE_REASON_SHSTK : PE_REASON_NONE;
	case 0x05:				/* SYSCALL */
	case 0x07:				/* SYSRET */
	case 0x34:				/* SYSENTER */
	case 0x35:				/* SYSEXIT */
	case 0xaa:				/* RSM */
		return PE_REASON_ENTRY;
	case 0x0b:				/* UD2 */
	case 0xb9:				/* UD1 */
	case 0xff:				/* UD0 */
		return PE_REASON_TRAP;
	case 0x1e:				/* ENDBR64, ENDBR32 */
		return pe_insn_check_selector(insn) == PE_PFX_REP && (insn->modrm & 0xfe) == 0xfa ?
			PE_REASON_ENDBR : PE_REASON_NONE;
	case 0x37:				/* GETSEC */
		return PE_REASON_ENCLAVE;
	case 0xa9:				/* POP %gs */
	case 0xb5:				/* LGS */
		return PE_REASON_GS_BASE;
	case 0xae:
		return pe_refuse_0fae(insn);
	}
	return PE_REASON_NONE;
}

/* WRSS and WRUSS share their opcodes with other instructions, which have another prefix. */
static u8 pe_refuse_0f38(const struct pe_insn *insn)
{
	u8 sel = pe_insn_check_selector(insn);

	if ((insn->opcode == 0xf6 && !sel) || (insn->opcode == 0xf5 && sel == PE_PFX_OPSIZE))
		return PE_REASON_SHSTK;
	return PE_REASON_NONE;
}

/* A near branch: with 66 and without REX.W it has 16 bits on AMD; Intel ignores the 66. */
static bool pe_is_near_branch(const struct pe_insn *insn)
{
	if (insn->enc != PE_ENC_LEGACY)
		return false;
	if (insn->flags & PE_INSN_REL_BRANCH)
		return true;
	if (insn->map != PE_MAP_ONE)
		return false;
	if (insn->opcode == 0xc2 || insn->opcode == 0xc3)
		return true;
	return insn->opcode == 0xff && (pe_modrm_reg(insn) == 2 || pe_modrm_reg(insn) == 4);
}

static u8 pe_insn_check_refuse(const struct pe_insn *insn)
{
	u8 reason = PE_REASON_NONE;

	if (pe_is_undefined(insn))
		return PE_REASON_UNDEFINED;
	if (pe_has_prefix(insn, PE_PFX_LOCK) && !pe_lock_allowed(insn))
		return PE_REASON_LOCK;
	if (pe_legacy_in(insn, PE_MAP_ONE))
		reason = pe_refuse_one_byte(insn);
	else if (pe_legacy_in(insn, PE_MAP_0F))
		reason = pe_refuse_0f(insn);
	else if (pe_legacy_in(insn, PE_MAP_0F38))
		reason = pe_refuse_0f38(insn);
	if (reason != PE_REASON_NONE)
		return reason;
	if (pe_is_near_branch(insn) && pe_has_prefix(insn, PE_PFX_OPSIZE) &&
	    !(insn->rex & PE_REX_W))
		return PE_REASON_OPSIZE;
	return PE_REASON_NONE;
}

/*
 * STI takes effect after the next instruction.  In a slot that is the jump back, so an
 * interrupt may come one instruction early.  It matters only if the next instruction needs
 * the delay.  All instructions that do are refused themselves: HLT, MWAIT, SYSEXIT, IRET...
 */
static u8 pe_refuse_sti(const struct pe_insn *insn, const u8 *bytes, size_t avail)
{
	struct pe_insn next;

	if (!pe_legacy_in(insn, PE_MAP_ONE) || insn->opcode != 0xfb)
		return PE_REASON_NONE;
	if (avail <= insn->length ||
	    pe_insn_decode(&next, bytes + insn->length,
			   min_t(size_t, avail - insn->length, PE_INSN_MAX)))
		return PE_REASON_SHADOW;
	return pe_insn_check_refuse(&next) == PE_REASON_NONE ? PE_REASON_NONE : PE_REASON_SHADOW;
}

/* The relative branch or the call that pe_emulate() performs; PE_EMU_NONE for others. */
static u8 pe_branch_op(const struct pe_insn *insn)
{
	if (pe_legacy_in(insn, PE_MAP_0F))
		return (insn->opcode & 0xf0) == 0x80 ? PE_EMU_JCC : PE_EMU_NONE;
	if (!pe_legacy_in(insn, PE_MAP_ONE))
		return PE_EMU_NONE;
	if ((insn->opcode & 0xf0) == 0x70)
		return PE_EMU_JCC;
	switch (insn->opcode) {
	case 0xe0:
		return PE_EMU_LOOPNE;
	case 0xe1:
		return PE_EMU_LOOPE;
	case 0xe2:
		return PE_EMU_LOOP;
	case 0xe3:
		return PE_EMU_JRCXZ;
	case 0xe8:
		return PE_EMU_CALL;
	case 0xe9:
	case 0xeb:
		return PE_EMU_JMP;
	case 0xff:
		if (pe_modrm_reg(insn) != 2)
			return PE_EMU_NONE;
		return pe_insn_has_mem(insn) ? PE_EMU_CALL_MEM : PE_EMU_CALL_REG;
	}
	return PE_EMU_NONE;
}

/* The parts of a memory operand, in the form that pe_emulate() reads. */
static void pe_compile_memory(const struct pe_insn *insn, struct pe_insn_class *cls)
{
	u8 rex_b = insn->rex & PE_REX_B ? 8 : 0, rex_x = insn->rex & PE_REX_X ? 8 : 0;

	cls->disp = insn->disp;
	if (insn->flags & PE_INSN_RIP_RELATIVE) {
		cls->flags |= PE_CLASS_MEM_RIP;
		return;
	}
	if (!(insn->flags & PE_INSN_HAS_SIB)) {
		cls->base = pe_modrm_rm(insn) | rex_b;
		return;
	}
	cls->scale = insn->sib >> 6;
	/* Index 4 means none, 12 is r12; base 5 or 13 with mod 0 means none. */
	if ((insn->sib >> 3 & 7) != 4 || rex_x)
		cls->index = (insn->sib >> 3 & 7) | rex_x;
	if ((insn->sib & 7) != 5 || pe_modrm_mod(insn) != 0)
		cls->base = (insn->sib & 7) | rex_b;
}

static void pe_compile_branch(const struct pe_insn *insn, struct pe_insn_class *cls)
{
	if (pe_has_prefix(insn, PE_PFX_ADDRSIZE))
		cls->flags |= PE_CLASS_ADDR32;
	switch (cls->op) {
	case PE_EMU_JCC:
		cls->cond = insn->opcode & 0xf;
		fallthrough;
	default:
		cls->disp = insn->imm;
		return;
	case PE_EMU_RET:
		cls->disp = (u16)insn->imm;
		return;
	case PE_EMU_JMP_REG:
	case PE_EMU_CALL_REG:
		cls->base = pe_modrm_rm(insn) | (insn->rex & PE_REX_B ? 8 : 0);
		return;
	case PE_EMU_JMP_MEM:
	case PE_EMU_CALL_MEM:
		pe_compile_memory(insn, cls);
		return;
	}
}

/* RET and indirect JMP. */
static bool pe_leaves_for_good(const struct pe_insn *insn)
{
	return !(insn->flags & PE_INSN_REL_BRANCH) && pe_is_near_branch(insn);
}

/* The second way to execute RET and indirect JMP. */
static u8 pe_leave_op(const struct pe_insn *insn)
{
	if (insn->opcode != 0xff)
		return PE_EMU_RET;
	if (!pe_insn_has_mem(insn))
		return PE_EMU_JMP_REG;
	return pe_has_prefix(insn, PE_PFX_SEG_FS | PE_PFX_SEG_GS) ? PE_EMU_NONE : PE_EMU_JMP_MEM;
}

static u8 pe_classify_branch(const struct pe_insn *insn, struct pe_insn_class *cls)
{
	if (cls->op == PE_EMU_CALL_MEM && pe_has_prefix(insn, PE_PFX_SEG_FS | PE_PFX_SEG_GS))
		return PE_REASON_SEGMENT;
	pe_compile_branch(insn, cls);
	cls->kind = PE_INSN_EMULATE;
	return PE_REASON_NONE;
}

static u8 pe_classify_copy(const struct pe_insn *insn, struct pe_insn_class *cls)
{
	if (insn->flags & PE_INSN_RIP_RELATIVE) {
		if (pe_has_prefix(insn, PE_PFX_ADDRSIZE))
			return PE_REASON_ADDRSIZE;
		cls->flags |= PE_CLASS_RIP_RELATIVE;
	}
	if (pe_leaves_for_good(insn)) {
		cls->flags |= PE_CLASS_NO_FALLTHROUGH;
		cls->op = pe_leave_op(insn);
		if (cls->op != PE_EMU_NONE)
			pe_compile_branch(insn, cls);
	}
	if (pe_insn_has_mem(insn))
		cls->flags |= PE_CLASS_TAKES_MEM;
	cls->kind = PE_INSN_COPY;
	return PE_REASON_NONE;
}

/**
 * pe_insn_classify - decide how the instruction under a probe is executed
 * @insn: the instruction, decoded
 * @bytes: its bytes and those after it, without breakpoints of any prober
 * @avail: how many bytes there are; at least @insn->length.  STI is refused unless the
 *	instruction after it is there too: pass 2 * PE_INSN_MAX if possible
 * @cls: filled in completely, even if the instruction is refused
 *
 * Context: any.
 * Return: 0 for PE_INSN_COPY and PE_INSN_EMULATE; -EINVAL for PE_INSN_REFUSE, with the
 * reason in @cls.
 */
int pe_insn_classify(const struct pe_insn *insn, const u8 *bytes, size_t avail,
		     struct pe_insn_class *cls)
{
	u8 reason;

	memset(cls, 0, sizeof(*cls));
	cls->kind = PE_INSN_REFUSE;
	cls->length = insn->length;
	cls->base = PE_REG_NONE;
	cls->index = PE_REG_NONE;

	reason = pe_insn_check_refuse(insn);
	if (reason == PE_REASON_NONE)
		reason = pe_refuse_sti(insn, bytes, avail);
	if (reason == PE_REASON_NONE) {
		cls->op = pe_branch_op(insn);
		reason = cls->op == PE_EMU_NONE ? pe_classify_copy(insn, cls) :
						  pe_classify_branch(insn, cls);
	}
	cls->reason = reason;
	if (reason == PE_REASON_NONE)
		return 0;
	cls->op = PE_EMU_NONE;
	return -EINVAL;
}

/**
 * pe_insn_reason_text - a refusal in words, for a message or a list
 * @reason: enum pe_insn_reason
 *
 * Context: any.
 * Return: a constant string without a full stop; never NULL.
 */
const char *pe_insn_reason_text(unsigned int reason)
{
	return reason < PE_REASON_NR ? pe_reason_text[reason] : "unknown reason";
}
