// SPDX-License-Identifier: GPL-2.0
/*
 * The ring against a list, one thread.  Interrupts are played: writers are kept
 * on a stack, and the clock, which a writer reads between looking at the ring's
 * end and moving it, runs whole writers.
 */
#include "rb_world.h"

/* ---- the clock ---- */

static u64 now;
static u64 clock_step;
static u64 clock_said;			/* last, to whoever asked last */
static void (*clock_hook)(void);

u64 pe_clock_now(unsigned int clock, void *data)
{
	void (*hook)(void) = clock_hook;
	u64 ts;

	now += clock_step;
	ts = now;
	if (hook) {
		clock_hook = NULL;
		hook();
		clock_hook = hook;
	}
	clock_said = ts;
	return ts;
}

/* ---- plain cases ---- */

static struct pe_rb ring;

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

#define NOTHING() do {							\
	struct pe_rb_record r_;						\
	EXPECT(!pe_rb_peek(&ring, &r_));				\
	EXPECT(!pe_rb_maybe_data(&ring));				\
} while (0)

static struct pe_rb_stats stats(void)
{
	u8 buf[4096] __aligned(8);
	struct pe_rb_stats st;

	pe_rb_stats(&ring, &st, buf);
	EXPECT_EQ(st.written, st.entries + st.overrun + st.read_events);
	return st;
}

static void open_ring(unsigned int pages, unsigned int shift, bool overwrite)
{
	now = 1000;
	clock_step = 1;
	clock_hook = NULL;
	world_open(&ring, pages, shift, overwrite);
}

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
	EXPECT_EQ(ts, 1002);	/* the first look was for the common case */
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
	unsigned int i;

	open_ring(2, 6, true);
	for (i = 0; i < 23; i++)		/* pages 0-4, 15.. and 20.. are left */
		put(i, 4);
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().overrun, 15);
	EXPECT_EQ(stats().written, 23);
	GET(15, 15);
	for (i = 16; i < 23; i++)
		GET(i, 0);
	NOTHING();
	EXPECT_EQ(stats().overrun, 15);
	EXPECT_EQ(stats().read_events, 8);
	world_close(&ring);
}

static void test_overwrite_of_partly_read(void)
{
	unsigned int i;

	open_ring(2, 6, true);
	put(0, 4);
	put(1, 4);
	GET(0, 0);			/* from a copy of the page in work */
	for (i = 2; i < 17; i++)
		put(i, 4);
	/* 10.. and 15.. are left, and 1 in the reader's copy */
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().overrun, 8);
	GET(1, 0);
	GET(10, 8);
	for (i = 11; i < 17; i++)
		GET(i, 0);
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
	for (i = 0; i < 10; i++)
		put(i, 4);
	for (i = 0; i < 3; i++) {
		EXPECT(!pe_rb_reserve(&ring, 4, &h));
		EXPECT_EQ(h.fail, PE_RB_FAIL_FULL);
	}
	EXPECT_EQ(stats().dropped_events, 3);
	EXPECT_EQ(stats().entries, 10);
	EXPECT_EQ(stats().overrun, 0);
	GET(0, 0);			/* takes the page, and leaves an empty one */
	for (i = 10; i < 15; i++)
		put(i, 4);
	EXPECT(!pe_rb_reserve(&ring, 4, &h));
	for (i = 1; i < 10; i++)
		GET(i, 0);
	GET(10, 3);
	for (i = 11; i < 15; i++)
		GET(i, 0);
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
	for (i = 0; i < 10; i++)
		GET(i, 0);
	NOTHING();
	put(30, 4);
	GET(30, 10);
	world_close(&ring);
}

static void test_discard(void)
{
	struct pe_rb_handle a, b;
	unsigned int i;
	u64 at;

	open_ring(4, 12, true);
	put(1, 4);
	at = local_read(&ring.write);
	for (i = 0; i < 1000; i++) {	/* taken back: no room used */
		EXPECT(pe_rb_reserve(&ring, 24, &a));
		pe_rb_discard(&a);
	}
	EXPECT_EQ(local_read(&ring.write), at);
	put(2, 4);
	/* One that others stand behind becomes padding. */
	*(u32 *)pe_rb_reserve(&ring, 24, &a) = 3;
	*(u32 *)pe_rb_reserve(&ring, 4, &b) = 4;
	pe_rb_commit(&b);
	pe_rb_discard(&a);
	put(5, 4);
	EXPECT_EQ(stats().entries, 4);
	GET(1, 0);
	GET(2, 0);
	GET(4, 0);
	GET(5, 0);
	NOTHING();
	world_close(&ring);
}

