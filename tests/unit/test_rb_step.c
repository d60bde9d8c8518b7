// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * An interrupt before every single instruction of a writer.  Afterwards every record is
 * there, in order, with its bytes and exactly the time that the clock gave to its
 * writer.
 */
#include "rb_world.h"
#include "sim.h"

#define MAX_RECORDS	1200u

static struct pe_rb ring;
static u64 now, step_by;
static volatile unsigned int level;	/* 0 the writer, 1 its interrupter, 2 ... */
static u64 level_ts[4];

/* The committed records, by position. */
static struct {
	u64 start;
	u64 ts;
	u32 value;
	unsigned int len;
} done[MAX_RECORDS];
static unsigned int nr_done;
static u32 next_value;
static unsigned int refused;

u64 pe_clock_now(unsigned int clock, void *data)
{
	u64 ts = __atomic_add_fetch(&now, step_by, __ATOMIC_RELAXED);

	level_ts[level] = ts;
	return ts;
}

static void fill(u8 *p, u32 value, unsigned int len)
{
	memset(p, value, len);
	memcpy(p, &value, 4);
}

static void write_one(unsigned int len)
{
	struct pe_rb_handle h;
	u32 value = __atomic_fetch_add(&next_value, 1, __ATOMIC_RELAXED);
	u8 *p = pe_rb_reserve(&ring, len, &h);
	u64 ts = level_ts[level], start;
	unsigned int n;

	if (!p) {
		__atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
		return;
	}
	fill(p, value, len);
	start = h.page->base + (p - (u8 *)h.page->data);
	pe_rb_commit(&h);
	n = __atomic_fetch_add(&nr_done, 1, __ATOMIC_RELAXED);
	done[n].start = start;
	done[n].ts = ts;
	done[n].value = value;
	done[n].len = len;
}

static void sort_done(void)
{
	unsigned int i, j;

	for (i = 1; i < nr_done; i++) {
		__typeof__(done[0]) one = done[i];

		for (j = i; j && done[j - 1].start > one.start; j--)
			done[j] = done[j - 1];
		done[j] = one;
	}
}

/* The ring's records are the newest committed ones. */
static void check_all(void)
{
	struct pe_rb_record rec;
	unsigned int i = 0, k;
	u64 drops = 0;

	EXPECT_EQ(ring.nest, 0);
	EXPECT_EQ(ring.commit, local_read(&ring.write));
	sort_done();
	for (; pe_rb_peek(&ring, &rec); i++) {
		const u8 *p = rec.data;

		if (!i) {
			/* Records before it are lost; further losses were refused. */
			while (i < nr_done && done[i].value != *(u32 *)p)
				i++;
			EXPECT(rec.lost >= i);
			rec.lost -= i;
		}
		drops += rec.lost;
		if (i >= nr_done)
			break;
		EXPECT_EQ(*(u32 *)p, done[i].value);
		EXPECT_EQ(rec.ts, done[i].ts);
		EXPECT(rec.len >= done[i].len);
		for (k = 4; k < done[i].len && p[k] == (u8)done[i].value; k++)
			;
		EXPECT_EQ(k, done[i].len);
		pe_rb_consume(&ring);
	}
	EXPECT_EQ(i, nr_done);
	EXPECT(drops <= refused);
}

/* ---- scenarios ---- */

static u64 seen_commit;

/* Reads the committed position as a reader on another CPU would. */
static void look_at_commit(void)
{
	u64 commit = READ_ONCE(ring.commit);

	EXPECT(commit >= seen_commit);
	seen_commit = commit;
}

static unsigned int outer_len, inner_len, inner_count;
static long nmi_at;

static void outer(void)
{
	write_one(outer_len);
}

static void nmi_writes(void)
{
	level = 2;
	write_one(8);
	level = 1;
}

static void irq_body(void)
{
	unsigned int i;

	for (i = 0; i < inner_count; i++)
		write_one(inner_len);
}

static void irq_writes(void)
{
	look_at_commit();
	level = 1;
	if (nmi_at >= 0)
		pe_sim_step(irq_body, nmi_at, nmi_writes);
	else
		irq_body();
	level = 0;
	look_at_commit();
}

struct scenario {
	unsigned int pages, shift;
	unsigned int before;		/* bytes in the page already */
	unsigned int outer_len;
	unsigned int inner_len, inner_count;
	u64 clock_step;
};

static const struct scenario scenarios[] = {
	{ 4, 12, 24, 24, 24, 1, 1 },		/* the common case */
	{ 4, 12, 24, 24, 24, 2, 1 },
	{ 4, 12, 0, 24, 24, 1, 1 },		/* first record of all */
	{ 4, 8, 200, 60, 24, 1, 1 },		/* outer begins a page */
	{ 4, 8, 200, 8, 60, 1, 1 },		/* inner begins a page */
	{ 4, 8, 180, 60, 60, 3, 1 },		/* both */
	{ 4, 12, 24, 24, 24, 1, 1ull << 28 },	/* time extends */
	{ 4, 12, 24, 200, 150, 1, 1 },		/* long records */
	{ 2, 7, 60, 24, 24, 12, 1 },		/* inner goes around the ring */
};

static void prepare(const struct scenario *sc)
{
	unsigned int left = sc->before;

	world_open(&ring, sc->pages, sc->shift, true);
	now = 1000;
	step_by = 1;
	nr_done = 0;
	refused = 0;
	next_value = 1;
	seen_commit = 0;
	for (; left >= 12; left -= 12)
		write_one(8);
	step_by = sc->clock_step;
	outer_len = sc->outer_len;
	inner_len = sc->inner_len;
	inner_count = sc->inner_count;
}

