// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sessions.c - the modules' file sessions: a line for each, with tabs between the columns.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "report.h"
#include "sessions.h"

bool sessions_next(char **text, struct session_line *line)
{
	const char **words[] = {
		&line->id, &line->pid, &line->comm, &line->since, &line->events, &line->hits,
		&line->ttl, &line->state, &line->what, &line->ns, &line->cpu,
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

int sessions_end(const char *dir, const char *id)
{
	char path[PATH_MAX], word[32];
	int fd, len, err = 0;

	snprintf(path, sizeof(path), "%s/sessions", dir);
	len = snprintf(word, sizeof(word), "-%s", id);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, word, len) != len)
		err = errno;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT && fd >= 0)
		return complain_at(id, "there is no session %s (probe-events list)", id);
	return err ? complain("%s: %s", path, strerror(err)) : 0;
}
