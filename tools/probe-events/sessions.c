// SPDX-License-Identifier: GPL-2.0
/*
 * sessions.c - the modules' file sessions: a line for each, with tabs between the columns.
 */
#define _GNU_SOURCE
#include <string.h>
#include "sessions.h"

bool sessions_next(char **text, struct session_line *line)
{
	const char **words[] = {
		&line->id, &line->pid, &line->comm, &line->since, &line->events, &line->hits,
		&line->ttl, &line->state, &line->what,
	};
	char *row, *word;
	size_t i;

	while (*text && (row = strsep(text, "\n"))) {
		if (!*row || *row == '#')
			continue;
		for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
			word = strsep(&row, "\t");
			*words[i] = word ?: "";
		}
		return true;
	}
	return false;
}
