/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * detour.h - a window of instructions that a jump replaces, and their copy (detour.c).  [P]
 */
#ifndef PE_ARCH_DETOUR_H
#define PE_ARCH_DETOUR_H

#include <linux/types.h>
#include "arch/x86/insn/insn.h"
#include "arch/x86/insn/insn_fixup.h"

/* The last instruction, or nop of the padding, begins at the fifth byte or before. */
#define PE_WINDOW_MAX	(PE_JMP32_SIZE - 1 + PE_INSN_MAX)

/**
 * struct pe_window - whole instructions in a row, which a jump can replace
 * @length: bytes
 * @padding: the first byte of padding after the last instruction; @length: there is none
 * @nr: instructions
 * @off: where each begins
 * @goes_on: control may reach the byte after the last one
 */
struct pe_window {
	u8 length;
	u8 padding;
	u8 nr;
	u8 off[PE_JMP32_SIZE];
	bool goes_on;
};

int pe_window_measure(struct pe_window *w, const u8 *code, size_t avail, unsigned int size,
		      const char **why);
size_t pe_padding_next(const u8 *code, size_t size, size_t *off, size_t *at);
int pe_window_relocate(u8 *dst, size_t room, const struct pe_window *w, const u8 *code,
		       unsigned long from, unsigned long to);
int pe_put_push(u8 *dst, unsigned long value);

#define PE_JMP8_SIZE	2	/* eb disp8 */
#define PE_PUSH_SIZE	5	/* 68 imm32, sign-extended */

#endif