/* Whatever carries the time of a discarded record, the others keep theirs. */
static void test_discard_keeps_time(void)
{
	struct pe_rb_handle a, b;
	struct pe_rb_record rec;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		open_ring(4, 12, true);
		if (i)
			put(1, 4);
		if (i == 1)
			clock_step = 1 << 30;		/* time extend */
		if (i == 2) {
			EXPECT(pe_rb_reserve(&ring, 4, &a));
			pe_rb_discard(&a);		/* absolute time next */
		}
		EXPECT(pe_rb_reserve(&ring, 4, &a));
		clock_step = 1;
		*(u32 *)pe_rb_reserve(&ring, 4, &b) = 2;
		pe_rb_commit(&b);
		pe_rb_discard(&a);
		if (i)
			GET(1, 0);
		EXPECT(pe_rb_peek(&ring, &rec));
		EXPECT_EQ(rec.ts, now);
		GET(2, 0);
		NOTHING();
		world_close(&ring);
	}
}

static void test_trim(void)
{
	static const unsigned int lens[] = { 0, 1, 4, 9, 112, 113, 200, 500 };
	struct pe_rb_handle h, in;
	struct pe_rb_record rec;
	unsigned int i, nested;
	u8 *p;

	open_ring(4, 12, true);
	for (i = 0; i < 2 * ARRAY_SIZE(lens); i++) {
		unsigned int len = lens[i / 2];

		nested = i & 1;
		p = pe_rb_reserve(&ring, 500, &h);
		memset(p, 0x77, 500);
		if (nested) {
			*(u32 *)pe_rb_reserve(&ring, 4, &in) = 99;
			pe_rb_commit(&in);
		}
		pe_rb_trim(&h, len);
		pe_rb_commit(&h);
		EXPECT(pe_rb_peek(&ring, &rec));
		EXPECT_EQ(rec.len, nested ? 500 : len ? ALIGN(len, 4u) : 4);
		p = (u8 *)rec.data;
		EXPECT(!len || p[len - 1] == 0x77);
		EXPECT(len == rec.len || !p[len]);
		pe_rb_consume(&ring);
		if (nested)
			GET(99, 0);
		NOTHING();
	}
	p = pe_rb_reserve(&ring, 100, &h);
	pe_rb_trim(&h, 10);
	pe_rb_discard(&h);
	NOTHING();
	put(5, 4);
	GET(5, 0);
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
		/* The hook would come again with every retry. */
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
	unsigned int i;

	open_ring(2, 6, true);
	for (i = 0; i < 100; i++)
		put(i, 4);
	GET(90, 90);
	pe_rb_reset(&ring);
	NOTHING();
	EXPECT_EQ(stats().written, 0);
	EXPECT_EQ(stats().overrun, 0);
	put(7, 4);
	GET(7, 0);
	world_close(&ring);
}

static void test_resize(void)
{
	unsigned int i;

	open_ring(2, 6, true);
	for (i = 0; i < 12; i++)
		put(i, 4);
	world_resize(&ring, 9);		/* 5.. 10.. are moved */
	EXPECT_EQ(stats().entries, 7);
	for (i = 12; i < 50; i++)
		put(i, 4);
	EXPECT_EQ(stats().entries, 45);
	GET(5, 5);
	world_resize(&ring, 3);		/* 6-9 in hand; 40.. 45.. and the one before */
	EXPECT_EQ(stats().entries, 4 + 15);
	EXPECT_EQ(stats().overrun, 30);
	for (i = 6; i < 10; i++)
		GET(i, 0);
	GET(35, 25);
	for (i = 36; i < 50; i++)
		GET(i, 0);
	NOTHING();
	world_close(&ring);
}

static void test_raw_pages(void)
{
	struct pe_rb_data_page *page = must(malloc(64)), *mine = page;
	unsigned int i;

	open_ring(2, 6, true);
	for (i = 0; i < 3; i++)
		put(i, 4);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 0);
	EXPECT_EQ(stats().entries, 3);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 24);
	EXPECT(page == mine);		/* still in work: a copy */
	EXPECT_EQ(page->commit, 24);
	EXPECT_EQ(page->ts, 1002);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, true), 0);
	for (; i < 23; i++)
		put(i, 4);
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

