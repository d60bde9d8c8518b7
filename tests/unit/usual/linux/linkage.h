/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* Symbols of assembler, as far as our stubs need them. */
#define SYM_L_GLOBAL
#define SYM_INNER_LABEL(name, linkage)	.globl name; name:
#define SYM_CODE_START(name)		.globl name; name:
#define SYM_CODE_START_NOALIGN(name)	.globl name; name:
#define SYM_FUNC_START_NOALIGN(name)	.globl name; name:
#define SYM_FUNC_START_LOCAL(name)	name:
#define SYM_CODE_END(name)
#define SYM_FUNC_END(name)
