// SPDX-License-Identifier: GPL-2.0
/*
 * round.c - one round of arming and disarming.
 *
 * Collects the sites that an operation concerns, finds out which of them are not
 * what they should be, and changes those, all of them with one update of ftrace
 * and one of text in each direction.
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include "kernel/kprobes.h"
#include "kernel/round.h"

bool pe_all_armed = true;

#define NOT_FIRING	(PE_KPROBE_DISABLED | PE_KPROBE_GONE)

static bool should_be_armed(const struct pe_site *site)
{
	const struct pe_kprobe *kp;

	if (!pe_all_armed || site->gone)
		return false;
	list_for_each_entry(kp, &site->probes, node) {
		if (!(kp->flags & NOT_FIRING))
			return true;
	}
	return false;
}

void pe_round_begin(struct pe_round *r)
{
	INIT_LIST_HEAD(&r->arm_int3);
	INIT_LIST_HEAD(&r->arm_entry);
	INIT_LIST_HEAD(&r->disarm_int3);
	INIT_LIST_HEAD(&r->disarm_entry);
	r->culprit = NULL;
}

void pe_round_add(struct pe_round *r, struct pe_site *site)
{
	bool want = should_be_armed(site);

	if (want == site->armed || !list_empty(&site->batch))
		return;
	if (site->mech == PE_MECH_ENTRY)
		list_add_tail(&site->batch, want ? &r->arm_entry : &r->disarm_entry);
	else
		list_add_tail(&site->batch, want ? &r->arm_int3 : &r->disarm_int3);
}

static void unlink_batch(struct list_head *sites)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, batch)
		list_del_init(&site->batch);
}

void pe_round_end(struct pe_round *r)
{
	unlink_batch(&r->arm_int3);
	unlink_batch(&r->arm_entry);
	unlink_batch(&r->disarm_int3);
	unlink_batch(&r->disarm_entry);
}

static int check_kprobes_of_kernel(struct pe_round *r)
{
	struct pe_site *site;
	struct pe_refusal refusal;

	list_for_each_entry(site, &r->arm_int3, batch) {
		refusal = pe_owner_check_kprobes(&site->arch, site->addr);
		if (refusal.err) {
			r->culprit = site;
			return refusal.err;
		}
	}
	return 0;
}

/*
 * Bring all sites of the round to what they should be.  Disarming can't fail
 * and comes last; when arming fails, nothing has been changed.  The kernel's
 * kprobes are locked by the caller when there may be breakpoints to arm.
 */
int pe_round_settle(struct pe_round *r)
{
	int err;

	lockdep_assert_held(&pe_mutex);
	err = check_kprobes_of_kernel(r);
	if (err)
		return err;
	err = pe_entry_arm(&r->arm_entry);
	if (err) {
		r->culprit = list_first_entry(&r->arm_entry, struct pe_site, batch);
		return err;
	}
	err = pe_text_arm(&r->arm_int3, &r->culprit);
	if (err) {
		pe_entry_disarm(&r->arm_entry);
		return err;
	}
	pe_entry_disarm(&r->disarm_entry);
	pe_text_disarm(&r->disarm_int3);
	return 0;
}
