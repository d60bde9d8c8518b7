// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * static.c - define events that look like the kernel's static ones.
 *
 * Definitions of one event that follow each other are alternatives: kernels differ in the arguments
 * of their tracepoints.  The first that is taken counts.  ">=6.5" or "<6.5" before one tells the
 * kernels that it is for.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "definitions.h"
#include "report.h"
#include "static.h"
#include "text.h"

/**
 * struct defining - what define_static() is doing
 * @path: of static_events
 * @fd: the same file
 * @list: what it had before
 * @there: events that are defined, before or now
 * @refused: events that are not
 * @first: the name of the first of these
 * @error: its errno
 * @kernel: the one that runs
 */
struct defining {
	const char *path;
	int fd;
	const char *list;
	unsigned int there, refused;
	char first[160];
	int error;
	struct utsname kernel;
};

/* The next definition for this kernel. */
static bool next_definition(const struct defining *d, const char **pos, struct definition *def)
{
	while (definition_next(pos, def))
		if (definition_for(def, d->kernel.release))
			return true;
	return false;
}

/* Beside the program, or where "make install" puts it; false: @dir is the last place. */
static bool search_definitions(char dir[PATH_MAX])
{
	static const char *const places[] = {
		"static", "../share/probe-events/static", NULL
	};
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	unsigned int i;

	program[len < 0 ? 0 : len] = '\0';
	if (strrchr(program, '/'))
		*strrchr(program, '/') = '\0';
	for (i = 0; places[i]; i++) {
		if ((size_t)snprintf(dir, PATH_MAX, "%s/%s", program, places[i]) < PATH_MAX &&
		    !access(dir, R_OK))
			return true;
	}
	return false;
}

static int find_definitions(char dir[PATH_MAX])
{
	return search_definitions(dir) ? 0 :
	       complain("there are no definitions of static events at %s", dir);
}

/* Has another program defined it, since the list was read? */
static bool is_there_now(const struct defining *d, const struct definition *def)
{
	char *list = read_text(d->path);
	bool there = list && definition_listed(list, def->name, def->name_len);

	free(list);
	return there;
}

/* One event: @def, and in turn what follows in the file for the same event. */
static void define_event(struct defining *d, struct definition *def, const char **pos)
{
	bool done = definition_listed(d->list, def->name, def->name_len);
	struct definition next = *def;
	const char *after = *pos;
	bool exists = false;
	int error = 0;

	do {
		*def = next;
		*pos = after;
		if (!done && write(d->fd, def->line, def->len) == (ssize_t)def->len)
			done = true;
		else if (!done)
			error = errno;
		exists |= error == EEXIST;
	} while (next_definition(d, &after, &next) && definition_same(def, &next));
	if (!done && exists)
		done = is_there_now(d, def);
	if (done) {
		d->there++;
	} else if (!d->refused++) {
		d->error = error;
		snprintf(d->first, sizeof(d->first), "%.*s", (int)def->name_len, def->name);
	}
}

static int define_file(struct defining *d, const char *path)
{
	char *text = read_text(path);
	struct definition def;
	const char *pos = text;

	if (!text)
		return -1;
	while (next_definition(d, &pos, &def))
		define_event(d, &def, &pos);
	free(text);
	return 0;
}

static int define_all(struct defining *d, const char *dir)
{
	char pattern[PATH_MAX + 16];
	glob_t found;
	size_t i;
	int ret;

	snprintf(pattern, sizeof(pattern), "%s/*.events", dir);
	ret = glob(pattern, 0, NULL, &found);
	if (ret == GLOB_NOMATCH)
		return complain("there are no definitions of static events in %s", dir);
	if (ret)
		return complain("cannot list %s", dir);
	for (i = 0; i < found.gl_pathc && !ret; i++)
		ret = define_file(d, found.gl_pathv[i]);
	globfree(&found);
	if (!ret && d->refused)
		complain("left out %u of %u static events, which this kernel cannot have; "
			 "the first is %s: %s", d->refused, d->refused + d->there, d->first,
			 strerror(d->error));
	return ret ? ret : d->there ? 0 : -1;
}

char *static_text(const char *name)
{
	char dir[PATH_MAX], pattern[PATH_MAX + 16], *text = NULL;
	glob_t found;
	size_t i;

	if (!search_definitions(dir))
		return NULL;
	snprintf(pattern, sizeof(pattern), "%s/*.events", dir);
	if (glob(pattern, 0, NULL, &found))
		return NULL;
	for (i = 0; i < found.gl_pathc; i++) {
		text = read_text(found.gl_pathv[i]);
		if (text && definition_listed(text, name, strlen(name)))
			break;
		free(text);
		text = NULL;
	}
	globfree(&found);
	return text;
}

int define_static(const char *files, const char *dir)
{
	char path[PATH_MAX], own[PATH_MAX], *list;
	struct defining d = {};
	int ret;

	if (!dir && find_definitions(own))
		return -1;
	snprintf(path, sizeof(path), "%s/static_events", files);
	list = read_text(path);
	if (!list)
		return -1;
	d.path = path;
	d.list = list;
	uname(&d.kernel);
	d.fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ret = d.fd < 0 ? complain("%s: %s", path, strerror(errno)) :
			 define_all(&d, dir ? dir : own);
	if (d.fd >= 0)
		close(d.fd);
	free(list);
	return ret;
}
