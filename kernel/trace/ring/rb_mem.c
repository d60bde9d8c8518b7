// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_mem.c - give a CPU's ring its memory, empty it, change its size.  [P]
 *
 * No writer or other reader runs beside these functions: the caller has
 * disabled the ring, waited a grace period, and holds the reader's lock.  Then
 * no page is in work but that of rb->write, nest is 0, and rb->commit is
 * rb->write.
 *
 * Changing the size keeps page numbers and positions: page s only moves from
 * slot s % N to slot s % N'.  So the numbers that a reader or an iterator
 * remembers keep their meaning.
 *
 * There may be millions of pages: loops over them call cond_resched().
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include "rb.h"
#include "rb_internal.h"
#include "rb_mem.h"
#include "rb_page.h"

static void pe_use_memory(struct pe_rb *rb, const struct pe_rb_memory *mem)
{
	rb->nr_pages = mem->nr_pages;
	rb->slots = mem->slots;
	rb->pages = mem->pages;
	rb->page_shift = mem->page_shift;
	rb->page_size = 1u << mem->page_shift;
	rb->limit = rb->page_size - PE_RB_PAGE_SPARE;
}

/* Make the slots of the next nr_pages pages after @seq free. */
static void pe_free_slots(struct pe_rb *rb, u64 seq)
{
	unsigned int i;
	u64 s;

	for (i = 0, s = seq + 1; i < rb->nr_pages; i++, s++) {
		*pe_rb_slot_of(rb, s) = pe_rb_slot_make(s - rb->nr_pages, s % rb->nr_pages,
					    SLOT_TAKEN);
		cond_resched();
	}
}

static void pe_reset_pages(struct pe_rb *rb)
{
	unsigned int i;
	struct pe_rb_page *page;

	for (i = 0; i <= rb->nr_pages; i++) {
		page = &rb->pages[i];
		*page = (struct pe_rb_page){ .data = page->data };
		memset(page->data, 0, sizeof(*page->data));
		cond_resched();
	}
	pe_free_slots(rb, FIRST_SEQ);
	i = FIRST_SEQ % rb->nr_pages;
	*pe_rb_slot_of(rb, FIRST_SEQ) = pe_rb_slot_make(FIRST_SEQ, i, 0);
	rb->pages[i].base = pe_rb_pos_make(rb, FIRST_SEQ, 0);
	rb->tail = &rb->pages[i];
}

static void pe_rb_empty_ring(struct pe_rb *rb)
{
	WRITE_ONCE(rb->resets, rb->resets + 1);	/* read by pe_rb_unread(), without a lock */
	if (rb->nr_pages)
		pe_reset_pages(rb);
	local_set(&rb->write, pe_rb_pos_make(rb, FIRST_SEQ, PE_RB_PAGE_HEAD));
	rb->commit = local_read(&rb->write);
	rb->open_end = pe_rb_pos_make(rb, FIRST_SEQ + 1, 0);
	rb->last_pos = 0;
	rb->last_ts = 0;
	rb->nest = 0;
	local_set(&rb->dropped, 0);
	local_set(&rb->commit_overrun, 0);

	rb->rd_page = rb->nr_pages;
	rb->rd_whole = false;
	rb->rd_seq = FIRST_SEQ;
	rb->rd = (struct pe_rb_cursor){ .off = PE_RB_PAGE_HEAD, .end = PE_RB_PAGE_HEAD };
	if (rb->nr_pages)
		pe_rb_cursor_init(&rb->rd, rb->pages[rb->rd_page].data, PE_RB_PAGE_HEAD);
	rb->rd_next = 0;
	rb->rd_drops = 0;
	rb->rd_lost = 0;
	rb->rd_count = 0;
	rb->rd_overrun = 0;
	rb->rd_ts = 0;
	WRITE_ONCE(rb->rd_pos, rb->commit);	/* read by pe_rb_maybe_data() */
}

void pe_rb_reset(struct pe_rb *rb)
{
	pe_rb_odd_begin(&rb->changes);
	pe_rb_empty_ring(rb);
	pe_rb_odd_end(&rb->changes);
}

void pe_rb_init(struct pe_rb *rb, const struct pe_rb_memory *mem)
{
	memset(rb, 0, sizeof(*rb));
	rb->disabled = 1;
	rb->overwrite = true;
	pe_use_memory(rb, mem);
	pe_rb_reset(rb);
}

static void pe_give_memory(const struct pe_rb *rb, struct pe_rb_memory *old)
{
	old->nr_pages = rb->nr_pages;
	old->page_shift = rb->page_shift;
	old->slots = rb->slots;
	old->pages = rb->pages;
}

void pe_rb_replace(struct pe_rb *rb, const struct pe_rb_memory *mem,
		   struct pe_rb_memory *old)
{
	pe_rb_odd_begin(&rb->changes);
	pe_give_memory(rb, old);
	pe_use_memory(rb, mem);
	pe_rb_empty_ring(rb);
	pe_rb_odd_end(&rb->changes);
}

/* Exchanges two data pages, and gives @to the state of @from. */
static void pe_rb_mem_hand_over(struct pe_rb_page *to, struct pe_rb_page *from)
{
	struct pe_rb_data_page *data = to->data;

	*to = *from;
	from->data = data;
}

/* Give each descriptor without a data page one that @before does not use. */
static void pe_take_over(struct pe_rb *rb, const struct pe_rb *before)
{
	struct pe_rb_page *from = before->pages;
	unsigned int i;

	for (i = 0; i <= rb->nr_pages; i++) {
		cond_resched();
		if (rb->pages[i].data)
			continue;
		while (!from->data)
			from++;
		rb->pages[i].data = from->data;
		from->data = NULL;
	}
}

void pe_rb_move(struct pe_rb *rb, const struct pe_rb_memory *mem,
		struct pe_rb_memory *old)
{
	u64 last = pe_rb_pos_seq(rb, rb->commit), seq, slot;
	const struct pe_rb before = *rb;

	pe_rb_odd_begin(&rb->changes);
	pe_give_memory(rb, old);
	pe_use_memory(rb, mem);
	pe_free_slots(rb, last);

	rb->rd_page = rb->nr_pages;
	pe_rb_mem_hand_over(&rb->pages[rb->rd_page], &before.pages[before.rd_page]);
	rb->rd.page = rb->pages[rb->rd_page].data;

	/*
	 * The newest pages.  There may be fewer than the old ring has slots:
	 * the reader took some, one is lost to a page that was prepared and not
	 * used, and some were left over when the ring was smaller.
	 */
	seq = last - min(rb->nr_pages, before.nr_pages) + 1;
	for (; seq <= last; seq++) {
		cond_resched();
		if (!pe_rb_in_slot(&before, seq, &slot))
			continue;
		pe_rb_mem_hand_over(&rb->pages[seq % rb->nr_pages],
				    &before.pages[pe_rb_slot_index(slot)]);
		*pe_rb_slot_of(rb, seq) = pe_rb_slot_make(seq, seq % rb->nr_pages, 0);
	}
	rb->tail = &rb->pages[last % rb->nr_pages];
	pe_take_over(rb, &before);
	pe_rb_odd_end(&rb->changes);
}
