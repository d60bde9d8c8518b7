// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session.c - what a verb defines belongs to it, and goes with it, however it ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "place.h"
#include "progress.h"
#include "report.h"
#include "session.h"
#include "text.h"

/* The number is in the file's fdinfo, and in the names of all that is the session's. */
static int read_number(struct session *s)
{
	char path[64], *text;
	const char *line;
	unsigned int nr;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", s->fd);
	text = read_text(path);
	line = text ? strstr(text, "session:") : NULL;
	if (line && sscanf(line, "session: %u", &nr) == 1) {
		snprintf(s->group, sizeof(s->group), "s%u", nr);
		found = 1;
	}
	free(text);
	return found ? 0 : complain("the session has no number");
}

int session_begin(struct session *s)
{
	char path[PATH_MAX];
	int err;

	*s = (struct session){ .fd = -1, .dir = place_of_files() };
	if (!s->dir)
		return -1;
	snprintf(path, sizeof(path), "%s/session", s->dir);
	s->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (s->fd < 0) {
		err = errno;
		return complain("%s: %s%s", path, strerror(err), err == ENOENT ?
				" (the module that is loaded is older than this command)" :
				err == EPERM || err == EACCES ? " (are you root?)" : "");
	}
	return read_number(s);
}

/* An entry's text from "error: " on, its command and the caret's place; it is cut into lines. */
static void show_entry(char *at)
{
	static const char command[] = "  Command: ";
	char *rest = at, *what = strsep(&rest, "\n"), *line = strsep(&rest, "\n");
	char *caret = line ? strsep(&rest, "\n") : NULL;
	int where = caret ? strcspn(caret, "^") : 0;

	if (!line || strncmp(line, command, sizeof(command) - 1))
		complain("%s", what);
	else
		complain_of(what, line + sizeof(command) - 1, caret && caret[where] ?
			    where - (int)sizeof(command) + 1 : -1);
}

/* The last entry of error_log from its "error: " on; NULL: there is none.  *text: for free(). */
static char *last_entry(const struct session *s, char **text)
{
	char path[PATH_MAX], *entry = NULL, *next;

	snprintf(path, sizeof(path), "%s/error_log", s->dir);
	*text = read_file(path);
	for (next = *text; next && *next; next = strchr(next, '\n')) {
		next += *next == '\n';
		if (*next == '[')
			entry = next;
	}
	entry = entry ? strstr(entry, "error: ") : NULL;
	return entry ? entry + strlen("error: ") : NULL;
}

static void show_error(const struct session *s, int err)
{
	char *text, *entry = last_entry(s, &text);

	if (entry)
		show_entry(entry);
	else
		complain("%s", strerror(err));
	free(text);
}

void session_complain(const struct session *s)
{
	show_error(s, EINVAL);
}

int session_try(const struct session *s, const char *lines, char **refused)
{
	static const char command[] = "\n  Command: ";
	size_t len = strlen(lines);
	char *text, *entry, *at;

	if (write(s->fd, lines, len) == (ssize_t)len)
		return 0;
	entry = last_entry(s, &text);
	at = entry ? strstr(entry, command) : NULL;
	if (at) {
		at += sizeof(command) - 1;
		*refused = strndup(at, strcspn(at, "\n"));
	}
	free(text);
	return -1;
}

int session_write(const struct session *s, const char *text)
{
	size_t len = strlen(text);
	ssize_t done = write(s->fd, text, len);

	if (done == (ssize_t)len)
		return 0;
	show_error(s, done < 0 ? errno : EIO);
	return -1;
}

int session_arm(const struct session *s, const char *text)
{
	size_t len = strlen(text);
	ssize_t done;

	progress_begin("arming");
	done = write(s->fd, text, len);
	progress_end();
	if (done == (ssize_t)len)
		return 0;
	show_error(s, done < 0 ? errno : EIO);
	return -1;
}

static void path_of(const struct session *s, char *path, const char *file)
{
	if (s->own)
		snprintf(path, PATH_MAX, "%s/instances/%s/%s", s->dir, s->group, file);
	else
		snprintf(path, PATH_MAX, "%s/%s", s->dir, file);
}

int session_instance(struct session *s, unsigned int kb)
{
	char line[32];

	snprintf(line, sizeof(line), "instance %u\n", kb);
	if (session_write(s, line))
		return -1;
	s->own = true;
	return 0;
}

int session_set(const struct session *s, const char *file, const char *text)
{
	char path[PATH_MAX];
	size_t len = strlen(text);
	int fd, ret = 0;

	path_of(s, path, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		ret = complain("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

char *session_table(const struct session *s, const char *event, bool take)
{
	char path[PATH_MAX], file[256], *text = NULL;
	int fd;

	snprintf(file, sizeof(file), "events/%s/%s/table", s->group, event);
	path_of(s, path, file);
	fd = open(path, (take ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (fd >= 0 && (!take || write(fd, "take", 4) == 4))
		text = read_open(fd);
	if (!text)
		complain("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return text;
}
