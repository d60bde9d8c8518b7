/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef USUAL_UNWIND_HINTS_H
#define USUAL_UNWIND_HINTS_H
.macro UNWIND_HINT sp_reg=0 sp_offset=0 type=0
.endm
.macro UNWIND_HINT_FUNC
.endm
#endif
