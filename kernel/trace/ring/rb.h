/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb.h - the ring of sub-buffers of one CPU.  [P], and the writer side [H]
 *
 * Writer side: only on the ring's own CPU, with preemption off from reserve to
 * commit; any context, nested like a stack (task, softirq, hardirq, NMI).
 *
 *	struct pe_rb_handle h;
 *	void *p = pe_rb_reserve(rb, len, &h);
 *
 *	if (!p)
 *		count the loss by h.fail;
 *	fill p;
 *	pe_rb_commit(&h);
 *
 * Reader side: any CPU, process context; the caller lets only one reader at a
 * time use a ring (pe_buffer has a mutex per CPU for it).  Writers neither know
 * of that mutex nor wait for anything.
 *
 * The algorithm and its barriers are written down at the top of rb.c.
 */
#ifndef PE_RB_H
#define PE_RB_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local.h>
#include "rb_page.h"

struct pe_rb_page;

#define PE_RB_MIN_PAGES		2u
#define PE_RB_MAX_PAGES		((1u << 23) - 2)

/* Why pe_rb_reserve() gave nothing. */
enum pe_rb_fail {
	PE_RB_FAIL_OFF,		/* recording is disabled; counted by nobody here */
	PE_RB_FAIL_FULL,	/* counted as "dropped events" */
	PE_RB_FAIL_NESTED,	/* counted as "commit overrun" */
	PE_RB_FAIL_LENGTH,	/* longer than pe_rb_max_len(); counted as dropped */
};

/**
 * struct pe_rb_handle - a reservation; for the implementation only, but @fail
 * @fail: valid when pe_rb_reserve() returned NULL
 */
struct pe_rb_handle {
	struct pe_rb *rb;
	struct pe_rb_page *page;
	enum pe_rb_fail fail;
};

/**
 * struct pe_rb_page - a sub-buffer's descriptor; for the implementation only
 * @data: the sub-buffer
 * @base: position of the page that it holds
 * @total: records ever committed in it, all rounds; writers
 * @snap: @total when its last complete page was published; outermost writer
 * @first: number of records committed on this CPU before this page
 * @bytes: size of the records committed on this CPU before this page
 * @drops: number of records dropped on this CPU before this page
 * @end: offset behind its last record, once the next page was begun
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
 * implementation only.  @disabled stops the writers while it is not 0; changing
 * pages or clock needs that, and a grace period after it was set.
 */
struct pe_rb {
	/* Written by writers. */
	local_t write;		/* position behind the last reservation */
	u64 last_ts;		/* time of the last reservation ... */
	u64 last_pos;		/* ... and where it ended: valid if == write */
	struct pe_rb_page *tail; /* a hint: the page of @write */
	unsigned int nest;	/* writers between reserve and commit */
	u64 open_end;		/* where the page of @commit ends */

	/* Read by writers. */
	int disabled;
	unsigned int limit;	/* records end here: page_size less the spare bytes */
	unsigned int page_size;
	unsigned int page_shift;
	unsigned int nr_pages;
	unsigned int clock;	/* for pe_clock_now() */
	bool overwrite;
	u64 *slots;		/* nr_pages; see rb.c */
	struct pe_rb_page *pages; /* nr_pages + 1 */
	void *clock_data;

	/* Written by writers, read by others. */
	u64 commit __aligned(64); /* position up to which all is complete */
	local_t dropped;
	local_t commit_overrun;

	/* The reader's. */
	unsigned int rd_page __aligned(64); /* index of the page that it owns */
	bool rd_whole;		/* it holds a whole page, else a copy of the tail */
	struct pe_rb_cursor rd;
	u64 rd_seq;		/* logical number of the page in it */
	u64 rd_next;		/* number of the record at rd.off */
	u64 rd_drops;		/* drops already reported */
	u64 rd_lost;		/* losses not reported yet: before the next record */
	u64 rd_count;		/* records consumed */
	u64 rd_overrun;		/* records that were overwritten before it came */
	u64 rd_pos;		/* for pe_rb_maybe_data() */
	u64 rd_ts;		/* time of the last record consumed */
	unsigned int resets;	/* pe_rb_reset() calls: iterators of before end */
};

