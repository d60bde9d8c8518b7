/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * return_slots.h - return probes, on x86.  For kernel/return/.
 */
#ifndef PE_ARCH_RETURN_SLOTS_H
#define PE_ARCH_RETURN_SLOTS_H

#include "arch/x86/entry/return_arena.h"
#include "arch/x86/insn/return_scan.h"

/* Bytes of a function's two slots, and of what leads to its set. */
#define PE_ARCH_RETURN_CODE	(2 * PE_RETURN_SLOT_SIZE + 8)

#endif
