// SPDX-License-Identifier: GPL-2.0
/*
 * mirror.c - make each of our events one of the kernel's, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "mirror.h"
#include "report.h"

/* error_log says more than an errno, but it may be about another command. */
static int make_mirror(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0 || write(fd, "1", 1) != 1)
		ret = complain("cannot make a mirror: %s: %s%s", path, strerror(errno),
			       errno == EEXIST ? " (the kernel has an event of this name)" : "");
	if (fd >= 0)
		close(fd);
	return ret;
}

int make_mirrors(const char *files)
{
	char pattern[256];
	glob_t found;
	size_t i;
	int ret;

	snprintf(pattern, sizeof(pattern), "%s/events/*/*/mirror", files);
	ret = glob(pattern, GLOB_NOSORT, NULL, &found);
	if (ret == GLOB_NOMATCH)
		return 0;
	if (ret)
		return complain("cannot list %s/events", files);
	for (i = 0; i < found.gl_pathc && !ret; i++)
		ret = make_mirror(found.gl_pathv[i]);
	globfree(&found);
	return ret;
}
