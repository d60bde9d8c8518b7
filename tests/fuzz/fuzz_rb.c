// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Two targets in one.  First byte even: the rest is a page that another program
 * wrote; the cursor stays inside and always moves.  Odd: the rest is a list of
 * operations on a small ring; each committed record is read or counted as lost.
 */
#include "tests/unit/rb_world.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct pe_rb ring;

#define require(ok) do {						\
	if (!(ok)) {							\
		printf("line %d: %s\n", __LINE__, #ok);			\
		abort();						\
	}								\
} while (0)

static void page(const u8 *data, size_t size)
{
	static u64 buf[512];
	struct pe_rb_data_page *page = (void *)buf;
	struct pe_rb_cursor c;
	struct pe_rb_record rec;
	unsigned int end, off = 0;

	if (size > sizeof(buf))
		size = sizeof(buf);
	memset(buf, 0, sizeof(buf));
	memcpy(buf, data, size);
	end = size < PE_RB_PAGE_HEAD ? PE_RB_PAGE_HEAD : size;
	pe_rb_cursor_init(&c, page, end);
	while (pe_rb_cursor_next(&c, &rec)) {
		const u8 *p = rec.data;

		require(p >= page->data + 4 && p + rec.len <= (u8 *)buf + end);
		require(c.off >= off && c.next_off > c.off && c.next_off <= end);
		off = c.next_off;
		pe_rb_cursor_skip(&c);
	}
	require(c.off == c.end);
}

struct run {
	struct pe_rb_handle open[8];
	unsigned int nr_open;
	u64 committed, read, lost, refused, last_ts;
};

static void write_op(struct run *r, u8 op)
{
	unsigned int max = pe_rb_max_len(&ring), len = (op >> 3) * 5u;
	struct pe_rb_handle h;
	void *p;

	if (r->nr_open == ARRAY_SIZE(r->open))
		return;
	p = pe_rb_reserve(&ring, len > max ? max : len, &h);
	if (!p) {
		r->refused++;
		return;
	}
	memset(p, op, len > max ? max : len);
	r->open[r->nr_open++] = h;
}

static void close_op(struct run *r)
{
	if (!r->nr_open)
		return;
	r->nr_open--;
	pe_rb_commit(&r->open[r->nr_open]);
	r->committed++;
}

static void read_op(struct run *r)
{
	struct pe_rb_record rec;

	if (!pe_rb_peek(&ring, &rec))
		return;
	require(rec.ts >= r->last_ts);
	r->last_ts = rec.ts;
	r->read++;
	r->lost += rec.lost;
	pe_rb_consume(&ring);
}

static void operate(struct run *r, u8 op)
{
	switch (op & 7) {
	case 0: case 1: case 2:
		write_op(r, op);
		break;
	case 3: case 4: case 5:
		close_op(r);
		break;
	case 6:
		read_op(r);
		break;
	case 7:
		if (!r->nr_open)
			world_resize(&ring, 2 + (op >> 4));
		break;
	}
}

static void operations(const u8 *data, size_t size)
{
	static u64 buf[32];
	struct pe_rb_stats st;
	struct run r = { 0 };
	size_t i;

	if (!size)
		return;
	world_open(&ring, 2 + (data[0] & 7), 6 + (data[0] >> 3) % 3, data[0] & 128);
	for (i = 1; i < size; i++)
		operate(&r, data[i]);
	while (r.nr_open)
		close_op(&r);
	pe_rb_stats(&ring, &st, buf);
	require(st.written == r.committed && st.read_events == r.read);
	require(st.dropped_events + st.commit_overrun == r.refused);
	for (i = st.entries; i; i--)
		read_op(&r);
	require(!pe_rb_maybe_data(&ring));
	i = r.read;
	read_op(&r);
	require(r.read == i);
	/* One more record, to carry the mark of records lost after the last one. */
	write_op(&r, 8);
	close_op(&r);
	read_op(&r);
	pe_rb_stats(&ring, &st, buf);
	require(!st.entries && !st.bytes && !ring.nest);
	require(r.read + st.overrun == r.committed);
	require(r.lost >= st.overrun && r.lost <= st.overrun + r.refused);
	world_close(&ring);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] & 1)
		operations(data + 1, size - 1);
	else
		page(data + 1, size - 1);
	return 0;
}
