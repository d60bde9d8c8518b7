/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_dump.h - reading a ring in a crash.  [P]
 *
 * Any context, NMI included, without the reader's lock: its owner may be the task that was
 * interrupted, or one that never runs again.  Writers may be anywhere, too.  The caller lets
 * only one dump at a time use a ring, and keeps the ring itself (not its memory) where it is.
 *
 *	pe_rb_dump_start(&d, rb);
 *	while (pe_rb_dump_peek(&d))
 *		if (pe_rb_dump_take(&d, buf, size, &rec))
 *			show rec;
 *	pe_rb_dump_rest(&d, &rest);
 */
#ifndef PE_RB_DUMP_H
#define PE_RB_DUMP_H

#include <linux/types.h>
#include "rb.h"

/**
 * struct pe_rb_dump - a dump's place in a ring
 * @ts: after a true pe_rb_dump_peek(), the record's time; all else is for the implementation only
 * @rb: the ring
 * @changes: the ring's, at the start, as the next four: they hold while it is the same
 * @nr_pages: likewise
 * @page_shift: likewise
 * @slots: likewise
 * @pages: likewise
 * @commit: where the dump ends
 * @open: there is a page to read
 * @again: @commit was moved once
 * @readers: the page is the reader's, and holds while rd_moves is @moves; otherwise while its
 *	slot has @word
 * @moves: see @readers
 * @word: see @readers
 * @seq: the page's logical number
 * @first: number of its first record
 * @data: address of its bytes
 * @off: the next record in it
 * @end: past its last record
 * @number: of the record at @off
 * @page_ts: time of the record before
 * @step: the record at @off, after a true peek
 * @next: number of the next record if nothing is lost
 * @lost: records lost before it that its number does not tell
 * @drops: drops that are in @lost, or in an earlier report
 */
struct pe_rb_dump {
	u64 ts;

	struct pe_rb *rb;
	unsigned int changes;
	unsigned int nr_pages;
	unsigned int page_shift;
	u64 *slots;
	const struct pe_rb_page *pages;

	u64 commit;
	bool open;
	bool again;
	bool readers;
	unsigned int moves;
	u64 word;
	u64 seq;
	u64 first;
	unsigned long data;
	unsigned int off;
	unsigned int end;
	u64 number;
	u64 page_ts;
	struct pe_rb_step step;

	u64 next;
	u64 lost;
	u64 drops;
};

/**
 * struct pe_rb_dump_rest - what a dump could not show
 * @lost: records that found no room, after the last one that was shown
 * @torn: records that were being written, or complete after one of these.  One that is just
 *	being completed counts twice
 * @changed: the ring was being emptied or resized, and the rest could not be read
 */
struct pe_rb_dump_rest {
	u64 lost;
	u64 torn;
	bool changed;
};

/**
 * pe_rb_dump_start() - begin with the oldest record that is neither consumed nor dumped
 * @d: filled
 * @rb: the ring
 */
void pe_rb_dump_start(struct pe_rb_dump *d, struct pe_rb *rb);

/* Is there another one?  Ends with what was there at the start, or soon after. */
bool pe_rb_dump_peek(struct pe_rb_dump *d);

/**
 * pe_rb_dump_take() - copy the record at which a true pe_rb_dump_peek() has stopped
 * @d: after a true pe_rb_dump_peek()
 * @buf: its bytes, as far as they fit
 * @size: bytes of @buf
 * @rec: filled; ->data is @buf, ->len what is there
 *
 * It then counts as dumped: no later dump shows it.  Readers still find it.
 *
 * Return: false if it has gone meanwhile.
 */
bool pe_rb_dump_take(struct pe_rb_dump *d, void *buf, unsigned int size,
		     struct pe_rb_record *rec);

/* After a false peek. */
void pe_rb_dump_rest(struct pe_rb_dump *d, struct pe_rb_dump_rest *rest);

#endif
