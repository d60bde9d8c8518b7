// SPDX-License-Identifier: GPL-2.0
/*
 * round.c - one round of arming and disarming.
 *
 * Collects the sites that an operation concerns, finds out which of them are not
 * what they should be, and changes those, all of them with one update of ftrace
 * and one of text in each direction.  At an entry of ftrace's, one ftrace_ops serves the
 * function: that of return probes if there are any.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include "kernel/hit.h"
#include "kernel/kprobes.h"
#include "kernel/round.h"

static bool any_firing(const struct list_head *probes)
{
	const struct pe_kprobe *kp;

	list_for_each_entry(kp, probes, node) {
		if (!(kp->flags & PE_KPROBE_NOT_FIRING))
			return true;
	}
	return false;
}

static bool should_divert(const struct pe_site *site)
{
	return !site->gone && any_firing(&site->returns);
}

/* A breakpoint serves return probes, too; at an entry of ftrace's it is the other way round. */
static bool should_be_armed(const struct pe_site *site)
{
	if (should_divert(site))
		return site->mech == PE_MECH_INT3;
	return !site->gone && any_firing(&site->probes);
}

void pe_round_begin(struct pe_round *r, bool arms)
{
	r->arms = arms;
	INIT_LIST_HEAD(&r->arm_int3);
	INIT_LIST_HEAD(&r->arm_entry);
	INIT_LIST_HEAD(&r->hand_back);
	INIT_LIST_HEAD(&r->arm_returns);
	INIT_LIST_HEAD(&r->disarm_int3);
	INIT_LIST_HEAD(&r->disarm_entry);
	INIT_LIST_HEAD(&r->disarm_returns);
	r->culprit = NULL;
	r->reason = NULL;
}

static struct list_head *arming_list(struct pe_round *r, const struct pe_site *site)
{
	if (site->mech == PE_MECH_INT3)
		return &r->arm_int3;
	return site->returns_armed ? &r->hand_back : &r->arm_entry;
}

static struct list_head *disarming_list(struct pe_round *r, const struct pe_site *site)
{
	return site->mech == PE_MECH_INT3 ? &r->disarm_int3 : &r->disarm_entry;
}

/*
 * Where to put a site, or NULL.  What should be armed, could not be when somebody asked
 * for it, and waits until somebody asks again.
 */
static struct list_head *list_for(struct pe_round *r, const struct pe_site *site)
{
	bool want = should_be_armed(site);
	struct list_head *list;

	if (want == site->armed)
		return NULL;
	list = want ? arming_list(r, site) : disarming_list(r, site);
	return !want || r->arms || list == &r->hand_back ? list : NULL;
}

static struct list_head *returns_list_for(struct pe_round *r, const struct pe_site *site)
{
	bool want = should_divert(site);

	if (want == site->returns_armed || (want && !r->arms))
		return NULL;
	return want ? &r->arm_returns : &r->disarm_returns;
}

/* Again for each probe of the site that has changed: the last time decides. */
void pe_round_add(struct pe_round *r, struct pe_site *site)
{
	struct list_head *list;

	if (hlist_unhashed(&site->hash))
		return;		/* gone; its @batch is taken */
	pe_round_leave_out(site);
	list = list_for(r, site);
	if (list)
		list_add_tail(&site->batch, list);
	list = returns_list_for(r, site);
	if (list)
		list_add_tail(&site->returns_batch, list);
}

/* It stays as it is. */
void pe_round_leave_out(struct pe_site *site)
{
	list_del_init(&site->batch);
	list_del_init(&site->returns_batch);
}

static void unlink_batch(struct list_head *sites)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, batch)
		list_del_init(&site->batch);
}

static void unlink_returns(struct list_head *sites)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, returns_batch)
		list_del_init(&site->returns_batch);
}

void pe_round_end(struct pe_round *r)
{
	unlink_batch(&r->arm_int3);
	unlink_batch(&r->arm_entry);
	unlink_batch(&r->hand_back);
	unlink_batch(&r->disarm_int3);
	unlink_batch(&r->disarm_entry);
	unlink_returns(&r->arm_returns);
	unlink_returns(&r->disarm_returns);
}

/*
 * Breakpoints divert by themselves, as the site's flag says: moves such sites
 * from the list for ftrace to @by_flag.
 */
