// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * How fast this machine's TSC counts, in kHz.  Emulated CPUs read it as it is.  A guest that
 * measures it itself on a busy machine may be wrong by a factor of ten.
 */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct reading {
	unsigned long tsc;
	unsigned long ns;
};

static unsigned long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ul + t.tv_nsec;
}

/* Reads both clocks at one time, almost: the shortest of many attempts was not interrupted. */
static struct reading take(void)
{
	struct reading best = {};
	unsigned long shortest = -1UL;

	for (int i = 0; i < 1000; i++) {
		unsigned long before = __rdtsc();
		unsigned long ns = now_ns();
		unsigned long after = __rdtsc();

		if (after - before < shortest) {
			shortest = after - before;
			best = (struct reading){ before + shortest / 2, ns };
		}
	}
	return best;
}

int main(void)
{
	struct timespec pause = { .tv_nsec = 200000000 };
	struct reading a = take(), b;

	nanosleep(&pause, NULL);
	b = take();
	printf("%.0f\n", (b.tsc - a.tsc) * 1e6 / (b.ns - a.ns));
	return 0;
}
