/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb.h - the ring of sub-buffers of one CPU.  [P]
 *
 *   rb_write.h, rb.c	the writer [H]
 *   rb_read.h, rb_read.c	readers
 *   rb_dump.h, rb_dump.c	a reader for crashes
 *   rb_mem.h, rb_mem.c		memory, emptying
 *
 * The top of rb.c explains the algorithm and its barriers.
 */
#ifndef PE_RB_H
#define PE_RB_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <asm/local.h>
#include "rb_page.h"

struct pe_rb_page;

#define PE_RB_MIN_PAGES		2u
#define PE_RB_MAX_PAGES		((1u << 23) - 2)

/**
 * struct pe_rb_page - a sub-buffer's descriptor; for the implementation only
 * @data: the sub-buffer
 * @base: position of the page that it holds
 * @total: records ever committed in it, over all rounds; writers
 * @snap: @total when its last complete page was published; outermost writer
 * @first: number of records committed on this CPU before this page
 * @bytes: size of the records committed on this CPU before this page
 * @drops: number of records dropped on this CPU before this page
 * @end: offset past its last record, after the next page was begun
 */
struct pe_rb_page {
	struct pe_rb_data_page *data;
	u64 base;
	local_t total;
	unsigned long snap;
	u64 first;
	u64 bytes;
	u64 drops;
	unsigned int end;
};

/**
 * struct pe_rb - the ring of one CPU
 *
 * Everything but @disabled, @overwrite, @clock and @clock_data is for the
 * implementation only.  @disabled stops the writers while it is not 0.  A
 * change of pages or clock needs that, and a grace period after it was set.
 */
struct pe_rb {
	/* Written by writers. */
	local_t write;		/* position after the last reservation */
	u64 last_ts;		/* time of the last reservation ... */
	u64 last_pos;		/* ... and where it ended: valid if == write */
	struct pe_rb_page *tail; /* a hint: the page of @write */
	unsigned int nest;	/* writers between reserve and commit */
	u64 open_end;		/* end of the page of @commit */

	/* Read by writers. */
	int disabled;
	u64 limit;		/* end of records: page_size less the spare bytes */
	unsigned int page_size;
	unsigned int page_shift;
	unsigned int nr_pages;
	unsigned int clock;	/* for pe_clock_now() */
	bool overwrite;
	u64 *slots;		/* nr_pages; see rb.c */
	struct pe_rb_page *pages; /* nr_pages + 1 */
	void *clock_data;

	/* Written by writers, read by others. */
	u64 commit __aligned(64); /* all is complete up to here */
	local_t dropped;
	local_t commit_overrun;

	/* The reader's. */
	unsigned int rd_page __aligned(64); /* index of the page that it owns */
	bool rd_whole;		/* it holds a whole page, else a copy of the tail */
	struct pe_rb_cursor rd;
	u64 rd_seq;		/* logical number of the page in it */
	u64 rd_next;		/* number of the record at rd.off */
	u64 rd_drops;		/* drops already reported */
	u64 rd_lost;		/* losses before the next record, not reported yet */
	u64 rd_count;		/* records consumed */
	u64 rd_overrun;		/* records that were overwritten before it read them */
	u64 rd_pos;		/* for pe_rb_maybe_data() */
	u64 rd_ts;		/* time of the last record consumed */
	unsigned int resets;	/* pe_rb_reset() calls: earlier iterators end */
	unsigned int rd_moves;	/* odd while the reader may change rd_page and what is in it */
	unsigned int changes;	/* odd while memory and contents are replaced */

	/* rb_dump.c's: what it has shown in a crash. */
	unsigned int dumped_resets; /* @resets at that time */
	u64 dumped;		/* records before this number */
	u64 dumped_drops;	/* drops */
};

/*
 * A ring fills whole cache lines, if it is aligned to one: so CPUs that write to their own rings
 * do not meet.  A reader on another CPU takes lines of the second and third part only.
 */
static_assert(sizeof(struct pe_rb) % 64 == 0);
static_assert(offsetof(struct pe_rb, commit) % 64 == 0);
static_assert(offsetof(struct pe_rb, rd_page) % 64 == 0);
static_assert(offsetof(struct pe_rb, rd_page) - offsetof(struct pe_rb, commit) == 64);
static_assert(sizeof(struct pe_rb_page) == 64);

/**
 * struct pe_rb_memory - the memory of a ring; the caller allocates and frees it
 * @nr_pages: PE_RB_MIN_PAGES to PE_RB_MAX_PAGES; one more belongs to the
 *	reader.  0: none, a ring that is empty and has to stay disabled until
 *	pe_rb_replace(); readers may use it as any other
 * @page_shift: log2 of the sub-buffer size, 6 to 19
 * @slots: @nr_pages words
 * @pages: @nr_pages + 1 descriptors, @data set, the rest zero
 */
struct pe_rb_memory {
	unsigned int nr_pages;
	unsigned int page_shift;
	u64 *slots;
	struct pe_rb_page *pages;
};

/* Longest payload of a record. */
static inline unsigned int pe_rb_max_len(const struct pe_rb *rb)
{
	return rb->page_size - PE_RB_PAGE_HEAD - PE_RB_PAGE_SPARE - 8;
}

#endif
