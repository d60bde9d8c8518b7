/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* pe_ret_target.h - functions of every shape, for return probes. */
#ifndef PE_RET_TARGET_H
#define PE_RET_TARGET_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/wait.h>

struct two { unsigned long a, b; };
struct many { unsigned long v[7]; };

long ret_sum(long a, long b);
long ret_many(long a, long b, long c, long d, long e, long f, long g, long h, long i,
	      long j, long k, long l, long m, long n);
long ret_product(long a, long b);

/* The most arguments that are copied: 6 in registers, 48 on the stack. */
#define EIGHT(f, t)	f(t##0), f(t##1), f(t##2), f(t##3), f(t##4), f(t##5), f(t##6), f(t##7)
#define WIDEST(f)	f(00), f(01), f(02), f(03), f(04), f(05), \
			EIGHT(f, 1), EIGHT(f, 2), EIGHT(f, 3), EIGHT(f, 4), \
			EIGHT(f, 5), EIGHT(f, 6)
#define WIDEST_NAME(n)	a##n
#define WIDEST_PARAM(n)	long a##n
long ret_widest(WIDEST(WIDEST_PARAM));
struct two ret_two(unsigned long a);
struct many ret_struct(unsigned long a);
long ret_by_value(struct many m, long x);
__printf(3, 4) int ret_format(char *buf, size_t n, const char *fmt, ...);
long ret_tail(long a);
long ret_tail_rbp(long a, long b, unsigned long rbp);
long ret_recurse(long n);
long ret_recurse_frame(long n);
long ret_recurse_any(long n, ...);
long ret_look(long a);
long ret_sleep(long a);

/* First instructions that are emulated, in functions without a call of ftrace. */
long ret_begins_jmp(long a);
long ret_begins_jcc(long a);
long ret_begins_call(long a);
int ret_one_word(int a, int b, int c, int d, int e, int f, int g);

/* The stack at the last call of ret_look(). */
#define RET_TRACE_MAX	16
extern unsigned long ret_trace[RET_TRACE_MAX];
extern unsigned int ret_trace_len;

/* ret_sleep() counts in ret_asleep and waits in ret_sleepers for ret_wake. */
extern wait_queue_head_t ret_sleepers;
extern bool ret_wake;
extern atomic_t ret_asleep;

#endif
