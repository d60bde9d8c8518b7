// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_read.c - the reader side of a CPU's ring.  [P]
 *
 * One reader at a time (the caller's lock), while writers run.  The top of rb.c
 * explains the slots, and the barriers named here.
 *
 * The reader owns one page, rd_page, and reads records only from there:
 *
 *   rd_whole   it holds page rd_seq, taken out of the ring as a whole
 *   !rd_whole  it holds a copy of the committed part of page rd_seq, which the
 *              writers still have.  rd.off == PE_RB_PAGE_HEAD: nothing of that
 *              page was read yet.
 *
 * After the reader has read all of it, pe_rb_read_refill() brings more: the rest of page
 * rd_seq or the next page.  If that page was overwritten, the reader goes on
 * with the oldest page that is left.  The missed records follow from the pages'
 * record numbers.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include "rb.h"
#include "rb_internal.h"
#include "rb_page.h"
#include "rb_read.h"

/* A copy of a page's head. */
struct page_head {
	u64 ts;
	u64 first;
	u64 bytes;
	u64 drops;
	unsigned int end;
};

static u64 pe_load_commit(const struct pe_rb *rb)
{
	return smp_load_acquire(&rb->commit);		/* load_commit:A */
}

/*
 * The next page that may be there, after page @seq was lost.  The slot's word
 * tells how far the writers are, or were when the reader or pe_rb_move() took
 * the page away.
 */
static u64 pe_oldest_left(const struct pe_rb *rb, u64 seq)
{
	u64 slot = READ_ONCE(*pe_rb_slot_of(rb, seq));

	if (pe_rb_slot_seq(slot) == seq && !(slot & SLOT_TAKEN))
		return seq;
	return max_t(u64, seq + 1, pe_rb_slot_seq(slot) - rb->nr_pages + 1);
}

/*
 * Copies page @seq, from @off to its present end, to the same place in @dst
 * (NULL: head only).  False if the page was overwritten meanwhile.
 */
static bool pe_snapshot_page(const struct pe_rb *rb, u64 seq, u64 commit, unsigned int off,
			     void *dst, struct page_head *head)
{
	const struct pe_rb_page *page;
	u64 slot;

	if (!pe_rb_in_slot(rb, seq, &slot))
		return false;
	smp_rmb();					/* snapshot_page:E */
	page = &rb->pages[pe_rb_slot_index(slot)];
	head->ts = READ_ONCE(page->data->ts);
	head->first = READ_ONCE(page->first);
	head->bytes = READ_ONCE(page->bytes);
	head->drops = READ_ONCE(page->drops);
	if (seq == pe_rb_pos_seq(rb, commit))
		head->end = pe_rb_pos_off(rb, commit);
	else
		head->end = (READ_ONCE(page->data->commit) & PE_RB_COMMIT_BYTES) +
			    PE_RB_PAGE_HEAD;
	if (head->end > rb->page_size || off > head->end)
		return false;			/* another page's bytes */
	if (dst)
		memcpy((u8 *)dst + off, (const u8 *)page->data + off, head->end - off);
	smp_rmb();					/* snapshot_page:B */
	return READ_ONCE(*pe_rb_slot_of(rb, seq)) == slot;
}

/* The reader begins a page of which it has read nothing yet. */
static void pe_begin_page(struct pe_rb *rb, const struct page_head *head)
{
	u64 missed = head->first - rb->rd_next;

	rb->rd_overrun += missed;
	rb->rd_lost += missed + (head->drops - rb->rd_drops);
	rb->rd_next = head->first;
	rb->rd_drops = head->drops;
	rb->rd.ts = head->ts;
}

/* Takes the complete page @seq out of the ring, for the empty rd_page. */
static bool pe_rb_read_take(struct pe_rb *rb, u64 seq)
{
	u64 slot, new;
	struct pe_rb_page *page;
	struct page_head head;

	if (!pe_rb_in_slot(rb, seq, &slot))
		return false;
	new = pe_rb_slot_make(seq, rb->rd_page, SLOT_TAKEN);
	if (cmpxchg(pe_rb_slot_of(rb, seq), slot, new) != slot)	/* take:C */
		return false;
	rb->rd_page = pe_rb_slot_index(slot);
	page = &rb->pages[rb->rd_page];
	head.ts = page->data->ts;
	head.first = page->first;
	head.drops = page->drops;
	if (rb->rd.off == PE_RB_PAGE_HEAD)
		pe_begin_page(rb, &head);
	rb->rd.page = page->data;
	rb->rd.end = (page->data->commit & PE_RB_COMMIT_BYTES) + PE_RB_PAGE_HEAD;
	rb->rd_whole = true;
	return true;
}

static void pe_start_page(struct pe_rb *rb, u64 seq)
{
	rb->rd_whole = false;
	rb->rd_seq = seq;
	rb->rd.off = PE_RB_PAGE_HEAD;
	rb->rd.end = PE_RB_PAGE_HEAD;
}

static void pe_note_pos(struct pe_rb *rb)
{
	/* read by pe_rb_maybe_data() */
	WRITE_ONCE(rb->rd_pos, pe_rb_pos_make(rb, rb->rd_seq, rb->rd.off));
}

/*
 * Call this after everything in rd_page is read.  Each turn of the loop after
 * the first means that the writers have begun at least one page meanwhile.
 */
static bool pe_rb_refill_page(struct pe_rb *rb)
{
	if (rb->rd_whole)
		pe_start_page(rb, rb->rd_seq + 1);
	for (;;) {
		u64 commit = pe_load_commit(rb);

		if (rb->rd_seq != pe_rb_pos_seq(rb, commit)) {
			if (pe_rb_read_take(rb, rb->rd_seq))
				return true;
		} else {
			struct page_head head;
			void *dst;

			if (pe_rb_pos_off(rb, commit) <= rb->rd.off)
				return false;
			dst = rb->pages[rb->rd_page].data;
			if (pe_snapshot_page(rb, rb->rd_seq, commit, rb->rd.off, dst, &head)) {
				if (rb->rd.off == PE_RB_PAGE_HEAD)
					pe_begin_page(rb, &head);
				rb->rd.page = dst;
				rb->rd.end = head.end;
				return true;
			}
		}
		pe_start_page(rb, pe_oldest_left(rb, rb->rd_seq));
	}
}

static bool pe_rb_read_refill(struct pe_rb *rb)
{
	bool more;

	pe_rb_odd_begin(&rb->rd_moves);
	more = pe_rb_refill_page(rb);
	pe_rb_odd_end(&rb->rd_moves);
	return more;
}

bool pe_rb_peek(struct pe_rb *rb, struct pe_rb_record *rec)
{
	while (!pe_rb_cursor_next(&rb->rd, rec)) {
		bool more = pe_rb_read_refill(rb);

		pe_note_pos(rb);
		if (!more)
			return false;
	}
	if ((s64)(rec->ts - rb->rd_ts) < 0)
		rec->ts = rb->rd_ts;
	rec->lost = rb->rd_lost;
	return true;
}

void pe_rb_consume(struct pe_rb *rb)
{
	struct pe_rb_record rec;

	if (!pe_rb_peek(rb, &rec))
		return;
	rb->rd_ts = rec.ts;
	rb->rd_lost = 0;
	rb->rd_next++;
	rb->rd_count++;
	pe_rb_cursor_skip(&rb->rd);
	pe_note_pos(rb);
}

/* Return: the number of records; @ts becomes the latest of their times. */
static unsigned int pe_walk_to_end(struct pe_rb_cursor *c, u64 *ts)
{
	struct pe_rb_record rec;
	unsigned int n;

	for (n = 0; pe_rb_cursor_next(c, &rec); n++) {
		if (ts)
			*ts = max(*ts, rec.ts);
		pe_rb_cursor_skip(c);
	}
	return n;
}

/*
 * Gives the whole page in rd_page away, with nothing of it read.  The reader is
 * then at the point where pe_rb_read_refill() starts, even for an iterator that was in
 * this page.
 */
static unsigned int pe_give_page(struct pe_rb *rb, struct pe_rb_data_page **page, u64 ts)
{
	struct pe_rb_page *mine = &rb->pages[rb->rd_page];
	unsigned int bytes = rb->rd.end - PE_RB_PAGE_HEAD;

	swap(mine->data, *page);
	pe_rb_page_seal(*page, rb->page_size, bytes, ts, rb->rd_lost);
	rb->rd.page = mine->data;
	pe_start_page(rb, rb->rd_seq + 1);
	return bytes;
}

unsigned int pe_rb_take_page(struct pe_rb *rb, struct pe_rb_data_page **page,
			     bool partial)
{
	struct pe_rb_record rec;
	struct pe_rb_cursor c;
	unsigned int bytes, n;
	bool open;

	if (!pe_rb_peek(rb, &rec))
		return 0;
	open = rb->rd_seq == pe_rb_pos_seq(rb, pe_load_commit(rb));
	if (open && !partial)
		return 0;
	pe_rb_odd_begin(&rb->rd_moves);
	/*
	 * This is a copy of a page that has since become complete.  Take the
	 * page itself, if it is still there.
	 */
	if (!open && !rb->rd_whole)
		pe_rb_read_take(rb, rb->rd_seq);
	if (rb->rd_whole && rb->rd.off == PE_RB_PAGE_HEAD) {
		bytes = pe_give_page(rb, page, rec.ts);
	} else {
		bytes = pe_rb_page_cut(*page, rb->page_size, &rb->rd, rec.ts,
				       rb->rd_lost);
		pe_walk_to_end(&rb->rd, NULL);
	}
	pe_rb_odd_end(&rb->rd_moves);
	rb->rd_lost = 0;
	/* Its times begin with rec.ts, which may be later than rd.ts. */
	pe_rb_cursor_init(&c, *page, PE_RB_PAGE_HEAD + bytes);
	n = pe_walk_to_end(&c, &rb->rd_ts);
	rb->rd_next += n;
	rb->rd_count += n;
	pe_note_pos(rb);
	return bytes;
}

bool pe_rb_maybe_data(const struct pe_rb *rb)
{
	return READ_ONCE(rb->rd_pos) != pe_load_commit(rb);
}

unsigned int pe_rb_full_pages(const struct pe_rb *rb)
{
	u64 first = pe_rb_pos_seq(rb, READ_ONCE(rb->rd_pos));
	u64 n = pe_rb_pos_seq(rb, pe_load_commit(rb)) - first;

	return min_t(u64, n, rb->nr_pages - 1);
}

struct pe_rb_end pe_rb_end_now(const struct pe_rb *rb)
{
	return (struct pe_rb_end){ pe_load_commit(rb), READ_ONCE(rb->resets) };
}

bool pe_rb_unread(const struct pe_rb *rb, struct pe_rb_end end)
{
	/* Further than what is complete: a reset was under way in pe_rb_end_now(). */
	return READ_ONCE(rb->resets) == end.resets && READ_ONCE(rb->rd_pos) < end.pos &&
	       end.pos <= pe_load_commit(rb);
}

bool pe_rb_oldest_ts(struct pe_rb *rb, u64 *ts)
{
	struct pe_rb_record rec;

	if (!pe_rb_peek(rb, &rec))
		return false;
	*ts = rec.ts;
	return true;
}

/*
 * The iterator works as the reader does, but it also copies whole pages, and
 * the page that the reader has taken.
 */

/* Has it reached the point that was the ring's end for it? */
static bool pe_iter_ended(const struct pe_rb_iter *it)
{
	const struct pe_rb *rb = it->rb;
	u64 last = pe_rb_pos_seq(rb, it->end);

	return it->seq > last || rb->rd_seq > last ||
	       (it->seq == last && it->c.off >= pe_rb_pos_off(rb, it->end));
}

/*
 * Leave out records that were added to the page in work since the start.  After
 * pe_iter_join() the reader may be further than the end.
 */
static void pe_iter_cut(struct pe_rb_iter *it)
{
	unsigned int end = max(pe_rb_pos_off(it->rb, it->end), it->c.off);

	if (it->seq == pe_rb_pos_seq(it->rb, it->end) && it->c.end > end) {
		it->c.end = end;
		it->whole = false;
	}
}

/* Moves the iterator to the reader's place: all records before it are consumed. */
static void pe_iter_join(struct pe_rb_iter *it)
{
	const struct pe_rb *rb = it->rb;

	it->seq = rb->rd_seq;
	it->next = rb->rd_next;
	it->whole = rb->rd_whole;
	it->c = rb->rd;
	it->c.page = it->buf;
	it->ts = rb->rd_ts;
	if (rb->nr_pages)
		memcpy(it->buf, rb->pages[rb->rd_page].data, rb->page_size);
}

static void pe_iter_start_page(struct pe_rb_iter *it, u64 seq)
{
	it->whole = false;
	it->seq = seq;
	it->c.off = PE_RB_PAGE_HEAD;
	it->c.end = PE_RB_PAGE_HEAD;
}

/* The reader has the page that the iterator wants, as a whole. */
static void pe_iter_copy_taken(struct pe_rb_iter *it)
{
	const struct pe_rb *rb = it->rb;
	const struct pe_rb_page *page = &rb->pages[rb->rd_page];

	memcpy(it->buf, page->data, rb->page_size);
	if (it->c.off == PE_RB_PAGE_HEAD) {
		it->c.ts = page->data->ts;
		it->lost += page->first - it->next;
		it->next = page->first;
	}
	it->c.end = rb->rd.end;
	it->whole = true;
}

static bool pe_iter_refill(struct pe_rb_iter *it)
{
	const struct pe_rb *rb = it->rb;

	if (it->whole)
		pe_iter_start_page(it, it->seq + 1);
	if (pe_iter_ended(it))
		return false;
	if (it->seq < rb->rd_seq) {
		pe_iter_join(it);
		return true;
	}
	if (it->seq == rb->rd_seq && rb->rd_whole) {
		pe_iter_copy_taken(it);
		return true;
	}
	for (;;) {
		u64 commit = pe_load_commit(rb);
		struct page_head head;

		it->whole = it->seq != pe_rb_pos_seq(rb, commit);
		if (!it->whole && pe_rb_pos_off(rb, commit) <= it->c.off)
			return false;
		if (pe_snapshot_page(rb, it->seq, commit, it->c.off, it->buf, &head)) {
			if (it->c.off == PE_RB_PAGE_HEAD) {
				it->c.ts = head.ts;
				it->lost += head.first - it->next;
				it->next = head.first;
			}
			it->c.end = head.end;
			return true;
		}
		pe_iter_start_page(it, pe_oldest_left(rb, it->seq));
		if (pe_iter_ended(it))
			return false;
	}
}

void pe_rb_iter_start(struct pe_rb_iter *it, struct pe_rb *rb, void *buf)
{
	struct pe_rb_record rec;

	it->rb = rb;
	it->buf = buf;
	it->lost = 0;
	it->resets = rb->resets;
	it->end = pe_load_commit(rb);
	pe_iter_join(it);
	/* Records overwritten before the start are no loss of this iterator. */
	if (pe_rb_iter_peek(it, &rec))
		it->lost = 0;
}

bool pe_rb_iter_extend(struct pe_rb_iter *it)
{
	if (it->resets != it->rb->resets)
		return false;
	it->end = pe_load_commit(it->rb);
	return true;
}

bool pe_rb_iter_peek(struct pe_rb_iter *it, struct pe_rb_record *rec)
{
	if (it->resets != it->rb->resets)
		return false;
	while (!pe_rb_cursor_next(&it->c, rec)) {
		if (!pe_iter_refill(it))
			return false;
		pe_iter_cut(it);
	}
	if ((s64)(rec->ts - it->ts) < 0)
		rec->ts = it->ts;
	rec->lost = it->lost;
	return true;
}

void pe_rb_iter_next(struct pe_rb_iter *it)
{
	struct pe_rb_record rec;

	if (!pe_rb_iter_peek(it, &rec))
		return;
	it->ts = rec.ts;
	it->lost = 0;
	it->next++;
	pe_rb_cursor_skip(&it->c);
}

/*
 * Statistics.  Every record before rd_next was read, or found overwritten.
 * Later records are in rd_page, or in the ring, or overwritten without the
 * reader's knowledge.
 */

/* Records committed so far, with those of the page in work in @buf; their size. */
static u64 pe_count_written(const struct pe_rb *rb, void *buf, u64 *bytes)
{
	struct pe_rb_cursor c;
	struct page_head head;
	u64 commit;

	do {
		commit = pe_load_commit(rb);
	} while (!pe_snapshot_page(rb, pe_rb_pos_seq(rb, commit), commit, PE_RB_PAGE_HEAD, buf,
			    &head));
	c.page = buf;
	c.off = PE_RB_PAGE_HEAD;
	c.end = head.end;
	c.ts = head.ts;
	*bytes = head.bytes + head.end - PE_RB_PAGE_HEAD;
	return head.first + pe_rb_cursor_count(&c);
}

/*
 * The number of records missing between the reader's page and the oldest in the
 * ring.  @next: the number that should be there if none were missing.  @before:
 * the size of all records before the oldest.  Pages know their numbers, so no
 * other page has to be read.
 */
static u64 pe_rb_read_count_missed(const struct pe_rb *rb, u64 next, u64 *before)
{
	u64 seq = rb->rd_whole ? rb->rd_seq + 1 : rb->rd_seq;
	unsigned int off = rb->rd_whole ? PE_RB_PAGE_HEAD : rb->rd.end;
	struct page_head head;

	while (!pe_snapshot_page(rb, seq, pe_load_commit(rb), off, NULL, &head)) {
		/* It was overwritten, and so were all pages before it. */
		seq = pe_oldest_left(rb, seq);
		off = PE_RB_PAGE_HEAD;
	}
	*before = head.bytes + off - PE_RB_PAGE_HEAD;
	return off == PE_RB_PAGE_HEAD ? head.first - next : 0;
}

void pe_rb_stats(struct pe_rb *rb, struct pe_rb_stats *st, void *buf)
{
	u64 next, missed, bytes, before;

	memset(st, 0, sizeof(*st));
	if (!rb->nr_pages)
		return;
	next = rb->rd_next + pe_rb_cursor_count(&rb->rd);
	st->written = pe_count_written(rb, buf, &bytes);
	missed = pe_rb_read_count_missed(rb, next, &before);
	/* If writers went around the ring meanwhile, there are more than were counted. */
	st->written = max(st->written, next + missed);
	st->bytes = max(bytes, before) - before + rb->rd.end - rb->rd.off;
	st->overrun = rb->rd_overrun + missed;
	st->read_events = rb->rd_count;
	st->entries = st->written - st->overrun - st->read_events;
	st->commit_overrun = local_read(&rb->commit_overrun);
	st->dropped_events = local_read(&rb->dropped);
}
