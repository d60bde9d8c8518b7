// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * The ring case by case, one thread.  The clock plays interrupts: a writer reads it between
 * looking at the ring's end and moving it.
 */
#include "rb_single.h"

static void put(u32 value, unsigned int len)
{
	struct pe_rb_handle h;
	u32 *p = pe_rb_reserve(&ring, len, &h);

	EXPECT(p);
	if (!p)
		return;
	memset(p, 0, len);
	*p = value;
	pe_rb_commit(&h);
}

#define GET(want, want_lost) do {					\
	struct pe_rb_record r_;						\
	bool got_ = pe_rb_peek(&ring, &r_);				\
	EXPECT(got_);							\
	if (!got_)							\
		break;							\
	EXPECT_EQ(*(const u32 *)r_.data, want);				\
	EXPECT_EQ(r_.lost, want_lost);					\
	pe_rb_consume(&ring);						\
} while (0)

/* Records of 4 bytes with the numbers @from to before @to. */
static void put_all(u32 from, u32 to)
{
	for (; from < to; from++)
		put(from, 4);
}

#define GET_ALL(from, to) do {						\
	u32 n_;								\
	for (n_ = (from); n_ < (to); n_++)				\
		GET(n_, 0);						\
} while (0)

#define ITER_ALL(it, from, to) do {					\
	struct pe_rb_record r_;						\
	u32 n_;								\
	for (n_ = (from); n_ < (to); n_++) {				\
		EXPECT(pe_rb_iter_peek(it, &r_));			\
		EXPECT_EQ(*(const u32 *)r_.data, n_);			\
		pe_rb_iter_next(it);					\
	}								\
} while (0)

#define NOTHING() do {							\
	struct pe_rb_record r_;						\
	EXPECT(!pe_rb_peek(&ring, &r_));				\
	EXPECT(!pe_rb_maybe_data(&ring));				\
} while (0)

static void test_first_records(void)
{
	struct pe_rb_record rec;
	u64 ts, third;

	open_ring(4, 12, true);
	NOTHING();
	EXPECT(!pe_rb_oldest_ts(&ring, &ts));
	put(1, 4);
	clock_step = 1 << 28;			/* needs a time extend */
	put(2, 100);
	clock_step = 1;
	put(3, 113);				/* the shortest long one */
	third = now;
	EXPECT(pe_rb_maybe_data(&ring));
	EXPECT_EQ(stats().entries, 3);
	EXPECT_EQ(stats().bytes, 8 + 8 + 104 + 8 + 116);
	EXPECT(pe_rb_oldest_ts(&ring, &ts));
	EXPECT_EQ(ts, 1002);	/* the first reading was for the common case */
	EXPECT(pe_rb_peek(&ring, &rec));
	EXPECT_EQ(rec.ts, 1002);
	EXPECT_EQ(rec.len, 4);
	GET(1, 0);
	EXPECT(pe_rb_peek(&ring, &rec));
	EXPECT(rec.ts >= 1002 + (1 << 28));
	EXPECT_EQ(rec.ts, third - 2);
	EXPECT_EQ(rec.len, 100);
	GET(2, 0);
	EXPECT(pe_rb_peek(&ring, &rec));
	EXPECT_EQ(rec.ts, now);
	EXPECT_EQ(rec.len, 116);
	GET(3, 0);
	NOTHING();
	put(4, 4);				/* goes on in a page read in part */
	GET(4, 0);
	NOTHING();
	EXPECT_EQ(stats().read_events, 4);
	EXPECT_EQ(stats().entries, 0);
	EXPECT_EQ(stats().bytes, 0);
	world_close(&ring);
}

static void test_disabled(void)
{
	struct pe_rb_handle h;

	open_ring(2, 12, true);
	ring.disabled = 1;
	EXPECT(!pe_rb_reserve(&ring, 8, &h));
	EXPECT_EQ(h.fail, PE_RB_FAIL_OFF);
	EXPECT_EQ(ring.nest, 0);
	NOTHING();
	world_close(&ring);
}

