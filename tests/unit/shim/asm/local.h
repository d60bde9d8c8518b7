/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_LOCAL_H
#define PE_SHIM_LOCAL_H
/*
 * local_t for user space: atomic against signals on the same thread (a signal plays an
 * interrupt).  Tests also read from other threads, so all operations are relaxed
 * atomics.
 */
typedef struct { long v; } local_t;
#define LOCAL_INIT(i) { (i) }
static inline long local_read(const local_t *l) { return __atomic_load_n(&l->v, __ATOMIC_RELAXED); }
static inline void local_set(local_t *l, long i) { __atomic_store_n(&l->v, i, __ATOMIC_RELAXED); }
static inline void local_add(long i, local_t *l) { __atomic_fetch_add(&l->v, i, __ATOMIC_RELAXED); }
static inline void local_sub(long i, local_t *l) { __atomic_fetch_sub(&l->v, i, __ATOMIC_RELAXED); }
static inline void local_inc(local_t *l) { local_add(1, l); }
static inline void local_dec(local_t *l) { local_sub(1, l); }
static inline long local_add_return(long i, local_t *l) { return __atomic_add_fetch(&l->v, i, __ATOMIC_RELAXED); }
static inline long local_cmpxchg(local_t *l, long o, long n)
{
	__atomic_compare_exchange_n(&l->v, &o, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	return o;
}
static inline long local_xchg(local_t *l, long n) { return __atomic_exchange_n(&l->v, n, __ATOMIC_ACQ_REL); }
#endif
