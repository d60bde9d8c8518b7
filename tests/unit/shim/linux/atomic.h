/* SPDX-License-Identifier: GPL-2.0 */
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
#endif