static void test_lengths(void)
{
	unsigned int len, max;
	u64 lost = 0;
	struct pe_rb_handle h;
	struct pe_rb_record rec;
	u8 *p;

	open_ring(3, 12, true);
	max = pe_rb_max_len(&ring);
	EXPECT_EQ(max, 4096 - 16 - 8 - 8);
	EXPECT(!pe_rb_reserve(&ring, max + 1, &h));
	EXPECT_EQ(h.fail, PE_RB_FAIL_LENGTH);
	EXPECT_EQ(stats().dropped_events, 1);
	EXPECT(!pe_rb_reserve(&ring, ~0u, &h));
	EXPECT(!pe_rb_reserve(&ring, ~0u - 3, &h));
	for (len = 0; len <= max; len += len < 300 ? 1 : 97) {
		p = pe_rb_reserve(&ring, len, &h);
		EXPECT(p);
		if (!p)
			break;
		memset(p, 0x5a, len);
		pe_rb_commit(&h);
		EXPECT(pe_rb_peek(&ring, &rec));
		EXPECT_EQ(rec.len, len ? ALIGN(len, 4u) : 4);
		lost += rec.lost;
		p = (u8 *)rec.data;
		EXPECT(!len || (p[0] == 0x5a && p[len - 1] == 0x5a));
		EXPECT(rec.len == len || !p[len]);
		EXPECT(rec.len == len || !p[rec.len - 1]);
		pe_rb_consume(&ring);
	}
	EXPECT_EQ(lost, 3);		/* the drops show up with a new page */
	world_close(&ring);
}

/* 64-byte pages take (64 - 16 - 8) / 8 = 5 records of 4 bytes. */
static void test_overwrite(void)
{
	open_ring(2, 6, true);
	put_all(0, 23);		/* pages 0-4, 15.. and 20.. are left */
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().overrun, 15);
	EXPECT_EQ(stats().written, 23);
	GET(15, 15);
	GET_ALL(16, 23);
	NOTHING();
	EXPECT_EQ(stats().overrun, 15);
	EXPECT_EQ(stats().read_events, 8);
	world_close(&ring);
}

static void test_overwrite_of_partly_read(void)
{
	open_ring(2, 6, true);
	put(0, 4);
	put(1, 4);
	GET(0, 0);			/* from a copy of the page in work */
	put_all(2, 17);
	/* 10.. and 15.. are left, and 1 in the reader's copy */
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().overrun, 8);
	GET(1, 0);
	GET(10, 8);
	GET_ALL(11, 17);
	NOTHING();
	EXPECT_EQ(stats().overrun, 8);
	EXPECT_EQ(stats().read_events, 9);
	world_close(&ring);
}

static void test_no_overwrite(void)
{
	struct pe_rb_handle h;
	unsigned int i;

	open_ring(2, 6, false);
	put_all(0, 10);
	for (i = 0; i < 3; i++) {
		EXPECT(!pe_rb_reserve(&ring, 4, &h));
		EXPECT_EQ(h.fail, PE_RB_FAIL_FULL);
	}
	EXPECT_EQ(stats().dropped_events, 3);
	EXPECT_EQ(stats().entries, 10);
	EXPECT_EQ(stats().overrun, 0);
	GET(0, 0);			/* the reader takes the page, and leaves an empty one */
	put_all(10, 15);
	EXPECT(!pe_rb_reserve(&ring, 4, &h));
	GET_ALL(1, 10);
	GET(10, 3);
	GET_ALL(11, 15);
	NOTHING();
	put(15, 4);
	GET(15, 1);
	EXPECT_EQ(stats().dropped_events, 4);
	world_close(&ring);
}

static void test_commit_overrun(void)
{
	struct pe_rb_handle outer, h;
	unsigned int i, n = 0;
	u32 *p;

	open_ring(2, 6, true);
	p = pe_rb_reserve(&ring, 4, &outer);
	*p = 0;
	for (i = 1; i < 20; i++) {
		p = pe_rb_reserve(&ring, 4, &h);
		if (!p) {
			EXPECT_EQ(h.fail, PE_RB_FAIL_NESTED);
			continue;
		}
		*p = i;
		pe_rb_commit(&h);
		n++;
	}
	NOTHING();			/* nothing is published before the outermost */
	pe_rb_commit(&outer);
	/* 10 would fit; the nested first one carries an absolute time or not */
	EXPECT_EQ(n, 9);
	EXPECT_EQ(stats().commit_overrun, 10);
	GET_ALL(0, 10);
	NOTHING();
	put(30, 4);
	GET(30, 10);
	world_close(&ring);
}

