/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_ret_looker.h - a return probe that counts, and checks what it is given.
 *
 * Only the cases of pe_ret_test.ko use it.
 */
#ifndef PE_RET_LOOKER_H
#define PE_RET_LOOKER_H

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_ret_target.h"

struct looker {
	struct pe_kretprobe rp;
	atomic_long_t entered, returned;
	atomic_long_t bad;
	bool skip_odd;		/* entry handler says no to odd first arguments */
	unsigned long value, ip, dx;
	unsigned long sp_delta;
	bool recurse;
};

struct mark {
	unsigned long arg, sp, check;
};

static inline struct looker *to_looker(struct pe_kretprobe *rp)
{
	return container_of(rp, struct looker, rp);
}

static inline bool look_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	struct looker *l = to_looker(rp);
	struct mark *m = data;

	if (l->skip_odd && (hit->regs->di & 1))
		return false;
	atomic_long_inc(&l->entered);
	if (hit->regs->ip != rp->kp.addr + 1)
		atomic_long_inc(&l->bad);
	m->arg = hit->regs->di;
	m->sp = hit->regs->sp;
	m->check = m->arg ^ m->sp ^ (unsigned long)rp;
	if (l->recurse)
		ret_sum(1, 1);
	return true;
}

static inline void look(struct pe_kretprobe *rp, const struct pe_hit *hit,
			unsigned long ret_ip, void *data)
{
	struct looker *l = to_looker(rp);
	struct mark *m = data;

	atomic_long_inc(&l->returned);
	l->value = hit->regs->ax;
	l->dx = hit->regs->dx;
	l->ip = ret_ip;
	l->sp_delta = hit->regs->sp - m->sp;
	if (m->check != (m->arg ^ m->sp ^ (unsigned long)rp) || hit->regs->ip != ret_ip ||
	    l->sp_delta != 8)
		atomic_long_inc(&l->bad);
	if (l->recurse)
		ret_sum(1, 1);
}

static inline void at(struct looker *l, const char *symbol)
{
	memset(l, 0, sizeof(*l));
	l->rp.kp.symbol = symbol;
	l->rp.kp.flags = PE_KPROBE_RETURN;
	l->rp.entry = look_entry;
	l->rp.handler = look;
	l->rp.data_size = sizeof(struct mark);
}

static inline int reg(struct looker *l)
{
	int err = case_register_one(&l->rp.kp);

	if (err)
		pr_err("%s: %d %s\n", l->rp.kp.symbol, err, l->rp.kp.reason ?: "");
	return err;
}

static inline void unreg(struct looker *l)
{
	case_unregister_one(&l->rp.kp);
}

/* All calls have returned; n of them were entered. */
static inline bool balanced(struct looker *l, unsigned long n)
{
	struct pe_kretprobe_stat s;

	pe_kretprobe_stat(&l->rp, &s);
	CHECK(s.entries == n && s.returns == n);
	CHECK(!s.no_stack && !s.dropped);
	CHECK(atomic_long_read(&l->entered) == n && atomic_long_read(&l->returned) == n);
	CHECK(!atomic_long_read(&l->bad));
	CHECK(!pe_kprobe_missed(&l->rp.kp));
	return true;
}

/* Cases in pe_ret_jump.c. */
bool tail_call(void);
bool tail_call_bad_rbp(void);

/* Cases in pe_ret_recursion.c. */
bool recursion(void);
bool recursion_with_frames(void);
bool recursion_with_large_frames(void);
bool recursion_in_interrupt(void);

#endif /* PE_RET_LOOKER_H */
