/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_read.h - a ring's readers.  [P]
 *
 * Any CPU, process context.  The caller lets only one reader at a time use a
 * ring: pe_buffer has a mutex per CPU for it.  Writers neither know of that
 * mutex nor wait for anything.
 */
#ifndef PE_RB_READ_H
#define PE_RB_READ_H

#include <linux/types.h>
#include "rb.h"

/* rb_read.c */

/*
 * Consuming reader.  Peek returns the oldest record, the same one until
 * consume.  Its data is a stable copy, valid until consume or another call.
 */
bool pe_rb_peek(struct pe_rb *rb, struct pe_rb_record *rec);
void pe_rb_consume(struct pe_rb *rb);

/**
 * pe_rb_take_page() - consume a page of records in binary form
 * @rb: the ring
 * @page: the caller's, page_size bytes with any contents; becomes the page of
 *	records, with unused bytes 0
 * @partial: also return the records of the page in work, otherwise only
 *	complete pages
 *
 * A complete page is not copied: it leaves the ring for good and becomes @page,
 * and the ring gets what @page was before.  If records of the page were
 * consumed one by one, or if it is still in work, its rest is copied.
 *
 * Return: bytes of records in @page, 0 if there are none.
 */
unsigned int pe_rb_take_page(struct pe_rb *rb, struct pe_rb_data_page **page,
			     bool partial);

/* No lock, so it was true at that moment. */
bool pe_rb_maybe_data(const struct pe_rb *rb);

/* No lock: complete pages that the reader has not taken, for watermarks. */
unsigned int pe_rb_full_pages(const struct pe_rb *rb);

/*
 * No lock.  Where the records end, and are some of those before an earlier end not read yet?  While
 * the ring is being reset the answer may be wrong.
 */
struct pe_rb_end {
	u64 pos;
	unsigned int resets;
};
struct pe_rb_end pe_rb_end_now(const struct pe_rb *rb);
bool pe_rb_unread(const struct pe_rb *rb, struct pe_rb_end end);

/* Like peek, but only for the time: false if empty. */
bool pe_rb_oldest_ts(struct pe_rb *rb, u64 *ts);

/**
 * struct pe_rb_iter - reading without consuming
 * @rb: the ring
 * @buf: page_size bytes of the caller's
 * @c: the place in @buf
 * @seq: logical number of the page in @buf
 * @next: number of the record at c.off
 * @lost: records lost before it, not reported yet
 * @ts: time of the last record shown
 * @end: the ring's end, for it
 * @resets: the ring's, at the start
 * @whole: @buf has a whole page, else a copy of the tail
 *
 * Writers go on.  Records that they overwrite before the iterator has read them
 * are reported as lost.  Each call needs the reader's lock.  The lock may be
 * released between calls, and a consumer may run then.  The iterator ends at
 * the point that was the ring's end when it was started or extended, so it ends
 * even if writers are faster.  It also ends when the ring is reset: then it
 * can't be extended.
 */
struct pe_rb_iter {
	struct pe_rb *rb;
	void *buf;
	struct pe_rb_cursor c;
	u64 seq;
	u64 next;
	u64 lost;
	u64 ts;
	u64 end;
	unsigned int resets;
	bool whole;
};

void pe_rb_iter_start(struct pe_rb_iter *it, struct pe_rb *rb, void *buf);
bool pe_rb_iter_extend(struct pe_rb_iter *it);
bool pe_rb_iter_peek(struct pe_rb_iter *it, struct pe_rb_record *rec);
void pe_rb_iter_next(struct pe_rb_iter *it);

/* written = entries + overrun + read_events, always. */
struct pe_rb_stats {
	u64 entries;		/* in the ring, not read */
	u64 overrun;		/* overwritten before they were read */
	u64 commit_overrun;	/* refused: writers nested around the whole ring */
	u64 bytes;		/* of records not read, headers included */
	u64 dropped_events;	/* refused: full, or too long */
	u64 read_events;
	u64 written;		/* committed ever */
};

/* The caller holds the reader's lock; @buf: page_size bytes of scratch memory. */
void pe_rb_stats(struct pe_rb *rb, struct pe_rb_stats *st, void *buf);

#endif
