/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limit_window.h - what hits have cost in a window of time: its number and the sum, in one word.
 *
 * They change together: so who adds to a window never finds the sum of another one.
 */
#ifndef PE_EVENT_LIMIT_WINDOW_H
#define PE_EVENT_LIMIT_WINDOW_H

#include <linux/types.h>

#define PE_LIMIT_WINDOWS	4	/* that are kept; a power of 2 */
#define PE_LIMIT_SUM_BITS	40	/* 18 minutes, in ns: of all CPUs in 100 ms */
#define PE_LIMIT_SUM_MOST	(((u64)1 << PE_LIMIT_SUM_BITS) - 1)

static inline u64 pe_limit_window_sum(u64 word)
{
	return word & PE_LIMIT_SUM_MOST;
}

/* By how much @id is later than the window in @word; as far as the bits of its number say. */
static inline s64 pe_limit_window_later(u64 word, u64 id)
{
	return (s64)((id << PE_LIMIT_SUM_BITS) - (word & ~PE_LIMIT_SUM_MOST)) >> PE_LIMIT_SUM_BITS;
}

/**
 * pe_limit_window_add() - add to a window
 * @word: what is kept in its place
 * @id: its number
 * @ns: what to add
 *
 * A caller that is late by some windows changes nothing.  If it is late by more, windows have begun
 * to count anew, and a caller that did not know has written the word.
 *
 * Return: the word, which has another number than @id if it is late.
 */
static inline u64 pe_limit_window_add(u64 word, u64 id, u64 ns)
{
	s64 later = pe_limit_window_later(word, id);
	u64 sum = 0;

	if (later < 0 && later >= -PE_LIMIT_WINDOWS)
		return word;
	if (!later)
		sum = pe_limit_window_sum(word);
	sum = ns < PE_LIMIT_SUM_MOST - sum ? sum + ns : PE_LIMIT_SUM_MOST;
	return id << PE_LIMIT_SUM_BITS | sum;
}

#endif
