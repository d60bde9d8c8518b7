/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_UACCESS_H
#define PE_SHIM_UACCESS_H
#include <linux/types.h>
long copy_from_kernel_nofault(void *dst, const void *src, size_t n);
long copy_from_user_nofault(void *dst, const void *src, size_t n);
#endif
