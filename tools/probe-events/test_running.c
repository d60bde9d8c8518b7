// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <string.h>
#include "running.h"

static int failed;

/* Columns are read as the file has them. */
static void check(struct running *run, const char *text, double seconds, double cost,
		  const char *wanted)
{
	char got[200];
	struct losses l;

	losses_read(&l, text, "s1", "count");
	running_print(run, &l, seconds, cost, got, sizeof(got));
	if (!strcmp(got, wanted))
		return;
	printf("got    %s\nwanted %s\n", got, wanted);
	failed = 1;
}

/* What the events of a group have together. */
static void check_group(const char *text, unsigned long long hits, unsigned long long full)
{
	struct losses l;

	losses_read(&l, text, "s1", NULL);
	if (losses_of(&l, "hits") == hits && losses_of(&l, "full") == full)
		return;
	printf("of the group: %llu hits, %llu full\n", losses_of(&l, "hits"),
	       losses_of(&l, "full"));
	failed = 1;
}

static void check_profile(struct running *run, unsigned long long hits, unsigned long long missed,
			  const char *wanted)
{
	char got[200];

	running_print_profile(run, hits, missed, 12.3, got, sizeof(got));
	if (!strcmp(got, wanted))
		return;
	printf("got    %s\nwanted %s\n", got, wanted);
	failed = 1;
}

#define HEAD "event probe hits filter pid limited unlinked full\n"

int main(void)
{
	char *true_command[] = { "true", NULL };
	struct request r = { .duration = 30000000000 };
	struct running run = { .r = &r, .of = "hits" };

	check(&run, HEAD "s1/count f+0 4021 0 0 0 0 0\n", 12.3, 0.02,
	      "12 s of 30   4,021 hits   0.02% of CPU   none lost");
	check(&run, HEAD "s1/count f+0 1004021 4000 0 0 7 21\n", 0.6, -1,
	      "1 s of 30   1,000,021 hits   LOST 21");
	/* What others do is a loss, unless only the command is asked for; so is what -M leaves. */
	check(&run, HEAD "s1/count f+0 100 0 9 0 0 0\n", 1, -1,
	      "1 s of 30   100 hits   LOST 9");
	r = (struct request){ .command = true_command, .most = 5, .duration = 500000000 };
	check(&run, HEAD "s1/count f+0 100 1 9 85 0 0\n", 1, 1.5,
	      "1 s of 0.5   5 hits   1.50% of CPU   none lost");
	r = (struct request){};
	run.of = "calls";
	check(&run, "", 3600, -1, "3600 s   0 calls   none lost");
	check_profile(&run, 4021, 0, "12 s   4,021 calls   cost not known   none missed");
	r = (struct request){ .comm = "x", .duration = 30000000000 };
	check_profile(&run, 4021, 1000,
		      "12 s of 30   4,021 calls before any choice   cost not known   MISSED 1,000");
	r = (struct request){};
	check_group(HEAD "s1/lat f+0 1 0 0 0 0 2\ns12/lat f+0 8 0 0 0 0 8\n"
		    "s1/sched_switch t 30 0 0 0 0 40\n", 31, 42);
	/* One whose name another one begins with. */
	check(&run, HEAD "s1/count f+0 1 0 0 0 0 0\ns1/counts f+0 5 0 0 0 0 5\n", 1, -1,
	      "1 s   1 calls   none lost");
	return failed;
}
