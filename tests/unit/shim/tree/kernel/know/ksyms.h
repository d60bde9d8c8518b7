/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_KSYMS_H
#define PE_SHIM_KSYMS_H
#define pe_ks(name) name
#define pe_ks_user_is_ours() pe_user_is_ours()
bool pe_user_is_ours(void);
long strncpy_from_kernel_nofault(char *dst, const void *src, long n);
long strncpy_from_user_nofault(char *dst, const void *src, long n);
#endif
