/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_buffer_internal.h - what rb_buffer.c (a buffer's life) and rb_resize.c (its
 * sizes) share.
 */
#ifndef PE_RB_BUFFER_INTERNAL_H
#define PE_RB_BUFFER_INTERNAL_H

#include "rb_buffer.h"

/* The size of a ring that has not been expanded. */
#define SMALL_PAGES	PE_RB_MIN_PAGES
#define SMALL_SIZE	1

/*
 * Allocate the memory of one ring: @mem->nr_pages, @mem->page_shift, @nr_data data pages.
 * Return: 0; -ENOMEM, and @mem is all 0.
 */
int pe_ring_alloc(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem,
		  unsigned int nr_data);
/* Frees the parts that exist; afterwards @mem is all 0. */
void pe_ring_free(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem);

/*
 * With pe_buffer.resize held: keep readers and writers out of the rings of
 * pe_buffer.held, and let them in again.
 */
void pe_buffer_hold(struct pe_buffer *buf);
void pe_buffer_release(struct pe_buffer *buf);
void pe_ring_go(struct pe_buffer_cpu *bc);	/* undoes one stop */

#endif
