// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb.c - the writer side of a CPU's ring.  [P][H]
 *
 * Positions
 * ---------
 * A ring is N sub-buffers ("pages").  A position is a 64-bit number that only
 * grows: logical page number << page_shift | offset in the page.  rb->write is
 * the position after the last reservation.  rb->commit is the position up to
 * which all reservations are complete and readers may look.  A record is always
 * within one page.
 *
 * Writers run on one CPU and nest like a stack: each runs to its end before the
 * writer that it interrupted goes on.  So a local_cmpxchg(), atomic on its CPU only,
 * makes rb->write advance by one reservation at a time.  And rb->nest, which
 * each writer leaves as it found it, needs no atomic operation at all.
 *
 * Publishing
 * ----------
 * A writer that is done with its record and finds nest > 1 has interrupted
 * another writer.  The other's record may be before its own and incomplete.  So
 * it leaves publishing to the other writer.  The outermost writer finds
 * everything up to rb->write complete and moves rb->commit there.  An interrupt
 * may add records meanwhile.  So the writer checks once more after nest has
 * become 0.
 *
 * Slots and pages
 * ---------------
 * Logical page s is in slot s % N.  A slot is one word: the logical number of
 * the page, the index of its descriptor, and a bit TAKEN.  There are N + 1
 * descriptors; the one in no slot belongs to the reader.
 *
 *   (s, i, -)      descriptor i holds page s: complete, in work, or about to be
 *   (s, i, TAKEN)  the reader took page s away and left descriptor i, empty
 *
 *   (s, i, -)      -> (s, j, TAKEN)    reader takes a complete page      take()
 *   (s, j, TAKEN)  -> (s + N, j, -)    writer begins page s + N  pe_prepare_page()
 *   (s, i, -)      -> (s + N, i, -)    the same, overwriting page s
 *
 * Each change is one cmpxchg() by either side.  So a page is either read as a
 * whole or lost as a whole, and neither side ever waits for the other.  A
 * slot's words never come back (40 bits of number), so there is no ABA problem.
 *
 * The reader never takes pages from that of rb->commit on, and writers do not
 * overwrite them.  A writer nest that would run around the ring into its own
 * open page is refused ("commit overrun").  So a writer may use a page that it
 * found in a slot without further checks, up to its own commit.
 *
 * The reader copies the committed part of the page in work.  It uses the copy
 * only if the slot still has the same word afterwards.
 *
 * Counting
 * --------
 * Records are numbered per CPU in the order of their commits' pages: a page
 * knows how many records came before it (first), and how many it has.  A reader
 * has lost the records of that sequence that it does not see.  So it can say
 * how many were lost and where, without any counter that both sides write.  A
 * page's own count is total - snap: total only grows.  So no writer has to
 * reset it when the page is used again, which could not be made safe against a
 * writer that interrupts.
 *
 * Nothing is taken back: a reservation is committed, and rb->write never
 * returns to an earlier value.  So a cmpxchg() that succeeds says that there
 * was no reservation since rb->write was read.
 *
 * Time
 * ----
 * A record has the time since the record before it.  (last_ts, last_pos) hold
 * that record's time.  The pair is valid only if last_pos == write, that is, if
 * the writer that made the last reservation stored it.  It is not valid for a
 * writer that has interrupted another between the other's cmpxchg and its stores.
 * Such a writer
 *
 *   - puts an absolute time before its record;
 *   - does not store a pair of its own.  The interrupted writer will go on and
 *     store its last_ts.  Next to the interrupter's last_pos, which is write, that
 *     would look valid.
 *
 * A writer that finds the pair not valid, but is the outermost, stores its own.
 * So at most one writer is between the two stores, and until it is done the pair
 * is not valid for any writer.
 *
 * Times have to be in the order of positions.  So a writer reads the clock in
 * one of two places:
 *
 *   - between reading rb->write and the cmpxchg, and tries again if it was
 *     interrupted in between
 *   - before both, and then checks that a valid last_ts is not later
 *
 * A clock that goes back is held at last_ts.
 *
 * Barriers
 * --------
 * A pair is named function:letter / function:letter.  The code has the name at
 * each end.
 *
 * Between a writer and its interrupter, compiler barriers:
 *
 *   reserve:G / leave:G        nest is raised before the reservation / the record
 *           is complete before nest is lowered or commit moves.  An interrupter in
 *           between finds nest raised, and leaves publishing to us.
 *   reserve:H / reserve:I      write is read before last_ts and last_pos / the
 *           cmpxchg of write comes before their stores.  If an interrupter has
 *           changed them since write was read, our cmpxchg fails.
 *   reserve:I / reserve:H      last_ts is stored before last_pos / last_pos is
 *           compared with write.  An interrupter that finds them equal does not
 *           have the time of an older record.
 *   leave:J / reserve:G        commit, then nest = 0, then write is read / nest is
 *           raised.  An interrupter that comes before nest = 0 leaves publishing to
 *           us, and we see that write has moved.  A later one publishes itself.
 *
 * Between CPUs:
 *
 *   leave:A / load_commit:A    release store of commit / acquire load.  A reader
 *           that sees a commit sees the records before it, and of all pages
 *           before that of the commit: size, first, bytes, drops.
 *   prepare_page:B / snapshot_page:B   fully ordered cmpxchg, then writing to the
 *           page / reading, smp_rmb(), reading the slot.  A reader that has read
 *           a byte of the new page sees that the slot has changed.
 *   take:C / prepare_page:C    fully ordered cmpxchg on both sides.  The reader
 *           has done its last load from a page before it gives it to the writers.
 *   pe_ring_go:D / reserve:D   release store of disabled (rb_buffer.c) / acquire load
 *           (rb_write.h).  A writer that finds recording enabled sees the memory, size
 *           and clock that were set while it was not.
 *   prepare_page:E / snapshot_page:E   the same cmpxchg as for B / reading the slot,
 *           smp_rmb(), reading the page.  A reader that finds page s in the slot sees
 *           nothing of what the descriptor held before it was prepared for s.
 *   move_begin:L, move_end:L / still_there:L   rd_moves is made odd, smp_wmb(), then the reader
 *           changes its page / rb_dump.c reads the page, smp_rmb(), then rd_moves; and the other
 *           way round: release store of an even number / acquire load.  A dump that finds
 *           the same even number before and after has read what the reader had all the time.
 *   change_begin:M, change_end:M / still_there:M   the same with changes, for rb_mem.c.
 *   stop_rings:K / reserve:K   setting disabled, then a grace period (rb_buffer.c) /
 *           preemption off from before reading disabled until the commit.  After
 *           pe_buffer_hold() no writer uses memory, size or clock.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <asm/local.h>
