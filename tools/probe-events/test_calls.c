// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_calls.c - lines of inside, also with odd names, and what are none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"
#include "expect.h"

int main(void)
{
	static const char file[] =
		"pid 4211 comm rsync state D since 12.412345678 cpu - func vfs_rmdir args ns=12412345678\n"
		"pid 7 comm a state b since 1 cpu 2 state R since ~0.000000042 cpu 13 func ext4:ext4_sync args -\n"
		"pid x comm y\n"
		"pid 9 comm z state S since - cpu - func f args a=1\n"
		"pid 10 comm z state S since 1.5\n"
		"pid 10 comm z state S since 1.500000000 cpu - args -\n"
		"pid 10 comm z state S since 1.500000000 cpu - func f\n"
		"pid 11 comm  state D since 3.000000001 cpu - func f args a=\" state R since 9.000000000 cpu - func f args\"\n"
		"pid 12 comm    state D since 3.000000001 cpu - func f args ino=7 shared=1 owner=a owner=b-3\n"
		"# 2 calls, in_flight 3\n";
	unsigned long in_flight = 1;
	char *text = strdup(file), *rest = text;
	struct call_line call;

	EXPECT(calls_in_flight(file, &in_flight) && in_flight == 3);
	EXPECT(calls_in_flight("# 0 calls, in_flight 17\n", &in_flight) && in_flight == 17);
	EXPECT(!calls_in_flight("# no memory, or killed\n", &in_flight));
	EXPECT(!calls_in_flight("", &in_flight));
	EXPECT(calls_next(&rest, &call));
	EXPECT(call.pid == 4211 && !strcmp(call.comm, "rsync") && call.state == 'D');
	EXPECT(call.ns == 12412345678ULL && call.exact && !strcmp(call.cpu, "-"));
	EXPECT(!strcmp(call.func, "vfs_rmdir"));
	EXPECT(calls_next(&rest, &call));
	EXPECT(call.pid == 7 && !strcmp(call.comm, "a state b since 1 cpu 2") && call.state == 'R');
	EXPECT(call.ns == 42 && !call.exact && !strcmp(call.cpu, "13"));
	EXPECT(!strcmp(call.func, "ext4:ext4_sync"));
	EXPECT(calls_next(&rest, &call));
	EXPECT(call.pid == 11 && !strcmp(call.comm, "") && call.state == 'D');
	EXPECT(call.ns == 3000000001ULL && call.exact && !strcmp(call.cpu, "-"));
	EXPECT(calls_next(&rest, &call));
	EXPECT(call.pid == 12 && !strcmp(call.comm, "  ") && call.state == 'D');
	EXPECT(calls_last(&call, "owner") && !strcmp(calls_last(&call, "owner"), "a owner=b-3"));
	EXPECT(!calls_last(&call, "own") && !calls_last(&call, "b-3"));
	EXPECT(!calls_next(&rest, &call));
	EXPECT(!calls_next(&rest, &call));
	free(text);
	return failed;
}
