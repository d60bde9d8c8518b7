/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_page.h - the bytes of a sub-buffer, and a cursor over them.  [P]
 *
 *   0   u64 time of the first record
 *   8   u64 bits 0-26 bytes of data, bit 31 records were lost before this page,
 *       bit 30 (with 31) their number is a u64 after the data
 *   16  records
 *
 * A record starts with a u32: bits 0-4 type, bits 5-31 time since the record
 * before it.
 *
 *   1..28  data of type * 4 bytes
 *   0      data; the next u32 is its length plus 4
 *   29     nothing; the next u32 L says that it is 4 + L bytes long.  A delta of
 *          0 means that the rest of the page is unused.
 *   30     8 bytes; the next u32 holds the delta's bits 27 and up
 *   31     8 bytes, packed likewise: 59 bits of an absolute time
 */
#ifndef PE_RB_PAGE_H
#define PE_RB_PAGE_H

#include <linux/compiler.h>
#include <linux/types.h>

#define PE_RB_PAGE_HEAD		16u	/* bytes before the first record */
#define PE_RB_PAGE_SPARE	8u	/* kept free for the number of lost records */

#define PE_RB_COMMIT_BYTES	0x07ffffffULL
#define PE_RB_COMMIT_LOST	(1ULL << 31)
#define PE_RB_COMMIT_LOST_N	(1ULL << 30)

#define PE_RB_TYPE_MAX_SHORT	28u
#define PE_RB_TYPE_PADDING	29u
#define PE_RB_TYPE_EXTEND	30u
#define PE_RB_TYPE_STAMP	31u
#define PE_RB_DELTA_BITS	27
#define PE_RB_STAMP_BITS	59

struct pe_rb_data_page {
	u64 ts;
	u64 commit;
	u8 data[];
};

/**
 * struct pe_rb_cursor - a place in a page that no writer uses
 * @page: the bytes
 * @off: the next record; PE_RB_PAGE_HEAD at the start
 * @end: past the last record
 * @next_off: past the record that pe_rb_cursor_next() showed
 * @ts: time of the record before @off; the page's own at the start.  The page
 *	gives it; the readers in rb_read.c make sure that it never goes back.
 * @next_ts: time of that record
 */
struct pe_rb_cursor {
	const struct pe_rb_data_page *page;
	unsigned int off;
	unsigned int end;
	unsigned int next_off;
	u64 ts;
	u64 next_ts;
};

/**
 * struct pe_rb_record - a record as readers see it
 * @ts: absolute, in units of the buffer's clock; never less than the one before
 * @data: payload; valid until the next call with the same reader
 * @len: bytes of payload, rounded up to 4 as the page has it
 * @lost: records lost between the record before and this one
 */
struct pe_rb_record {
	u64 ts;
	const void *data;
	unsigned int len;
	u64 lost;
};

/**
 * struct pe_rb_step - what the first words of a record say
 * @ts: its time
 * @size: all its bytes
 * @head: those before the payload
 * @len: of the payload, rounded up to 4
 * @has_data: there is a payload; otherwise the record only has time
 */
struct pe_rb_step {
	u64 ts;
	unsigned int size;
	unsigned int head;
	unsigned int len;
	bool has_data;
};

/**
 * pe_rb_step_decode() - decode the first words of a record
 * @s: filled
 * @words: one word; two if @room has them
 * @room: bytes up to the end of the page's records, at least 4
 * @ts: time of the record before
 *
 * Return: false if it is malformed, or says that nothing follows.  Otherwise @s->size is at
 * least 4 and at most @room.
 */
bool pe_rb_step_decode(struct pe_rb_step *s, const u32 *words, unsigned int room, u64 ts);

void pe_rb_cursor_init(struct pe_rb_cursor *c, const struct pe_rb_data_page *page,
		       unsigned int end);

/**
 * pe_rb_cursor_next() - step over records without data, decode the next one
 * @c: moved to the record, not past it; pe_rb_cursor_skip() does that
 * @rec: filled; @lost is left alone
 *
 * Trusts nothing in the page: a malformed record ends it.
 *
 * Return: false at the end.
 */
bool pe_rb_cursor_next(struct pe_rb_cursor *c, struct pe_rb_record *rec);

/* Moves @c past the record that pe_rb_cursor_next() showed. */
static inline void pe_rb_cursor_skip(struct pe_rb_cursor *c)
{
	c->ts = c->next_ts;
	c->off = c->next_off;
}

/* Data records from @c to its end; @c is not moved. */
unsigned int pe_rb_cursor_count(const struct pe_rb_cursor *c);

/**
 * pe_rb_page_seal() - make a page ready for readers of its bytes
 * @page: its first record is data
 * @page_size: bytes of @page
 * @bytes: of records
 * @ts: the first record's time, which becomes the page's
 * @lost: records lost before it; 0 sets no mark
 *
 * The bytes after the records become 0.
 */
void pe_rb_page_seal(struct pe_rb_data_page *page, unsigned int page_size,
		     unsigned int bytes, u64 ts, u64 lost);

/**
 * pe_rb_page_cut() - make a page of its own from the rest of a page
 * @dst: page_size bytes; unused bytes become 0
 * @page_size: bytes of @dst
 * @c: pe_rb_cursor_next() has moved it to the first record to take
 * @ts: that record's time, which becomes the page's
 * @lost: records lost before it; 0 sets no mark
 *
 * Return: bytes of records.
 */
unsigned int pe_rb_page_cut(struct pe_rb_data_page *dst, unsigned int page_size,
			    const struct pe_rb_cursor *c, u64 ts, u64 lost);

/* The texts of events/header_page and events/header_event. */
int pe_rb_header_page_text(char *buf, size_t size, unsigned int page_size);
int pe_rb_header_event_text(char *buf, size_t size);

#endif
