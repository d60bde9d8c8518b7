/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code.h - memory for code that is made at run time: what code_area.S and C must agree on.
 */
#ifndef PE_ARCH_CODE_H
#define PE_ARCH_CODE_H

/* Sites with compiled hits at a time. */
#define PE_CODE_SITES		1024
/* Bytes of a tree for them, and of all their code: 704 for an entry without arguments. */
#define PE_CODE_TREE_SIZE	(32 * 1024)
#define PE_CODE_AREA_SIZE	(768 * 1024)

/* Sites whose calls lead straight to their direct slots, at a time; bytes of a tree for them. */
#define PE_DIRECT_SITES		2048
#define PE_DIRECT_TREE_SIZE	(90 * 1024)

#endif
