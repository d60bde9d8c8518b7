// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * kmem.c - read memory that may not be there.  [P][H]
 *
 * Any context, NMI included: a fault is caught by the exception table and never
 * waits for a page.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/uaccess.h>
#include <pe/nofault.h>
#include <pe_arch/abi.h>
#include "kernel/know/ksyms.h"

/**
 * pe_read_nofault() - copy kernel memory
 * @dst: the copy
 * @src: kernel address, may be bad
 * @n: bytes
 *
 * Return: false if any byte cannot be read; @dst is then undefined.
 */
bool pe_read_nofault(void *dst, unsigned long src, size_t n)
{
	return !pe_arch_is_fatal(src, n) && !copy_from_kernel_nofault(dst, (const void *)src, n);
}
EXPORT_SYMBOL_GPL(pe_read_nofault);

/**
 * pe_read_user_nofault() - copy the current task's user memory
 * @dst: the copy
 * @src: user address, may be bad
 * @n: bytes
 *
 * Return: false if any byte is not there or not in memory now.
 */
bool pe_read_user_nofault(void *dst, unsigned long src, size_t n)
{
	return pe_ks_user_is_ours() && !copy_from_user_nofault(dst, (const void __user *)src, n);
}
EXPORT_SYMBOL_GPL(pe_read_user_nofault);

/**
 * pe_strncpy_nofault() - copy a string from kernel memory
 * @dst: the copy
 * @src: kernel address, may be bad
 * @n: room in @dst
 *
 * Return: its length with the final NUL, @n if it is longer (@dst is always
 * terminated), -EFAULT.
 */
long pe_strncpy_nofault(char *dst, unsigned long src, long n)
{
	long len = -EFAULT;

	if (!pe_arch_is_fatal(src, n))
		len = pe_ks(strncpy_from_kernel_nofault)(dst, (const void *)src, n);
	/* -ERANGE: an address that no kernel memory has. */
	return len < 0 ? -EFAULT : len;
}
EXPORT_SYMBOL_GPL(pe_strncpy_nofault);

/**
 * pe_strncpy_user_nofault() - copy a string from the current task's user memory
 * @dst: the copy
 * @src: user address, may be bad
 * @n: room in @dst, not 0
 *
 * Return: as pe_strncpy_nofault().
 */
long pe_strncpy_user_nofault(char *dst, unsigned long src, long n)
{
	long len;

	if (!pe_ks_user_is_ours())
		return -EFAULT;
	/* The length includes the final NUL, except that of an empty string. */
	len = pe_ks(strncpy_from_user_nofault)(dst, (const char __user *)src, n);
	return len ? len : 1;
}
EXPORT_SYMBOL_GPL(pe_strncpy_user_nofault);