static void split_returns(struct list_head *sites, struct list_head *by_flag)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, returns_batch) {
		if (site->mech == PE_MECH_INT3)
			list_move_tail(&site->returns_batch, by_flag);
	}
}

static void set_flag(struct list_head *by_flag, bool on)
{
	struct pe_site *site;

	list_for_each_entry(site, by_flag, returns_batch)
		WRITE_ONCE(site->returns_armed, on);
}

static int check_kprobes_of_kernel(struct pe_round *r)
{
	struct pe_site *site;
	struct pe_refusal refusal;

	list_for_each_entry(site, &r->arm_int3, batch) {
		refusal = pe_owner_check_kprobes(&site->arch, site->addr);
		if (refusal.err) {
			r->culprit = site;
			r->reason = refusal.reason;
			return refusal.err;
		}
	}
	return 0;
}

static void ftrace_refused(struct pe_round *r, struct pe_site *site, int err, bool returns)
{
	bool one;

	r->reason = pe_entry_refusal(err, returns, &one);
	r->culprit = one ? site : NULL;
}

/* Entries for hits and for returns, or neither. */
static int arm_entries(struct pe_round *r)
{
	int err = pe_entry_arm(&r->arm_entry);

	if (err) {
		ftrace_refused(r, list_first_entry(&r->arm_entry, struct pe_site, batch), err,
			       false);
		return err;
	}
	err = pe_entry_arm_returns(&r->arm_returns);
	if (err) {
		ftrace_refused(r, list_first_entry(&r->arm_returns, struct pe_site,
						   returns_batch), err, true);
		pe_entry_disarm(&r->arm_entry);
	}
	return err;
}

/* Is a site to be left to the return probes' ops? */
static bool any_handed_over(const struct pe_round *r)
{
	const struct pe_site *site;

	list_for_each_entry(site, &r->disarm_entry, batch) {
		if (site->returns_armed)
			return true;
	}
	return false;
}

/*
 * Of sites that change from one ftrace_ops to the other, the new one has been told
 * before the old one forgets them (entry_ftrace.c says why there is a wait between).
 * When that can't be done, the sites stay where they are: entries are served
 * there as well.
 */
static void disarm_entries(struct pe_round *r)
{
	bool moved = any_handed_over(r);
	struct pe_site *site;

	if (pe_entry_arm(&r->hand_back)) {
		list_for_each_entry(site, &r->hand_back, batch)
			list_del_init(&site->returns_batch);
	} else {
		moved |= !list_empty(&r->hand_back);
	}
	if (moved)
		synchronize_rcu();
	pe_entry_disarm(&r->disarm_entry);
	pe_entry_disarm_returns(&r->disarm_returns);
}

/* @on, @off: sites with breakpoints whose calls are (not) to be diverted. */
static int settle(struct pe_round *r, struct list_head *on, struct list_head *off)
{
	int err = check_kprobes_of_kernel(r);

	if (!err)
		err = arm_entries(r);
	if (err)
		return err;
	set_flag(on, true);	/* first: a breakpoint serves from its first hit */
	err = pe_text_arm(&r->arm_int3, &r->culprit);
	if (err) {
		r->reason = "somebody else has changed the instruction";
		set_flag(on, false);
		pe_entry_disarm_returns(&r->arm_returns);
		pe_entry_disarm(&r->arm_entry);
		return err;
	}
	set_flag(off, false);
	disarm_entries(r);
	pe_text_disarm(&r->disarm_int3);
	return 0;
}

/*
 * Bring all sites of the round to what they should be.  Disarming can't fail
 * and comes last; when arming fails, nothing has been changed, and it may be tried
 * again.  The kernel's kprobes are locked by the caller when there may be breakpoints
 * to arm.
 */
int pe_round_settle(struct pe_round *r)
{
	LIST_HEAD(on);
	LIST_HEAD(off);
	int err;

	lockdep_assert_held(&pe_mutex);
	r->culprit = NULL;
	r->reason = NULL;
	split_returns(&r->arm_returns, &on);
	split_returns(&r->disarm_returns, &off);
	err = settle(r, &on, &off);
	list_splice_tail(&on, &r->arm_returns);
	list_splice_tail(&off, &r->disarm_returns);
	return err;
}
