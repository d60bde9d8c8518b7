// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * advice.c - what would work in place of a word that the modules have refused.
 *
 * They know a function's parameters, and numbers: not the keys that this program has for all, nor
 * its names of numbers.
 */
#include <stdio.h>
#include <string.h>
#include "advice.h"
#include "named.h"
#include "nearest.h"

/* A letter, or of a longer word two: keys are short, so more would find one for any word. */
static size_t too_far(size_t len)
{
	return len < 4 ? 2 : 3;
}

static void advise_key(const char *word, size_t len, bool filter, char *text, size_t size)
{
	const char *all = filter ? ADVICE_FIELDS : ADVICE_KEYS, *at, *near = NULL;
	size_t least = too_far(len), is, of;

	for (at = all; *at; at += of + (at[of] == ' ')) {
		of = strcspn(at, " ");
		is = nearest_distance(word, len, at, of);
		if (is >= least)
			continue;
		least = is;
		near = at;
	}
	if (near)
		snprintf(text, size, "meant: %.*s", (int)strcspn(near, " "), near);
	else
		snprintf(text, size, "%s: %s", filter ? "all hits have" : "keys of all functions",
			 all);
}

/* No name is one of both. */
static void advise_number(const char *word, size_t len, char *text, size_t size)
{
	int error = named_error(word, len), signal = named_signal(word, len);

	if (error)
		snprintf(text, size, "a number is wanted: the error %.*s is %d", (int)len, word,
			 error);
	else if (signal)
		snprintf(text, size, "a number is wanted: the signal %.*s is %d", (int)len, word,
			 signal);
	else
		snprintf(text, size, "a number is wanted");
}

void advice(const char *what, const char *word, size_t len, bool filter, char *text, size_t size)
{
	static const char * const unknown[] = {
		"This variable is not found", "BTF is not available", "No BTF entry",
	};
	size_t i;

	*text = '\0';
	for (i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (strstr(what, unknown[i]))
			advise_key(word, len, filter, text, size);
	if (strstr(what, "Expecting numeric field"))
		advise_number(word, len, text, size);
}
