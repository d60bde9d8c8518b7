// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_dump.c - reading a ring in a crash.  [P]
 *
 * A dump never waits, and changes nothing that others read.  It looks at what readers and
 * writers keep, and then looks whether that was still so:
 *
 *   - a page in a slot is as described if the slot has the same word afterwards, as for other
 *     readers (pe_snapshot_page() in rb_read.c);
 *   - the page that the reader has taken, if rd_moves is the same, and not odd;
 *   - the memory of all of them, if changes is the same, and not odd.
 *
 * Memory may be given away and freed between the two looks.  So all of it but the ring itself is
 * read through pe_read_nofault().  Data that has changed is not read twice: it is left out.
 *
 * Records have numbers (rb.c).  So losses need no counting of their own: what is missing
 * between the reader's next number and that of a record is lost, whether it was overwritten or
 * could not be read.  And records that are consumed already, or dumped, are known by
 * theirs.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include <pe/nofault.h>
#include "rb.h"
#include "rb_dump.h"
#include "rb_internal.h"
#include "rb_page.h"

/* How often to look whether a reader on another CPU is done with its pages. */
#define MAX_LOOKS	1000

static bool pe_dump_look(void *dst, const void *src, size_t n)
{
	return pe_read_nofault(dst, (unsigned long)src, n);
}

static u64 pe_dump_last_seq(const struct pe_rb_dump *d)
{
	return d->commit >> d->page_shift;
}

static bool pe_dump_look_at_slot(const struct pe_rb_dump *d, u64 seq, u64 *word)
{
	return pe_dump_look(word, &d->slots[seq % d->nr_pages], sizeof(*word));
}

static bool pe_dump_same_memory(const struct pe_rb_dump *d)
{
	smp_rmb();					/* still_there:M */
	return READ_ONCE(d->rb->changes) == d->changes;
}

/* Was all that was read since the page was found this page's? */
static bool pe_dump_still_there(const struct pe_rb_dump *d)
{
	u64 word;

	smp_rmb();					/* still_there:L, snapshot_page:B */
	if (d->readers) {
		if (READ_ONCE(d->rb->rd_moves) != d->moves)
			return false;
	} else if (!pe_dump_look_at_slot(d, d->seq, &word) || word != d->word) {
		return false;
	}
	return pe_dump_same_memory(d);
}

/* Begin to read page @d->seq, which descriptor @index has. */
static bool pe_dump_open_page(struct pe_rb_dump *d, unsigned int index)
{
	struct pe_rb_data_page head;
	struct pe_rb_page page;

	if (index > d->nr_pages || !pe_dump_look(&page, &d->pages[index], sizeof(page)) ||
	    !pe_dump_look(&head, page.data, sizeof(head)))
		return false;
	if (d->seq == pe_dump_last_seq(d))
		d->end = d->commit & ((1u << d->page_shift) - 1);
	else
		d->end = (head.commit & PE_RB_COMMIT_BYTES) + PE_RB_PAGE_HEAD;
	if (d->end > 1u << d->page_shift || !pe_dump_still_there(d))
		return false;
	d->data = (unsigned long)page.data;
	d->off = PE_RB_PAGE_HEAD;
	d->first = page.first;
	d->number = page.first;
	d->page_ts = head.ts;
	if (page.drops > d->drops) {
		d->lost += page.drops - d->drops;
		d->drops = page.drops;
	}
	return true;
}

/* The page that the reader has taken out of the ring; false: none, or it is at work on it. */
static bool pe_dump_open_readers_page(struct pe_rb_dump *d)
{
	const struct pe_rb *rb = d->rb;
	unsigned int i;

	for (i = 0; i < MAX_LOOKS; i++) {
		d->moves = smp_load_acquire(&rb->rd_moves);	/* still_there:L */
		if (d->moves & 1)
			continue;
		d->readers = true;
		d->seq = READ_ONCE(rb->rd_seq);
		return READ_ONCE(rb->rd_whole) && pe_dump_open_page(d, READ_ONCE(rb->rd_page));
	}
	return false;
}

/* The first page from @seq on that is in the ring. */
static bool pe_dump_open_slot_page(struct pe_rb_dump *d, u64 seq)
{
	u64 last = pe_dump_last_seq(d);

	d->readers = false;
	while (seq <= last && pe_dump_same_memory(d)) {
		d->seq = seq;
		if (!pe_dump_look_at_slot(d, seq, &d->word))
			return false;
		smp_rmb();				/* snapshot_page:E */
		if (pe_rb_slot_seq(d->word) == seq && !(d->word & SLOT_TAKEN) &&
		    pe_dump_open_page(d, pe_rb_slot_index(d->word)))
			return true;
		/* As pe_oldest_left() in rb_read.c. */
		seq = max_t(u64, seq + 1, pe_rb_slot_seq(d->word) - d->nr_pages + 1);
	}
	return false;
}

/* Losses before @d->next, or in it, that an earlier dump has reported. */
static void pe_dump_leave_out_dumped(struct pe_rb_dump *d)
{
	const struct pe_rb *rb = d->rb;
	u64 dumped = READ_ONCE(rb->dumped);

	if (READ_ONCE(rb->dumped_resets) != READ_ONCE(rb->resets))
		return;
	if (dumped > d->next) {
		d->next = dumped;
		d->lost = 0;
	}
	d->drops = max(d->drops, READ_ONCE(rb->dumped_drops));
}

