/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_func.h - functions in assembler that C code of tests may call by a pointer.
 *
 * Such a function begins with an ENDBR64 on kernels with IBT.  Older kernels' SYM_FUNC_START() writes
 * it, newer ones' does not.  So these are used in place of it, on all kernels.
 */
#ifndef PE_TEST_FUNC_H
#define PE_TEST_FUNC_H

#include <linux/linkage.h>
#if __has_include(<asm/ibt.h>)
#include <asm/ibt.h>
#else
#define ENDBR
#endif

#ifdef SYM_F_ALIGN
#define PE_FUNC_ALIGN	SYM_F_ALIGN
#else
#define PE_FUNC_ALIGN	SYM_A_ALIGN
#endif

#define PE_FUNC_START(name)		SYM_START(name, SYM_L_GLOBAL, PE_FUNC_ALIGN) ENDBR
#define PE_FUNC_START_LOCAL(name)	SYM_START(name, SYM_L_LOCAL, PE_FUNC_ALIGN) ENDBR

#endif
