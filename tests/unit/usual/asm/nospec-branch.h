/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Without mitigations. */
#ifndef USUAL_NOSPEC_H
#define USUAL_NOSPEC_H
#define RET	ret
.macro ANNOTATE_NOENDBR
.endm
.macro CALL_NOSPEC reg
	call *%\reg
.endm
.macro JMP_NOSPEC reg
	jmp *%\reg
.endm
#endif
