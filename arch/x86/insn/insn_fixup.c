// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * insn_fixup.c - move one instruction to another address.  [P]
 *
 * A memory operand relative to rip is relative to the end of the instruction.  So a copy at
 * another address needs a displacement that is smaller by the distance moved.  It must fit
 * into 32 bits: slots are allocated near the text they serve, and a copy that cannot reach
 * its operand is refused.  Addresses wrap at 2^64, as in the CPU.  So an operand of per-CPU
 * code (%gs: and an address near 0) is no special case.
 *
 * Relative branches are never copied; insn_check.c has them emulated.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_fixup.h"

/* Stores @target - @next at @dst as 32 bits, if it fits. */
static int pe_put_rel32(u8 *dst, unsigned long target, unsigned long next)
{
	s64 distance = (s64)(target - next);
	s32 rel = (s32)distance;

	if (rel != distance)
		return -ERANGE;
	memcpy(dst, &rel, sizeof(rel));
	return 0;
}

/**
 * pe_insn_relocate - copy an instruction so that it does the same elsewhere
 * @dst: where the copy is written; not necessarily where it will run
 * @room: bytes at @dst
 * @src: bytes of the instruction
 * @insn: the same, decoded
 * @src_addr: address at which @src runs
 * @dst_addr: address at which the copy will run
 *
 * Context: any.
 * Return: length of the copy, which is @insn->length; -ENOSPC if @room is less; -ERANGE if an
 * operand is out of the copy's reach; -EINVAL for an instruction that can't be moved
 * (relative branch, 32-bit instruction-relative address).  @dst is unchanged after
 * an error.
 */
int pe_insn_relocate(u8 *dst, size_t room, const u8 *src, const struct pe_insn *insn,
		     unsigned long src_addr, unsigned long dst_addr)
{
	u8 copy[PE_INSN_MAX];
	unsigned long target;
	int err;

	if (room < insn->length)
		return -ENOSPC;
	if (insn->flags & PE_INSN_REL_BRANCH)
		return -EINVAL;
	memcpy(copy, src, insn->length);
	if (insn->flags & PE_INSN_RIP_RELATIVE) {
		if (insn->prefixes & PE_PFX_ADDRSIZE)
			return -EINVAL;
		target = src_addr + insn->length + (unsigned long)(long)insn->disp;
		err = pe_put_rel32(copy + insn->disp_off, target, dst_addr + insn->length);
		if (err)
			return err;
	}
	memcpy(dst, copy, insn->length);
	return insn->length;
}

/**
 * pe_emit_jmp32 - write a 5-byte jump
 * @dst: where it is written, PE_JMP32_SIZE bytes
 * @from: address at which it will run
 * @to: its target
 *
 * Context: any.
 * Return: PE_JMP32_SIZE, or -ERANGE with @dst unchanged.
 */
int pe_emit_jmp32(u8 *dst, unsigned long from, unsigned long to)
{
	int err = pe_put_rel32(dst + 1, to, from + PE_JMP32_SIZE);

	if (err)
		return err;
	dst[0] = 0xe9;
	return PE_JMP32_SIZE;
}
