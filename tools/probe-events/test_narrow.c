// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_narrow.c - lines on a terminal, which gets another size meanwhile, and in a pipe.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pty.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "expect.h"
#include "narrow.h"
#include "paint.h"

static void same(int from, const char *wanted)
{
	struct pollfd some = { .fd = from, .events = POLLIN };
	char got[500] = "";
	size_t len = 0;
	ssize_t more;

	/* A terminal may give a line at a time. */
	while (len < strlen(wanted) && poll(&some, 1, 5000) > 0) {
		more = read(from, got + len, sizeof(got) - 1 - len);
		len += more > 0 ? more : 0;
		got[len] = '\0';
		if (more <= 0)
			break;
	}
	if (!strcmp(got, wanted))
		return;
	printf("got    '%s'\nwanted '%s'\n", got, wanted);
	failed = 1;
}

static void test_terminal(void)
{
	struct winsize size = { .ws_col = 10, .ws_row = 24 };
	int master, slave;
	FILE *out, *narrow;

	if (openpty(&master, &slave, NULL, NULL, &size)) {
		perror("openpty");
		failed = 1;
		return;
	}
	out = fdopen(slave, "w");
	EXPECT(narrow_width(out) == 10);
	narrow = narrow_open(out);
	EXPECT(narrow != out);
	fputs("short\n1234567890\n12345678901\n", narrow);
	fflush(narrow);
	same(master, "short\r\n1234567890\r\n1234567890\r\n");
	/* Characters count, not bytes, and colours not at all; one that is cut is ended. */
	fprintf(narrow, "%sääöüß67890123%s\n", paint_sequence(PAINT_BAD),
		paint_sequence(PAINT_NONE));
	same(master, "\033[31määöüß67890\033[0m\r\n");
	size.ws_col = 4;
	ioctl(slave, TIOCSWINSZ, &size);
	fputs("123456\n", narrow);
	same(master, "1234\r\n");
	/* A line that comes in pieces. */
	fputs("ab", narrow);
	fflush(narrow);
	fputs("cdef\ngh", narrow);
	fflush(narrow);
	same(master, "abcd\r\n");
	EXPECT(!narrow_close(narrow, out));
	same(master, "gh\r\n");
	fclose(out);
	close(master);
}

static void test_pipe(void)
{
	int ends[2];
	FILE *out;

	EXPECT(!pipe(ends));
	out = fdopen(ends[1], "w");
	EXPECT(!narrow_width(out) && narrow_open(out) == out);
	EXPECT(!narrow_close(out, out));
	fclose(out);
	close(ends[0]);
}

int main(void)
{
	test_terminal();
	test_pipe();
	return failed;
}
