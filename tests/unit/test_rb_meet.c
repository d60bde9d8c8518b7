// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * A reader and a writer of the ring meet at every instruction, in both orders.  A reader on
 * another CPU runs between two instructions of a writer, and a writer between two of a
 * reader.  This covers the pairs of barriers of rb.c between a reader and a writer, as the
 * compiler has ordered them:
 *
 *   leave:A, load_commit:A			a record is whole when it is seen
 *   prepare_page:B and E, snapshot_page:B and E	a copy is of one page
 *   take:C, prepare_page:C			a page is read or overwritten, not both
 *
 * In every case, records come in order, each with its bytes and its time.  The number of
 * missing records is the number reported as lost.
 */
#include "kernel/trace/ring/rb_dump.h"
#include "rb_world.h"
#include "sim.h"

#define MAX_RECORDS	600u
#define MAX_LEN		64u
#define MANY		500

static struct pe_rb ring;
static u64 now;

u64 pe_clock_now(unsigned int clock, void *data)
{
	return ++now;
}

/* ---- the writer: numbers its records from 0 ---- */

static unsigned int nr_written, nr_refused, len;
static u64 times[MAX_RECORDS];

static void write_one(void)
{
	struct pe_rb_handle h;
	u32 *p;

	p = pe_rb_reserve(&ring, len, &h);
	if (!p) {
		nr_refused++;
		return;
	}
	if (nr_written == MAX_RECORDS)
		abort();
	times[nr_written] = now;
	memset(p, nr_written, len);
	*p = nr_written;
	pe_rb_commit(&h);
	nr_written++;
}

static void write_many(unsigned int n)
{
	while (n--)
		write_one();
}

/* ---- the reader: the records that it has seen ---- */

static unsigned int expected, nr_seen, nr_bad;
static u64 nr_lost;
static struct pe_rb_iter iter;
static struct pe_rb_data_page *spare;
static void *iter_buf, *stats_buf;
static struct pe_rb_stats st;
static u8 bytes[MAX_LEN];

/* @data is the record's data, or a copy made while that was valid. */
static void saw(const struct pe_rb_record *rec, const void *data)
{
	const u8 *p = data;
	u32 value = *(u32 *)p;
	unsigned int k;

	nr_lost += rec->lost;
	for (k = 4; k < len && p[k] == (u8)value; k++)
		;
	if (k != len || rec->len < len || value < expected || value >= MAX_RECORDS ||
	    rec->ts != times[value])
		nr_bad++;
	expected = value + 1;
	nr_seen++;
}

static bool read_one(void)
{
	struct pe_rb_record rec;
	u64 lost;

	if (!pe_rb_peek(&ring, &rec))
		return false;
	lost = rec.lost;
	memcpy(bytes, rec.data, len);
	pe_rb_consume(&ring);
	rec.lost = lost;
	saw(&rec, bytes);
	return true;
}

static void read_two(void)
{
	if (read_one())
		read_one();
}

static void read_all(void)
{
	while (read_one())
		;
}

/* A page's header says how many records are lost before it: the missing numbers. */
static void take_page(bool partial)
{
	struct pe_rb_record rec;
	struct pe_rb_cursor c;
	unsigned int n;

	n = pe_rb_take_page(&ring, &spare, partial);
	if (!n)
		return;
	pe_rb_cursor_init(&c, spare, PE_RB_PAGE_HEAD + n);
	while (pe_rb_cursor_next(&c, &rec)) {
		rec.lost = *(u32 *)rec.data - expected;
		saw(&rec, rec.data);
		pe_rb_cursor_skip(&c);
	}
}

static void take_whole(void)
{
	take_page(false);
}

static void take_any(void)
{
	take_page(true);
}

/* Does not consume: it has its own counts of seen and missed records. */
static void iterate(void)
{
	unsigned int next = expected, seen = nr_seen;
	struct pe_rb_record rec;
	u64 lost = nr_lost;

	pe_rb_iter_start(&iter, &ring, iter_buf);
	while (pe_rb_iter_peek(&iter, &rec)) {
		saw(&rec, rec.data);
		pe_rb_iter_next(&iter);
	}
	expected = next;
	nr_seen = seen;
	nr_lost = lost;
}

