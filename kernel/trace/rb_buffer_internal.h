/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb_buffer_internal.h - what rb_buffer.c (a buffer's life) and rb_resize.c (its
 * sizes) share.
 */
#ifndef PE_RB_BUFFER_INTERNAL_H
#define PE_RB_BUFFER_INTERNAL_H

#include "rb_buffer.h"

/* Of a buffer that was not expanded. */
#define SMALL_PAGES	PE_RB_MIN_PAGES

static inline bool pe_cpu_wanted(int cpu, int which)
{
	return which == PE_ALL_CPUS || which == cpu;
}

/* Bytes of records in one of its pages. */
static inline unsigned int pe_buffer_page_room(const struct pe_buffer *buf)
{
	return (1u << buf->page_shift) - PE_RB_PAGE_HEAD;
}

/*
 * Memory of one ring, of @mem->nr_pages and @mem->page_shift, with @nr_data data pages.
 * -ENOMEM, and @mem is all 0.
 */
int pe_ring_alloc(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem,
		  unsigned int nr_data);
/* As much of it as there is; @mem is all 0 then. */
void pe_ring_free(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem);

/*
 * With pe_buffer.resize held.  After some rings were stopped and the buffer settled
 * no writer is inside those, until they go on.
 */
void pe_ring_stop(struct pe_buffer_cpu *bc);
void pe_ring_go(struct pe_buffer_cpu *bc);
void pe_buffer_settle(struct pe_buffer *buf);

#endif
