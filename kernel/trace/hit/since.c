// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * since.c - the time since an event's last hit on this CPU.  [P][H]
 *
 * The clock is read after the word: so the word is no later than the clock, if no hit has
 * interrupted this one meanwhile.  If one has, the exchange fails, and this hit is the later one.
 * A round fails only by such a hit, so there are no more rounds than hits.
 *
 * Arming the event writes 0 from another CPU.  If a hit of before is just ending there, its
 * exchange may win: then the next hit is told the time since that one, which is as true.
 */
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/local.h>
#include "elapsed.h"
#include "since.h"

u64 pe_since_hit(local_t *last)
{
	u64 before, now;

	do {
		before = local_read(last);
		now = pe_elapsed_mono();
		/* In an NMI that interrupts its update, the clock may go back a little. */
		if (unlikely(now <= before))
			return 0;
	} while ((u64)local_cmpxchg(last, before, now) != before);
	return before ? now - before : 0;
}