/*
 * Nor does this, and it may interrupt a reader.  What it shows is whole and in order.  Beside a
 * writer it also says how many are missing; beside a reader, it is not known at what moment records
 * count as read.
 */
static unsigned int dump_next;
static bool beside_reader;

static void dump(void)
{
	unsigned int next = expected, seen = nr_seen, refused = nr_refused;
	struct pe_rb_dump_rest rest;
	u64 lost = nr_lost, missing;
	struct pe_rb_record rec;
	struct pe_rb_dump d;
	u8 copy[MAX_LEN] __aligned(8);

	expected = beside_reader ? dump_next : max(expected, dump_next);
	pe_rb_dump_start(&d, &ring);
	while (pe_rb_dump_peek(&d)) {
		if (!pe_rb_dump_take(&d, copy, sizeof(copy), &rec))
			continue;
		missing = *(u32 *)copy - expected;
		if (!beside_reader && (rec.lost < missing || rec.lost > missing + nr_refused))
			nr_bad++;
		saw(&rec, copy);
	}
	pe_rb_dump_rest(&d, &rest);
	if (rest.changed || rest.torn > 2 || (!ring.nest && nr_refused == refused && rest.torn))
		nr_bad++;
	dump_next = expected;
	expected = next;
	nr_seen = seen;
	nr_lost = lost;
}

static void take_stats(void)
{
	pe_rb_stats(&ring, &st, stats_buf);
	if (st.written > nr_written + 1 || st.entries > st.written ||
	    st.written != st.entries + st.overrun + st.read_events)
		nr_bad++;
}

static const struct {
	const char *name;
	void (*fn)(void);
} readers[] = {
	{ "two records", read_two },
	{ "all records", read_all },
	{ "a whole page", take_whole },
	{ "any page", take_any },
	{ "an iterator", iterate },
	{ "a dump", dump },
	{ "statistics", take_stats },
};

/* ---- where they meet ---- */

struct scenario {
	unsigned int pages;
	unsigned int before;		/* records that are there */
	unsigned int read;		/* how many of these are read */
	unsigned int len;
	unsigned int meanwhile;		/* records that the writer writes at once */
	bool overwrite;
};

/* Pages of 256 bytes: 14 records of 12 bytes, 4 of 48. */
static const struct scenario scenarios[] = {
	{ 4, 0, 0, 8, 1, true },	/* the first of all */
	{ 4, 3, 0, 8, 1, true },	/* in the page in work */
	{ 4, 3, 2, 8, 1, true },
	{ 4, 3, 3, 8, 1, true },	/* all is read */
	{ 4, 15, 0, 44, 1, true },	/* begins a page */
	{ 4, 15, 12, 44, 6, true },
	{ 4, 16, 0, 44, 1, true },	/* the ring is full: overwrites the oldest page */
	{ 4, 16, 1, 44, 5, true },	/* the same, with one record read */
	{ 4, 30, 0, 44, 40, true },	/* goes around the ring, more than once */
	{ 2, 7, 0, 44, 3, true },	/* no page between reader and writer */
	{ 2, 12, 2, 44, 20, true },
	{ 4, 16, 0, 44, 5, false },	/* the ring is full: refuses */
	{ 4, 16, 4, 44, 5, false },	/* one page was taken */
	{ 2, 7, 0, 44, 9, false },
};

static const struct scenario *sc;
static void (*reader)(void);

static void prepare(void)
{
	unsigned int i;

	world_open(&ring, sc->pages, 8, sc->overwrite);
	now = 1000;
	nr_written = 0;
	nr_refused = 0;
	expected = 0;
	nr_seen = 0;
	nr_bad = 0;
	nr_lost = 0;
	dump_next = 0;
	len = sc->len;
	write_many(sc->before);
	for (i = 0; i < sc->read; i++)
		read_one();
}

