/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_resize.h - the sizes of a buffer's rings.
 */
#ifndef PE_RB_RESIZE_H
#define PE_RB_RESIZE_H

#include "rb_buffer.h"

/* rb_resize.c */

/*
 * Sizes change in two steps.  Prepare takes all the memory and changes nothing;
 * it may fail.  Then call either apply, which cannot fail, or forget.  To
 * change several buffers together, prepare all of them first.  The caller lets
 * only one thread at a time do this (pe_instance.snap_mutex).
 */

/**
 * struct pe_sizes - sizes of a buffer
 * @kb: per CPU; 0: as it is
 * @cpu: the CPU whose ring @kb is for, or PE_ALL_CPUS
 * @rest_kb: for the rings of the other CPUs; 0: as they are
 * @shift: log2 of the size of sub-buffers, PAGE_SHIFT to PE_BUFFER_MAX_SHIFT
 */
struct pe_sizes {
	unsigned long kb;
	int cpu;
	unsigned long rest_kb;
	unsigned int shift;
};

/**
 * pe_buffer_prepare() - take the memory for other sizes
 * @buf: the buffer
 * @sizes: what it is to have
 *
 * The ring's own data pages are used again.  So growing takes memory for the
 * difference.  Shrinking takes only new tables, of some 70 bytes per page, and
 * shrinking to PE_RB_MIN_PAGES takes nothing.  With another @shift, sizes are
 * rounded up to whole sub-buffers, and all memory is new.
 *
 * Return: 0; -ENOMEM, and then nothing is to be applied or forgotten.
 */
int pe_buffer_prepare(struct pe_buffer *buf, const struct pe_sizes *sizes);
/* The sizes that @like has. */
int pe_buffer_prepare_like(struct pe_buffer *buf, const struct pe_buffer *like);

/*
 * Recording stops for the moment of the change in the rings that change; the
 * hit path counts the losses as PE_RB_FAIL_OFF.  The newest records that fit
 * are kept; with another page shift, none.
 */
void pe_buffer_apply(struct pe_buffer *buf);
void pe_buffer_forget(struct pe_buffer *buf);

/* Empties it and makes it as small as when it was created.  Takes no memory. */
void pe_buffer_shrink(struct pe_buffer *buf);

/**
 * pe_buffer_add_ring() - take the memory for a CPU's ring, if it has none
 * @buf: the buffer
 * @cpu: the CPU
 *
 * It takes the size that was last asked for.  The caller of pe_buffer_prepare()
 * must not do both at once.
 *
 * Return: 0; -ENOMEM: the CPU's hits are refused while it has no ring.
 */
int pe_buffer_add_ring(struct pe_buffer *buf, int cpu);
unsigned int pe_buffer_nr_rings(const struct pe_buffer *buf);

/* As buffer_size_kb shows it; for PE_ALL_CPUS 0 if the sizes differ ("X"). */
unsigned long pe_buffer_size_kb(struct pe_buffer *buf, int cpu);
unsigned long pe_buffer_total_kb(struct pe_buffer *buf);	/* of the rings that exist */

#endif
