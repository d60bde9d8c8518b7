/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * islands.h - jumps in padding, between a short jump and a detour (islands.c).
 *
 * pe_mutex held, where nothing else is said.
 */
#ifndef PE_ISLANDS_H
#define PE_ISLANDS_H

#include <linux/types.h>
#include "kernel/probe/hidden.h"

struct pe_jump;

/*
 * pe_island_is_free(): may the padding at @at become an island; the byte before @pad, which begins
 * the padding, is of the instruction before it.  The kernel's kprobes locked.  0 or -errno.
 * pe_island_make(): write the one of a jump after its detour is written.  0 or -errno.
 * pe_island_remove(): put the padding back, if the jump has an island; no task is in it.
 */
int pe_island_is_free(unsigned long pad, unsigned long at);
int pe_island_make(struct pe_jump *j);
void pe_island_remove(struct pe_jump *j);

#endif
