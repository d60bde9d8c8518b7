/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_ATOMIC_H
#define PE_SHIM_ATOMIC_H
#include <linux/compiler.h>
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define cmpxchg(p, o, n) ({						\
	__typeof__(*(p)) o_ = (o);					\
	__atomic_compare_exchange_n(p, &o_, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	o_; })
typedef struct { long counter; } atomic_long_t;
#define atomic_long_read(a) __atomic_load_n(&(a)->counter, __ATOMIC_RELAXED)
#define atomic_long_set(a, i) __atomic_store_n(&(a)->counter, i, __ATOMIC_RELAXED)
#define atomic_long_inc(a) ((void)__atomic_fetch_add(&(a)->counter, 1, __ATOMIC_RELAXED))
#define atomic_long_fetch_inc(a) __atomic_fetch_add(&(a)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_long_fetch_or(i, a) __atomic_fetch_or(&(a)->counter, i, __ATOMIC_SEQ_CST)
#define atomic_long_fetch_andnot(i, a) __atomic_fetch_and(&(a)->counter, ~(i), __ATOMIC_SEQ_CST)
#endif
