/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* host.h - functions that need libc's headers; only the compiler's own types, as in sim.h. */
#ifndef PE_TEST_HOST_H
#define PE_TEST_HOST_H

/* Another number in each run. */
unsigned long long pe_host_entropy(void);

/* Copies memory of this process.  Return: 0 if a load would raise SIGSEGV, else 1. */
int pe_host_read(void *dst, const void *src, unsigned long n);

#endif
