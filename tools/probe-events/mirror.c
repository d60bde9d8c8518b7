// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * mirror.c - make each of our events one of the kernel's, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "definitions.h"
#include "mirror.h"
#include "report.h"
#include "text.h"

/* The event was removed since it was listed: before the file was opened, or after. */
static bool has_gone(int error)
{
	return error == ENOENT || error == ENODEV;
}

/* error_log says more than an errno, but it may be about another command. */
static int make_mirror(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if ((fd < 0 || write(fd, "1", 1) != 1) && !has_gone(errno))
		ret = complain("cannot make a mirror: %s: %s%s", path, strerror(errno),
			       errno == EEXIST ? " (the kernel has an event of this name)" : "");
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Of "FILES/events/GRP/EVENT/mirror": the kernel has an event of that name. */
static bool is_static(const char *files, const char *path, const char *list)
{
	const char *name = path + strlen(files) + strlen("/events/");

	return definition_listed(list, name, strlen(name) - strlen("/mirror"));
}

int make_mirrors(const char *files)
{
	char pattern[256], *list;
	glob_t found = {};
	size_t i;
	int ret;

	snprintf(pattern, sizeof(pattern), "%s/kprobes/mirror", files);
	if (access(pattern, F_OK))
		return complain("this kernel lets no module have events, so there are no mirrors");
	snprintf(pattern, sizeof(pattern), "%s/static_events", files);
	list = read_text(pattern);
	if (!list)
		return -1;
	snprintf(pattern, sizeof(pattern), "%s/events/*/*/mirror", files);
	ret = glob(pattern, GLOB_NOSORT, NULL, &found);
	if (ret && ret != GLOB_NOMATCH)
		ret = complain("cannot list %s/events", files);
	else
		ret = 0;
	for (i = 0; i < found.gl_pathc && !ret; i++)
		if (!is_static(files, found.gl_pathv[i], list))
			ret = make_mirror(found.gl_pathv[i]);
	globfree(&found);
	free(list);
	return ret;
}
