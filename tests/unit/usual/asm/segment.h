/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#define __KERNEL_CS	0x10
#define __KERNEL_DS	0x18
