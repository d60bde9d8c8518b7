/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emulate.h - perform an instruction that can't run out of line (emulate.c).
 */
#ifndef PE_ARCH_EMULATE_H
#define PE_ARCH_EMULATE_H

#include <linux/types.h>

struct pt_regs;
struct pe_insn_class;

enum pe_emulate_result {
	PE_EMULATE_DONE,	/* regs are as the instruction leaves them */
	PE_EMULATE_FAULT,	/* the operand can't be read; regs are unchanged */
};

enum pe_emulate_result pe_emulate(const struct pe_insn_class *cls, struct pt_regs *regs,
				  unsigned long addr);

/*
 * Seam: reads @n bytes at @src without ever faulting; false if they can't be
 * read.  Any context.  Defined in kernel/know/kmem.c, and for user space in tests/unit/stubs.c.
 */
bool pe_read_nofault(void *dst, unsigned long src, size_t n);

#endif
