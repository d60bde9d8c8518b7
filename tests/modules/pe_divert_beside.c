// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_divert_beside.c - probes that change registers, beside other probes and tracers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_divert.h"
#include "pe_divert_log.h"
#include "pe_target.h"

#define ADD	"pe_target:pe_target_add"
#define MIX	"pe_target:pe_target_mix"
#define INNER	"pe_target:pe_target_inner"

/* What a probe does at each hit, which it counts. */
struct doer {
	struct pe_kprobe kp;
	unsigned long hits, posts;
	unsigned long arg;		/* the first argument that was seen last */
	long add;			/* to it */
	bool divert;			/* return 77 instead */
	bool recurse;
};

static bool do_change(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct doer *d = container_of(kp, struct doer, kp);

	d->hits++;
	d->arg = hit->regs->di;
	hit->regs->di += d->add;
	if (d->recurse)
		pe_target_inner(1);
	if (!d->divert)
		return false;
	hit->regs->ax = 77;
	hit->regs->ip = (unsigned long)divert_ret;
	return true;
}

static void do_post(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct doer *d = container_of(kp, struct doer, kp);

	d->posts++;
	if (d->recurse)
		pe_target_inner(1);
}

static void do_look(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct doer *d = container_of(kp, struct doer, kp);

	d->hits++;
	d->arg = hit->regs->di;
}

static void changer(struct doer *d, const char *symbol, unsigned long offset)
{
	*d = (struct doer){
		.kp = { .symbol = symbol, .offset = offset, .change = do_change, .post = do_post },
	};
}

static void looker(struct doer *d, const char *symbol, unsigned long offset)
{
	*d = (struct doer){ .kp = { .symbol = symbol, .offset = offset, .handler = do_look } };
}

static bool is_refused(struct doer *d, int err, const char *reason)
{
	int got = case_register_one(&d->kp);

	if (!got)
		case_unregister_one(&d->kp);
	if (got == err && d->kp.reason && strstr(d->kp.reason, reason))
		return true;
	pr_err("%d %s, want %d %s\n", got, d->kp.reason, err, reason);
	return false;
}

bool divert_refusals(void)
{
	struct doer d;

	changer(&d, ADD, 0);
	d.kp.handler = do_look;
	CHECK(is_refused(&d, -EINVAL, "either"));
	changer(&d, ADD, 0);
	d.kp.change = NULL;
	d.kp.post = NULL;
	CHECK(is_refused(&d, -EINVAL, "no handler"));
	changer(&d, "exc_int3", 0);
	CHECK(is_refused(&d, -EINVAL, ""));
	changer(&d, "pe_divert_test:divert_jumps", divert_jmp_gs - (const char *)divert_jumps);
	CHECK(is_refused(&d, -EOPNOTSUPP, "no handler can run after"));
	d.kp.post = NULL;
	CHECK(!case_register_one(&d.kp));
	case_unregister_one(&d.kp);
	return true;
}

/* A busy level: counted, once, and the code is executed. */
static bool recursion_at(const char *symbol, unsigned long offset, bool divert)
{
	struct doer outer, inner, inside;
	unsigned long sum;

	changer(&outer, symbol, offset);
	outer.recurse = true;
	outer.divert = divert;
	changer(&inner, INNER, 0);
	looker(&inside, INNER, 0);
	CHECK(!case_register_one(&outer.kp) && !case_register_one(&inner.kp) &&
	      !case_register_one(&inside.kp));
	sum = strcmp(symbol, ADD) ? pe_target_mix(1, 2) : pe_target_add(1, 2);
	CHECK(!divert || sum == 77);
	CHECK(outer.hits == 1 && outer.posts == !divert && !pe_kprobe_missed(&outer.kp));
	CHECK(!inner.hits && !inner.posts && pe_kprobe_missed(&inner.kp) == (divert ? 1 : 2));
	CHECK(!inside.hits && pe_kprobe_missed(&inside.kp) == (divert ? 1 : 2));
	/* The hit has ended. */
	CHECK(pe_target_inner(1) == 3);
	CHECK(inner.hits == 1 && inner.posts == 1 && inside.hits == 1);
	case_unregister_one(&outer.kp);
	case_unregister_one(&inner.kp);
	case_unregister_one(&inside.kp);
	return true;
}