static void test_clock_back(void)
{
	struct pe_rb_record rec;
	u64 last = 0;
	unsigned int i;

	open_ring(4, 8, true);
	for (i = 0; i < 40; i++) {
		clock_step = i % 3 ? 10 : -25ULL;
		put(i, 4);
		EXPECT(pe_rb_peek(&ring, &rec));
		EXPECT(rec.ts >= last);
		last = rec.ts;
		GET(i, 0);
	}
	world_close(&ring);
}

static void hook_write(void)
{
	put(100, 4);
}

/* An interrupt between looking at the end and moving it. */
static void test_interrupted_reserve(void)
{
	struct pe_rb_record rec;
	u64 last = 0;
	unsigned int i, n = 0;

	open_ring(8, 12, true);
	clock_hook = hook_write;
	ring.nest = 0;
	for (i = 0; i < 20; i++) {
		/* Otherwise the hook would run again at every retry. */
		struct pe_rb_handle h;
		u32 *p = pe_rb_reserve(&ring, 4, &h);

		EXPECT(!p);
		EXPECT_EQ(h.fail, PE_RB_FAIL_NESTED);
	}
	EXPECT_EQ(ring.nest, 0);
	clock_hook = NULL;
	while (pe_rb_peek(&ring, &rec)) {
		EXPECT(rec.ts >= last);
		last = rec.ts;
		EXPECT_EQ(*(u32 *)rec.data, 100);
		pe_rb_consume(&ring);
		n++;
	}
	EXPECT_EQ(n + stats().overrun, stats().written);
	EXPECT_EQ(stats().commit_overrun, 20);
	world_close(&ring);
}

static void test_reset(void)
{
	struct pe_rb_end end, torn;

	open_ring(2, 6, true);
	put_all(0, 100);
	GET(90, 90);
	end = pe_rb_end_now(&ring);
	EXPECT(pe_rb_unread(&ring, end));
	pe_rb_reset(&ring);
	NOTHING();
	EXPECT(!pe_rb_unread(&ring, end));
	torn = (struct pe_rb_end){ end.pos, pe_rb_end_now(&ring).resets };	/* taken meanwhile */
	EXPECT(!pe_rb_unread(&ring, torn));
	EXPECT_EQ(stats().written, 0);
	EXPECT_EQ(stats().overrun, 0);
	put_all(0, 100);		/* it means nothing after a reset */
	EXPECT(!pe_rb_unread(&ring, end));
	pe_rb_reset(&ring);
	put(7, 4);
	GET(7, 0);
	world_close(&ring);
}

static void test_resize(void)
{
	open_ring(2, 6, true);
	put_all(0, 12);
	world_resize(&ring, 9);		/* 5.. 10.. are moved */
	EXPECT_EQ(stats().entries, 7);
	put_all(12, 50);
	EXPECT_EQ(stats().entries, 45);
	GET(5, 5);
	world_resize(&ring, 3);		/* 6-9 in hand; 40.. 45.. and the one before */
	EXPECT_EQ(stats().entries, 4 + 15);
	EXPECT_EQ(stats().overrun, 30);
	GET_ALL(6, 10);
	GET(35, 25);
	GET_ALL(36, 50);
	NOTHING();
	world_close(&ring);
}

