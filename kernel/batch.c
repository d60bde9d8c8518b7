// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - arm and disarm several sites together.
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
#include "kernel/batch.h"
#include "kernel/hit.h"
#include "kernel/kprobes.h"
#include "kernel/mech/ftrace.h"
#include "kernel/policy/policy.h"
#include "kernel/site.h"

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

void pe_batch_begin(struct pe_batch *b, bool arms)
{
	b->arms = arms;
	INIT_LIST_HEAD(&b->arm_int3);
	INIT_LIST_HEAD(&b->arm_entry);
	INIT_LIST_HEAD(&b->hand_back);
	INIT_LIST_HEAD(&b->arm_returns);
	INIT_LIST_HEAD(&b->disarm_int3);
	INIT_LIST_HEAD(&b->disarm_entry);
	INIT_LIST_HEAD(&b->disarm_returns);
	b->culprit = NULL;
	b->reason = NULL;
}

static struct list_head *arming_list(struct pe_batch *b, const struct pe_site *site)
{
	if (site->mech == PE_MECH_INT3)
		return &b->arm_int3;
	return site->returns_armed ? &b->hand_back : &b->arm_entry;
}

static struct list_head *disarming_list(struct pe_batch *b, const struct pe_site *site)
{
	return site->mech == PE_MECH_INT3 ? &b->disarm_int3 : &b->disarm_entry;
}

/*
 * Where to put a site, or NULL.  What should be armed, could not be when somebody asked
 * for it, and waits until somebody asks again.
 */
static struct list_head *list_for(struct pe_batch *b, const struct pe_site *site)
{
	bool want = should_be_armed(site);
	struct list_head *list;

	if (want == site->armed)
		return NULL;
	list = want ? arming_list(b, site) : disarming_list(b, site);
	return !want || b->arms || list == &b->hand_back ? list : NULL;
}

static struct list_head *returns_list_for(struct pe_batch *b, const struct pe_site *site)
{
	bool want = should_divert(site);

	if (want == site->returns_armed || (want && !b->arms))
		return NULL;
	return want ? &b->arm_returns : &b->disarm_returns;
}

/* Again for each probe of the site that has changed: the last time decides. */
void pe_batch_add(struct pe_batch *b, struct pe_site *site)
{
	struct list_head *list;

	if (hlist_unhashed(&site->hash))
		return;		/* gone; its @batch is taken */
	pe_batch_leave_out(site);
	list = list_for(b, site);
	if (list)
		list_add_tail(&site->batch, list);
	list = returns_list_for(b, site);
	if (list)
		list_add_tail(&site->returns_batch, list);
}

/* It stays as it is. */
void pe_batch_leave_out(struct pe_site *site)
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

void pe_batch_end(struct pe_batch *b)
{
	unlink_batch(&b->arm_int3);
	unlink_batch(&b->arm_entry);
	unlink_batch(&b->hand_back);
	unlink_batch(&b->disarm_int3);
	unlink_batch(&b->disarm_entry);
	unlink_returns(&b->arm_returns);
	unlink_returns(&b->disarm_returns);
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

static int check_kprobes_of_kernel(struct pe_batch *b)
{
	struct pe_site *site;
	struct pe_refusal refusal;

	list_for_each_entry(site, &b->arm_int3, batch) {
		refusal = pe_text_reserved_check_kprobes(&site->arch, site->addr);
		if (refusal.err) {
			b->culprit = site;
			b->reason = refusal.reason;
			return refusal.err;
		}
	}
	return 0;
}

static void ftrace_refused(struct pe_batch *b, struct pe_site *site, int err, bool returns)
{
	bool one;

	b->reason = pe_ftrace_refusal(err, returns, &one);
	b->culprit = one ? site : NULL;
}

/* Entries for hits and for returns, or neither. */
static int arm_entries(struct pe_batch *b)
{
	int err = pe_ftrace_arm(&b->arm_entry);

	if (err) {
		ftrace_refused(b, list_first_entry(&b->arm_entry, struct pe_site, batch), err,
			       false);
		return err;
	}
	err = pe_ftrace_arm_returns(&b->arm_returns);
	if (err) {
		ftrace_refused(b, list_first_entry(&b->arm_returns, struct pe_site,
						   returns_batch), err, true);
		pe_ftrace_disarm(&b->arm_entry);
	}
	return err;
}

/* Is a site to be left to the return probes' ops? */
static bool any_handed_over(const struct pe_batch *b)
{
	const struct pe_site *site;

	list_for_each_entry(site, &b->disarm_entry, batch) {
		if (site->returns_armed)
			return true;
	}
	return false;
}

/*
 * Of sites that change from one ftrace_ops to the other, the new one has been told
 * before the old one forgets them (mech/ftrace.c says why there is a wait between).
 * When that can't be done, the sites stay where they are: entries are served
 * there as well.
 */
static void disarm_entries(struct pe_batch *b)
{
	bool moved = any_handed_over(b);
	struct pe_site *site;

	if (pe_ftrace_arm(&b->hand_back)) {
		list_for_each_entry(site, &b->hand_back, batch)
			list_del_init(&site->returns_batch);
	} else {
		moved |= !list_empty(&b->hand_back);
	}
	if (moved)
		synchronize_rcu();
	pe_ftrace_disarm(&b->disarm_entry);
	pe_ftrace_disarm_returns(&b->disarm_returns);
}

/* @on, @off: sites with breakpoints whose calls are (not) to be diverted. */
static int settle(struct pe_batch *b, struct list_head *on, struct list_head *off)
{
	int err = check_kprobes_of_kernel(b);

	if (!err)
		err = arm_entries(b);
	if (err)
		return err;
	set_flag(on, true);	/* first: a breakpoint serves from its first hit */
	err = pe_text_arm(&b->arm_int3, &b->culprit);
	if (err) {
		b->reason = "somebody else has changed the instruction";
		set_flag(on, false);
		pe_ftrace_disarm_returns(&b->arm_returns);
		pe_ftrace_disarm(&b->arm_entry);
		return err;
	}
	set_flag(off, false);
	disarm_entries(b);
	pe_text_disarm(&b->disarm_int3);
	return 0;
}

/*
 * Bring all sites of the batch to what they should be.  Disarming can't fail
 * and comes last; when arming fails, nothing has been changed, and it may be tried
 * again.  The kernel's kprobes are locked by the caller when there may be breakpoints
 * to arm.
 */
int pe_batch_settle(struct pe_batch *b)
{
	LIST_HEAD(on);
	LIST_HEAD(off);
	int err;

	lockdep_assert_held(&pe_mutex);
	b->culprit = NULL;
	b->reason = NULL;
	split_returns(&b->arm_returns, &on);
	split_returns(&b->disarm_returns, &off);
	err = settle(b, &on, &off);
	list_splice_tail(&on, &b->arm_returns);
	list_splice_tail(&off, &b->disarm_returns);
	return err;
}
