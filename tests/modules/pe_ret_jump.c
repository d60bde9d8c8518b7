// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_ret_jump.c - return probes where one function ends with a jump to another: cases of
 * pe_ret_test.ko.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_ret_looker.h"
#include "pe_ret_target.h"

bool tail_call(void)
{
	struct looker outer, inner;

	at(&outer, "pe_ret_test:ret_tail");
	at(&inner, "pe_ret_test:ret_sum");
	CHECK(!reg(&outer) && !reg(&inner));
	CHECK(ret_tail(37) == 42);
	CHECK(outer.value == 42 && inner.value == 42);
	CHECK(outer.ip == inner.ip);
	CHECK(balanced(&outer, 1) && balanced(&inner, 1));
	unreg(&outer);
	CHECK(ret_tail(37) == 42);
	CHECK(balanced(&inner, 2));
	unreg(&inner);
	return true;
}

/* The outer function's frame has rbp, and above it the return address. */
static unsigned long outer_rbp;

static bool look_outer(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	outer_rbp = hit->regs->sp - sizeof(long);
	return look_entry(rp, hit, data);
}

/* The inner function's frame gets the rbp that the outer call slot needs. */
static void look_and_mend(struct pe_kretprobe *rp, const struct pe_hit *hit,
			  unsigned long ret_ip, void *data)
{
	*(unsigned long *)(hit->regs->sp - 2 * sizeof(long)) = outer_rbp;
	look(rp, hit, ret_ip, data);
}

/*
 * The frame of the inner function has an rbp that leads to no other frame.  The words there
 * are not used, and the true return address stays unknown.
 */
bool tail_call_bad_rbp(void)
{
	static const unsigned long no_frame[2] = { 0x1111, 0x2222 };
	const unsigned long bad[] = { 0, 0x1234567, 1UL << 62, (unsigned long)no_frame };
	char name[KSYM_SYMBOL_LEN];
	struct looker outer, inner;
	unsigned long unknown = 0;
	unsigned int i;

	at(&outer, "pe_ret_test:ret_tail_rbp");
	at(&inner, "pe_ret_test:ret_sum");
	outer.rp.entry = look_outer;
	inner.rp.handler = look_and_mend;
	CHECK(!reg(&outer) && !reg(&inner));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK(ret_tail_rbp(37, 5, bad[i]) == 42);
		CHECK(outer.value == 42 && inner.value == 42);
		sprint_symbol_no_offset(name, outer.ip);
		CHECK(strstarts(name, "tail_call_bad_rbp"));
		unknown = unknown ?: inner.ip;
		CHECK(inner.ip == unknown && inner.ip != outer.ip);
	}
	CHECK(balanced(&outer, i) && balanced(&inner, i));
	unreg(&inner);
	unreg(&outer);
	return true;
}