/* Every written record was seen or is lost; reported losses may include refused records. */
static void finish(void)
{
	read_all();
	EXPECT_EQ(nr_bad, 0);
	EXPECT_EQ(expected, nr_written);
	EXPECT(nr_seen + nr_lost >= nr_written);
	EXPECT(nr_seen + nr_lost <= nr_written + nr_refused);
	pe_rb_stats(&ring, &st, stats_buf);
	EXPECT_EQ(st.written, nr_written);
	EXPECT_EQ(st.entries, 0);
	EXPECT_EQ(st.read_events, nr_seen);
	EXPECT_EQ(st.overrun, nr_written - nr_seen);
	EXPECT_EQ(st.dropped_events, nr_refused);
	world_close(&ring);
}

static void writer(void)
{
	write_many(sc->meanwhile);
}

static unsigned long meetings, met_after;

/*
 * @fn is interrupted before each of its instructions, sometimes once more before another.
 * If there are many, it goes around the same loops, and some of them are left out.
 */
static void meet(void (*fn)(void), void (*hook)(void), u64 *rnd)
{
	static unsigned long ips[40000];
	long i, n, at = 0;

	prepare();
	n = pe_sim_trace(fn, ips, ARRAY_SIZE(ips));
	finish();
	for (i = 0; i < n && !pe_test_failures; i += n > MANY ? 1 + at % (2 * n / MANY) : 1) {
		long again;

		at = pe_test_random(rnd) >> 33;
		again = i + 1 + at % 600;

		prepare();
		meetings += pe_sim_break(fn, ips[i], 0, hook);
		met_after += nr_seen > sc->read;
		finish();
		if (pe_test_failures || again >= n || again % 3)
			continue;
		prepare();
		meetings += pe_sim_break(fn, ips[i], ips[again], hook);
		finish();
	}
	if (pe_test_failures)
		printf("# scenario %d, instruction %ld of %ld\n", (int)(sc - scenarios), i, n);
}

static void every_scenario(bool step_writer)
{
	u64 rnd = pe_test_seed();
	unsigned int i, k;

	spare = must(malloc(256));
	iter_buf = must(malloc(256));
	stats_buf = must(malloc(256));
	meetings = 0;
	met_after = 0;
	for (i = 0; i < ARRAY_SIZE(scenarios) && !pe_test_failures; i++) {
		for (k = 0; k < ARRAY_SIZE(readers) && !pe_test_failures; k++) {
			sc = &scenarios[i];
			reader = readers[k].fn;
			if (step_writer)
				meet(writer, reader, &rnd);
			else
				meet(reader, writer, &rnd);
			if (pe_test_failures)
				printf("# the reader reads %s\n", readers[k].name);
		}
	}
	EXPECT(pe_test_failures || (met_after && met_after < meetings));
	printf("# met at %lu instructions; the reader saw something at %lu\n", meetings,
	       met_after);
	free(spare);
	free(iter_buf);
	free(stats_buf);
}

static void test_reader_meets_writer(void)
{
	every_scenario(true);
}

static void test_writer_meets_reader(void)
{
	every_scenario(false);
}

static void test_reader_meets_dump(void)
{
	u64 rnd = pe_test_seed();
	unsigned int i, k;

	spare = must(malloc(256));
	iter_buf = must(malloc(256));
	stats_buf = must(malloc(256));
	beside_reader = true;
	for (i = 0; i < ARRAY_SIZE(scenarios) && !pe_test_failures; i += 2) {
		for (k = 0; k < ARRAY_SIZE(readers) && !pe_test_failures; k++) {
			sc = &scenarios[i];
			if (readers[k].fn != dump)
				meet(readers[k].fn, dump, &rnd);
		}
	}
	beside_reader = false;
	free(spare);
	free(iter_buf);
	free(stats_buf);
}

static const struct pe_test tests[] = {
	{ "a reader before every instruction of a writer", test_reader_meets_writer },
	{ "a writer before every instruction of a reader", test_writer_meets_reader },
	{ "a dump before every instruction of a reader", test_reader_meets_dump },
};

int main(void)
{
	return PE_RUN(tests);
}
