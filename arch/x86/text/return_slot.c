// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * return_slot.c - the code in the slots of return_arena.S.
 */
#include <linux/build_bug.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "arch/x86/entry/return_arena.h"
#include "arch/x86/entry/usual.h"
#include "arch/x86/insn/insn_fixup.h"
#include "kernel/arch.h"
#include "kernel/arena/arena.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/probe/hit.h"

static_assert(offsetof(struct pe_return_set, frame_size) == PE_SET_FRAME_SIZE);
static_assert(offsetof(struct pt_regs, r15) == PE_REGS_R15);
static_assert(offsetof(struct pt_regs, r14) == PE_REGS_R14);
static_assert(offsetof(struct pt_regs, r13) == PE_REGS_R13);
static_assert(offsetof(struct pt_regs, r12) == PE_REGS_R12);
static_assert(offsetof(struct pt_regs, bp) == PE_REGS_BP);
static_assert(offsetof(struct pt_regs, bx) == PE_REGS_BX);
static_assert(offsetof(struct pt_regs, r11) == PE_REGS_R11);
static_assert(offsetof(struct pt_regs, r10) == PE_REGS_R10);
static_assert(offsetof(struct pt_regs, r9) == PE_REGS_R9);
static_assert(offsetof(struct pt_regs, r8) == PE_REGS_R8);
static_assert(offsetof(struct pt_regs, ax) == PE_REGS_AX);
static_assert(offsetof(struct pt_regs, cx) == PE_REGS_CX);
static_assert(offsetof(struct pt_regs, dx) == PE_REGS_DX);
static_assert(offsetof(struct pt_regs, si) == PE_REGS_SI);
static_assert(offsetof(struct pt_regs, di) == PE_REGS_DI);
static_assert(offsetof(struct pt_regs, ip) == PE_REGS_IP);
static_assert(offsetof(struct pt_regs, cs) == PE_REGS_CS);
static_assert(offsetof(struct pt_regs, flags) == PE_REGS_FLAGS);
static_assert(offsetof(struct pt_regs, sp) == PE_REGS_SP);
static_assert(offsetof(struct pt_regs, ss) == PE_REGS_SS);
static_assert(sizeof(struct pt_regs) == PE_REGS_SIZE);
static_assert(!offsetof(struct pe_hit, preempt_count) && offsetof(struct pe_hit, level) == 4 &&
	      offsetof(struct pe_hit, regs) == 8 && sizeof(struct pe_hit) == 16 &&
	      PE_LEVEL_TASK == 0);
static_assert((u32)PREEMPT_NEED_RESCHED == PE_USUAL_COUNT);
static_assert(sizeof(pe_cpu_preempt_count) == PE_COUNT_SIZE);
static_assert(sizeof(struct pe_hit_cpu) == PE_USUAL_CPU);
static_assert(sizeof_field(struct pe_hit_cpu, busy) == PE_USUAL_BUSY);
static_assert(ENDBR64_SIZE == PE_RETURN_CALL);
static_assert(ENDBR64_SIZE + PE_JMP32_SIZE == PE_RETURN_CALL_RETURN);

#define CALL_OPCODE	0xe8
#define JMP32_OPCODE	0xe9

static const u8 pe_return_slot_endbr64[] = { ENDBR64_BYTES };
static const u8 pe_mov_r11[] = { 0x49, 0xc7, 0xc3 };	/* sign-extended 32 bits follow */

/* Called once, at load: complete pe_return_enter_exact. */
void pe_arch_return_init(void)
{
	static const u8 nop2[] = { 0x66, 0x90 };

	pe_text_write_slot(pe_exact_gap, nop2, sizeof(nop2));
	pe_ks_text_sync();
}

/* May an indirect call or jump go to @addr?  Always, unless the kernel is made for IBT. */
static bool pe_may_be_called(unsigned long addr)
{
	return !IS_ENABLED(CONFIG_X86_KERNEL_IBT) ||
	       !memcmp((const void *)addr, pe_return_slot_endbr64, sizeof(pe_return_slot_endbr64));
}

/* Make a jump to @to, or another instruction of that form (@opcode).  It will run at @at. */
static int pe_return_slot_emit(u8 *code, unsigned long at, unsigned long to, u8 opcode)
{
	int len = pe_emit_jmp32(code, at, to);

	if (len > 0)
		code[0] = opcode;
	return len;
}

