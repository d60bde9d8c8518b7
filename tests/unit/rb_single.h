/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_single.h - the ring of a test with one thread, and its clock.  Only one file of a
 * program may include it: it defines the clock that the ring asks.
 */
#ifndef PE_TEST_RB_SINGLE_H
#define PE_TEST_RB_SINGLE_H

#include "rb_world.h"

static struct pe_rb ring;

static u64 now;
static u64 clock_step;
static u64 clock_said;			/* the last answer */
static void (*clock_hook)(void);	/* runs between the question and the answer */

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

static inline struct pe_rb_stats stats(void)
{
	u8 buf[4096] __aligned(8);
	struct pe_rb_stats st;

	pe_rb_stats(&ring, &st, buf);
	EXPECT_EQ(st.written, st.entries + st.overrun + st.read_events);
	return st;
}

static inline void open_ring(unsigned int pages, unsigned int shift, bool overwrite)
{
	now = 1000;
	clock_step = 1;
	clock_hook = NULL;
	world_open(&ring, pages, shift, overwrite);
}

#endif
