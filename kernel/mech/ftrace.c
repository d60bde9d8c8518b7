// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ftrace.c - function entries, armed through ftrace.
 *
 * In a kernel with ftrace, the bytes at the entry of a traceable function belong to it.  One
 * ftrace_ops of ours has all such sites in its filter; ftrace patches the text, and calls
 * pe_ftrace_hit() with the registers.  A second ftrace_ops has the functions with return probes in
 * its filter, and those with probes that may change registers.  Its pe_ftrace_hit_divert() does the
 * same for the probes of the entry, and sends the call to the function's entry slot or to where a
 * handler diverts it.  The two kinds of functions share one ops because ftrace lets only one divert
 * a function.
 *
 * Each ops brings a stub of ours (struct pe_ftrace_kind), by way of a static call: while there is
 * code that does without the stub, a tree leads to that first (round.c).  While a
 * function is in the filter of one ops only, it calls that, and nothing of ftrace runs.  As
 * soon as another tracer wants it, or both ops do, ftrace patches it to call ftrace's own code,
 * which asks each ops; and back when one ops is left.  A call takes one of the two ways, with
 * the same result: the text says which, and both ops and stub are ready before it is patched.
 *
 * A site is in one of the two (PE_SITE_SERVING, PE_SITE_DIVERTING).  When its first such
 * probe comes or its last one goes, it moves (PE_SITE_MOVING), in this order:
 *
 *   1. The site gets into the other filter.  Now it is in both, and a call may be seen by
 *	one ops or by both, in any order.  The first one to see a call serves it and marks
 *	it, in the call's own registers; see pe_ftrace_hit_serve().
 *   2. synchronize_rcu().  ftrace asks one ops after the other, with preemption off, whether
 *	it wants a call.  For some calls, ftrace asked the other ops in vain, before step 1.
 *	For these it has asked the first ops by now.
 *   3. The site leaves the first filter.
 *
 * So every call is seen at least once and served exactly once.
 *
 * An empty filter means "every function".  So the ops is registered when the first site
 * comes.  When the last one goes, the ops is unregistered, with the filter as it is.
 *
 * ftrace needs memory even to take a function out of a filter.  If it has none, the function
 * stays in the filter.  Its calls do nothing, but it may keep other tracers from changing
 * the function.  The next change of the filter tries again first, and adds no function before
 * that succeeds.
 *
 * The filter of a registered ops is never replaced.  Before 6.0, that takes a step per function,
 * and those whose turn has not come would call nothing meanwhile.
 *
 * FTRACE_OPS_FL_PERMANENT: while there is a site, the kernel refuses the sysctl that stops
 * ftrace.  Without the flag, the sysctl would stop our probes silently.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/mech/ftrace.h"
#include "kernel/mech/mech.h"

/**
 * struct entry_user - what an ftrace_ops is used for
 * @kind: constant
 * @alone: state of a site that is in its filter and not in the other one
 * @ops: NULL while there is no site; pe_mutex
 * @nr_filtered: sites in the filter; pe_mutex
 * @leaving: addresses in the filter that are no site's any more; pe_mutex
 * @nr_leaving: how many
 * @room: for so many.  There is room for all sites, so that to leave takes no memory of ours
 */
struct entry_user {
	struct pe_ftrace_kind kind;
	enum pe_site_state alone;
	struct ftrace_ops *ops;
	unsigned int nr_filtered;
	unsigned long *leaving;
	unsigned int nr_leaving, room;
};

static struct entry_user pe_ftrace_hits = {
	.kind = {
		.func = pe_ftrace_hit,
		.stub = PE_ENTRY_FRONT,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	},
	.alone = PE_SITE_SERVING,
};

static struct entry_user pe_ftrace_diverts = {
	.kind = {
		.func = pe_ftrace_hit_divert,
		.stub = PE_DIVERT_FRONT,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |
			 FTRACE_OPS_FL_PERMANENT,
	},
	.alone = PE_SITE_DIVERTING,
};

static void pe_set_entered(const struct entry_user *user, struct pe_site *site)
{
	pe_code_site_changes(site);
	pe_site_set_state(site, site->state == PE_SITE_IDLE ? user->alone : PE_SITE_MOVING);
}

static void pe_set_left(const struct entry_user *user, struct pe_site *site)
{
	const struct entry_user *other = user == &pe_ftrace_hits ? &pe_ftrace_diverts :
								   &pe_ftrace_hits;

	pe_code_site_changes(site);
	pe_site_set_state(site, site->state == PE_SITE_MOVING ? other->alone : PE_SITE_IDLE);
}

