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

/* Memory of one ring.  -ENOMEM. */
int pe_ring_alloc(struct pe_rb_memory *mem, unsigned int nr_pages,
		  unsigned int page_shift, int cpu);
void pe_ring_free(struct pe_rb_memory *mem);

/*
 * With pe_buffer.resize held.  Afterwards no writer is inside until
 * pe_buffer_disable(..., -1).
 */
void pe_buffer_quiesce(struct pe_buffer *buf, int which);
void pe_buffer_disable(struct pe_buffer *buf, int which, int by);

#endif