static int pe_write_entry(unsigned int i)
{
	unsigned long at = pe_arch_return_entry(i);
	s32 imm = (s32)(unsigned long)&pe_return_slots[i];
	u8 code[PE_RETURN_SLOT_SIZE];
	int err, n = 0;

	memcpy(code, pe_return_slot_endbr64, sizeof(pe_return_slot_endbr64));
	n += sizeof(pe_return_slot_endbr64);
	memcpy(code + n, pe_mov_r11, sizeof(pe_mov_r11));
	n += sizeof(pe_mov_r11);
	memcpy(code + n, &imm, sizeof(imm));
	n += sizeof(imm);
	err = pe_return_slot_emit(code + n, at + n, (unsigned long)pe_return_enter, JMP32_OPCODE);
	if (err < 0)
		return err;
	pe_text_write_slot((void *)at, code, n + err);
	return 0;
}

static int pe_write_entry_exact(unsigned int i)
{
	unsigned long at = pe_arch_return_entry(i);
	u8 code[PE_RETURN_SLOT_SIZE];
	int err, n = sizeof(pe_return_slot_endbr64);

	static_assert(sizeof(pe_return_slot_endbr64) + PE_JMP32_SIZE == PE_RETURN_EXACT_CALL);
	memcpy(code, pe_return_slot_endbr64, n);
	err = pe_return_slot_emit(code + n, at + n, (unsigned long)pe_return_enter_exact,
				  CALL_OPCODE);
	if (err < 0)
		return err;
	pe_text_write_slot((void *)at, code, n + err);
	return 0;
}

static int pe_write_call(unsigned int i, unsigned long body, bool exact)
{
	unsigned long leave = (unsigned long)(exact ? pe_return_leave_exact : pe_return_leave);
	unsigned long at = pe_arch_return_call(i);
	u8 code[PE_RETURN_SLOT_SIZE];
	int err, n = sizeof(pe_return_slot_endbr64);

	memcpy(code, pe_return_slot_endbr64, n);
	err = pe_return_slot_emit(code + n, at + n, body, CALL_OPCODE);
	if (err < 0)
		return err;
	n += err;
	err = pe_return_slot_emit(code + n, at + n, leave, JMP32_OPCODE);
	if (err < 0)
		return err;
	pe_text_write_slot((void *)at, code, n + err);
	return 0;
}

/**
 * pe_arch_return_write() - make the slots of one function
 * @i: the slots' number; no CPU executes them
 * @body: the code to call
 * @exact: preserve all registers and flags
 *
 * The two slots begin with an ENDBR64, and that is checked: BPF may call an entry slot indirectly.
 * The slots may have been used before, so all CPUs are serialised.
 *
 * Context: process.  Return: 0, -ERANGE if @body is out of reach, -EFAULT if the slots are not
 * what can be handed to others.
 */
int pe_arch_return_write(unsigned int i, unsigned long body, bool exact)
{
	int err = exact ? pe_write_entry_exact(i) : pe_write_entry(i);

	if (!err)
		err = pe_write_call(i, body, exact);
	if (err)
		return err;
	pe_ks_text_sync();
	return pe_may_be_called(pe_arch_return_entry(i)) &&
			       pe_may_be_called(pe_arch_return_call(i)) ?
		       0 :
		       -EFAULT;
}

/**
 * pe_arch_return_lead() - where calls in progress go on after the body has returned
 * @i: number of a call slot that is not exact; CPUs may execute it
 * @to: code that needs what pe_return_leave needs; 0: pe_return_leave
 *
 * Afterwards all CPUs have been serialised, so that they see the code there.
 *
 * Context: process.  Return: 0, or -ERANGE if @to is out of reach.
 */
int pe_arch_return_lead(unsigned int i, unsigned long to)
{
	unsigned long at = pe_arch_return_call(i) + PE_RETURN_CALL_RETURN;
	u8 code[PE_JMP32_SIZE];
	int err = pe_return_slot_emit(code, at, to ?: (unsigned long)pe_return_leave, JMP32_OPCODE);

	if (err < 0)
		return err;
	pe_text_replace_live(at, code, sizeof(code));
	return 0;
}
