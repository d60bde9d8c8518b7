// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * screen.c - the whole terminal: a screen of its own, and keys as they are typed.
 *
 * What the terminal understands comes from terminfo.  Keys that are several bytes are known as most
 * terminals send them.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include "live.h"
#include "report.h"
#include "screen.h"

static const char *capability(const char *name)
{
	const char *text = tigetstr((char *)name);

	return text && text != (char *)-1 ? text : NULL;
}

void screen_resize(struct screen *s)
{
	struct live l = { .out = s->out };

	live_resize(&l);
	s->width = l.width;
	s->height = l.height;
}

int screen_begin(struct screen *s)
{
	int err;

	*s = (struct screen){ .out = stdout };
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    setupterm(NULL, STDOUT_FILENO, &err) || tcgetattr(STDIN_FILENO, &s->before))
		return complain("top needs a terminal: in a pipe, count and lat do with -i");
	s->enter = capability("smcup");
	s->leave = capability("rmcup");
	s->home = capability("home");
	s->clear_line = capability("el");
	s->clear = capability("ed");
	s->reverse = capability("rev");
	s->normal = capability("sgr0");
	if (!s->home || !s->clear_line || !s->clear)
		return complain("this terminal cannot be drawn on: TERM=%s", getenv("TERM") ?: "");
	screen_resize(s);
	return 0;
}

/* Ctrl-C and Ctrl-Z stay signals. */
void screen_on(struct screen *s)
{
	struct termios now = s->before;

	now.c_lflag &= ~(ICANON | ECHO);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
	fputs(s->enter ?: "", s->out);
	s->on = true;
	screen_resize(s);
}

void screen_off(struct screen *s)
{
	if (!s->on)
		return;
	fputs(s->home, s->out);
	fputs(s->clear, s->out);
	fputs(s->leave ?: "", s->out);
	fflush(s->out);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &s->before);
	s->on = false;
}

void screen_draw(struct screen *s, const char *text, long marked)
{
	size_t len, nr = 0;

	fputs(s->home, s->out);
	/* The last line stays free, and the last column: some terminals go on from there. */
	for (; *text && nr + 1 < s->height; nr++, text += len + (text[len] == '\n')) {
		bool mark = (long)nr == marked && s->reverse && s->normal;

		len = strcspn(text, "\n");
		fputs(mark ? s->reverse : "", s->out);
		fwrite(text, 1, live_fit(text, len, s->width - 1), s->out);
		fputs(mark ? s->normal : "", s->out);
		fputs(s->clear_line, s->out);
		fputc('\n', s->out);
	}
	fputs(s->clear, s->out);
	fflush(s->out);
}

/* One byte, if it is there soon. */
static int byte(int ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char c;
	ssize_t got;

	if (poll(&in, 1, ms) <= 0)
		return KEY_NONE;
	got = read(STDIN_FILENO, &c, 1);
	return got == 1 ? c : got < 0 && errno == EAGAIN ? KEY_NONE : KEY_GONE;
}

/* "\e[A" and "\eOA" are the arrow up, "\e[Z" is Tab with Shift; of other keys nothing is wanted. */
int screen_key(struct screen *s)
{
	int c = byte(0);

	(void)s;
	if (c != '\033')
		return c;
	c = byte(50);
	if (c != '[' && c != 'O')
		return c == KEY_NONE ? '\033' : KEY_NONE;
	do
		c = byte(50);
	while (c == ';' || (c >= '0' && c <= '9'));
	return c == 'A' ? KEY_UP : c == 'B' ? KEY_DOWN : c == 'Z' ? KEY_BACKTAB : KEY_NONE;
}