#include "clock.h"
#include "rb.h"
#include "rb_internal.h"
#include "rb_page.h"
#include "rb_write.h"

/*
 * Each retry means that an interrupt came between two instructions and wrote
 * here.  So many in a row are an interrupt storm, and the record is refused.
 */
#define MAX_TRIES	100

#define SHORT_MAX	(PE_RB_TYPE_MAX_SHORT * 4)

/* A reservation in the making. */
struct attempt {
	u64 start;
	u64 end;
	u64 ts;
	u64 delta;
	unsigned int prefix;	/* PE_RB_TYPE_EXTEND, _STAMP, or 0 */
};

static inline struct pe_rb_page *pe_page_of(const struct pe_rb *rb, u64 seq)
{
	return &rb->pages[pe_rb_slot_index(READ_ONCE(*pe_rb_slot_of(rb, seq)))];
}

static inline void *pe_page_at(const struct pe_rb_page *page, unsigned int off)
{
	return (u8 *)page->data + off;
}

/* Give size and number to the pages from that of rb->commit up to that of @head. */
static noinline void pe_complete_pages(struct pe_rb *rb, u64 head)
{
	u64 seq = pe_rb_pos_seq(rb, rb->commit), last = pe_rb_pos_seq(rb, head);
	struct pe_rb_page *page = pe_page_of(rb, seq);

	for (; seq != last; seq++) {
		struct pe_rb_page *next = pe_page_of(rb, seq + 1);
		unsigned long total = local_read(&page->total);

		page->data->commit = page->end - PE_RB_PAGE_HEAD;
		next->first = page->first + (total - page->snap);
		next->bytes = page->bytes + page->end - PE_RB_PAGE_HEAD;
		page->snap = total;
		page = next;
	}
	rb->open_end = pe_rb_pos_make(rb, last + 1, 0);
}

/* As pe_rb_leave(), for the outermost writer; also across pages, and repeatedly. */
void pe_rb_leave_slow(struct pe_rb *rb)
{
	u64 head;

	for (;;) {
		barrier();					/* leave:G */
		head = local_read(&rb->write);
		if (head >= rb->open_end)
			pe_complete_pages(rb, head);
		smp_store_release(&rb->commit, head);	/* leave:A */
		WRITE_ONCE(rb->nest, 0);
		barrier();					/* leave:J */
		if (local_read(&rb->write) == (long)head)
			return;
		WRITE_ONCE(rb->nest, 1);
	}
}

static void *pe_ring_rb_fail(struct pe_rb *rb, struct pe_rb_handle *h, enum pe_rb_fail why)
{
	local_inc(why == PE_RB_FAIL_NESTED ? &rb->commit_overrun : &rb->dropped);
	h->fail = why;
	/* Interrupts since our entry have left publishing to us. */
	pe_rb_leave(rb);
	return NULL;
}

/*
 * Makes slot and descriptor those of page @seq, which is written next.  A
 * writer and its interrupter may both do this: they agree.
 */
static struct pe_rb_page *pe_prepare_page(struct pe_rb *rb, u64 seq, enum pe_rb_fail *why)
{
	u64 *slot = pe_rb_slot_of(rb, seq);
	unsigned int i;

