// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_records.c - which hit gets which stack, and how many hits are lost.  Nothing is opened.
 */
#include "expect.h"
#include "records.c"

static struct tep_event stack_event;

/* Of one task: what is on a CPU, with the number of gaps before it. */
static void put(struct records *rs, bool stack, int cpu, unsigned long long gap)
{
	struct record *r = new_record(rs);

	if (!r)
		exit(1);
	*r = (struct record){ .at = rs->next, .nr = rs->next, .cpu = cpu, .gap = gap,
			      .context = 7 };
	rs->next++;
	rs->nr++;
	if (stack)
		r->stack = calloc(1, sizeof(*r->stack));
	else
		r->data = malloc(1);
	r->frames = stack;
}

static void test_pairs(void)
{
	struct records rs = { .stack = &stack_event };

	put(&rs, false, 0, 0);
	put(&rs, false, 1, 0);
	put(&rs, true, 1, 0);
	/* Of CPU 0 its stack and the next hit are overwritten. */
	put(&rs, true, 0, 1);
	put(&rs, false, 0, 1);
	put(&rs, true, 0, 1);
	give_stacks(&rs);
	EXPECT(rs.nr == 3);
	EXPECT(rs.nr == 3 && !rs.all[0].stack);
	EXPECT(rs.nr == 3 && rs.all[1].cpu == 1 && rs.all[1].stack);
	EXPECT(rs.nr == 3 && rs.all[2].gap == 1 && rs.all[2].stack && rs.all[2].frames == 1);
	records_close(&rs);
}

static void test_lost(void)
{
	struct records rs = { .missed = 20 };

	EXPECT(records_lost(&rs, 10) == 20);
	rs.stack = &stack_event;
	EXPECT(records_lost(&rs, 10) == 10);
	EXPECT(records_lost(&rs, 0) == 0);
	EXPECT(records_lost(&rs, 30) == 20);
}

int main(void)
{
	test_pairs();
	test_lost();
	return failed;
}
