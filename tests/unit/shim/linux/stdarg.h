/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_STDARG_H
#define PE_SHIM_STDARG_H
typedef __builtin_va_list va_list;
#define va_start(v, last) __builtin_va_start(v, last)
#define va_end(v) __builtin_va_end(v)
#endif
