// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_machine.c - sessions and costs between two looks: rates, sessions that come and go.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "expect.h"
#include "machine.h"

static const char sessions[] =
	"id\tpid\tcomm\tsince\tevents\thits\tttl\tstate\twhat\n";

static char *sessions_text(const char *rows)
{
	static char text[1000];

	snprintf(text, sizeof(text), "#%s%s", sessions, rows);
	return strdup(text);
}

static char *cost_text(unsigned long long one, unsigned long long twelve, unsigned long long others)
{
	char text[1000];

	snprintf(text, sizeof(text),
		 "event\tplace\thits\tprice\tis\tns\tcpu\tstate\tlimit\n"
		 "s1/lat\tvfs_read\t5\t10\tcompiled\t%llu\t0.1%%\tarmed\tnone\n"
		 "s12/a\tvfs_read\t5\t10\tcompiled\t%llu\t0.1%%\tarmed\tnone\n"
		 "s12/b\tx\t5\t10\tcompiled\t%llu\t0.1%%\tarmed\tnone\n"
		 "s/odd\tx\t5\t10\tcompiled\t%llu\t0.1%%\tarmed\tnone\n"
		 "#\t\t20\t\t\t%llu\t1.5%%\t0.1 s\t\n", one, twelve, twelve, others,
		 one + 2 * twelve + others);
	return strdup(text);
}

static char *losses_text(unsigned int full)
{
	char text[400];

	snprintf(text, sizeof(text),
		 "event place hits records recursion no_stack dropped full filter limited\n"
		 "s1/lat vfs_read 9 0 1 2 3 %u 50 6\ns12/a vfs_read 7 0 0 0 0 1 70 1\n", full);
	return strdup(text);
}

/* For list and top alike: a limit that has stopped one event of the session is told. */
static void test_state(void)
{
	static const char cost[] =
		"s1/lat\tx\t5\t10\tcompiled\t7\t0.1%\ttripped\tttl=1s\n"
		"s12/a\tx\t5\t10\tcompiled\t7\t0.1%\tarmed\tnone\n"
		"s12/b\tx\t5\t10\tcompiled\t7\t0.1%\ttripped\tnone\n"
		"s2/a\tx\t5\t10\tcompiled\t7\t0.1%\toff\tnone\n";
	struct session_line line = { .id = "12", .state = "kept" };
	char text[32], little[6];

	EXPECT(machine_state(&line, cost, text, sizeof(text)) == 13 && !strcmp(text, "kept, stopped"));
	EXPECT(machine_state(&line, "", text, sizeof(text)) == 4 && !strcmp(text, "kept"));
	EXPECT(machine_state(&line, cost, little, sizeof(little)) == 5 && !strcmp(little, "kept,"));
	line = (struct session_line){ .id = "2", .state = "live" };
	EXPECT(machine_state(&line, cost, text, sizeof(text)) == 4 && !strcmp(text, "live"));
	EXPECT(machine_state(&(struct session_line){ .id = "1", .state = "" }, cost, text,
			     sizeof(text)) == 9);
}

int main(void)
{
	struct machine m = {};

	EXPECT(!machine_look(&m, sessions_text("1\t7\todd\033name\t3.1\t1\t100\t-\tlive\tlat x\t1000000\t0.02%\n"
					       "12\t8\ttop\t3.1\t2\t500\t9\tkept\t\n"),
			     cost_text(1000000, 0, 5), losses_text(4), 100, 2));
	EXPECT(m.nr == 2 && !m.of[0].seen && m.of[0].hits == 100 && m.of[0].ns == 1000000);
	EXPECT(m.cpu == 1.5 && m.lost == 11 && m.limited == 7);
	EXPECT(!strcmp(m.of[1].line.what, "") && !strcmp(m.of[1].line.ttl, "9"));
	/* What they cost follows the words; older modules do not tell it. */
	EXPECT(!strcmp(m.of[0].line.what, "lat x") && !strcmp(m.of[0].line.ns, "1000000"));
	EXPECT(!strcmp(m.of[0].line.cpu, "0.02%") && !strcmp(m.of[1].line.cpu, ""));
	/* Two seconds later: 1 has hits, 12 has gone, and another one has come. */
	EXPECT(!machine_look(&m, sessions_text("1\t7\todd\t3.1\t1\t300\t-\tlive\tlat x\n"
					       "13\t8\ttop\t3.1\t2\t5\t-\tlive\ty\n"),
			     cost_text(41000000, 0, 0), losses_text(5), 102, 2));
	EXPECT(m.nr == 2 && m.of[0].seen && fabs(m.of[0].rate - 100) < 1e-9);
	EXPECT(fabs(m.of[0].cpu - 1) < 1e-9 && !m.of[1].seen && m.lost == 12);
	EXPECT(fabs(m.cpu - 0.99999975 * 1) < 1e-6);
	/* What an event had goes with it: nothing is below 0. */
	EXPECT(!machine_look(&m, sessions_text("1\t7\todd\t3.1\t0\t0\t-\tlive\tlat x\n"),
			     strdup(""), strdup(""), 103, 2));
	EXPECT(m.nr == 1 && m.of[0].rate == 0 && m.of[0].cpu == 0 && m.cpu == 0 && !m.lost);
	/* Lines that are cut short, and no time between two looks. */
	EXPECT(!machine_look(&m, strdup("5\n\n6\t7\n"), strdup("s5/x\n#\n"), strdup("event\n"), 103, 0));
	EXPECT(m.nr == 2 && !m.of[0].seen && !strcmp(m.of[1].line.state, ""));
	EXPECT(machine_owns("1", "s1/lat") && !machine_owns("1", "s12/a"));
	EXPECT(!machine_owns("1", "1/lat") && !machine_owns("", "s1/lat"));
	machine_free(&m);
	test_state();
	return failed;
}