/* Seam: kernel/trace/ring/clock.c in the module, the test in user space.  [H] */
u64 pe_clock_now(unsigned int clock, void *data);

/**
 * struct pe_rb_memory - what a ring is made of; the caller's to allocate and free
 * @nr_pages: PE_RB_MIN_PAGES to PE_RB_MAX_PAGES; one more belongs to the reader.
 *	0: none, a ring that is empty and has to stay disabled until pe_rb_replace();
 *	readers may use it as any other
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

/* Makes an empty ring, recording disabled (@disabled is 1). */
void pe_rb_init(struct pe_rb *rb, const struct pe_rb_memory *mem);

/* Empties it and sets all counts to 0.  No writer and no other reader may run. */
void pe_rb_reset(struct pe_rb *rb);

/**
 * pe_rb_move() - give a ring other memory, keep the newest records
 * @rb: no writer and no other reader may run
 * @mem: new memory, same page_shift; of its data pages as many may be NULL as the
 *	ring has, nr_pages + 1
 * @old: what the caller may free now; a data page that stays in use is NULL there
 *
 * Data pages change hands instead of being copied.  What does not fit counts as
 * overrun.
 */
void pe_rb_move(struct pe_rb *rb, const struct pe_rb_memory *mem,
		struct pe_rb_memory *old);

/**
 * pe_rb_replace() - give a ring other memory, maybe with pages of another size
 * @rb: no writer and no other reader may run; is empty afterwards, as by pe_rb_reset()
 * @mem: new memory
 * @old: the memory that the caller may free now
 */
void pe_rb_replace(struct pe_rb *rb, const struct pe_rb_memory *mem,
		   struct pe_rb_memory *old);

/* Longest payload of a record. */
static inline unsigned int pe_rb_max_len(const struct pe_rb *rb)
{
	return rb->page_size - PE_RB_PAGE_HEAD - PE_RB_PAGE_SPARE - 8;
}

/* Of pe_rb_reserve() and pe_rb_commit(): what is not the common case.  [H] */
void *pe_rb_reserve_slow(struct pe_rb *rb, unsigned int len, struct pe_rb_handle *h);
void pe_rb_leave_slow(struct pe_rb *rb);

/**
 * pe_rb_reserve() - room for a record  [H]
 * @rb: this CPU's ring
 * @len: bytes of payload, at most pe_rb_max_len(); the reader sees it rounded up
 *	to 4, and the bytes in between are 0
 * @h: to be passed to pe_rb_commit(), always
 *
 * Inline for the common case: a short record, in the same page as the one before
 * it and not long after it.  Anything else, also an interrupt that wrote in
 * between, is pe_rb_reserve_slow()'s.
 *
 * Here the clock may be read first: if the pair (last_ts, last_pos) is valid and
 * not later, then so is the record before ours.  The pair is read behind write: who
 * changes it after that has moved write.  rb->tail may be any page, but no other one
 * has this position in it.
 *
 * Return: the payload, aligned to 4, or NULL with h->fail.
 */
static __always_inline void *pe_rb_reserve(struct pe_rb *rb, unsigned int len,
					   struct pe_rb_handle *h)
{
	unsigned int words = (len + 3) / 4, size = 4 + words * 4;
	struct pe_rb_page *page;
	struct pe_rb_handle slow;
	u64 old, ts, delta, last_pos, off;
	u32 *word;
	void *p;

	if (unlikely(READ_ONCE(rb->disabled))) {
		h->fail = PE_RB_FAIL_OFF;
		return NULL;
	}
	rb->nest++;
	barrier();
	ts = pe_clock_now(rb->clock, rb->clock_data);
	old = local_read(&rb->write);
	barrier();
	delta = ts - READ_ONCE(rb->last_ts);
	last_pos = READ_ONCE(rb->last_pos);
	page = READ_ONCE(rb->tail);
	off = old - READ_ONCE(page->base);
	if (unlikely(last_pos != old || words - 1 >= PE_RB_TYPE_MAX_SHORT ||
		     delta >> PE_RB_DELTA_BITS || off > (u64)(rb->limit - size) ||
		     local_cmpxchg(&rb->write, old, old + size) != (long)old)) {
		/* A handle of its own: @h need not be in memory otherwise. */
		p = pe_rb_reserve_slow(rb, len, &slow);
		*h = slow;
		return p;
	}
	WRITE_ONCE(rb->last_ts, ts);
	barrier();
	WRITE_ONCE(rb->last_pos, old + size);

