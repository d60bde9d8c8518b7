/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Hints of the unwinder are in asm/unwind_hints.h. */