bool divert_recursion(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		CHECK(recursion_at(ADD, 0, i));
		CHECK(recursion_at(MIX, pe_mix_insns[2].offset, i));	/* copied */
		CHECK(recursion_at(MIX, pe_mix_insns[10].offset, i));	/* emulated */
	}
	return true;
}

/* ---- return probes ---- */

struct returns {
	struct pe_kretprobe rp;
	unsigned long entered, returned, arg, value;
};

static bool on_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	struct returns *r = container_of(rp, struct returns, rp);

	r->entered++;
	r->arg = hit->regs->di;
	return true;
}

static void on_return(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
		      void *data)
{
	struct returns *r = container_of(rp, struct returns, rp);

	r->returned++;
	r->value = hit->regs->ax;
}

static void return_probe(struct returns *r, const char *symbol)
{
	*r = (struct returns){
		.rp = { .kp = { .symbol = symbol, .flags = PE_KPROBE_RETURN },
			.entry = on_entry, .handler = on_return },
	};
}

static bool both_work(struct doer *d, struct returns *r)
{
	unsigned long hits = d->hits, posts = d->posts, returned = r->returned;

	d->add = 10;
	CHECK(pe_target_add(1, 2) == 13);
	CHECK(d->hits == hits + 1 && d->posts == posts + !!d->kp.post);
	CHECK(r->arg == 11 && r->value == 13 && r->returned == returned + 1);
	/* What is diverted is not entered. */
	d->divert = true;
	CHECK(pe_target_add(1, 2) == 77);
	CHECK(d->hits == hits + 2 && r->returned == returned + 1 && r->entered == r->returned);
	CHECK(d->posts == posts + !!d->kp.post);
	d->divert = false;
	return true;
}

/* Each comes first.  A post handler is only where ftrace patches the entry. */
static bool with_returns(void)
{
	struct returns r;
	struct doer d;

	changer(&d, ADD, 0);
	if (ENTRY_MECHANISM != PE_MECH_ENTRY)
		d.kp.post = NULL;
	return_probe(&r, ADD);
	CHECK(!case_register_one(&d.kp) && !case_register_one(&r.rp.kp));
	CHECK(both_work(&d, &r));
	case_unregister_one(&d.kp);
	CHECK(pe_target_add(1, 2) == 3 && r.returned == 2);
	CHECK(!case_register_one(&d.kp));
	CHECK(both_work(&d, &r));
	pe_disable_kprobe(&r.rp.kp);
	CHECK(pe_target_add(1, 2) == 13 && r.returned == 3);
	case_unregister_one(&r.rp.kp);
	CHECK(pe_target_add(1, 2) == 13);
	case_unregister_one(&d.kp);
	CHECK(pe_target_add(1, 2) == 3);
	return true;
}

/* Under a breakpoint the first instruction of a call with a frame has no end that is seen. */
static bool with_returns_int3(void)
{
	struct returns r;
	struct doer d;
	unsigned long want = pe_target_mix(50, 9);

	changer(&d, MIX, 0);
	return_probe(&r, MIX);
	CHECK(!case_register_one(&d.kp));
	CHECK(case_register_one(&r.rp.kp) == -EBUSY && strstr(r.rp.kp.reason, "post handler"));
	case_unregister_one(&d.kp);
	CHECK(!case_register_one(&r.rp.kp));
	CHECK(is_refused(&d, -EBUSY, "return probes"));
	d.kp.post = NULL;
	d.add = 47;
	CHECK(!case_register_one(&d.kp));
	CHECK(pe_target_mix(3, 9) == want && d.hits == 1);
	CHECK(r.arg == 50 && r.value == want && r.returned == 1);
	d.divert = true;
	CHECK(pe_target_mix(3, 9) == 77 && d.hits == 2 && r.entered == 1);
	case_unregister_one(&r.rp.kp);
	CHECK(pe_target_mix(3, 9) == 77 && d.hits == 3);
	case_unregister_one(&d.kp);
	CHECK(pe_target_mix(50, 9) == want && pe_target_mix(3, 9) != want);
	return true;
}

bool divert_beside_returns(void)
{
	return with_returns() && with_returns_int3();
}

/* ---- a site that changes what it does ---- */

