// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* Reading a ring in a crash: what is shown, once, and what is counted instead. */
#include "kernel/trace/ring/rb_dump.h"
#include "rb_single.h"

static unsigned int nr_written;

static void write_one(void)
{
	struct pe_rb_handle h;
	u32 *p = pe_rb_reserve(&ring, 44, &h);

	if (!p)
		return;
	memset(p, 0, 44);
	*p = nr_written++;
	pe_rb_commit(&h);
}

static void write_many(unsigned int n)
{
	while (n--)
		write_one();
}

static void read_many(unsigned int n)
{
	struct pe_rb_record rec;

	while (n-- && pe_rb_peek(&ring, &rec))
		pe_rb_consume(&ring);
}

/* What a dump shows: @n records, numbered from @from on; @lost before the first of them. */
static struct pe_rb_dump_rest dump(unsigned int from, unsigned int n, u64 lost)
{
	struct pe_rb_dump_rest rest;
	struct pe_rb_record rec;
	struct pe_rb_dump d;
	unsigned int i = 0;
	u64 ts = 0;
	u32 p[16];

	pe_rb_dump_start(&d, &ring);
	for (; pe_rb_dump_peek(&d); i++) {
		if (!pe_rb_dump_take(&d, p, sizeof(p), &rec))
			break;
		EXPECT_EQ(rec.lost, i ? 0 : lost);
		EXPECT_EQ(p[0], from + i);
		EXPECT_EQ(rec.len, 44);
		EXPECT(rec.ts > ts);
		ts = rec.ts;
	}
	EXPECT_EQ(i, n);
	pe_rb_dump_rest(&d, &rest);
	EXPECT(!rest.changed);
	return rest;
}

static void open_small(bool overwrite)
{
	open_ring(4, 8, overwrite);	/* 4 records in a page */
	nr_written = 0;
}

static void test_once(void)
{
	struct pe_rb_dump_rest rest;

	open_small(true);
	dump(0, 0, 0);
	write_many(6);
	rest = dump(0, 6, 0);
	EXPECT_EQ(rest.lost, 0);
	EXPECT_EQ(rest.torn, 0);
	dump(6, 0, 0);
	write_many(7);
	dump(6, 7, 0);
	/* It has consumed nothing. */
	EXPECT_EQ(stats().entries, 13);
	read_many(13);
	EXPECT_EQ(stats().read_events, 13);
	/* Emptied: the numbers begin anew. */
	pe_rb_reset(&ring);
	nr_written = 0;
	write_many(3);
	dump(0, 3, 0);
	world_close(&ring);
}

/* Wherever the reader is: in a whole page, at its end, in a copy of the page in work. */
static void test_consumed(void)
{
	unsigned int read;

	for (read = 0; read <= 10; read++) {
		open_small(true);
		write_many(10);
		read_many(read);
		dump(read, 10 - read, 0);
		world_close(&ring);
	}
}

static void test_overwritten(void)
{
	open_small(true);
	write_many(103);		/* the last page has 3, three others are full */
	dump(88, 15, 88);
	write_many(100);
	dump(188, 15, 85);
	read_many(1);
	world_close(&ring);

	/* The reader knows already, and has the page. */
	open_small(true);
	write_many(103);
	read_many(1);
	dump(89, 14, 0);
	world_close(&ring);
}

static void test_full(void)
{
	open_small(false);
	write_many(20);
	EXPECT_EQ(nr_written, 16);
	EXPECT_EQ(dump(0, 16, 0).lost, 4);
	EXPECT_EQ(dump(16, 0, 0).lost, 0);
	write_many(1);
	EXPECT_EQ(dump(16, 0, 0).lost, 1);
	world_close(&ring);
}

/* A writer was interrupted, and so will be for ever. */
static void test_torn(void)
{
	struct pe_rb_dump_rest rest;
	struct pe_rb_handle h;

	open_small(true);
	write_many(2);
	EXPECT(pe_rb_reserve(&ring, 44, &h));
	rest = dump(0, 2, 0);
	EXPECT_EQ(rest.torn, 1);
	write_many(5);			/* by interrupts: complete, but not to be read */
	rest = dump(2, 0, 0);
	EXPECT_EQ(rest.torn, 6);
	world_close(&ring);
}

/* The reader was interrupted while it took a page: all but that page is there. */
static void test_reader_inside(void)
{
	open_small(true);
	write_many(15);
	read_many(2);
	ring.rd_moves++;
	dump(4, 11, 2);
	ring.rd_moves++;
	world_close(&ring);
}

static void test_changing(void)
{
	struct pe_rb_dump_rest rest;
	struct pe_rb_record rec;
	struct pe_rb_dump d;
	u32 p[16];

	open_small(true);
	write_many(10);
	ring.changes++;
	pe_rb_dump_start(&d, &ring);
	EXPECT(!pe_rb_dump_peek(&d));
	pe_rb_dump_rest(&d, &rest);
	EXPECT(rest.changed);
	ring.changes++;

	/* In the middle of a dump: nothing of what is there now is taken for the old. */
	pe_rb_dump_start(&d, &ring);
	EXPECT(pe_rb_dump_peek(&d));
	world_resize(&ring, 9);
	EXPECT(!pe_rb_dump_take(&d, p, sizeof(p), &rec));
	EXPECT(!pe_rb_dump_peek(&d));
	pe_rb_dump_rest(&d, &rest);
	EXPECT(rest.changed);
	dump(0, 10, 0);
	world_close(&ring);
}

/* Longer than the caller's memory: cut. */
static void test_long(void)
{
	struct pe_rb_record rec;
	struct pe_rb_dump d;
	u32 p[2];

	open_small(true);
	write_many(2);
	pe_rb_dump_start(&d, &ring);
	EXPECT(pe_rb_dump_peek(&d) && pe_rb_dump_take(&d, p, sizeof(p), &rec));
	EXPECT_EQ(rec.len, 8);
	EXPECT(pe_rb_dump_peek(&d) && pe_rb_dump_take(&d, p, sizeof(p), &rec));
	EXPECT_EQ(p[0], 1);
	world_close(&ring);
}

static const struct pe_test tests[] = {
	{ "each record once, and none consumed", test_once },
	{ "what was consumed is not shown", test_consumed },
	{ "what was overwritten is counted", test_overwritten },
	{ "what had no room is counted", test_full },
	{ "a hit that never ends, and those after it, are counted", test_torn },
	{ "a reader in the middle of a step keeps its page", test_reader_inside },
	{ "a ring that changes is left alone", test_changing },
	{ "a long record is cut", test_long },
};

int main(void)
{
	return PE_RUN(tests);
}
