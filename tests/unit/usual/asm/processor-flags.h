/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#define X86_EFLAGS_AC	0x40000
#define X86_EFLAGS_DF	0x400
