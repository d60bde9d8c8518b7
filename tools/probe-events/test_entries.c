// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_entries.c - what was read when calls began, until they return.
 */
#include <string.h>
#include "entries.h"
#include "expect.h"

#define S 1000000000ULL

static bool is(const char *text, const char *wanted)
{
	return wanted ? text && !strcmp(text, wanted) : !text;
}

int main(void)
{
	struct entries e = {};
	char all[100];

	EXPECT(is(entries_take(&e, 7, 1, 5 * S, S), NULL));
	/* Two tasks, whose calls end in another order. */
	EXPECT(!entries_note(&e, 7, 1, 5 * S, "rsync-12"));
	EXPECT(!entries_note(&e, 8, 1, 5 * S + 1, "-"));
	EXPECT(is(entries_take(&e, 7, 1, 6 * S, S), "rsync-12"));
	EXPECT(is(entries_take(&e, 7, 1, 6 * S, S), NULL));
	EXPECT(is(entries_take(&e, 8, 1, 9 * S, 4 * S - 1), "-"));
	/* The last that began counts: what was before has returned unseen. */
	EXPECT(!entries_note(&e, 7, 1, 10 * S, "old-1"));
	EXPECT(!entries_note(&e, 7, 1, 11 * S, "new-2"));
	EXPECT(is(entries_take(&e, 7, 1, 12 * S, S), "new-2"));
	/* The entry's record was lost: the one that is there is of an earlier call. */
	EXPECT(!entries_note(&e, 7, 1, 20 * S, "stale-1"));
	EXPECT(is(entries_take(&e, 7, 1, 23 * S, S), NULL));
	/* An interrupt, or another guest of the host, came between the clock's two readings. */
	EXPECT(!entries_note(&e, 7, 1, 30 * S, "late-1"));
	EXPECT(is(entries_take(&e, 7, 1, 31 * S, S - 500000), "late-1"));
	EXPECT(!entries_note(&e, 7, 1, 32 * S, "later-1"));
	EXPECT(is(entries_take(&e, 7, 1, 33 * S, S / 10), "later-1"));
	/* A wait within the wait, for another lock, whose return was not seen. */
	EXPECT(!entries_note(&e, 7, 1, 35 * S, "outer-1"));
	EXPECT(!entries_note(&e, 7, 2, 36 * S, "inner-2"));
	EXPECT(is(entries_take(&e, 7, 1, 37 * S, 2 * S), NULL));
	/* Another task has taken its place. */
	EXPECT(!entries_note(&e, 5, 1, 40 * S, "a-1"));
	EXPECT(!entries_note(&e, 5 + 16384, 1, 40 * S, "b-2"));
	EXPECT(is(entries_take(&e, 5, 1, 41 * S, S), NULL));
	EXPECT(is(entries_take(&e, 5 + 16384, 1, 41 * S, S), "b-2"));
	memset(all, 'x', sizeof(all) - 1);
	all[sizeof(all) - 1] = '\0';
	EXPECT(!entries_note(&e, 5, 1, 50 * S, all));
	EXPECT(strlen(entries_take(&e, 5, 1, 50 * S, 0)) == ENTRIES_TEXT - 1);
	entries_free(&e);
	return failed;
}