static void finish(void)
{
	/* All is published, without another writer's help. */
	EXPECT_EQ(ring.nest, 0);
	EXPECT_EQ(ring.commit, local_read(&ring.write));
	step_by = 1;
	write_one(12);		/* takes its time from the state that they left */
	write_one(12);
	check_all();
	world_close(&ring);
}

static unsigned long interrupts;

static void run_scenario(const struct scenario *sc)
{
	static unsigned long ips[4000];
	long i, n, reached = 0;

	nmi_at = -1;
	prepare(sc);
	n = pe_sim_trace(outer, ips, ARRAY_SIZE(ips));
	finish();
	EXPECT(n > 50);
	for (i = 0; i < n && !pe_test_failures; i++) {
		prepare(sc);
		reached += pe_sim_break(outer, ips[i], 0, irq_writes);
		finish();
	}
	/* The list includes a few instructions of the frame that are not in outer(). */
	EXPECT(pe_test_failures || reached + 8 >= n);
	interrupts += reached;
	if (pe_test_failures)
		printf("# scenario %d, instruction %ld of %ld\n",
		       (int)(sc - scenarios), i, n);
}

static void test_every_instruction(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scenarios) && !pe_test_failures; i++)
		run_scenario(&scenarios[i]);
	printf("# interrupted before %lu instructions\n", interrupts);
}

/* Interrupters are interrupted, at random instructions. */
static void test_two_deep(void)
{
	static unsigned long ips[4000];
	u64 rnd = pe_test_seed();
	unsigned int i;

	for (i = 0; i < 400 && !pe_test_failures; i++) {
		const struct scenario *sc = &scenarios[pe_test_random(&rnd) %
						       ARRAY_SIZE(scenarios)];
		u64 r = pe_test_random(&rnd);
		long n, at;

		nmi_at = (r >> 32) % 200;
		prepare(sc);
		n = pe_sim_trace(outer, ips, ARRAY_SIZE(ips));
		finish();
		at = (r >> 16) % n;
		prepare(sc);
		pe_sim_break(outer, ips[at], 0, irq_writes);
		finish();
		if (pe_test_failures)
			printf("# scenario %d, at %ld and %ld\n",
			       (int)(sc - scenarios), at, nmi_at);
	}
}

/* Two interrupts in a writer: one at a random instruction, the next at every distance. */
static void test_twice(void)
{
	static unsigned long ips[4000];
	u64 rnd = pe_test_seed();
	unsigned long twice = 0;
	unsigned int i;
	long n, at, next;

	nmi_at = -1;
	for (i = 0; i < 20 * ARRAY_SIZE(scenarios) && !pe_test_failures; i++) {
		const struct scenario *sc = &scenarios[i % ARRAY_SIZE(scenarios)];

		prepare(sc);
		n = pe_sim_trace(outer, ips, ARRAY_SIZE(ips));
		finish();
		at = pe_test_random(&rnd) % n;
		for (next = at + 1; next < n && !pe_test_failures; next++) {
			prepare(sc);
			twice += pe_sim_break(outer, ips[at], ips[next], irq_writes) == 2;
			finish();
		}
		if (pe_test_failures)
			printf("# scenario %d, at %ld and %ld\n", (int)(sc - scenarios), at, next);
	}
	EXPECT(pe_test_failures || twice > 1000);
	printf("# interrupted twice: %lu\n", twice);
}

/*
 * An interrupt anywhere, and a look soon after it: commit never goes back.  The order
 * "commit before nest = 0" is for this.
 */
static void test_commit_grows(void)
{
	static unsigned long ips[4000];
	long n, at, next;
	unsigned int i;

	nmi_at = -1;
	for (i = 0; i < 4 && !pe_test_failures; i++) {
		const struct scenario *sc = &scenarios[i];

		prepare(sc);
		n = pe_sim_trace(outer, ips, ARRAY_SIZE(ips));
		finish();
		for (at = 0; at < n; at++) {
			for (next = at + 1; next < n && next <= at + 6; next++) {
				if (pe_test_failures)
					return;
				prepare(sc);
				pe_sim_break(outer, ips[at], ips[next], irq_writes);
				finish();
			}
		}
	}
}

/* The budget of the common case; the figure is valid only without sanitizers. */
static noinline void reserve_and_commit(void)
{
	struct pe_rb_handle h;

	if (pe_rb_reserve(&ring, 24, &h))
		pe_rb_commit(&h);
}

static void nothing(void)
{
}

static void test_instructions(void)
{
	long frame, both;

	world_open(&ring, 4, 12, true);
	step_by = 1;
	reserve_and_commit();
	frame = pe_sim_step(nothing, -1, nothing);
	both = pe_sim_step(reserve_and_commit, -1, nothing);
	printf("# reserve and commit of 24 bytes: %ld instructions with a counting clock\n",
	       both - frame);
	EXPECT(both > frame);
	world_close(&ring);
}

static const struct pe_test tests[] = {
	{ "interrupt before every instruction", test_every_instruction },
	{ "interrupted interrupters", test_two_deep },
	{ "interrupted twice", test_twice },
	{ "commit only grows", test_commit_grows },
	{ "instructions", test_instructions },
};

int main(void)
{
	return PE_RUN(tests);
}
