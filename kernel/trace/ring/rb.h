/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
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
 * @write: position after the last reservation
 * @last_ts: time of the last reservation
 * @last_pos: where it ended: @last_ts is valid if this is @write
 * @tail: a hint: the page of @write
 * @nest: writers between reserve and commit
 * @open_end: end of the page of @commit
 * @disabled: writers stop while it is not 0
 * @limit: end of records: @page_size less the spare bytes
 * @page_size: bytes of a sub-buffer
 * @page_shift: log2 of that
 * @nr_pages: sub-buffers, without the reader's
 * @clock: for pe_clock_now()
 * @overwrite: the oldest page makes room; otherwise new records are dropped
 * @slots: [nr_pages] the page at each place; see rb.c
 * @pages: [nr_pages + 1] descriptors
 * @clock_data: for pe_clock_now()
 * @commit: all is complete up to here
 * @dropped: records for which there was no room
 * @commit_overrun: records refused because writers were nested around the whole ring
 * @rd_page: index of the page that the reader owns
 * @rd_whole: it holds a whole page, else a copy of the tail
 * @rd: the reader's place in it
 * @rd_seq: logical number of the page in it
 * @rd_next: number of the record at rd.off
 * @rd_drops: drops already reported
 * @rd_lost: losses before the next record, not reported yet
 * @rd_count: records consumed
 * @rd_overrun: records that were overwritten before the reader read them
 * @rd_pos: position for pe_rb_maybe_data()
 * @rd_ts: time of the last record consumed
 * @resets: pe_rb_reset() calls: earlier iterators end
 * @rd_moves: odd while the reader may change @rd_page and what is in it
 * @changes: odd while memory and contents are replaced
 * @dumped_resets: rb_dump.c: @resets when it dumped
 * @dumped: rb_dump.c: records before this number have been dumped
 * @dumped_drops: rb_dump.c: drops that were reported
 *
 * Everything but @disabled, @overwrite, @clock and @clock_data is for the
 * implementation only.  @disabled stops the writers while it is not 0.  A
 * change of pages or clock needs that, and a grace period after it was set.
 */
struct pe_rb {
	/* Written by writers. */
	local_t write;
	u64 last_ts;
	u64 last_pos;
	struct pe_rb_page *tail;
	unsigned int nest;
	u64 open_end;

	/* Read by writers. */
	int disabled;
	u64 limit;
	unsigned int page_size;
	unsigned int page_shift;
	unsigned int nr_pages;
	unsigned int clock;
	bool overwrite;
	u64 *slots;
	struct pe_rb_page *pages;
	void *clock_data;

	/* Written by writers, read by others. */
	u64 commit __aligned(64);
	local_t dropped;
	local_t commit_overrun;

	/* The reader's. */
	unsigned int rd_page __aligned(64);
	bool rd_whole;
	struct pe_rb_cursor rd;
	u64 rd_seq;
	u64 rd_next;
	u64 rd_drops;
	u64 rd_lost;
	u64 rd_count;
	u64 rd_overrun;
	u64 rd_pos;
	u64 rd_ts;
	unsigned int resets;
	unsigned int rd_moves;
	unsigned int changes;

	/* rb_dump.c's: what it has shown in a crash. */
	unsigned int dumped_resets;
	u64 dumped;
	u64 dumped_drops;
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
