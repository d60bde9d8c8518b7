// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * elapsed.c against a machine whose kernel's clock changes its rate, its source, and sleeps, with a
 * TSC that goes on, stops or begins anew meanwhile.  At each return of a call the time that it has
 * taken is what the kernel's clock says, within what a change of the rate makes of it.
 */
#include <linux/kernel.h>
#include "harness.h"
#include "kernel/trace/hit/elapsed.h"

#define CALLS	64u
#define SHIFT	22u

static u64 seed, tsc, mono, slept, mult;
static bool is_cycles;

/* Of the kernel: cycles since the last tick, with the rate of then. */
static u64 tick_tsc, tick_mono;

/* @began: of the kernel's clock; @slack: by which the answer may differ. */
static struct call {
	u64 word, began, slack;
	bool is_open;
} calls[CALLS];

static u64 pick(u64 n)
{
	return pe_test_random(&seed) % n;
}

u64 pe_elapsed_cycles(void)
{
	return tsc;
}

u64 pe_elapsed_mono(void)
{
	return mono;
}

static void every_call_may_differ(u64 by)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++)
		calls[i].slack += by;
}

/* The kernel keeps fractions of a nanosecond, we do not. */
static void look(void)
{
	const struct pe_elapsed_tick now = {
		.is_cycles = is_cycles, .mult = mult, .shift = SHIFT, .cycle = tsc, .ns = mono,
		.slept = slept,
	};

	tick_tsc = tsc;
	tick_mono = mono;
	pe_elapsed_look(&now);
	every_call_may_differ(2);
}

/* Time goes by.  The TSC is wrong if it is not the clock. */
static void pass(void)
{
	u64 cycles = pick(8) ? pick(1 << 20) : pick(1ULL << 40);

	tsc += cycles;
	if (!is_cycles)
		tsc += pick(cycles / 2 + 1);
	mono = tick_mono + (u64)((__int128)(is_cycles ? tsc - tick_tsc : cycles) * mult >> SHIFT);
	if (!is_cycles)
		look();
}

/* NTP: the rate of the calls so far was another one. */
static void adjust(void)
{
	unsigned int i;
	s64 by = (s64)pick(400) - 200;

	look();
	mult += by;
	for (i = 0; i < CALLS; i++)
		calls[i].slack += (mono - calls[i].began) / (mult / 256) + 1;
	look();
}

static void begin(void)
{
	unsigned int stops;
	bool first;

	if (pe_elapsed_may_begin(&stops, &first)) {
		EXPECT_EQ(pe_elapsed.skew, 0);
		if (pick(4) == 0) {		/* it is stopped before */
			is_cycles = !is_cycles;
			look();
			is_cycles = !is_cycles;
			look();
		}
		pe_elapsed_begin(stops);
		EXPECT(pe_elapsed.skew);
		every_call_may_differ(2);
	}
}

/* @told: a kernel that tells before.  Another one does not let code run. */
static void sleeps(bool told)
{
	look();
	if (told) {
		pe_elapsed_sleeps(true);
		EXPECT_EQ(pe_elapsed.skew, 0);
		pass();
		look();
	}
	tsc = pick(2) ? tsc + pick(1ULL << 45) : pick(1 << 20);
	slept += 1 + pick(1ULL << 40);
	look();
	EXPECT_EQ(pe_elapsed.skew, 0);
	if (!told)
		return;
	pass();
	begin();
	EXPECT_EQ(pe_elapsed.skew, 0);
	pe_elapsed_sleeps(false);
}

static void enter(struct call *call)
{
	/* Compiled or not. */
	call->word = pe_elapsed.skew && pick(4) ? tsc + pe_elapsed.skew : mono;
	call->began = mono;
	call->slack = 2;
	call->is_open = true;
	EXPECT(call->word == mono || (s64)call->word < 0);
}

static void leave(struct call *call)
{
	u64 is = pe_elapsed_since(call->word), want = mono - call->began;

	EXPECT(is - want + call->slack <= 2 * call->slack);
	if (pe_test_failures)
		printf("   %llu, not %llu, by %llu\n", is, want, call->slack);
	call->is_open = false;
}

static void clocks(void)
{
	unsigned int i, counted = 0;
	struct call *call;

	tsc = pick(1ULL << 40);
	mono = 1 + pick(1 << 30);
	mult = 1 << 22;
	is_cycles = true;
	look();
	EXPECT(!pe_elapsed.skew);
	begin();
	EXPECT_EQ(tsc + pe_elapsed.skew, PE_ELAPSED_FIRST);
	for (i = 0; i < 200000 && !pe_test_failures; i++) {
		pass();
		call = &calls[pick(CALLS)];
		if (call->is_open)
			leave(call);
		else
			enter(call);
		counted += call->is_open && (s64)call->word < 0;
		switch (pick(64)) {
		case 0: case 1: case 2:
			look();
			break;
		case 3:
			adjust();
			break;
		case 4: case 5:
			begin();
			break;
		case 6:
			sleeps(pick(2));
			break;
		case 7:
			look();
			is_cycles = !is_cycles;
			look();
			break;
		}
	}
	EXPECT(counted > 1000);
}

/* What does not fit is not used; what goes back is 0. */
static void edges(void)
{
	const struct pe_elapsed_tick odd = { .is_cycles = true, .mult = 1, .shift = 33 };
	unsigned int stops;
	bool first;

	is_cycles = true;
	look();
	begin();
	EXPECT_EQ(pe_elapsed_since(tsc + pe_elapsed.skew + 5), 0);
	EXPECT_EQ(pe_elapsed_since(mono + 5), 0);
	pe_elapsed_look(&odd);
	EXPECT_EQ(pe_elapsed.skew, 0);
	EXPECT(!pe_elapsed_may_begin(&stops, &first));
	EXPECT(!first);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "clocks", clocks },
		{ "edges", edges },
	};

	seed = pe_test_seed();
	return PE_RUN(tests);
}
