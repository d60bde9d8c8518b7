// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * nearest.c - which name may have been meant?
 */
#include <string.h>
#include "nearest.h"

#define NAME 255

size_t nearest_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t row[NAME + 1], i, k;

	for (k = 0; k <= b_len; k++)
		row[k] = k;
	for (i = 1; i <= a_len; i++) {
		size_t across = row[0];

		row[0] = i;
		for (k = 1; k <= b_len; k++) {
			size_t best = across + (a[i - 1] != b[k - 1]);

			across = row[k];
			if (row[k] + 1 < best)
				best = row[k] + 1;
			if (row[k - 1] + 1 < best)
				best = row[k - 1] + 1;
			row[k] = best;
		}
	}
	return row[b_len];
}

const char *nearest_name(const char *wanted, size_t len, const char *names, size_t *found)
{
	const char *nearest = NULL;
	size_t least = len / 3 + 1, is, of;

	for (; *names && len && len <= NAME; names += of + (names[of] == '\n')) {
		of = strcspn(names, "\n");
		if (!of || of > NAME)
			continue;
		is = of > len && !memcmp(names, wanted, len) ? 0 :
		     nearest_distance(wanted, len, names, of);
		if (is > least || (is == least && nearest))
			continue;
		least = is;
		nearest = names;
		*found = of;
	}
	return nearest;
}
