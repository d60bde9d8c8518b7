/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * nofault.h - memory reads that survive a bad address.
 */
#ifndef PE_NOFAULT_H
#define PE_NOFAULT_H

#include <linux/types.h>

/*
 * Memory reads that survive a bad address.  Any context, NMI included.
 *
 * pe_read_nofault() reads kernel memory.  pe_strncpy_nofault() is like the kernel's
 * strncpy_from_kernel_nofault(): it returns the length with the final NUL, or -EFAULT.
 * The _user forms read the current task's memory.
 */
bool pe_read_nofault(void *dst, unsigned long src, size_t n);
bool pe_read_user_nofault(void *dst, unsigned long src, size_t n);
long pe_strncpy_nofault(char *dst, unsigned long src, long n);
long pe_strncpy_user_nofault(char *dst, unsigned long src, long n);

#endif
