/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_buffer_read.h - reading the rings of a buffer.  Process context, may sleep.
 */
#ifndef PE_RB_BUFFER_READ_H
#define PE_RB_BUFFER_READ_H

#include <linux/types.h>
#include "rb_read.h"

struct pe_buffer;

/* rb_buffer.c */

/* The ring of a CPU for reading.  Hold the lock only while records are looked at. */
struct pe_rb *pe_buffer_lock_reader(struct pe_buffer *buf, int cpu);
void pe_buffer_unlock_reader(struct pe_buffer *buf, int cpu);

/**
 * struct pe_buffer_page - memory for a sub-buffer, outside of any ring
 * @data: NULL, or 1 << @shift bytes: pages of their own with one reference.  A new
 *	owner may as well free them by put_page()
 * @shift: log2 of its size
 */
struct pe_buffer_page {
	struct pe_rb_data_page *data;
	unsigned int shift;
};

/* Get memory of the ring's present size, also in place of another size.  0 or -ENOMEM. */
int pe_buffer_page_alloc(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page);
void pe_buffer_page_free(struct pe_buffer_page *page);
/* pe_buffer_lock_reader() with a page of the ring's size; NULL without memory. */
struct pe_rb *pe_buffer_lock_with_page(struct pe_buffer *buf, int cpu,
				       struct pe_buffer_page *page);

/**
 * pe_buffer_take_page() - consume a sub-buffer, see pe_rb_take_page()
 * @buf: the buffer
 * @cpu: whose ring
 * @page: from pe_buffer_page_alloc()
 * @partial: take the page in work, too
 *
 * Return: bytes of records; 0 if there are none; -EAGAIN if the ring's pages have
 * another size than @page by now.
 */
int pe_buffer_take_page(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page,
			bool partial);

/* per_cpu/cpuN/stats; @oldest_ts is 0 when empty.  -ENOMEM. */
struct pe_buffer_stats {
	struct pe_rb_stats rb;
	u64 oldest_ts;
	u64 now_ts;
};
int pe_buffer_stats(struct pe_buffer *buf, int cpu, struct pe_buffer_stats *st);

#endif
