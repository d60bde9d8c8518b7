// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_own.c - when trace leaves out its own hits, and how.
 */
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "own.h"

static bool left_out(const char *words)
{
	char *copy = strdup(words), *rest = copy, *argv[32];
	struct request r;
	bool out;
	int argc = 0;

	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	out = !request_parse(&r, argc, argv) && own_left_out(&r);
	free(copy);
	return out;
}

static void filters(const char *filter, const char *pid, const char *wanted)
{
	char *text = own_filter(filter, pid);

	EXPECT(text && !strcmp(text, wanted));
	free(text);
}

int main(void)
{
	EXPECT(left_out("trace f") && left_out("trace f if comm eq x") && left_out("trace f -M 5"));
	EXPECT(left_out("trace f -C 0 -G / --fail") && left_out("trace f -a -- true"));
	EXPECT(left_out("trace f -f dat -o x"));
	/* A question that names tasks may mean this one. */
	EXPECT(!left_out("trace f -p 1") && !left_out("trace f -t 1") && !left_out("trace f -n x"));
	EXPECT(!left_out("trace f -- true") && !left_out("trace f -f dat -o x -M 5"));
	filters(NULL, "12", "common_pid != 12 || common_flags & 88");
	filters("a == 1 || b", OWN_PID, "(a == 1 || b) && (common_pid != PID || common_flags & 88)");
	return failed;
}
