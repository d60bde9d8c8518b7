// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_child.c - a command that cannot be run: its process says so, and repeats nothing.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "child.h"
#include "expect.h"
#include "report.h"
#include "verb.h"

/* An answer, of which a part is still in memory when the process is made. */
static void write_error(void *ctx, const char *what, const char *command, int where)
{
	FILE *out = ctx;

	(void)command;
	(void)where;
	fprintf(out, "error: %.17s\n", what);
	fflush(out);
}

static void check(char *name, int status, const char *wanted)
{
	char *command[] = { name, NULL }, got[200] = "";
	const struct timespec moment = { .tv_nsec = 1000000 };
	FILE *out = tmpfile();
	struct child c = {};
	sigset_t none;
	int rounds = 60000;

	sigemptyset(&none);
	fputs("start\n", out);
	report_to(write_error, out);
	EXPECT(!child_start(&c, command, &none));
	child_go(&c);
	while (!child_ended(&c) && --rounds)
		nanosleep(&moment, NULL);
	report_to(NULL, NULL);
	EXPECT(rounds && c.status == status);
	fputs("end\n", out);
	fflush(out);
	rewind(out);
	EXPECT(fread(got, 1, sizeof(got) - 1, out));
	if (strcmp(got, wanted)) {
		fprintf(stderr, "%s: got\n%s\nwanted\n%s\n", name, got, wanted);
		failed = 1;
	}
	fclose(out);
}

int main(void)
{
	static char note[100];

	report_into(note, sizeof(note));	/* not on the terminal */
	check("/nowhere/command", PE_EXIT_NO_COMMAND, "start\nerror: cannot run /nowhe\nend\n");
	check("/", PE_EXIT_CANNOT_RUN, "start\nerror: cannot run /: Per\nend\n");
	check("true", 0, "start\nend\n");
	return failed;
}