static bool comes_and_goes_at(const char *symbol, unsigned long offset,
			      unsigned long (*fn)(unsigned long a, unsigned long b))
{
	unsigned long three = fn(3, 9), fifty = fn(50, 9);
	struct doer l, d, late;
	unsigned int i;

	looker(&l, symbol, offset);
	changer(&d, symbol, offset);
	looker(&late, symbol, offset);
	CHECK(!case_register_one(&l.kp));
	d.kp.flags = PE_KPROBE_DISABLED;
	d.add = 47;
	CHECK(three != fifty);
	CHECK(!case_register_one(&d.kp) && !case_register_one(&late.kp));
	for (i = 1; i <= 3; i++) {
		CHECK(fn(3, 9) == three && l.arg == 3 && late.arg == 3);
		CHECK(!pe_enable_kprobe(&d.kp));
		CHECK(fn(3, 9) == fifty && l.arg == 3 && late.arg == 50);
		CHECK(!pe_kprobes_arm_all(false));
		CHECK(fn(3, 9) == three);
		CHECK(!pe_kprobes_arm_all(true));
		CHECK(fn(3, 9) == fifty);
		CHECK(d.hits == 2 * i && d.posts == 2 * i && l.hits == 3 * i &&
		      late.hits == 3 * i);
		pe_disable_kprobe(&d.kp);
	}
	CHECK(pe_kprobe_mechanism(&d.kp) == PE_MECH_NONE);
	CHECK(!pe_enable_kprobe(&d.kp));
	CHECK(!pe_kprobe_missed(&l.kp));
	case_unregister_one(&l.kp);
	CHECK(fn(3, 9) == fifty);
	CHECK(!pe_kprobe_missed(&d.kp));
	case_unregister_one(&d.kp);
	CHECK(fn(3, 9) == three && late.hits == 11 && d.hits == 7);
	case_unregister_one(&late.kp);
	CHECK(!pe_kprobe_missed(&d.kp) && !pe_kprobe_missed(&l.kp));
	return true;
}

bool divert_comes_and_goes(void)
{
	return comes_and_goes_at(ADD, 0, pe_target_add) &&
	       comes_and_goes_at(MIX, pe_mix_insns[0].offset, pe_target_mix) &&
	       comes_and_goes_at(MIX, pe_mix_insns[1].offset, pe_target_mix);
}

/* ---- the kernel's own kprobes on the same function ---- */

static bool beside_kprobe(struct actor *stock, struct seen_log *log)
{
	struct doer d, l;

	changer(&d, ADD, 0);
	looker(&l, ADD, 0);
	d.add = 10;
	/* One that observes: ftrace asks both. */
	stock->plain = true;
	CHECK(!stock_register(stock));
	CHECK(!case_register_one(&d.kp) && !case_register_one(&l.kp));
	log_to(log);
	CHECK(pe_target_add(1, 2) == 13 && d.hits == 1 && d.posts == 1 && l.arg == 11);
	CHECK(log->n == 1);
	d.divert = true;
	CHECK(pe_target_add(1, 2) == 77 && d.hits == 2 && d.posts == 1 && l.hits == 1);
	CHECK(log->n == 2);
	stock_unregister(stock);
	CHECK(pe_target_add(1, 2) == 77 && log->n == 2);

	/* One that may divert: only one of the two can be there. */
	stock->plain = false;
	CHECK(stock_register(stock));
	case_unregister_one(&d.kp);
	CHECK(!stock_register(stock));
	CHECK(pe_target_add(1, 2) == 3 && l.hits == 2 && log->n == 3);
	CHECK(is_refused(&d, -EBUSY, "another user of ftrace diverts"));
	CHECK(pe_target_add(1, 2) == 3 && l.hits == 3 && log->n == 4);
	stock_unregister(stock);
	CHECK(!case_register_one(&d.kp));
	CHECK(pe_target_add(1, 2) == 77);
	case_unregister_one(&d.kp);
	case_unregister_one(&l.kp);
	return true;
}

bool divert_beside_stock(void)
{
	static struct actor stock = { .symbol = ADD };	/* may stay registered if the case fails */
	struct seen_log *log;
	bool ok;

	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		return true;
	log = log_new(10);
	ok = log && beside_kprobe(&stock, log);
	log_to(NULL);
	if (ok)
		vfree(log);
	return ok;
}