static void test_raw_pages(void)
{
	struct pe_rb_data_page *page = must(malloc(64)), *mine = page;
	struct pe_rb_end end;

	open_ring(2, 6, true);
	end = pe_rb_end_now(&ring);
	put_all(0, 3);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 0);
	EXPECT_EQ(stats().entries, 3);
	EXPECT(!pe_rb_unread(&ring, end));
	end = pe_rb_end_now(&ring);
	EXPECT(pe_rb_unread(&ring, end));
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 24);
	EXPECT(!pe_rb_unread(&ring, end));
	EXPECT(page == mine);		/* still in work: a copy */
	EXPECT_EQ(page->commit, 24);
	EXPECT_EQ(page->ts, 1002);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 0);
	put_all(3, 23);
	EXPECT_EQ(pe_rb_full_pages(&ring), 1);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT(page != mine);		/* complete: the page itself */
	mine = page;
	EXPECT_EQ(page->commit, 40 | PE_RB_COMMIT_LOST | PE_RB_COMMIT_LOST_N);
	EXPECT_EQ(*(u64 *)((u8 *)page + 56), 12);
	EXPECT_EQ(*(u32 *)(page->data + 4), 15);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 0);
	GET(20, 0);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 16);
	EXPECT(page == mine);		/* read in part: a copy of the rest */
	EXPECT_EQ(page->commit, 16);
	EXPECT_EQ(*(u32 *)(page->data + 4), 21);
	NOTHING();
	EXPECT_EQ(stats().read_events, 11);
	EXPECT_EQ(stats().overrun, 12);
	free(page);
	world_close(&ring);
}

/* An iterator in a page that is given away goes on after that page. */
static void test_taken_under_iterator(void)
{
	struct pe_rb_data_page *page = must(malloc(64));
	u8 buf[64] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;

	open_ring(4, 6, true);
	put_all(0, 13);
	pe_rb_iter_start(&it, &ring, buf);
	ITER_ALL(&it, 0, 2);
	memset(page, 0xa5, 64);		/* the old contents must not show up */
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().read_events, 5);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 0);
	/* The iterator has a copy of the page that it began. */
	ITER_ALL(&it, 2, 5);
	ITER_ALL(&it, 10, 13);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	GET(10, 0);
	free(page);
	world_close(&ring);
}

/* An extended iterator sees later records, wherever it has stopped. */
static void test_iterator_extended(void)
{
	struct pe_rb_data_page *page = must(malloc(64));
	u8 buf[64] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;

	open_ring(8, 6, true);
	put_all(0, 7);			/* 5 in a page */
	pe_rb_iter_start(&it, &ring, buf);
	put_all(7, 9);			/* the same page */
	ITER_ALL(&it, 0, 7);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	EXPECT(pe_rb_iter_extend(&it));
	put_all(9, 12);			/* ends it */
	ITER_ALL(&it, 7, 9);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	EXPECT(pe_rb_iter_extend(&it));
	ITER_ALL(&it, 9, 12);
	put_all(12, 18);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT(pe_rb_iter_extend(&it));
	ITER_ALL(&it, 12, 18);		/* pages that the reader has not reached */
	GET(10, 0);
	GET(11, 0);
	GET(12, 0);
	put_all(18, 19);
	GET(13, 0);
	EXPECT(pe_rb_iter_extend(&it));
	ITER_ALL(&it, 18, 19);
	world_replace(&ring, 2, 6);
	EXPECT(!pe_rb_iter_extend(&it));
	free(page);
	world_close(&ring);
}

/* An iterator that finds the reader past its end goes on where the reader is. */
static void test_iterator_overtaken(void)
{
	u8 buf[64] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;

	open_ring(8, 6, true);
	put_all(0, 12);			/* 5 in a page */
	pe_rb_iter_start(&it, &ring, buf);
	ITER_ALL(&it, 0, 1);
	put_all(12, 14);
	GET_ALL(0, 13);
	ITER_ALL(&it, 1, 5);		/* its copy */
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	put_all(14, 17);
	EXPECT(pe_rb_iter_extend(&it));
	EXPECT(pe_rb_iter_peek(&it, &rec));
	EXPECT_EQ(rec.lost, 0);
	ITER_ALL(&it, 13, 15);
	EXPECT(pe_rb_iter_peek(&it, &rec));
	EXPECT_EQ(rec.lost, 0);
	ITER_ALL(&it, 15, 17);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	world_close(&ring);
}

