// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_page.c - decoding the records of a sub-buffer.  [P]
 *
 * The format is in rb_page.h.  Nothing read from a page is trusted: a cursor
 * never leaves [page, end), whatever the bytes are, and each step moves it.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include "rb_page.h"

#define STAMP_MASK	((1ULL << PE_RB_STAMP_BITS) - 1)

/* A record that only has time. */
static bool pe_decode_time(struct pe_rb_step *s, const u32 *words, unsigned int room, u64 ts)
{
	unsigned int type = words[0] & 31;
	u32 delta = words[0] >> 5;
	u64 wide;

	if (room < 8)
		return false;
	wide = (u64)words[1] << PE_RB_DELTA_BITS | delta;
	s->size = 8;
	switch (type) {
	case PE_RB_TYPE_EXTEND:
		s->ts = ts + wide;
		return true;
	case PE_RB_TYPE_STAMP:
		s->ts = (ts & ~STAMP_MASK) | (wide & STAMP_MASK);
		return true;
	default:
		if (!delta || words[1] < 4 || words[1] > room - 4 || words[1] % 4)
			return false;
		s->ts = ts + delta;
		s->size = 4 + words[1];
		return true;
	}
}

bool pe_rb_step_decode(struct pe_rb_step *s, const u32 *words, unsigned int room, u64 ts)
{
	unsigned int type = words[0] & 31, len = type * 4;

	s->has_data = type < PE_RB_TYPE_PADDING;
	if (!s->has_data)
		return pe_decode_time(s, words, room, ts);
	s->head = 4;
	if (!type) {
		/* The length is given with its own word. */
		if (room < 8 || words[1] < 4 || words[1] > room - 4)
			return false;
		s->head = 8;
		len = words[1] - 4;
	}
	s->len = len;
	len = ALIGN(len, 4u);
	if (len > room - s->head)
		return false;
	s->ts = ts + (words[0] >> 5);
	s->size = s->head + len;
	return true;
}

void pe_rb_cursor_init(struct pe_rb_cursor *c, const struct pe_rb_data_page *page,
		       unsigned int end)
{
	c->page = page;
	c->off = PE_RB_PAGE_HEAD;
	c->end = end;
	c->ts = page->ts;
}

bool pe_rb_cursor_next(struct pe_rb_cursor *c, struct pe_rb_record *rec)
{
	struct pe_rb_step s;

	while (c->off + 4 <= c->end) {
		const u8 *at = (const u8 *)c->page + c->off;

		if (!pe_rb_step_decode(&s, (const u32 *)at, c->end - c->off, c->ts))
			break;
		if (s.has_data) {
			rec->data = at + s.head;
			rec->len = s.len;
			rec->ts = s.ts;
			c->next_ts = s.ts;
			c->next_off = c->off + s.size;
			return true;
		}
		c->ts = s.ts;
		c->off += s.size;
	}
	c->off = c->end;
	return false;
}

unsigned int pe_rb_cursor_count(const struct pe_rb_cursor *c)
{
	struct pe_rb_cursor walk = *c;
	struct pe_rb_record rec;
	unsigned int n = 0;

	for (; pe_rb_cursor_next(&walk, &rec); n++)
		pe_rb_cursor_skip(&walk);
	return n;
}

void pe_rb_page_seal(struct pe_rb_data_page *page, unsigned int page_size,
		     unsigned int bytes, u64 ts, u64 lost)
{
	u64 commit = bytes;

	memset(page->data + bytes, 0, page_size - PE_RB_PAGE_HEAD - bytes);
	page->ts = ts;
	*(u32 *)page->data &= 31;	/* clear the delta: the page has the time */
	if (lost) {
		commit |= PE_RB_COMMIT_LOST;
		if (bytes + PE_RB_PAGE_HEAD + sizeof(lost) <= page_size) {
			commit |= PE_RB_COMMIT_LOST_N;
			memcpy(page->data + bytes, &lost, sizeof(lost));
		}
	}
	page->commit = commit;
}

unsigned int pe_rb_page_cut(struct pe_rb_data_page *dst, unsigned int page_size,
			    const struct pe_rb_cursor *c, u64 ts, u64 lost)
{
	unsigned int bytes = c->end - c->off;

	memcpy(dst->data, (const u8 *)c->page + c->off, bytes);
	pe_rb_page_seal(dst, page_size, bytes, ts, lost);
	return bytes;
}

int pe_rb_header_page_text(char *buf, size_t size, unsigned int page_size)
{
	return scnprintf(buf, size,
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		PE_RB_PAGE_HEAD, page_size - PE_RB_PAGE_HEAD,
		(char)-1 < 0);	/* the kernel's is unsigned since 6.2 */
}

int pe_rb_header_event_text(char *buf, size_t size)
{
	return scnprintf(buf, size,
		"# compressed entry header\n"
		"\ttype_len    :    5 bits\n"
		"\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n"
		"\n"
		"\tpadding     : type == %u\n"
		"\ttime_extend : type == %u\n"
		"\ttime_stamp : type == %u\n"
		"\tdata max type_len  == %u\n",
		PE_RB_TYPE_PADDING, PE_RB_TYPE_EXTEND, PE_RB_TYPE_STAMP,
		PE_RB_TYPE_MAX_SHORT);
}
