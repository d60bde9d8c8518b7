/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * insn_check.h - what a probe may do with one instruction (insn_check.c).
 *
 * The answer is complete: struct pe_insn_class has all that the hit path needs.  So nothing
 * is decoded at a hit.
 */
#ifndef PE_ARCH_INSN_CHECK_H
#define PE_ARCH_INSN_CHECK_H

#include <linux/types.h>

struct pe_insn;

enum pe_insn_kind {
	PE_INSN_REFUSE,		/* no probe here; the reason says why */
	PE_INSN_COPY,		/* runs in a slot, see PE_CLASS_* for what the slot needs */
	PE_INSN_EMULATE,	/* pe_emulate() does it, no slot needed */
};

enum pe_insn_reason {
	PE_REASON_NONE,
	PE_REASON_UNDEFINED,	/* no such instruction */
	PE_REASON_TRAP,		/* int3, int1, int n, ud0, ud1, ud2 */
	PE_REASON_IDLE,		/* hlt, mwait, mwaitx */
	PE_REASON_ENTRY,	/* iret, syscall, sysret, sysenter, sysexit, rsm, ... */
	PE_REASON_GS_BASE,	/* swapgs, wrgsbase, loads of %gs */
	PE_REASON_FAR,		/* far call, jump and return */
	PE_REASON_SHADOW,	/* loads of %ss; sti if the next instruction must follow at once */
	PE_REASON_TSX,		/* xbegin, xend, xabort */
	PE_REASON_ENDBR,	/* endbr64, endbr32 */
	PE_REASON_SHSTK,	/* instructions that move or write a shadow stack */
	PE_REASON_VIRT,		/* vmlaunch, vmresume, vmrun, seamcall, ... */
	PE_REASON_ENCLAVE,	/* enclu, getsec, skinit */
	PE_REASON_LOCK,		/* lock prefix that the CPU does not allow */
	PE_REASON_OPSIZE,	/* 16-bit near branch: Intel and AMD differ */
	PE_REASON_ADDRSIZE,	/* 32-bit relative address: a copy can't reach it */
	PE_REASON_SEGMENT,	/* indirect call through %fs or %gs */
	PE_REASON_NR,
};

/* Operations of pe_emulate(). */
enum pe_emu_op {
	PE_EMU_NONE,
	PE_EMU_JMP,
	PE_EMU_JCC,		/* cond: condition code, low nibble of the opcode */
	PE_EMU_JRCXZ,
	PE_EMU_LOOP,
	PE_EMU_LOOPE,
	PE_EMU_LOOPNE,
	PE_EMU_CALL,
	PE_EMU_CALL_REG,	/* base: register number */
	PE_EMU_CALL_MEM,	/* base, index, scale, disp */
	/* a copied instruction's second way */
	PE_EMU_JMP_REG,		/* base: register number */
	PE_EMU_JMP_MEM,		/* base, index, scale, disp */
	PE_EMU_RET,		/* disp: bytes of arguments to drop */
};

/* pe_insn_class.flags */
#define PE_CLASS_RIP_RELATIVE	0x01	/* COPY: pe_insn_relocate() changes the operand */
#define PE_CLASS_NO_FALLTHROUGH	0x02	/* COPY: never reaches the byte after the copy */
#define PE_CLASS_ADDR32		0x04	/* @op: address or counter is 32 bits wide */
#define PE_CLASS_MEM_RIP	0x08	/* @op: memory operand is relative to the next ip */
#define PE_CLASS_TAKES_MEM	0x10	/* COPY: has a ModRM memory operand (it may fault) */

#define PE_REG_NONE		0xff

/**
 * struct pe_insn_class - one instruction, ready for its probe
 * @kind: enum pe_insn_kind
 * @reason: enum pe_insn_reason; PE_REASON_NONE unless @kind is PE_INSN_REFUSE
 * @op: enum pe_emu_op.  With PE_INSN_EMULATE the way to execute the instruction.  With
 *	PE_INSN_COPY a second way, for when the end of the instruction must be seen; PE_EMU_NONE
 *	if there is none
 * @length: of the instruction; the next instruction is at address + @length
 * @flags: PE_CLASS_*
 * @cond: x86 condition code 0-15 of PE_EMU_JCC
 * @base: register number 0-15 (hardware order: ax cx dx bx sp bp si di r8...)
 *	or PE_REG_NONE
 * @index: the same for the index register of a memory operand
 * @scale: shift of the index, 0-3
 * @disp: relative branches: distance from the next instruction to the target;
 *	PE_EMU_CALL_MEM, PE_EMU_JMP_MEM: displacement of the operand
 */
struct pe_insn_class {
	u8 kind;
	u8 reason;
	u8 op;
	u8 length;
	u8 flags;
	u8 cond;
	u8 base;
	u8 index;
	u8 scale;
	s32 disp;
};

int pe_insn_classify(const struct pe_insn *insn, const u8 *bytes, size_t avail,
		     struct pe_insn_class *cls);
const char *pe_insn_reason_text(unsigned int reason);

#endif
