/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * control_flow.h - ways that control may take in a function, on x86.  For kernel/policy/reach.c.
 */
#include "arch/x86/insn/flow.h"