/* Take out of the filter what is to leave it.  Return: 0, or -ENOMEM: some is still there. */
static int pe_filter_clean(struct entry_user *user)
{
	unsigned long *ips = user->leaving;
	unsigned int i, done, left = 0;

	if (!user->nr_leaving)
		return 0;
	pe_set_filter_ips(user->ops, ips, user->nr_leaving, true, false, &done);
	for (i = done; i < user->nr_leaving; i++) {
		if (ftrace_set_filter_ip(user->ops, ips[i], true, false) == -ENOMEM)
			ips[left++] = ips[i];
	}
	user->nr_leaving = left;
	return left ? -ENOMEM : 0;
}

/* Nothing is on its way out. */
static int pe_filter_make_room(struct entry_user *user, unsigned int n)
{
	unsigned long *leaving;

	if (n <= user->room)
		return 0;
	leaving = kvmalloc_array(n, sizeof(*leaving), GFP_KERNEL);
	if (!leaving)
		return -ENOMEM;
	kvfree(user->leaving);
	user->leaving = leaving;
	user->room = n;
	return 0;
}

static void pe_filter_list(struct entry_user *user, struct list_head *sites)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (!WARN_ON_ONCE(user->nr_leaving == user->room))
			user->leaving[user->nr_leaving++] = site->addr;
	}
}

/* No site is in the filter, and no function calls the ops. */
static void pe_filter_end(struct entry_user *user)
{
	user->ops = NULL;
	kvfree(user->leaving);
	user->leaving = NULL;
	user->room = 0;
	user->nr_leaving = 0;
}

static int pe_filter_first(struct entry_user *user)
{
	struct ftrace_ops *ops = pe_ftrace_ops_begin(&user->kind, user->leaving, user->nr_leaving);

	if (IS_ERR(ops)) {
		pe_filter_end(user);
		return PTR_ERR(ops);
	}
	user->ops = ops;
	user->nr_leaving = 0;
	return 0;
}

/* Nothing is on its way out.  What ftrace has taken before it refuses one is to leave again. */
static int pe_filter_add(struct entry_user *user, struct list_head *sites)
{
	unsigned int done;
	int err;

	pe_filter_list(user, sites);
	if (!user->ops)
		return pe_filter_first(user);
	err = pe_set_filter_ips(user->ops, user->leaving, user->nr_leaving, false, false, &done);
	user->nr_leaving = err ? done : 0;
	pe_filter_clean(user);
	return err;
}

static int pe_ftrace_arm_all(struct entry_user *user, struct list_head *sites)
{
	unsigned int n = list_count_nodes(sites);
	struct pe_site *site;
	int err;

	lockdep_assert_held(&pe_mutex);
	if (!n)
		return 0;
	err = pe_filter_clean(user) ?: pe_filter_make_room(user, user->nr_filtered + n) ?:
	      pe_filter_add(user, sites);
	if (err)
		return err;
	user->nr_filtered += n;
	list_for_each_entry(site, sites, batch)
		pe_set_entered(user, site);
	return 0;
}

static void pe_ftrace_disarm(struct entry_user *user, struct list_head *sites)
{
	unsigned int n = list_count_nodes(sites);
	struct pe_site *site;

	lockdep_assert_held(&pe_mutex);
	if (!n)
		return;
	if (n == user->nr_filtered) {
		pe_ftrace_ops_unregister(user->ops);
		pe_filter_end(user);
	} else {
		pe_filter_list(user, sites);
		pe_filter_clean(user);
	}
	user->nr_filtered -= n;
	list_for_each_entry(site, sites, batch)
		pe_set_left(user, site);
}

/* ---- arming ---- */

/* The first half of @sites moves to @half. */
static void pe_ftrace_halve(struct list_head *sites, struct list_head *half)
{
	size_t n = list_count_nodes(sites) / 2;

	while (n--)
		list_move_tail(sites->next, half);
}

/* Is the sysctl ftrace_enabled 0?  Without the variable: @nobody_else: no tracer is the cause. */
static bool pe_switched_off(int err, bool nobody_else)
{
	if (err != -EBUSY)
		return false;
	return pe_ks_data.ftrace_enabled ? !READ_ONCE(*pe_ks_data.ftrace_enabled) : nobody_else;
}

/* Does @err concern one site among several? */
static bool pe_one_refused(int err, const struct entry_user *user)
{
	return err == -EAGAIN || (err == -EBUSY && !pe_switched_off(err, user == &pe_ftrace_hits));
}