	word = (u32 *)((u8 *)page->data + off);
	h->rb = rb;
	h->page = page;
	word[words] = 0;		/* bytes that fill up to 4 */
	word[0] = (u32)delta << 5 | words;
	return word + 1;
}

/* A writer is done: publish, if it is the outermost.  See the top of rb.c.  [H] */
static __always_inline void pe_rb_leave(struct pe_rb *rb)
{
	unsigned int nest = READ_ONCE(rb->nest);
	u64 head;

	barrier();
	if (unlikely(nest != 1)) {
		WRITE_ONCE(rb->nest, nest - 1);
		return;
	}
	head = local_read(&rb->write);
	if (unlikely(head >= rb->open_end)) {
		pe_rb_leave_slow(rb);
		return;
	}
	smp_store_release(&rb->commit, head);		/* leave:A */
	WRITE_ONCE(rb->nest, 0);
	/*
	 * An interrupt up to here saw nest == 1 and left its record to us; one
	 * from here on publishes, ours included.
	 */
	barrier();
	if (unlikely(local_read(&rb->write) != (long)head)) {
		WRITE_ONCE(rb->nest, 1);
		pe_rb_leave_slow(rb);
	}
}

/* Publishes the record, or leaves that to the writer that this one interrupted. */
static __always_inline void pe_rb_commit(struct pe_rb_handle *h)
{
	local_inc(&h->page->total);
	pe_rb_leave(h->rb);
}

/*
 * Consuming reader.  peek: the oldest record, again and again the same one, until
 * consume.  Its data is a stable copy, valid until consume or another call.
 */
bool pe_rb_peek(struct pe_rb *rb, struct pe_rb_record *rec);
void pe_rb_consume(struct pe_rb *rb);

/**
 * pe_rb_take_page() - consume a page of records in binary form
 * @rb: the ring
 * @page: page_size bytes of the caller's, whose contents do not matter; gets the
 *	page of records, and its unused bytes are 0
 * @partial: also what the page in work holds, else only complete pages
 *
 * A complete page is not copied: it leaves the ring for good, @page becomes it, and
 * what @page was before is the ring's.  A page of which records were consumed one
 * by one, or that is still in work, gives its rest as a copy.
 *
 * Return: bytes of records in @page, 0 when there is nothing.
 */
unsigned int pe_rb_take_page(struct pe_rb *rb, struct pe_rb_data_page **page,
			     bool partial);

/* No lock: so it was at that moment. */
bool pe_rb_maybe_data(const struct pe_rb *rb);

/* No lock: complete pages that wait for the reader, for watermarks. */
unsigned int pe_rb_full_pages(const struct pe_rb *rb);

/* Like peek, but only for the time: false when empty. */
bool pe_rb_oldest_ts(struct pe_rb *rb, u64 *ts);

/**
 * struct pe_rb_iter - reading without consuming
 *
 * Writers go on; what they overwrite before the iterator came there is reported
 * as lost.  Each call needs the reader's lock; it may be given up in between,
 * and a consumer that runs then is tolerated.  It ends with what there was when it
 * was started or extended, so it does end while writers are faster; and when the ring
 * is reset: then it can't be extended.
 */
struct pe_rb_iter {
	struct pe_rb *rb;
	void *buf;		/* page_size bytes of the caller's */
	struct pe_rb_cursor c;
	u64 seq;
	u64 next;		/* number of the record at c.off */
	u64 lost;
	u64 ts;
	u64 end;		/* the ring's end, for it */
	unsigned int resets;	/* the ring's, at the start */
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

/* The reader's lock is held; @buf of page_size bytes for a moment's use. */
void pe_rb_stats(struct pe_rb *rb, struct pe_rb_stats *st, void *buf);

#endif
