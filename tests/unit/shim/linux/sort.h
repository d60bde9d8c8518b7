/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_SORT_H
#define PE_SHIM_SORT_H
#include <linux/types.h>
void qsort_r(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *, void *),
	     void *arg);
/* The kernel's, which may also get a function to swap two. */
static inline void sort_r(void *base, size_t n, size_t size,
			  int (*cmp)(const void *, const void *, const void *), void *swap,
			  const void *arg)
{
	qsort_r(base, n, size, (int (*)(const void *, const void *, void *))cmp, (void *)arg);
}
#endif
