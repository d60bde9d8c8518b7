// SPDX-License-Identifier: GPL-2.0
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

static u32 word_at(const struct pe_rb_cursor *c, unsigned int off)
{
	return *(const u32 *)((const u8 *)c->page + off);
}

void pe_rb_cursor_init(struct pe_rb_cursor *c, const struct pe_rb_data_page *page,
		       unsigned int end)
{
	c->page = page;
	c->off = PE_RB_PAGE_HEAD;
	c->end = end;
	c->ts = page->ts;
}

/*
 * Steps over a record that only has time.  @room: bytes up to the end.  Return:
 * its size; 0 if it is malformed or says that nothing follows.
 */
static unsigned int skip_time(struct pe_rb_cursor *c, unsigned int type, u32 delta,
			      unsigned int room)
{
	u32 second;
	u64 wide;

	if (room < 8)
		return 0;
	second = word_at(c, c->off + 4);
	wide = (u64)second << PE_RB_DELTA_BITS | delta;
	switch (type) {
	case PE_RB_TYPE_EXTEND:
		c->ts += wide;
		return 8;
	case PE_RB_TYPE_STAMP:
		c->ts = (c->ts & ~STAMP_MASK) | (wide & STAMP_MASK);
		return 8;
	default:
		if (!delta || second < 4 || second > room - 4 || second % 4)
			return 0;
		c->ts += delta;
		return 4 + second;
	}
}

/* The data record at c->off.  Return: its size, 0 if it is malformed. */
static unsigned int decode_data(const struct pe_rb_cursor *c, unsigned int type,
				unsigned int room, struct pe_rb_record *rec)
{
	unsigned int head = 4, len = type * 4;

	if (!type) {
		u32 with_itself;

		if (room < 8)
			return 0;
		with_itself = word_at(c, c->off + 4);
		if (with_itself < 4 || with_itself > room - 4)
			return 0;
		head = 8;
		len = with_itself - 4;
	}
	if (ALIGN(len, 4u) > room - head)
		return 0;
	rec->data = (const u8 *)c->page + c->off + head;
	rec->len = len;
	return head + ALIGN(len, 4u);
}

bool pe_rb_cursor_next(struct pe_rb_cursor *c, struct pe_rb_record *rec)
{
	while (c->off + 4 <= c->end) {
		u32 word = word_at(c, c->off);
		unsigned int type = word & 31, room = c->end - c->off, size;
		u32 delta = word >> 5;

		if (type < PE_RB_TYPE_PADDING) {
			size = decode_data(c, type, room, rec);
			if (!size)
				break;
			rec->ts = c->ts + delta;
			c->next_ts = rec->ts;
			c->next_off = c->off + size;
			return true;
		}
		size = skip_time(c, type, delta, room);
		if (!size)
			break;
		c->off += size;
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