/* Pages of another size: the ring is empty, earlier iterators end, larger records fit. */
static void test_other_page_size(void)
{
	struct pe_rb_data_page *page;
	u8 buf[256] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;
	unsigned int i;

	open_ring(4, 6, true);
	put_all(0, 13);
	pe_rb_iter_start(&it, &ring, buf);
	EXPECT(pe_rb_iter_peek(&it, &rec));
	world_replace(&ring, 2, 8);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	NOTHING();
	EXPECT_EQ(stats().written, 0);
	EXPECT_EQ(pe_rb_max_len(&ring), 256 - 16 - 8 - 8);
	for (i = 0; i < 40; i++)
		put(i, i ? 4 : pe_rb_max_len(&ring));
	page = must(malloc(256));
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 29 * 8);
	EXPECT_EQ(page->commit, (29 * 8) | PE_RB_COMMIT_LOST | PE_RB_COMMIT_LOST_N);
	free(page);
	world_replace(&ring, 3, 6);
	NOTHING();
	put(7, 4);
	GET(7, 0);
	world_close(&ring);
}

/* There may be millions of pages: the middle ones are not looked at. */
static void test_stats_of_ends(void)
{
	unsigned int i;

	open_ring(8, 6, true);
	put_all(0, 37);				/* 5 in a page; 7 pages and 2 records */
	EXPECT_EQ(stats().bytes, 37 * 8);
	GET_ALL(0, 2);
	for (i = 0; i < 8; i++)			/* 20.. and 25.. */
		if (ring.pages[i].first >= 20 && ring.pages[i].first < 30)
			ring.pages[i].data->commit = ~0ull;
	EXPECT_EQ(stats().bytes, 35 * 8);
	EXPECT_EQ(stats().entries, 35);
	EXPECT_EQ(stats().overrun, 0);
	put_all(37, 52);			/* 0.. to 10.. are overwritten */
	EXPECT_EQ(stats().bytes, (52 - 15 + 3) * 8);
	EXPECT_EQ(stats().overrun, 10);
	world_close(&ring);
}

/* A CPU that has not come up yet: its ring is empty for readers, and refuses writers. */
static void test_no_memory(void)
{
	struct pe_rb_data_page *page = must(malloc(64)), *mine = page;
	struct pe_rb_memory none = { .page_shift = 6 }, old;
	u8 buf[256] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_handle h;
	struct pe_rb_iter it;
	u64 ts;

	pe_rb_init(&ring, &none);
	EXPECT(!pe_rb_reserve(&ring, 4, &h));
	EXPECT_EQ(h.fail, PE_RB_FAIL_OFF);
	NOTHING();
	pe_rb_consume(&ring);
	EXPECT(!pe_rb_oldest_ts(&ring, &ts));
	EXPECT_EQ(pe_rb_full_pages(&ring), 0);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 0);
	EXPECT(page == mine);
	EXPECT_EQ(stats().written, 0);
	pe_rb_iter_start(&it, &ring, buf);
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	EXPECT(pe_rb_iter_extend(&it));
	pe_rb_reset(&ring);
	none.page_shift = 8;
	pe_rb_replace(&ring, &none, &old);
	EXPECT(!old.pages && !old.slots && !old.nr_pages);
	EXPECT_EQ(pe_rb_max_len(&ring), 256 - 16 - 8 - 8);
	EXPECT(!pe_rb_iter_extend(&it));

	world_replace(&ring, 2, 8);		/* the CPU comes up */
	EXPECT_EQ(ring.disabled, 1);
	ring.disabled = 0;
	put_all(0, 3);
	GET_ALL(0, 3);
	free(page);
	world_close(&ring);
}

static const struct pe_test tests[] = {
	{ "first records", test_first_records },
	{ "disabled", test_disabled },
	{ "lengths", test_lengths },
	{ "overwrite", test_overwrite },
	{ "overwrite of a page read in part", test_overwrite_of_partly_read },
	{ "no overwrite", test_no_overwrite },
	{ "commit overrun", test_commit_overrun },
	{ "clock goes back", test_clock_back },
	{ "interrupted reserve", test_interrupted_reserve },
	{ "reset", test_reset },
	{ "resize", test_resize },
	{ "raw pages", test_raw_pages },
	{ "a page taken under an iterator", test_taken_under_iterator },
	{ "an iterator extended", test_iterator_extended },
	{ "an iterator overtaken", test_iterator_overtaken },
	{ "pages of another size", test_other_page_size },
	{ "statistics of the ends", test_stats_of_ends },
	{ "no memory", test_no_memory },
};

int main(void)
{
	return PE_RUN(tests);
}
