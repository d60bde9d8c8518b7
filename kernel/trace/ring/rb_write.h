/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_write.h - a ring's writer.  [P][H]
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
 */
#ifndef PE_RB_WRITE_H
#define PE_RB_WRITE_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "clock.h"
#include "rb.h"

/* rb.c */

/* The reasons why pe_rb_reserve() returned NULL. */
enum pe_rb_fail {
	PE_RB_FAIL_OFF,		/* recording is disabled; not counted here */
	PE_RB_FAIL_FULL,	/* counted as "dropped events" */
	PE_RB_FAIL_NESTED,	/* counted as "commit overrun" */
	PE_RB_FAIL_LENGTH,	/* longer than pe_rb_max_len(); counted as dropped */
};

/**
 * struct pe_rb_handle - a reservation; all but @fail is for the implementation
 * only
 * @rb: the ring
 * @page: the page that has the record
 * @fail: valid if pe_rb_reserve() returned NULL
 */
struct pe_rb_handle {
	struct pe_rb *rb;
	struct pe_rb_page *page;
	enum pe_rb_fail fail;
};

/* The uncommon cases of pe_rb_reserve() and pe_rb_commit().  [H] */
void *pe_rb_reserve_slow(struct pe_rb *rb, unsigned int len, struct pe_rb_handle *h);
void pe_rb_leave_slow(struct pe_rb *rb);

/**
 * pe_rb_reserve() - room for a record  [H]
 * @rb: this CPU's ring
 * @len: bytes of payload, at most pe_rb_max_len(); the reader sees it rounded up
 *	to 4, and the bytes in between are 0
 * @h: to be passed to pe_rb_commit(), always
 *
 * Inline for the common case: a short record, in the same page as the record
 * before it and not long after it.  pe_rb_reserve_slow() handles all others,
 * also an interrupt that wrote in between.
 *
 * The clock may be read first here: if the pair (last_ts, last_pos) is valid
 * and not later, the record before ours is not later either.  A writer that
 * changes the pair after we have read write has moved write (reserve:H).  rb->tail
 * may be any page, but no other page has this position in it.
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

	if (unlikely(smp_load_acquire(&rb->disabled))) {	/* reserve:D and K */
		h->fail = PE_RB_FAIL_OFF;
		return NULL;
	}
	rb->nest++;
	barrier();						/* reserve:G */
	ts = pe_clock_now(rb->clock, rb->clock_data);
	old = local_read(&rb->write);
	barrier();						/* reserve:H */
	delta = ts - READ_ONCE(rb->last_ts);
	last_pos = READ_ONCE(rb->last_pos);
	page = READ_ONCE(rb->tail);
	off = old - READ_ONCE(page->base);
	if (unlikely(last_pos != old || words - 1 >= PE_RB_TYPE_MAX_SHORT ||
		     delta >> PE_RB_DELTA_BITS || off > rb->limit - size ||
		     local_cmpxchg(&rb->write, old, old + size) != (long)old)) {
		/* The slow path has its own handle, so that @h need not be in memory here. */
		p = pe_rb_reserve_slow(rb, len, &slow);
		*h = slow;
		return p;
	}
	WRITE_ONCE(rb->last_ts, ts);
	barrier();						/* reserve:I */
	WRITE_ONCE(rb->last_pos, old + size);

	word = (u32 *)((u8 *)page->data + off);
	h->rb = rb;
	h->page = page;
	word[words] = 0;		/* zero the padding up to 4 bytes */
	word[0] = (u32)delta << 5 | words;
	return word + 1;
}

/* A writer is done: publish if it is the outermost.  See the top of rb.c.  [H] */
static __always_inline void pe_rb_leave(struct pe_rb *rb)
{
	unsigned int nest = READ_ONCE(rb->nest);
	u64 head;

	barrier();						/* leave:G */
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
	 * leave:J.  An interrupt up to here saw nest == 1 and left publishing to us.
	 * A later one publishes, our record included.
	 */
	barrier();
	if (unlikely(local_read(&rb->write) != (long)head)) {
		WRITE_ONCE(rb->nest, 1);	/* read by pe_rb_leave() of an interrupter */
		pe_rb_leave_slow(rb);
	}
}

/* Publishes the record, or leaves that to the writer that this one interrupted. */
static __always_inline void pe_rb_commit(struct pe_rb_handle *h)
{
	local_inc(&h->page->total);
	pe_rb_leave(h->rb);
}

#endif
