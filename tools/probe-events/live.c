// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * live.c - a text on a terminal that is replaced by the next one.
 *
 * The cursor is always on the line below the text.  There is no other screen to come back from, so
 * nothing has to be put right if this program is killed.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include "live.h"
#include "paint.h"

/* Beside the rows: title and headings, the sum, the rest, the balance, the cursor. */
#define LINES_AROUND 9

static const char *capability(const char *name)
{
	const char *text = tigetstr((char *)name);

	return text && text != (char *)-1 ? text : NULL;
}

void live_resize(struct live *l)
{
	struct winsize size;

	l->known = !ioctl(fileno(l->out), TIOCGWINSZ, &size) && size.ws_col && size.ws_row;
	l->width = l->known ? size.ws_col : 80;
	l->height = l->known ? size.ws_row : 24;
}

size_t live_rows(const struct live *l)
{
	return l->height > LINES_AROUND + 1 ? l->height - LINES_AROUND : 1;
}

bool live_begin(struct live *l, FILE *out)
{
	int err;

	*l = (struct live){ .out = out };
	if (!isatty(fileno(out)) || setupterm(NULL, fileno(out), &err))
		return false;
	l->up = capability("cuu1");
	l->clear = capability("ed");
	live_resize(l);
	return l->up && l->clear;
}

/* The bytes of a line that take no more than that many columns. */
size_t live_fit(const char *line, size_t len, size_t width)
{
	size_t i, wide = 0;

	for (i = 0; i < len; i++) {
		bool begins = (line[i] & 0xc0) != 0x80;
		size_t skip = paint_length(line + i);

		if (skip) {
			i += skip - 1;
			continue;
		}
		if (begins && wide == width)
			break;
		wide += begins;
	}
	return i;
}

size_t live_cut(const char *text, size_t width, size_t height, FILE *out)
{
	size_t nr = 0, fit;

	while (*text && nr < height) {
		size_t len = strcspn(text, "\n");

		fit = live_fit(text, len, width);
		fwrite(text, 1, fit, out);
		if (fit < len && memchr(text, '\033', fit))
			fputs(paint_sequence(PAINT_NONE), out);
		fputc('\n', out);
		text += len + (text[len] == '\n');
		nr++;
	}
	return nr;
}

void live_erase(struct live *l)
{
	fputc('\r', l->out);
	/* Of what has left the screen upwards nothing can be replaced. */
	while (l->drawn) {
		fputs(l->up, l->out);
		l->drawn--;
	}
	fputs(l->clear, l->out);
}

void live_draw(struct live *l, const char *text)
{
	live_erase(l);
	/* The last column stays free: some terminals go on to the next line there. */
	l->drawn = live_cut(text, l->width - 1, l->height - 1, l->out);
	fflush(l->out);
}