	*why = PE_RB_FAIL_NESTED;
	/* The reader changes a slot once per round, an interrupter once. */
	for (i = 0; i < 4; i++) {
		u64 old = READ_ONCE(*slot), new;

		if (pe_rb_slot_seq(old) == seq) {
			struct pe_rb_page *page = &rb->pages[pe_rb_slot_index(old)];

			/* read by pe_rb_reserve() */
			WRITE_ONCE(page->base, pe_rb_pos_make(rb, seq, 0));
			return page;
		}
		if (!(old & SLOT_TAKEN)) {
			if (pe_rb_slot_seq(old) >= pe_rb_pos_seq(rb, rb->commit))
				return NULL;
			if (!READ_ONCE(rb->overwrite)) {
				*why = PE_RB_FAIL_FULL;
				return NULL;
			}
		}
		new = pe_rb_slot_make(seq, pe_rb_slot_index(old), 0);
		cmpxchg(slot, old, new);		/* prepare_page:B, C and E */
	}
	return NULL;
}

/* The place and time of the record, given that rb->write is @old. */
static void pe_rb_place(const struct pe_rb *rb, u64 old, u64 last_pos, u64 last_ts,
			unsigned int size, struct attempt *at)
{
	unsigned int off = pe_rb_pos_off(rb, old);

	if ((s64)(at->ts - last_ts) < 0)
		at->ts = last_ts;	/* the clock went back: record times must not */
	at->delta = at->ts - last_ts;
	at->prefix = 0;
	if (off == PE_RB_PAGE_HEAD)
		at->delta = 0;		/* the page has the time */
	else if (last_pos != old)
		at->prefix = PE_RB_TYPE_STAMP;
	else if (at->delta >> PE_RB_DELTA_BITS)
		at->prefix = PE_RB_TYPE_EXTEND;
	if (at->prefix)
		size += 8;
	at->start = old;
	if (off + size > rb->limit) {
		if (at->prefix)
			size -= 8;
		at->prefix = 0;
		at->delta = 0;
		at->start = pe_rb_pos_make(rb, pe_rb_pos_seq(rb, old) + 1, PE_RB_PAGE_HEAD);
	}
	at->end = at->start + size;
}

/* Writes the words before the payload. */
static void *pe_write_head(const struct pe_rb *rb, struct pe_rb_page *page,
			   const struct attempt *at, unsigned int len,
			   struct pe_rb_handle *h)
{
	u32 *word = pe_page_at(page, pe_rb_pos_off(rb, at->start));
	u32 delta = at->delta;

	if (at->prefix) {
		u64 wide = at->prefix == PE_RB_TYPE_STAMP ? at->ts : at->delta;

		word[0] = (u32)(wide << 5) | at->prefix;
		word[1] = (wide & ((1ULL << PE_RB_STAMP_BITS) - 1)) >> PE_RB_DELTA_BITS;
		word += 2;
		delta = 0;
	}
	h->rb = (struct pe_rb *)rb;
	h->page = page;
	word[len / 4] = 0;		/* zero the padding up to 4 bytes */
	if (len <= SHORT_MAX) {
		word[0] = delta << 5 | len / 4;
		return word + 1;
	}
	word[len / 4 + 1] = 0;
	word[0] = delta << 5;
	word[1] = len + 4;
	return word + 2;
}

void *pe_rb_reserve_slow(struct pe_rb *rb, unsigned int len, struct pe_rb_handle *h)
{
	unsigned int size, try;

	if (len > pe_rb_max_len(rb))
		return pe_ring_rb_fail(rb, h, PE_RB_FAIL_LENGTH);
	len = len ? ALIGN(len, 4u) : 4;
	size = len + (len <= SHORT_MAX ? 4 : 8);

	for (try = 0; try < MAX_TRIES; try++) {
		u64 old = local_read(&rb->write), seq = pe_rb_pos_seq(rb, old), now_seq;
		u64 last_ts = READ_ONCE(rb->last_ts);
		u64 last_pos = READ_ONCE(rb->last_pos);
		struct pe_rb_page *page, *before = NULL;
		struct attempt at;
		enum pe_rb_fail why;

		barrier();					/* reserve:H */
		at.ts = pe_clock_now(rb->clock, rb->clock_data);
		pe_rb_place(rb, old, last_pos, last_ts, size, &at);
		now_seq = pe_rb_pos_seq(rb, at.start);
		page = pe_page_of(rb, seq);
		if (now_seq != seq) {
			before = page;
			page = pe_prepare_page(rb, now_seq, &why);
			if (!page)
				return pe_ring_rb_fail(rb, h, why);
		}
		if (local_cmpxchg(&rb->write, old, at.end) != (long)old)
			continue;
		if (pe_rb_pos_off(rb, at.start) == PE_RB_PAGE_HEAD) {
			if (before)
				before->end = pe_rb_pos_off(rb, old);
			page->data->ts = at.ts;
			page->drops = local_read(&rb->dropped) +
				      local_read(&rb->commit_overrun);
		}
		if (last_pos == old || READ_ONCE(rb->nest) == 1) {
			WRITE_ONCE(rb->last_ts, at.ts);
			barrier();				/* reserve:I */
			WRITE_ONCE(rb->last_pos, at.end);
		}
		WRITE_ONCE(rb->tail, page);
		return pe_write_head(rb, page, &at, len, h);
	}
	return pe_ring_rb_fail(rb, h, PE_RB_FAIL_NESTED);
}
