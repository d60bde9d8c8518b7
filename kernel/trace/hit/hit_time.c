// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hit_time.c - the clocks of elapsed.c and since.c: their seams.  [H]
 */
#include <linux/ktime.h>
#include <linux/timex.h>
#include "elapsed.h"

u64 pe_elapsed_cycles(void)
{
	return get_cycles();
}

u64 pe_elapsed_mono(void)
{
	return ktime_get_mono_fast_ns();
}