/* An iterator that stands in a page which is given away goes on behind it. */
static void test_taken_under_iterator(void)
{
	struct pe_rb_data_page *page = must(malloc(64));
	u8 buf[64] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;
	unsigned int i;

	open_ring(4, 6, true);
	for (i = 0; i < 13; i++)
		put(i, 4);
	pe_rb_iter_start(&it, &ring, buf);
	for (i = 0; i < 2; i++) {
		EXPECT(pe_rb_iter_peek(&it, &rec));
		EXPECT_EQ(*(const u32 *)rec.data, i);
		pe_rb_iter_next(&it);
	}
	memset(page, 0xa5, 64);		/* what it held must not show up */
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT_EQ(stats().entries, 8);
	EXPECT_EQ(stats().read_events, 5);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 40);
	EXPECT_EQ(pe_rb_take_page(&ring, &page, false), 0);
	/* It has a copy of the page that it began. */
	for (i = 2; i < 5; i++) {
		EXPECT(pe_rb_iter_peek(&it, &rec));
		EXPECT_EQ(*(const u32 *)rec.data, i);
		pe_rb_iter_next(&it);
	}
	for (i = 10; i < 13; i++) {
		EXPECT(pe_rb_iter_peek(&it, &rec));
		EXPECT_EQ(*(const u32 *)rec.data, i);
		pe_rb_iter_next(&it);
	}
	EXPECT(!pe_rb_iter_peek(&it, &rec));
	GET(10, 0);
	free(page);
	world_close(&ring);
}

