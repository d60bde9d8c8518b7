/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_exact.h - calls with given registers and flags (pe_exact.ko). */
#ifndef PE_EXACT_H
#define PE_EXACT_H

#define EXACT_FLAGS	72	/* offset of .flags in struct exact_state */

#ifndef __ASSEMBLY__

/* In this order: ax cx dx si di r8 r9 r10 r11.  pe_exact_call.S relies on it. */
struct exact_state {
	unsigned long reg[9];
	unsigned long flags;
};

enum { AX, CX, DX, SI, DI, R8, R9, R10, R11 };

/* Calls @fn with @in and notes in @out what it has left.  bp, bx, r12 to r15 depend on these alone. */
void exact_call(const struct exact_state *in, struct exact_state *out, unsigned long fn);

/* Notes in exact_seen what it finds, and leaves exact_next. */
void exact_target(void);
extern struct exact_state exact_seen, exact_next;

#endif
#endif
