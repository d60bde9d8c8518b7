/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * return_arena.h - definitions that return_arena.S and the C code must agree on.
 */
#ifndef PE_ARCH_RETURN_ARENA_H
#define PE_ARCH_RETURN_ARENA_H

/* Functions that can have return probes at a time. */
#define PE_RETURN_SLOTS		4096
/* Bytes of an entry slot and of a call slot. */
#define PE_RETURN_SLOT_SIZE	16

/* Offset in an exact entry slot of the byte after the call: the call's return address. */
#define PE_RETURN_EXACT_CALL	9

/* Offset in a call slot of the call. */
#define PE_RETURN_CALL		4

/* Offset in a call slot to which the body returns: of the jump that ends it. */
#define PE_RETURN_CALL_RETURN	9

/* Bytes of stack that a call with a small frame leaves to the function: return/ret_hit.c. */
#define PE_STACK_RESERVE	3072

/* struct pe_return_set, checked in return_slot.c */
#define PE_SET_FRAME_SIZE	0

/* struct pt_regs, checked in return_slot.c */
#define PE_REGS_R15		0
#define PE_REGS_R14		8
#define PE_REGS_R13		16
#define PE_REGS_R12		24
#define PE_REGS_BP		32
#define PE_REGS_BX		40
#define PE_REGS_R11		48
#define PE_REGS_R10		56
#define PE_REGS_R9		64
#define PE_REGS_R8		72
#define PE_REGS_AX		80
#define PE_REGS_CX		88
#define PE_REGS_DX		96
#define PE_REGS_SI		104
#define PE_REGS_DI		112
#define PE_REGS_IP		128
#define PE_REGS_CS		136
#define PE_REGS_FLAGS		144
#define PE_REGS_SP		152
#define PE_REGS_SS		160
#define PE_REGS_SIZE		168

#ifndef __ASSEMBLY__
#define ENDBR64_BYTES	0xf3, 0x0f, 0x1e, 0xfa
#define ENDBR64_SIZE	4

/* return_arena.S.  Only return_slot.c writes the slots' code; until then they hold nops. */
extern char pe_entry_slots[], pe_call_slots[];
void pe_return_enter(void);
void pe_return_enter_set(void);
void pe_return_leave(void);
extern char pe_exact_gap[];	/* two bytes */
void pe_return_enter_exact(void);
void pe_return_leave_exact(void);
#endif

#endif
