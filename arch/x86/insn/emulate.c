// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emulate.c - perform an instruction that can't run out of line.  [P] [H]
 *
 * Branches, calls and returns, from the precompiled form of insn_check.c.  Nothing is
 * decoded here.  Only the read of a memory operand can fail.
 *
 * A call pushes its return address onto the interrupted stack.  The breakpoint was hit in
 * kernel mode, on the stack that it interrupted.  The exception frame is right below
 * regs->sp; the kernel's entry code leaves a gap between them for exactly this.  The
 * pushed word is in that gap, so a plain store cannot fault.
 *
 * An emulated indirect call or jump does not check for ENDBR64 at its target.  Emulated calls
 * and returns leave the return predictor as it is; a return is mispredicted then.  Neither
 * changes what the program does.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>

#include "arch/x86/insn/emulate.h"
#include "arch/x86/insn/insn_check.h"

#define FLAG_CF		(1UL << 0)
#define FLAG_PF		(1UL << 2)
#define FLAG_ZF		(1UL << 6)
#define FLAG_SF		(1UL << 7)
#define FLAG_OF		(1UL << 11)

/* The offset in pt_regs of the register with a hardware number. */
static const u8 pe_reg_offset[16] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
	offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
	offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
	offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
};

static unsigned long *pe_reg_of(struct pt_regs *regs, u8 number)
{
	return (unsigned long *)((char *)regs + pe_reg_offset[number & 15]);
}

/* The even condition codes; each odd one is the opposite of the one before it. */
static bool pe_even_condition(u8 pair, unsigned long flags)
{
	bool less = !(flags & FLAG_SF) != !(flags & FLAG_OF);

	switch (pair) {
	case 0:				/* O */
		return flags & FLAG_OF;
	case 1:				/* B */
		return flags & FLAG_CF;
	case 2:				/* E */
		return flags & FLAG_ZF;
	case 3:				/* BE */
		return flags & (FLAG_CF | FLAG_ZF);
	case 4:				/* S */
		return flags & FLAG_SF;
	case 5:				/* P */
		return flags & FLAG_PF;
	case 6:				/* L */
		return less;
	default:			/* LE */
		return less || (flags & FLAG_ZF);
	}
}

static bool pe_emulate_condition(u8 cond, unsigned long flags)
{
	return pe_even_condition(cond >> 1 & 7, flags) != (cond & 1);
}

/* Decrements the counter and writes it back.  Return: true unless it is 0. */
static bool pe_count_down(const struct pe_insn_class *cls, struct pt_regs *regs)
{
	if (cls->flags & PE_CLASS_ADDR32)
		regs->cx = (u32)(regs->cx - 1);
	else
		regs->cx--;
	return regs->cx;
}

/* Is the conditional branch taken?  Changes cx for the loops. */
static bool pe_emulate_taken(const struct pe_insn_class *cls, struct pt_regs *regs)
{
	switch (cls->op) {
	case PE_EMU_JCC:
		return pe_emulate_condition(cls->cond, regs->flags);
	case PE_EMU_JRCXZ:
		return cls->flags & PE_CLASS_ADDR32 ? !(u32)regs->cx : !regs->cx;
	case PE_EMU_LOOP:
		return pe_count_down(cls, regs);
	case PE_EMU_LOOPE:
		return pe_count_down(cls, regs) && (regs->flags & FLAG_ZF);
	case PE_EMU_LOOPNE:
		return pe_count_down(cls, regs) && !(regs->flags & FLAG_ZF);
	default:			/* JMP */
		return true;
	}
}

static unsigned long pe_memory_operand(const struct pe_insn_class *cls, struct pt_regs *regs,
				       unsigned long next)
{
	unsigned long addr = (unsigned long)(long)cls->disp;

	if (cls->flags & PE_CLASS_MEM_RIP)
		addr += next;
	if (cls->base != PE_REG_NONE)
		addr += *pe_reg_of(regs, cls->base);
	if (cls->index != PE_REG_NONE)
		addr += *pe_reg_of(regs, cls->index) << cls->scale;
	return cls->flags & PE_CLASS_ADDR32 ? (u32)addr : addr;
}

static void pe_emulate_call(struct pt_regs *regs, unsigned long target, unsigned long ret)
{
	regs->sp -= sizeof(ret);
	*(unsigned long *)regs->sp = ret;
	regs->ip = target;
}

/**
 * pe_emulate - perform the probed instruction
 * @cls: result of pe_insn_classify(); its op is not PE_EMU_NONE
 * @regs: of the interrupted kernel context; changed as the instruction changes them
 * @addr: address of the instruction
 *
 * Only the flags that the instruction changes are changed.  regs->ip is set in every case but
 * PE_EMULATE_FAULT.
 *
 * Context: any, NMI included.
 * Return: PE_EMULATE_DONE; PE_EMULATE_FAULT if a memory operand or the stack can't be read
 * (@regs unchanged: executing the original instruction faults as it would without a probe).
 */
enum pe_emulate_result pe_emulate(const struct pe_insn_class *cls, struct pt_regs *regs,
				  unsigned long addr)
{
	unsigned long next = addr + cls->length;
	unsigned long target;

	switch (cls->op) {
	case PE_EMU_CALL:
		pe_emulate_call(regs, next + cls->disp, next);
		return PE_EMULATE_DONE;
	case PE_EMU_CALL_REG:
		pe_emulate_call(regs, *pe_reg_of(regs, cls->base), next);
		return PE_EMULATE_DONE;
	case PE_EMU_CALL_MEM:
		if (!pe_read_nofault(&target, pe_memory_operand(cls, regs, next), sizeof(target)))
			return PE_EMULATE_FAULT;
		pe_emulate_call(regs, target, next);
		return PE_EMULATE_DONE;
	case PE_EMU_JMP_REG:
		regs->ip = *pe_reg_of(regs, cls->base);
		return PE_EMULATE_DONE;
	case PE_EMU_JMP_MEM:
		if (!pe_read_nofault(&target, pe_memory_operand(cls, regs, next), sizeof(target)))
			return PE_EMULATE_FAULT;
		regs->ip = target;
		return PE_EMULATE_DONE;
	case PE_EMU_RET:
		if (!pe_read_nofault(&target, regs->sp, sizeof(target)))
			return PE_EMULATE_FAULT;
		regs->ip = target;
		regs->sp += sizeof(target) + cls->disp;
		return PE_EMULATE_DONE;
	default:
		regs->ip = pe_emulate_taken(cls, regs) ? next + cls->disp : next;
		return PE_EMULATE_DONE;
	}
}
