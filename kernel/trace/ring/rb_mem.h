/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_mem.h - a ring's memory.  [P]
 */
#ifndef PE_RB_MEM_H
#define PE_RB_MEM_H

#include "rb.h"

/* rb_mem.c */

/* Makes an empty ring, recording disabled (@disabled is 1). */
void pe_rb_init(struct pe_rb *rb, const struct pe_rb_memory *mem);

/* Empties it and sets all counts to 0.  No writer and no other reader may run. */
void pe_rb_reset(struct pe_rb *rb);

/**
 * pe_rb_move() - give a ring other memory, keep the newest records
 * @rb: no writer and no other reader may run
 * @mem: new memory, same page_shift; as many of its data pages may be NULL as
 *	the ring has, nr_pages + 1
 * @old: memory that the caller may free now; a data page that stays in use is
 *	NULL there
 *
 * Data pages move instead of being copied.  Records that do not fit count as
 * overrun.
 */
void pe_rb_move(struct pe_rb *rb, const struct pe_rb_memory *mem,
		struct pe_rb_memory *old);

/**
 * pe_rb_replace() - give a ring other memory, maybe with pages of another size
 * @rb: no writer and no other reader may run; it is empty afterwards, as by
 *	pe_rb_reset()
 * @mem: new memory
 * @old: memory that the caller may free now
 */
void pe_rb_replace(struct pe_rb *rb, const struct pe_rb_memory *mem,
		   struct pe_rb_memory *old);

#endif
