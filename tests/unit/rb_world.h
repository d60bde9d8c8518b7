/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/* rb_world.h - a ring with memory, for the ring's tests. */
#ifndef PE_TEST_RB_WORLD_H
#define PE_TEST_RB_WORLD_H

#include "harness.h"
#include "kernel/trace/ring/rb_mem.h"
#include "kernel/trace/ring/rb_read.h"
#include "kernel/trace/ring/rb_write.h"

static inline void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* With @nr_data data pages; a complete memory has nr_pages + 1. */
static inline void world_memory(struct pe_rb_memory *mem, unsigned int nr_pages,
				unsigned int page_shift, unsigned int nr_data)
{
	unsigned int i;

	mem->nr_pages = nr_pages;
	mem->page_shift = page_shift;
	mem->slots = must(calloc(nr_pages, sizeof(u64)));
	mem->pages = must(calloc(nr_pages + 1, sizeof(struct pe_rb_page)));
	for (i = 0; i < nr_data; i++)
		mem->pages[i].data = must(malloc(1ul << page_shift));
}

static inline void world_free_memory(struct pe_rb_memory *mem)
{
	unsigned int i;

	for (i = 0; mem->pages && i <= mem->nr_pages; i++)
		free(mem->pages[i].data);
	free(mem->pages);
	free(mem->slots);
}

static inline void world_open(struct pe_rb *rb, unsigned int nr_pages,
			      unsigned int page_shift, bool overwrite)
{
	struct pe_rb_memory mem;

	world_memory(&mem, nr_pages, page_shift, nr_pages + 1);
	pe_rb_init(rb, &mem);
	rb->overwrite = overwrite;
	rb->disabled = 0;
}

/* The new memory has only the data pages that the ring lacks. */
static inline void world_resize(struct pe_rb *rb, unsigned int nr_pages)
{
	unsigned int has = rb->nr_pages, freed = 0, i;
	struct pe_rb_memory mem, old;

	world_memory(&mem, nr_pages, rb->page_shift, nr_pages > has ? nr_pages - has : 0);
	pe_rb_move(rb, &mem, &old);
	for (i = 0; i <= old.nr_pages; i++)
		freed += !!old.pages[i].data;
	EXPECT_EQ(freed, nr_pages < has ? has - nr_pages : 0);
	world_free_memory(&old);
}

static inline void world_replace(struct pe_rb *rb, unsigned int nr_pages,
				 unsigned int page_shift)
{
	struct pe_rb_memory mem, old;

	world_memory(&mem, nr_pages, page_shift, nr_pages + 1);
	pe_rb_replace(rb, &mem, &old);
	world_free_memory(&old);
}

static inline void world_close(struct pe_rb *rb)
{
	struct pe_rb_memory mem = {
		.nr_pages = rb->nr_pages,
		.page_shift = rb->page_shift,
		.slots = rb->slots,
		.pages = rb->pages,
	};

	world_free_memory(&mem);
}

#endif