/* Say why ftrace does not take @sites.  If one site is to blame, it is the first. */
static void pe_set_blame(struct pe_blame *blame, struct list_head *sites, int err,
			 const struct entry_user *user)
{
	bool one = pe_one_refused(err, user);

	blame->culprit = one ? list_first_entry(sites, struct pe_site, batch) : NULL;
	if (err == -ENOMEM)
		blame->reason = NULL;
	else if (err == -EAGAIN)
		blame->reason = "ftrace refuses: BPF is changing its programs on the function";
	else if (one)
		blame->reason = "ftrace refuses: another user of ftrace diverts the function";
	else if (err == -EBUSY)
		blame->reason = "ftrace refuses: it is switched off";
	else
		blame->reason = "ftrace refuses: it has switched itself off";
}

/*
 * ftrace says that it does not take @sites together, but not which one is to blame.  Move
 * that site to the front of the list: try half of the suspects, and go on with that half
 * or with the other.  Return: @err, or the error that ended the search.
 */
static int pe_find_culprit(struct entry_user *user, struct list_head *sites, int err)
{
	LIST_HEAD(innocent);
	LIST_HEAD(half);
	int half_err;

	while (!list_is_singular(sites)) {
		pe_ftrace_halve(sites, &half);
		half_err = pe_ftrace_arm_all(user, &half);
		if (!half_err) {
			pe_ftrace_disarm(user, &half);
			list_splice_tail_init(&half, &innocent);
			continue;
		}
		if (!pe_one_refused(half_err, user)) {
			list_splice_init(&half, sites);
			err = half_err;
			break;
		}
		list_splice_tail_init(sites, &innocent);
		list_splice_init(&half, sites);
		err = half_err;
	}
	list_splice_tail(&innocent, sites);
	return err;
}

static int pe_ftrace_arm(struct entry_user *user, struct list_head *sites)
{
	int err = pe_ftrace_arm_all(user, sites);

	return pe_one_refused(err, user) ? pe_find_culprit(user, sites, err) : err;
}

/* ---- diverting beside BPF ---- */

/*
 * A BPF trampoline that runs at the function's end calls the body itself, unless BPF has
 * been told of a tracer like us.  ftrace tells a trampoline that comes after us.  It tells
 * those that are there already only when an ops is registered, not when a filter grows.
 * So each function that BPF has entered gets an ops of its own.
 */
static bool pe_has_direct(const struct pe_site *site)
{
	bool direct;

	if (!pe_ks_has(ftrace_find_rec_direct))
		return false;
	preempt_disable();	/* ftrace looks the address up in a hash */
	direct = pe_ks(ftrace_find_rec_direct)(site->addr) != 0;
	preempt_enable();
	return direct;
}

static int pe_arm_own(struct pe_site *site)
{
	struct ftrace_ops *ops = pe_ftrace_ops_begin(&pe_ftrace_diverts.kind, &site->addr, 1);

	if (IS_ERR(ops))
		return PTR_ERR(ops);
	site->mech_data = ops;	/* only for this function */
	pe_set_entered(&pe_ftrace_diverts, site);
	return 0;
}

static void pe_disarm_own(struct pe_site *site)
{
	pe_ftrace_ops_unregister(site->mech_data);
	site->mech_data = NULL;
	pe_set_left(&pe_ftrace_diverts, site);
}

static void pe_ftrace_disarm_each(struct list_head *sites)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (site->mech_data)
			pe_disarm_own(site);
	}
}

/* Arm all or none.  If it fails, the first site of the list is the one that was refused. */
static int pe_arm_each(struct list_head *sites)
{
	struct pe_site *site;
	int err;

	list_for_each_entry(site, sites, batch) {
		err = pe_arm_own(site);
		if (!err)
			continue;
		pe_ftrace_disarm_each(sites);
		list_move(&site->batch, sites);
		return err;
	}
	return 0;
}

static bool pe_has_own(const struct pe_site *site)
{
	return site->mech_data;
}

static void pe_move_if(bool (*wanted)(const struct pe_site *site), struct list_head *from,
		       struct list_head *to)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, batch) {
		if (wanted(site))
			list_move_tail(&site->batch, to);
	}
}

/*
 * Arm all or none.  -EBUSY also if another tracer (a live patch, a kprobe with a
 * post_handler) diverts one of the functions; -EAGAIN if BPF is changing its programs on
 * one.  @sites is reordered.
 */
