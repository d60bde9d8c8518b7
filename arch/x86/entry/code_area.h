/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * code_area.h - memory for code that is made at run time: what code_area.S and C must agree on.
 */
#ifndef PE_ARCH_CODE_AREA_H
#define PE_ARCH_CODE_AREA_H

/* Entries with compiled hits at a time, and as many detours; bytes of a tree for them. */
#define PE_CODE_SITES		1024
#define PE_CODE_TREE_SIZE	(32 * 1024)

/* Maximum number of functions with compiled entry of calls; bytes of a tree for them. */
#define PE_CODE_CALLS		2048
#define PE_CODE_CALL_TREE_SIZE	(64 * 1024)

/* All pieces of code, and the memory for them: 528 bytes for an entry without arguments. */
#define PE_CODE_PIECES		(2 * PE_CODE_SITES + PE_CODE_CALLS)
#define PE_CODE_AREA_SIZE	(768 * 1024)

/* Code that pieces share. */
#define PE_CODE_SHARED_SIZE	512

#endif