/* Pages of another size: empty, iterators of before end, larger records fit. */
static void test_other_page_size(void)
{
	struct pe_rb_data_page *page;
	u8 buf[256] __aligned(8);
	struct pe_rb_record rec;
	struct pe_rb_iter it;
	unsigned int i;

	open_ring(4, 6, true);
	for (i = 0; i < 13; i++)
		put(i, 4);
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

/* ---- the model ---- */

enum state { OPEN, DONE, GONE };

#define MAX_RECORDS	60000u
#define MAX_NEST	4

static struct model {
	u64 rnd;
	unsigned int n;				/* records reserved */
	u8 state[MAX_RECORDS];
	u64 ts[MAX_RECORDS];
	unsigned int len[MAX_RECORDS];
	struct pe_rb_handle stack[MAX_NEST];
	unsigned int id[MAX_NEST];
	unsigned int nest;
	unsigned int committed, refused;
	unsigned int next;			/* first id the reader has not passed */
	u64 received, lost, drops_seen, last_ts;
	bool exact_time;
} m;

static unsigned int rnd(unsigned int n)
{
	return pe_test_random(&m.rnd) % n;
}

static u8 byte_of(unsigned int id, unsigned int i)
{
	return id * 7 + i * 13 + 1;
}

static void model_reserve(void)
{
	struct pe_rb_handle *h = &m.stack[m.nest];
	unsigned int max = pe_rb_max_len(&ring), len, i;
	u64 said;
	u8 *p;

	if (m.nest == MAX_NEST || m.n >= MAX_RECORDS - 8)
		return;
	len = 4 + (rnd(8) ? rnd(min(40u, max - 3)) : rnd(max - 3));
	m.nest++;			/* a writer in the clock comes on top */
	p = pe_rb_reserve(&ring, len, h);
	m.nest--;
	said = clock_said;
	if (!p) {
		EXPECT(h->fail == PE_RB_FAIL_FULL || h->fail == PE_RB_FAIL_NESTED);
		EXPECT(h->fail == PE_RB_FAIL_NESTED || !ring.overwrite);
		m.refused++;
		return;
	}
	i = m.n++;
	m.id[m.nest++] = i;
	m.state[i] = OPEN;
	m.len[i] = len;
	memcpy(p, &i, 4);
	for (i = 4; i < len; i++)
		p[i] = byte_of(m.n - 1, i);
	m.ts[m.n - 1] = said;
}

static void model_finish(void)
{
	unsigned int id;

	if (!m.nest)
		return;
	m.nest--;
	id = m.id[m.nest];
	if (rnd(5)) {
		if (!rnd(6)) {
			unsigned int len = 4 + rnd(m.len[id] - 3);

			pe_rb_trim(&m.stack[m.nest], len);
			m.len[id] = len;
		}
		m.state[id] = DONE;
		m.committed++;
		pe_rb_commit(&m.stack[m.nest]);
	} else {
		m.state[id] = GONE;
		pe_rb_discard(&m.stack[m.nest]);
	}
}

/* Is @rec a record of ours, and is what lies between it and @from lost? */
static void model_check(const struct pe_rb_record *rec, unsigned int *from, u64 lost,
			u64 *drops)
{
	const u8 *p = rec->data;
	unsigned int id, i;
	u64 missed = 0;

	memcpy(&id, p, 4);
	EXPECT(id < m.n && id >= *from);
	if (id >= m.n || id < *from)
		return;
	EXPECT_EQ(m.state[id], DONE);
	EXPECT(rec->len >= ALIGN(m.len[id], 4u));
	for (i = 4; i < m.len[id] && p[i] == byte_of(id, i); i++)
		;
	EXPECT_EQ(i, m.len[id]);
	for (; i < rec->len && !p[i]; i++)
		;
	EXPECT_EQ(i, rec->len);
	for (i = *from; i < id; i++)
		missed += m.state[i] == DONE;
	EXPECT(lost >= missed);
	*drops += lost - missed;
	EXPECT(*drops <= m.refused);
	if (m.exact_time)
		EXPECT_EQ(rec->ts, m.ts[id]);
	*from = id + 1;
}

static void model_got(const struct pe_rb_record *rec, u64 lost)
{
	EXPECT(rec->ts >= m.last_ts);
	m.last_ts = rec->ts;
	m.received++;
	m.lost += lost;
	model_check(rec, &m.next, lost, &m.drops_seen);
}

static void model_read(void)
{
	struct pe_rb_record rec;
	unsigned int n = rnd(12);

	while (n-- && pe_rb_peek(&ring, &rec)) {
		model_got(&rec, rec.lost);
		pe_rb_consume(&ring);
	}
}

static void model_read_page(void)
{
	struct pe_rb_data_page *page = must(malloc(ring.page_size));
	struct pe_rb_cursor c;
	struct pe_rb_record rec;
	unsigned int bytes = pe_rb_take_page(&ring, &page, rnd(2)), i;
	u64 lost = 0;

	if (!bytes) {
		free(page);
		return;
	}
	EXPECT_EQ(page->commit & PE_RB_COMMIT_BYTES, bytes);
	if (page->commit & PE_RB_COMMIT_LOST) {
		EXPECT(page->commit & PE_RB_COMMIT_LOST_N);
		memcpy(&lost, page->data + bytes, 8);
		EXPECT(lost);
		bytes += 8;
	}
	for (i = PE_RB_PAGE_HEAD + bytes; i < ring.page_size; i++)
		EXPECT_EQ(((u8 *)page)[i], 0);
	pe_rb_cursor_init(&c, page, PE_RB_PAGE_HEAD + (page->commit & PE_RB_COMMIT_BYTES));
	for (i = 0; pe_rb_cursor_next(&c, &rec); i++) {
		EXPECT(i || c.off == PE_RB_PAGE_HEAD);
		if (!m.exact_time)
			rec.ts = max(rec.ts, m.last_ts);
		model_got(&rec, i ? 0 : lost);
		pe_rb_cursor_skip(&c);
	}
	EXPECT(i);
	free(page);
}

static void model_iterate(void)
{
	u8 buf[256] __aligned(8);
	struct pe_rb_iter it;
	struct pe_rb_record rec;
	unsigned int from = m.next, writes = rnd(3) ? 0 : 60;
	u64 last = 0, drops = 0;
	bool first = true;

	pe_rb_iter_start(&it, &ring, buf);
	while (pe_rb_iter_peek(&it, &rec)) {
		if (first) {
			memcpy(&from, rec.data, 4);
			EXPECT(from >= m.next);
			EXPECT_EQ(rec.lost, 0);
		}
		first = false;
		EXPECT(rec.ts >= last);
		last = rec.ts;
		model_check(&rec, &from, rec.lost, &drops);
		EXPECT_EQ(drops, 0);
		pe_rb_iter_next(&it);
		if (writes && !rnd(2) && writes--) {
			unsigned int nest = m.nest;

			model_reserve();
			if (m.nest > nest)
				model_finish();
		}
		if (pe_test_failures)
			return;
	}
}

/*
 * An iterator without writers sees each record that is left, once.  Losses are
 * those between what the reader has in hand and what is in the ring.
 */
static void model_iterate_all(void)
{
	u8 buf[256] __aligned(8);
	struct pe_rb_iter it;
	struct pe_rb_record rec;
	u64 n = 0, lost = 0, first = 0, left = 0;

	pe_rb_iter_start(&it, &ring, buf);
	for (; pe_rb_iter_peek(&it, &rec); n++) {
		lost += rec.lost;
		if (!n)
			memcpy(&first, rec.data, 4);
		pe_rb_iter_next(&it);
	}
	EXPECT_EQ(n, stats().entries);
	for (; n && first < m.n; first++)
		left += m.state[first] == DONE;
	EXPECT_EQ(n + lost, left);
}

static void hook_model(void)
{
	unsigned int nest = m.nest, n = rnd(3);

	if (rnd(4))
		return;
	while (n-- && m.nest < MAX_NEST) {
		model_reserve();
		while (m.nest > nest)
			model_finish();
	}
}

static void model_step(bool may_resize)
{
	switch (rnd(40)) {
	case 0 ... 15:
		model_reserve();
		break;
	case 16 ... 31:
		model_finish();
		break;
	case 32: case 33:
		model_read();
		break;
	case 34:
		model_read_page();
		break;
	case 35:
		if (!rnd(4))
			model_iterate();
		break;
	case 36:
		if (!m.nest && !rnd(3))
			model_iterate_all();
		break;
	case 37:
		clock_step = m.exact_time ? 1 + (rnd(5) ? rnd(50) : pe_test_random(&m.rnd) >> 34)
					  : rnd(3);
		break;
	case 38:
		ring.overwrite = rnd(4);
		break;
	case 39:
		if (may_resize && !m.nest && !rnd(4))
			world_resize(&ring, 2 + rnd(12));
		break;
	}
}

static void model_end(void)
{
	struct pe_rb_stats st;
	struct pe_rb_record rec;

	while (m.nest)
		model_finish();
	st = stats();
	EXPECT_EQ(st.written, m.committed);
	EXPECT_EQ(st.read_events, m.received);
	EXPECT_EQ(st.dropped_events + st.commit_overrun, m.refused);
	while (pe_rb_peek(&ring, &rec)) {
		model_got(&rec, rec.lost);
		pe_rb_consume(&ring);
	}
	st = stats();
	EXPECT_EQ(st.entries, 0);
	EXPECT_EQ(st.bytes, 0);
	EXPECT_EQ(m.received + (m.lost - m.drops_seen), m.committed);
	EXPECT_EQ(st.overrun, m.lost - m.drops_seen);
	EXPECT_EQ(ring.nest, 0);
}

static unsigned long model_records, model_lost, model_refused;

static void model_run(bool exact_time, bool may_resize)
{
	u64 seed = m.rnd;
	unsigned int i;

	memset(&m, 0, sizeof(m));
	m.rnd = seed;
	m.exact_time = exact_time;
	open_ring(2 + rnd(6), 6 + rnd(3), rnd(3));
	if (rnd(2))
		clock_hook = hook_model;
	for (i = 0; i < 20000 && !pe_test_failures; i++)
		model_step(may_resize);
	clock_hook = NULL;
	model_end();
	world_close(&ring);
	model_records += m.committed;
	model_lost += m.lost;
	model_refused += m.refused;
	if (pe_test_failures)
		printf("# in a run that began with PE_SEED=%llu\n", seed);
}

static void test_model(void)
{
	unsigned int i;

	m.rnd = pe_test_seed();
	for (i = 0; i < 60 && !pe_test_failures; i++)
		model_run(i & 1, i & 2);
	printf("# %lu records, %lu marked lost, %lu refused\n", model_records,
	       model_lost, model_refused);
}

static const struct pe_test tests[] = {
	{ "first records", test_first_records },
	{ "disabled", test_disabled },
	{ "lengths", test_lengths },
	{ "overwrite", test_overwrite },
	{ "overwrite of a page read in part", test_overwrite_of_partly_read },
	{ "no overwrite", test_no_overwrite },
	{ "commit overrun", test_commit_overrun },
	{ "discard", test_discard },
	{ "discard keeps time", test_discard_keeps_time },
	{ "trim", test_trim },
	{ "clock goes back", test_clock_back },
	{ "interrupted reserve", test_interrupted_reserve },
	{ "reset", test_reset },
	{ "resize", test_resize },
	{ "raw pages", test_raw_pages },
	{ "a page taken under an iterator", test_taken_under_iterator },
	{ "pages of another size", test_other_page_size },
	{ "model", test_model },
};

int main(void)
{
	return PE_RUN(tests);
}
