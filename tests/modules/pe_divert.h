/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_divert.h - calls with all registers given (pe_divert_test.ko). */
#ifndef PE_DIVERT_H
#define PE_DIVERT_H

#define DIVERT_BX	8
#define DIVERT_CX	16
#define DIVERT_DX	24
#define DIVERT_SI	32
#define DIVERT_DI	40
#define DIVERT_BP	48
#define DIVERT_R8	56
#define DIVERT_R9	64
#define DIVERT_R10	72
#define DIVERT_R11	80
#define DIVERT_R12	88
#define DIVERT_R13	96
#define DIVERT_R14	104
#define DIVERT_R15	112
#define DIVERT_FLAGS	120

#ifndef __ASSEMBLY__

#include <linux/ptrace.h>

/* All but sp; pe_divert_call.S relies on the order. */
struct divert_regs {
	unsigned long ax, bx, cx, dx, si, di, bp;
	unsigned long r8, r9, r10, r11, r12, r13, r14, r15;
	unsigned long flags;
};

/* Calls @fn with @in and notes in @out what it has left. */
void divert_call(const struct divert_regs *in, struct divert_regs *out, unsigned long fn);

/* pe_divert_beside.c: cases */
bool divert_refusals(void);
bool divert_recursion(void);
bool divert_beside_returns(void);
bool divert_comes_and_goes(void);
bool divert_beside_stock(void);

/* pe_divert_return.c: cases */
bool divert_returned_values(void);
bool divert_return_data(void);

/* Two indirect jumps, where they are and lead to, and one that can't be emulated. */
void divert_jumps(void);
extern const char divert_jmp_reg[], divert_after_reg[], divert_jmp_mem[], divert_after_mem[];
extern const char divert_jmp_gs[];

/* Returns at once, and changes nothing. */
void divert_ret(void);

#endif
#endif
