/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_internal.h - positions and slots, shared by rb.c (writers) and rb_read.c
 * (readers).  The top of rb.c explains both.
 */
#ifndef PE_RB_INTERNAL_H
#define PE_RB_INTERNAL_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include "rb.h"

/*
 * Logical page numbers start here and not at 0.  So page s of a ring of N pages
 * replaces page s - N, even the first time and after the ring has grown.
 */
#define FIRST_SEQ	(1ULL << 23)

#define SLOT_TAKEN	1ULL
#define SLOT_SEQ_SHIFT	24
#define SLOT_INDEX_MASK	((1u << (SLOT_SEQ_SHIFT - 1)) - 1)

static inline u64 pe_rb_slot_make(u64 seq, unsigned int index, u64 taken)
{
	return seq << SLOT_SEQ_SHIFT | (u64)index << 1 | taken;
}

static inline u64 pe_rb_slot_seq(u64 slot)
{
	return slot >> SLOT_SEQ_SHIFT;
}

static inline unsigned int pe_rb_slot_index(u64 slot)
{
	return slot >> 1 & SLOT_INDEX_MASK;
}

static inline u64 *pe_rb_slot_of(const struct pe_rb *rb, u64 seq)
{
	return &rb->slots[seq % rb->nr_pages];
}

/* Is page @seq in its slot?  Then @slot is the slot's word. */
static inline bool pe_rb_in_slot(const struct pe_rb *rb, u64 seq, u64 *slot)
{
	*slot = READ_ONCE(*pe_rb_slot_of(rb, seq));
	return pe_rb_slot_seq(*slot) == seq && !(*slot & SLOT_TAKEN);
}

/* Is @what about to change under a dump's eyes?  One writer.  See L and M in rb.c. */
static inline void pe_rb_odd_begin(unsigned int *what)
{
	WRITE_ONCE(*what, *what + 1);			/* move_begin:L, change_begin:M */
	smp_wmb();
}

static inline void pe_rb_odd_end(unsigned int *what)
{
	smp_store_release(what, *what + 1);		/* move_end:L, change_end:M */
}

static inline u64 pe_rb_pos_make(const struct pe_rb *rb, u64 seq, unsigned int off)
{
	return seq << rb->page_shift | off;
}

static inline u64 pe_rb_pos_seq(const struct pe_rb *rb, u64 pos)
{
	return pos >> rb->page_shift;
}

static inline unsigned int pe_rb_pos_off(const struct pe_rb *rb, u64 pos)
{
	return pos & (rb->page_size - 1);
}

#endif
