/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hit_exit.h - work that compiled hits leave to others (hit_exit.S, hit_mem.S), and the C code
 * that these call.  [H]
 */
#ifndef PE_ARCH_HIT_EXIT_H
#define PE_ARCH_HIT_EXIT_H

#include <linux/types.h>

struct pe_rb;

/* hit_exit.S: see struct pe_hit_env. */
void pe_hit_leave(void);
void pe_hit_resched(void);
void pe_hit_clock(void);
void pe_hit_time(void);
void pe_hit_since(void);

/* hit_mem.S: the same. */
void pe_hit_load1(void);
void pe_hit_load2(void);
void pe_hit_load4(void);
void pe_hit_load8(void);
void pe_hit_load_user1(void);
void pe_hit_load_user2(void);
void pe_hit_load_user4(void);
void pe_hit_load_user8(void);
void pe_hit_string(void);
void pe_hit_string_user(void);

extern unsigned long pe_hit_user_end;	/* of users' addresses */

/* A word of memory; @ok: 0: it cannot be read.  Returned in two registers. */
struct pe_hit_word {
	u64 value, ok;
};

/* hit_env.c: they are called from there. */
void pe_hit_leave_c(struct pe_rb *rb);
void pe_hit_resched_c(void);
u64 pe_hit_time_c(void);
u64 pe_hit_since_c(u64 word);
struct pe_hit_word pe_hit_read_c(unsigned long addr, unsigned int size);

#endif
