/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_SHIM_MATH64_H
#define PE_SHIM_MATH64_H
#include <linux/types.h>
#define mul_u64_u64_div_u64(a, b, c) ((u64)((unsigned __int128)(a) * (b) / (c)))
#endif
