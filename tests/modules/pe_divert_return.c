// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_divert_return.c - return probes whose handlers change registers, and data of calls.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_divert.h"
#include "pe_target.h"

#define ADD	"pe_target:pe_target_add"
#define MIX	"pe_target:pe_target_mix"
#define LEVELS	200

static bool add_to_argument(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	*(unsigned long *)data = hit->regs->di;
	hit->regs->di += 47;
	return true;
}

static void replace_value(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
			  void *data)
{
	hit->regs->ax ^= *(unsigned long *)data << 32;
}

static bool values_of(const char *symbol, unsigned long (*fn)(unsigned long a, unsigned long b))
{
	struct pe_kretprobe rp = {
		.kp = { .symbol = symbol, .flags = PE_KPROBE_RETURN },
		.entry = add_to_argument, .handler = replace_value,
		.data_size = sizeof(unsigned long),
	};
	unsigned long fifty = fn(50, 9);

	CHECK(!case_register_one(&rp.kp));
	CHECK(fn(3, 9) == (fifty ^ 3UL << 32));
	case_unregister_one(&rp.kp);
	CHECK(fn(50, 9) == fifty);
	return true;
}

bool divert_returned_values(void)
{
	return values_of(ADD, pe_target_add) && values_of(MIX, pe_target_mix);
}

/* ---- data ---- */

struct data {
	unsigned long arg, sp, check;
};

struct recorder {
	struct pe_kretprobe rp;
	unsigned long entered, returned, bad;
};

/* Odd arguments are skipped. */
static bool record_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	struct recorder *r = container_of(rp, struct recorder, rp);
	struct data *d = data;

	r->entered++;
	memset(data, 0x5a, rp->data_size);
	d->arg = hit->regs->di;
	d->sp = hit->regs->sp;
	d->check = d->arg ^ d->sp;
	return !(d->arg & 1);
}

static void record_return(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
			  void *data)
{
	struct recorder *r = container_of(rp, struct recorder, rp);
	struct data *d = data;

	r->returned++;
	if (d->check != (d->arg ^ d->sp) || (d->arg & 1) || hit->regs->sp != d->sp + 8 ||
	    hit->regs->ax != d->arg * (d->arg + 1) / 2)
		r->bad++;
	if (memchr_inv(d + 1, 0x5a, rp->data_size - sizeof(*d)))
		r->bad++;
}

/* 0 + 1 + ... + n */
static noinline __noclone unsigned long divert_sum(unsigned long n)
{
	unsigned long r;

	if (!n)
		return 0;
	r = divert_sum(n - 1);
	barrier();
	return r + n;
}

static bool data_of(unsigned int size, unsigned long levels)
{
	struct recorder r = {
		.rp = { .kp = { .symbol = "pe_divert_test:divert_sum", .flags = PE_KPROBE_RETURN },
			.entry = record_entry, .handler = record_return, .data_size = size },
	};
	struct pe_kretprobe_stat s;

	CHECK(!case_register_one(&r.rp.kp));
	CHECK(divert_sum(levels - 1) == levels * (levels - 1) / 2);
	pe_kretprobe_stat(&r.rp, &s);
	CHECK(!r.bad && r.returned == s.returns && s.entries == s.returns);
	CHECK(!s.dropped && !pe_kprobe_missed(&r.rp.kp));
	CHECK(s.entries + s.skipped + s.no_stack == levels);
	CHECK(r.entered == s.entries + s.skipped);
	if (!s.no_stack)
		CHECK(s.entries == levels / 2 && s.skipped == levels / 2);
	else
		pr_info("%u bytes: %lu of %lu calls found too little stack\n", size, s.no_stack,
			levels);
	if (size <= 64)
		CHECK(!s.no_stack);
	case_unregister_one(&r.rp.kp);
	return true;
}

static bool too_much_data(void)
{
	struct pe_kretprobe rp = {
		.kp = { .symbol = ADD, .flags = PE_KPROBE_RETURN },
		.entry = record_entry, .handler = record_return,
		.data_size = PE_KRETPROBE_DATA_MAX + 1,
	};

	CHECK(case_register_one(&rp.kp) == -EINVAL);
	CHECK(strstr(rp.kp.reason, "too much data: more than 1024 bytes"));
	rp.data_size = 0;
	rp.handler = NULL;
	CHECK(case_register_one(&rp.kp) == -EINVAL);
	CHECK(strstr(rp.kp.reason, "no handler"));
	return true;
}

bool divert_return_data(void)
{
	return data_of(24, LEVELS) && data_of(256, 20) && data_of(PE_KRETPROBE_DATA_MAX, 4) &&
	       data_of(PE_KRETPROBE_DATA_MAX, 40) && too_much_data();
}