static int pe_arm_diverts(struct list_head *sites)
{
	LIST_HEAD(direct);
	LIST_HEAD(late);
	int err;

	pe_move_if(pe_has_direct, sites, &direct);
	err = pe_ftrace_arm(&pe_ftrace_diverts, sites);
	if (err) {
		list_splice_tail(&direct, sites);	/* after the site to blame */
		return err;
	}
	/* BPF may have come before our filter grew, and not know of us. */
	pe_move_if(pe_has_direct, sites, &late);
	pe_ftrace_disarm(&pe_ftrace_diverts, &late);
	list_splice_tail_init(&late, &direct);
	err = pe_arm_each(&direct);
	if (err)
		pe_ftrace_disarm(&pe_ftrace_diverts, sites);
	list_splice(&direct, sites);
	return err;
}

static void pe_disarm_diverts(struct list_head *sites)
{
	LIST_HEAD(own);

	pe_move_if(pe_has_own, sites, &own);
	pe_ftrace_disarm(&pe_ftrace_diverts, sites);
	pe_ftrace_disarm_each(&own);
	list_splice(&own, sites);
}

/* ---- a batch ---- */

static bool pe_any_moving(const struct list_head *sites)
{
	const struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (site->state == PE_SITE_MOVING)
			return true;
	}
	return false;
}

/*
 * Sites to be served take one update of the kernel's text, and sites with calls to be diverted
 * take another.  A site that was served until now is MOVING then.
 */
static int pe_ftrace_arm_sites(struct list_head *sites, struct pe_blame *blame)
{
	LIST_HEAD(serve);
	int err;

	pe_sites_pick(sites, &serve, PE_SITE_IDLE, PE_SITE_SERVING);
	err = pe_ftrace_arm(&pe_ftrace_hits, &serve);
	if (err) {
		pe_set_blame(blame, &serve, err, &pe_ftrace_hits);
	} else {
		err = pe_arm_diverts(sites);
		if (err) {
			pe_set_blame(blame, sites, err, &pe_ftrace_diverts);
			pe_ftrace_disarm(&pe_ftrace_hits, &serve);
		}
	}
	list_splice(&serve, sites);
	return err;
}

static void pe_ftrace_undo(struct list_head *sites)
{
	LIST_HEAD(serve);

	pe_sites_pick(sites, &serve, PE_SITE_SERVING, PE_SITE_SERVING);
	pe_disarm_diverts(sites);
	pe_ftrace_disarm(&pe_ftrace_hits, &serve);
	list_splice(&serve, sites);
}

/*
 * MOVING sites move on.  A site on its way from DIVERTING to SERVING stays where it is if
 * arming fails: entries are served there as well.
 *
 * When this returns, a handler that has begun may still run.  A task that was preempted on
 * its way to pe_ftrace_hit() may come late; it finds no site.
 */
static void pe_ftrace_finish(struct list_head *armed, struct list_head *sites)
{
	LIST_HEAD(back);
	LIST_HEAD(leave_hits);
	LIST_HEAD(leave_diverts);

	pe_sites_pick(sites, &back, PE_SITE_DIVERTING, PE_SITE_SERVING);
	pe_sites_pick(sites, &leave_diverts, PE_SITE_DIVERTING, PE_SITE_IDLE);
	if (!pe_ftrace_arm_all(&pe_ftrace_hits, &back))
		list_splice_tail_init(&back, &leave_diverts);
	pe_sites_pick(armed, &leave_hits, PE_SITE_MOVING, PE_SITE_DIVERTING);
	if (pe_any_moving(&leave_hits) || pe_any_moving(&leave_diverts))
		synchronize_rcu();
	pe_sites_pick(sites, &leave_hits, PE_SITE_SERVING, PE_SITE_IDLE);
	pe_ftrace_disarm(&pe_ftrace_hits, &leave_hits);
	pe_disarm_diverts(&leave_diverts);
	list_splice(&back, sites);
	list_splice(&leave_hits, sites);
	list_splice(&leave_diverts, sites);
}

static void pe_ftrace_changes(struct pe_site *site, bool hits)
{
	if (hits)
		pe_code_site_changes(site);
}

static void pe_ftrace_show(struct seq_file *m, const struct pe_site *site)
{
	seq_puts(m, "ftrace\n");
}

const struct pe_mech pe_mech_ftrace = {
	.id = PE_MECH_ENTRY,
	.flag = "[FTRACE]",
	.serves = PE_SITE_DIVERTING,
	.compiled = true,
	.takes = pe_ftrace_owns,
	.changes = pe_ftrace_changes,
	.arm = pe_ftrace_arm_sites,
	.undo = pe_ftrace_undo,
	.finish = pe_ftrace_finish,
	.show = pe_ftrace_show,
	.memory = pe_code_site_memory,
};