void pe_rb_dump_start(struct pe_rb_dump *d, struct pe_rb *rb)
{
	memset(d, 0, sizeof(*d));
	d->rb = rb;
	d->changes = smp_load_acquire(&rb->changes);	/* still_there:M */
	d->nr_pages = READ_ONCE(rb->nr_pages);
	d->page_shift = READ_ONCE(rb->page_shift);
	d->slots = READ_ONCE(rb->slots);
	d->pages = READ_ONCE(rb->pages);
	d->next = READ_ONCE(rb->rd_next);
	d->lost = READ_ONCE(rb->rd_lost);
	d->drops = READ_ONCE(rb->rd_drops);
	d->commit = smp_load_acquire(&rb->commit);	/* load_commit:A */
	pe_dump_leave_out_dumped(d);
	if (d->changes & 1 || !pe_dump_same_memory(d) || !d->nr_pages)
		return;
	d->open = pe_dump_open_readers_page(d) || pe_dump_open_slot_page(d, READ_ONCE(rb->rd_seq));
}

/* The page is read.  At the end of all, see once whether a writer has become ready meanwhile. */
static void pe_dump_next_page(struct pe_rb_dump *d)
{
	u64 commit;

	if (d->seq < pe_dump_last_seq(d)) {
		d->open = pe_dump_open_slot_page(d, d->seq + 1);
		return;
	}
	commit = smp_load_acquire(&d->rb->commit);	/* load_commit:A */
	d->open = false;
	if (d->again || commit == d->commit || !pe_dump_same_memory(d))
		return;
	d->again = true;
	d->commit = commit;
	d->open = pe_dump_open_slot_page(d, d->seq);
}

/* Past the record that @d->step says. */
static void pe_dump_pass(struct pe_rb_dump *d)
{
	d->number += d->step.has_data;
	d->page_ts = d->step.ts;
	d->off += d->step.size;
}

/* The next record of the page that has been neither read nor dumped. */
static bool pe_dump_find_record(struct pe_rb_dump *d)
{
	while (d->off + 4 <= d->end) {
		unsigned int room = d->end - d->off;
		u32 words[2] = {};

		if (!pe_dump_look(words, (void *)(d->data + d->off), min(room, 8u)) ||
		    !pe_dump_still_there(d) ||
		    !pe_rb_step_decode(&d->step, words, room, d->page_ts))
			return false;
		if (d->step.has_data && d->number >= d->next)
			return true;
		pe_dump_pass(d);
	}
	return false;
}

bool pe_rb_dump_peek(struct pe_rb_dump *d)
{
	while (d->open) {
		if (pe_dump_find_record(d)) {
			d->ts = max(d->ts, d->step.ts);
			return true;
		}
		pe_dump_next_page(d);
	}
	return false;
}

bool pe_rb_dump_take(struct pe_rb_dump *d, void *buf, unsigned int size,
		     struct pe_rb_record *rec)
{
	struct pe_rb *rb = d->rb;
	u64 consumed;

	rec->len = min(size, d->step.len);
	if (!pe_dump_look(buf, (void *)(d->data + d->off + d->step.head), rec->len) ||
	    !pe_dump_still_there(d)) {
		d->off = d->end;
		return false;
	}
	rec->data = buf;
	rec->ts = d->ts;
	/* Records that a reader has got meanwhile are not lost. */
	consumed = min(READ_ONCE(rb->rd_next), d->number);
	d->next = max(d->next, consumed);
	rec->lost = d->lost + d->number - d->next;
	d->lost = 0;
	d->next = d->number + 1;
	/* read by pe_dump_leave_out_dumped(), maybe of another CPU: see files/crash_dump.c */
	WRITE_ONCE(rb->dumped, d->next);
	WRITE_ONCE(rb->dumped_drops, d->drops);
	WRITE_ONCE(rb->dumped_resets, READ_ONCE(rb->resets));
	pe_dump_pass(d);
	return true;
}

/* Records after the ring's end: open ones, and those that are complete. */
static u64 pe_dump_count_torn(const struct pe_rb_dump *d)
{
	u64 last = (u64)local_read(&d->rb->write) >> d->page_shift, seq, word;
	u64 n = READ_ONCE(d->rb->nest), published, complete;
	struct pe_rb_page page;

	if (!n || d->readers || d->seq != pe_dump_last_seq(d))
		return n;
	published = d->number - d->first;
	for (seq = d->seq; seq <= last; seq++) {
		if (!pe_dump_look_at_slot(d, seq, &word) || pe_rb_slot_seq(word) != seq ||
		    word & SLOT_TAKEN ||
		    !pe_dump_look(&page, &d->pages[pe_rb_slot_index(word)], sizeof(page)))
			break;
		/* Not read at once: a writer may have been between them. */
		complete = max_t(long, 0, local_read(&page.total) - (long)page.snap);
		/* Less: it is being published, which sets snap first. */
		n += max(complete, published) - published;
		published = 0;
	}
	return n;
}

void pe_rb_dump_rest(struct pe_rb_dump *d, struct pe_rb_dump_rest *rest)
{
	struct pe_rb *rb = d->rb;
	u64 drops = local_read(&rb->dropped) + local_read(&rb->commit_overrun);

	*rest = (struct pe_rb_dump_rest){
		.changed = d->changes & 1 || !pe_dump_same_memory(d),
	};
	if (rest->changed || !d->nr_pages)
		return;
	rest->lost = d->lost + max(drops, d->drops) - d->drops;
	rest->torn = pe_dump_count_torn(d);
	d->lost = 0;
	d->drops = max(drops, d->drops);
	/* read by pe_dump_leave_out_dumped() */
	WRITE_ONCE(rb->dumped, d->next);
	WRITE_ONCE(rb->dumped_drops, d->drops);
	WRITE_ONCE(rb->dumped_resets, READ_ONCE(rb->resets));
}
