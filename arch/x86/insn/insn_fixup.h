/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * insn_fixup.h - move one instruction to another address (insn_fixup.c).
 */
#ifndef PE_ARCH_INSN_FIXUP_H
#define PE_ARCH_INSN_FIXUP_H

#include <linux/types.h>

struct pe_insn;

#define PE_JMP32_SIZE	5	/* e9 rel32 */

int pe_insn_relocate(u8 *dst, size_t room, const u8 *src, const struct pe_insn *insn,
		     unsigned long src_addr, unsigned long dst_addr);
int pe_emit_jmp32(u8 *dst, unsigned long from, unsigned long to);

#endif
