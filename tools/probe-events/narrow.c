// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * narrow.c - lines on a terminal that end where it does, so that each takes one row.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "live.h"
#include "narrow.h"

/* @text: a line that has not ended yet, @len bytes of it. */
struct narrow {
	FILE *out;
	char *text;
	size_t len;
};

size_t narrow_width(FILE *out)
{
	struct winsize size;

	if (!isatty(fileno(out)))
		return 0;
	return ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* The whole lines of @n->text, of which @whole bytes are. */
static void put_lines(struct narrow *n, size_t whole)
{
	char next = n->text[whole];

	n->text[whole] = '\0';
	live_cut(n->text, narrow_width(n->out), SIZE_MAX, n->out);
	n->text[whole] = next;
	n->len -= whole;
	memmove(n->text, n->text + whole, n->len);
}

static ssize_t take(void *cookie, const char *text, size_t len)
{
	struct narrow *n = cookie;
	char *more = realloc(n->text, n->len + len + 1), *end;

	if (!more)
		return 0;
	n->text = more;
	memcpy(n->text + n->len, text, len);
	n->len += len;
	end = memrchr(n->text, '\n', n->len);
	if (end)
		put_lines(n, end + 1 - n->text);
	return fflush(n->out) || ferror(n->out) ? 0 : (ssize_t)len;
}

static int finish(void *cookie)
{
	struct narrow *n = cookie;

	if (n->len)
		put_lines(n, n->len);
	free(n->text);
	free(n);
	return 0;
}

FILE *narrow_open(FILE *out)
{
	const cookie_io_functions_t functions = { .write = take, .close = finish };
	struct narrow *n = narrow_width(out) ? calloc(1, sizeof(*n)) : NULL;
	FILE *narrow = NULL;

	if (n) {
		n->out = out;
		narrow = fopencookie(n, "w", functions);
	}
	if (!narrow) {
		free(n);
		return out;
	}
	setvbuf(narrow, NULL, _IOLBF, BUFSIZ);
	return narrow;
}

int narrow_close(FILE *narrow, FILE *out)
{
	int ret;

	if (narrow == out)
		return 0;
	ret = ferror(narrow) ? EOF : 0;
	return (fclose(narrow) | fflush(out)) ? EOF : ret;
}
