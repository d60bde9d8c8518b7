// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_beside.c - the events of watch: their commands and limits, and where all hits have gone.
 */
#include <stdlib.h>
#include <string.h>
#include "beside.h"
#include "expect.h"

static const char text[] =
	"# spike - what is recorded beside a call\n"
	"verbs watch\n"
	"t sched_switch prev=prev->pid:s32\n"
	"? t sched_waking pid=p->pid:s32\n"
	"? t block_rq_issue len=rq->__data_len:u32\n";

static const char heading[] =
	"event probe hits records recursion no_stack dropped in_flight off full filter limited\n";

static void same(const char *wanted, char *got)
{
	if (strcmp(wanted, got)) {
		printf("got    %s\nwanted %s\n", got, wanted);
		failed = 1;
	}
	free(got);
}

static void test_commands(const struct preset *p)
{
	const struct limits none = { .none = true }, usual = {}, some = { .rate = "5k", .one = "9" };
	struct beside b;
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	beside_begin(&b, p, "do_fsync", "ext4_*");
	beside_define(&b, out);
	fclose(out);
	same("t:sched_switch sched_switch prev=prev->pid:s32\n"
	     "t:block_rq_issue block_rq_issue len=rq->__data_len:u32\n"
	     "f:in ext4_*\nf:out ext4_*%return ns=$elapsed\n"
	     "enable sched_switch\nenable block_rq_issue\nenable in\nenable out\n", got);
	out = open_memstream(&got, &size);
	beside_limit(&b, &none, out);
	fclose(out);
	same("", got);
	out = open_memstream(&got, &size);
	beside_limit(&b, &usual, out);
	fclose(out);
	same("limit lat cpu=2% one=25%\nlimit sched_switch cpu=2% one=25%\n"
	     "limit block_rq_issue cpu=2% one=25%\nlimit in cpu=2% one=25%\n"
	     "limit out cpu=2% one=25%\n", got);
	beside_begin(&b, p, "do_fsync", NULL);
	out = open_memstream(&got, &size);
	beside_limit(&b, &some, out);
	fclose(out);
	same("limit lat cpu=2% one=9% rate=5k/s\nlimit sched_switch cpu=2% one=9% rate=5k/s\n"
	     "limit block_rq_issue cpu=2% one=9% rate=5k/s\n", got);
}

/* The balance if the file says @lines. */
static void balance(const struct preset *p, const char *lines, unsigned long long counted,
		    unsigned long long lost, const char *wanted)
{
	char all[1000], *got;
	struct beside b;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	snprintf(all, sizeof(all), "%s%s", heading, lines);
	beside_begin(&b, p, "do_fsync", "ext4_*");
	beside_read(&b, all, "s1");
	EXPECT(beside_print(&b, counted, out) == lost);
	fclose(out);
	same(wanted, got);
}

static void test_balance(const struct preset *p)
{
	balance(p, "s1/lat do_fsync 10 1 0 0 0 2 0 0 6 0\n"
		   "s1/sched_switch x 900 900 0 0 0 0 0 0 0 0\n"
		   "s2/sched_switch x 5 0 5 0 0 0 0 0 0 0\n"
		   "s1/in ext4_a 50 50 0 0 0 0 0 0 0 0\n"
		   "s1/in ext4_b 50 50 0 0 0 0 0 0 0 0\n", 7, 0,
		"calls 10 = counted 7 + inside 2 + later 1; 1,000 hits beside them; none lost");
	/* A call that is counted, and has no record; others are in neither. */
	balance(p, "s1/lat do_fsync 20 0 1 2 3 0 0 4 0 5\n", 9, 15,
		"calls 20 = counted 9 + lost 11; 0 hits beside them; LOST 15: "
		"recursion of do_fsync 1, no_stack of do_fsync 2, dropped of do_fsync 3, "
		"limited of do_fsync 5, full of do_fsync 4");
	balance(p, "s1/lat do_fsync 0 0 0 0 0 0 0 0 0 0\n"
		   "s1/sched_switch x 9 0 0 0 0 0 9 0 0 0\n"
		   "s1/out ext4_a 1 0 0 0 0 0 0 1 0 0\n", 0, 10,
		"calls 0 = counted 0; 10 hits beside them; LOST 10: off of sched_switch 9, "
		"full of ext4_* 1");
}

int main(void)
{
	struct preset p;

	unsetenv("PROBE_EVENTS_LIMIT");
	EXPECT(!preset_parse(&p, text, NULL, 0));
	EXPECT(preset_refused(&p, "t:sched_waking sched_waking pid=p->pid:s32"));
	test_commands(&p);
	test_balance(&p);
	preset_free(&p);
	return failed;
}
