/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_target.h - functions to probe, of known shape (pe_target.ko).
 */
#ifndef PE_TARGET_H
#define PE_TARGET_H

#include <linux/types.h>

/* One instruction of pe_target_mix(): where, and how often a call executes it. */
struct pe_mix_insn {
	u32 offset;
	u32 times;
};

/*
 * Every kind of instruction that the engine treats in its own way.  a must be smaller
 * than b.  The function has no other input than its arguments; it is repeatable.
 */
unsigned long pe_target_mix(unsigned long a, unsigned long b);

/* Calls pe_target_twin() of this file. */
void pe_target_call_twin(unsigned long n);

/* A loop; its offsets are beside its code.  Return: 3. */
int pe_target_loop(void);

extern const struct pe_mix_insn pe_mix_insns[], pe_mix_insns_end[];
extern const u8 pe_target_mix_end[];

/* Plain functions, traceable in kernels with ftrace. */
unsigned long pe_target_add(unsigned long a, unsigned long b);
int pe_target_string(const char *s, int n);
unsigned long pe_target_outer(unsigned long n);
unsigned long pe_target_inner(unsigned long n);

#endif
