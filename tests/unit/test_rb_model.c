// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * The ring against a list, one thread, at random.  Interrupts are played.  Writers are kept
 * on a stack.  A writer reads the clock between looking at the ring's end and moving it, and
 * the clock runs whole writers.
 */
#include "rb_single.h"

enum state { OPEN, DONE };

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
	m.nest++;			/* a writer that the clock runs comes on top */
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
	if (!m.nest)
		return;
	m.nest--;
	m.state[m.id[m.nest]] = DONE;
	m.committed++;
	pe_rb_commit(&m.stack[m.nest]);
}

/* Is @rec a record of ours, and are the records between @from and it lost? */
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
	unsigned int from = m.next, writes = rnd(3) ? 0 : 60, extends = rnd(3);
	u64 last = 0, drops = 0;
	bool first = true;

	pe_rb_iter_start(&it, &ring, buf);
	while (pe_rb_iter_peek(&it, &rec) ||
	       (extends-- && pe_rb_iter_extend(&it) && pe_rb_iter_peek(&it, &rec))) {
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
 * An iterator without writers sees each record that is left, once.  Losses are those between
 * the page that the reader has in hand and the ring.
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
	{ "model", test_model },
};

int main(void)
{
	return PE_RUN(tests);
}
