// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * since.c with hits that interrupt one another at each step: the times add up to that from the first
 * hit to the last, whatever interrupts what, and whether the clock stands still or goes back.
 */
#include <linux/kernel.h>
#include <asm/local.h>
#include "harness.h"
#include "kernel/trace/hit/elapsed.h"
#include "kernel/trace/hit/since.h"

static u64 seed, clock_now, latest, sum, first;
static unsigned int hits, depth, failed_rounds;
static bool goes_back;
static local_t word;

static u64 pick(u64 n)
{
	return pe_test_random(&seed) % n;
}

u64 pe_elapsed_cycles(void)
{
	return 0;
}

static void hit(void)
{
	u64 since = pe_since_hit(&word);

	hits++;
	sum += since;
	EXPECT((s64)since >= 0);
}

/* An interrupt before the clock is read, or after it. */
static void interrupt(void)
{
	if (depth == 3 || pick(4))
		return;
	depth++;
	failed_rounds++;
	hit();
	depth--;
}

u64 pe_elapsed_mono(void)
{
	u64 now;

	interrupt();
	clock_now += pick(3) * pick(1000);
	now = clock_now - (goes_back && clock_now > 2000 ? pick(1000) : 0);
	if (now > latest)
		latest = now;
	interrupt();
	return now;
}

static void random_hits(bool back)
{
	unsigned int i;

	seed = 7 + back;
	goes_back = back;
	clock_now = 1000;
	local_set(&word, 0);
	sum = latest = hits = failed_rounds = 0;
	/* No hit interrupts the first one. */
	depth = 3;
	hit();
	depth = 0;
	EXPECT_EQ(sum, 0);
	first = local_read(&word);
	for (i = 0; i < 100000; i++)
		hit();
	EXPECT_EQ(sum, (u64)local_read(&word) - first);
	EXPECT((u64)local_read(&word) <= latest);
	EXPECT(failed_rounds > 10000);
	printf("# %u hits, %u of them in others\n", hits, failed_rounds);
}

static void nested(void)
{
	random_hits(false);
}

static void clock_back(void)
{
	random_hits(true);
}

/* Hits interrupt the first one as well: one of them is the first. */
static void first_nested(void)
{
	unsigned int i;

	goes_back = false;
	for (i = 0; i < 10000; i++) {
		u64 begin = clock_now;

		local_set(&word, 0);
		sum = 0;
		hit();
		EXPECT(sum <= clock_now - begin);
		hit();
		EXPECT(local_read(&word) > 0);
	}
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "nested", nested },
		{ "a clock that goes back", clock_back },
		{ "the first hit nested", first_nested },
	};

	return PE_RUN(tests);
}
