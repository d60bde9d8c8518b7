// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "report.h"
#include "text.h"

/* Files of /proc and /sys have no size: read to the end. */
char *read_open(int fd)
{
	size_t size = 0, len = 0;
	char *text = NULL;
	ssize_t got = -1;
	int err;

	for (;;) {
		if (len + 1 >= size) {
			char *more = realloc(text, size += 16384);

			if (!more)
				break;
			text = more;
		}
		got = read(fd, text + len, size - len - 1);
		if (got <= 0)
			break;
		len += got;
	}
	if (got) {
		err = errno;
		free(text);
		errno = err;
		return NULL;
	}
	text[len] = '\0';
	return text;
}

char *read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	char *text;

	if (fd < 0)
		return NULL;
	text = read_open(fd);
	err = errno;
	close(fd);
	errno = err;
	return text;
}

char *read_text(const char *path)
{
	char *text = read_file(path);

	if (!text)
		complain("%s: %s", path, strerror(errno));
	return text;
}
