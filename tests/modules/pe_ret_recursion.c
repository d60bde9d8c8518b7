// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_ret_recursion.c - return probes on calls within calls, until little stack is left: cases of
 * pe_ret_test.ko.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <pe/kretprobe.h>
#include "kernel/know/compat.h"
#include "pe_cases.h"
#include "pe_ret_looker.h"
#include "pe_ret_target.h"

/* As little data as possible: the argument. */
static bool note_arg(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	*(unsigned long *)data = hit->regs->di;
	return true;
}

static void check_sum(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
		      void *data)
{
	unsigned long n = *(unsigned long *)data;

	if (hit->regs->ax != n * (n + 1) / 2)
		atomic_long_inc(&to_looker(rp)->bad);
}

static bool start_recursion(struct looker *l, const char *symbol)
{
	at(l, symbol);
	l->rp.entry = note_arg;
	l->rp.handler = check_sum;
	l->rp.data_size = sizeof(long);
	CHECK(!reg(l));
	return true;
}

/* Each of the calls was served, or counted. */
static bool end_recursion(struct looker *l, unsigned long calls)
{
	struct pe_kretprobe_stat s;

	pe_kretprobe_stat(&l->rp, &s);
	CHECK(s.entries == s.returns && s.entries + s.no_stack == calls);
	CHECK(!atomic_long_read(&l->bad));
	unreg(l);
	return true;
}

/* The innermost call returns first.  Nothing is kept in the frame, as for an event of $retval. */
static void check_next_sum(struct pe_kretprobe *rp, const struct pe_hit *hit,
			   unsigned long ret_ip, void *data)
{
	unsigned long n = atomic_long_inc_return(&to_looker(rp)->returned) - 1;

	if (hit->regs->ax != n * (n + 1) / 2)
		atomic_long_inc(&to_looker(rp)->bad);
}

/* An ordinary function has a frame: from the code it is known that it needs no argument words. */
bool recursion_with_frames(void)
{
	struct looker l = { .rp = { .kp = { .symbol = "pe_ret_test:ret_recurse_frame",
					    .flags = PE_KPROBE_RETURN }, .handler = check_next_sum } };
	struct pe_kretprobe_stat s;

	CHECK(!reg(&l));
	CHECK(ret_recurse_frame(199) == 19900);
	pe_kretprobe_stat(&l.rp, &s);
	CHECK(s.entries == 200 && !s.no_stack);
	return end_recursion(&l, 200);
}

bool recursion(void)
{
	unsigned long calls = 200;
	struct pe_kretprobe_stat s;
	struct looker l;
	long depth;

	CHECK(start_recursion(&l, "pe_ret_test:ret_recurse"));
	CHECK(ret_recurse(199) == 19900);
	pe_kretprobe_stat(&l.rp, &s);
	CHECK(s.entries == 200 && s.returns == 200 && !s.no_stack);
	/* So deep that the last ones find too little stack: they are counted. */
	for (depth = 208; !s.no_stack; depth += 8) {	/* stacks are larger with KASAN */
		CHECK(depth < 2000);
		CHECK(ret_recurse(depth) == depth * (depth + 1) / 2);
		calls += depth + 1;
		pe_kretprobe_stat(&l.rp, &s);
	}
	return end_recursion(&l, calls);
}

/* Large frames leave half of the stack free. */
static bool note_place(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	unsigned long left = hit->regs->sp - (unsigned long)task_stack_page(current);

	if (left < THREAD_SIZE / 2)
		atomic_long_inc(&to_looker(rp)->bad);
	return note_arg(rp, hit, data);
}

bool recursion_with_large_frames(void)
{
	struct pe_kretprobe_stat s;
	struct looker l;

	CHECK(start_recursion(&l, "pe_ret_test:ret_recurse_any"));
	l.rp.entry = note_place;
	CHECK(ret_recurse_any(100) == 5050);
	pe_kretprobe_stat(&l.rp, &s);
	CHECK(s.entries > 4 && s.no_stack);
	return end_recursion(&l, 101);
}

/* A call of ret_recurse() by an interrupt, on its stack. */
struct in_interrupt {
	struct hrtimer timer;
	struct completion done;
	long depth, value;
};

static enum hrtimer_restart interrupt(struct hrtimer *timer)
{
	struct in_interrupt *call = container_of(timer, struct in_interrupt, timer);

	call->value = ret_recurse(call->depth);
	complete(&call->done);
	return HRTIMER_NORESTART;
}

static long recurse_in_interrupt(long depth)
{
	static struct in_interrupt call;	/* one at a time */

	call.depth = depth;
	init_completion(&call.done);
	pe_hrtimer_setup(&call.timer, interrupt, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&call.timer, ktime_set(0, 1000), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&call.done);
	hrtimer_cancel(&call.timer);
	return call.value;
}

/* The engine notices the end of that stack as well. */
bool recursion_in_interrupt(void)
{
	struct pe_kretprobe_stat s = {};
	unsigned long calls = 0;
	struct looker l;
	long depth;

	CHECK(start_recursion(&l, "pe_ret_test:ret_recurse"));
	for (depth = 8; !s.no_stack; depth += 8) {
		CHECK(depth < 2000);
		CHECK(recurse_in_interrupt(depth) == depth * (depth + 1) / 2);
		calls += depth + 1;
		pe_kretprobe_stat(&l.rp, &s);
	}
	return end_recursion(&l, calls);
}
