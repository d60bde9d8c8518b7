// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * batch.c - arm and disarm several sites together.
 *
 * A batch collects the sites that an operation concerns.  It finds those with a state that
 * is not the one that their probes ask for, and lets their mechanisms change them together.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/batch.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/probe_kind.h"
#include "kernel/probe/site.h"

/* The state that the site's probes ask for, without those that need more than @limit. */
static enum pe_site_state pe_batch_wanted(const struct pe_site *site, enum pe_site_state limit)
{
	enum pe_site_state most = PE_SITE_IDLE;
	const struct pe_kprobe *kp;
	unsigned int kind;

	pe_site_for_each_probe(kp, kind, site) {
		if (pe_wants_hit(kp) && pe_needs(kp) <= limit)
			most = max(most, pe_needs(kp));
	}
	return most;
}

void pe_batch_begin(struct pe_batch *b, bool arms)
{
	unsigned int i;

	b->arms = arms;
	INIT_LIST_HEAD(&b->added);
	for (i = 0; i < ARRAY_SIZE(b->of); i++) {
		INIT_LIST_HEAD(&b->of[i].arm);
		INIT_LIST_HEAD(&b->of[i].disarm);
	}
	b->blame = (struct pe_blame){};
}

/*
 * Once for each of the site's probes that has changed, or less often: a site may have any number of
 * them, so they are looked at when the batch is settled.
 */
void pe_batch_add(struct pe_batch *b, struct pe_site *site)
{
	if (!list_empty(&site->batch))	/* of a gone site it is taken */
		return;
	site->told = false;
	list_add_tail(&site->batch, &b->added);
}

/*
 * If a site could not be armed when a caller asked for it, it stays unarmed until a
 * caller asks again.
 */
static void pe_choose_target(struct pe_batch *b, struct pe_site *site)
{
	enum pe_site_state now = site->state == PE_SITE_LOST ? PE_SITE_IDLE : site->state;

	list_del_init(&site->batch);
	site->target = pe_batch_wanted(site, b->arms ? PE_SITE_DIVERTING : now);
	if (site->target < now)
		list_add_tail(&site->batch, &b->of[site->mech->id].disarm);
	else if (site->target > now)
		list_add_tail(&site->batch, &b->of[site->mech->id].arm);
}

static void pe_choose_targets(struct pe_batch *b)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, &b->added, batch) {
		pe_choose_target(b, site);
		cond_resched();
	}
}

static void pe_unlink_all(struct list_head *sites)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, batch)
		list_del_init(&site->batch);
}

void pe_batch_end(struct pe_batch *b)
{
	unsigned int i;

	pe_unlink_all(&b->added);
	for (i = 0; i < ARRAY_SIZE(b->of); i++) {
		pe_unlink_all(&b->of[i].arm);
		pe_unlink_all(&b->of[i].disarm);
	}
}

static int pe_check_all(struct pe_batch *b)
{
	const struct pe_mech *const *mech;
	int err = 0;

	pe_for_each_mech(mech) {
		if ((*mech)->check && !err)
			err = (*mech)->check(&b->of[(*mech)->id].arm, &b->blame);
	}
	return err;
}

/* Arm the sites of all mechanisms, or none. */
static int pe_batch_arm_all(struct pe_batch *b)
{
	const struct pe_mech *const *mech;
	int err = 0;

	pe_for_each_mech(mech) {
		err = (*mech)->arm(&b->of[(*mech)->id].arm, &b->blame);
		if (err) {
			b->blame.mech = *mech;
			break;
		}
	}
	if (!err)
		return 0;
	while (mech != pe_mechs) {
		mech--;
		(*mech)->undo(&b->of[(*mech)->id].arm);
	}
	return err;
}

/*
 * Bring all sites of the batch to their targets.  Disarming cannot fail and comes last.
 * If arming fails, nothing has been changed, and the caller may try again.  The caller
 * has locked the kernel's kprobes if there may be sites to arm.
 */
int pe_batch_settle(struct pe_batch *b)
{
	const struct pe_mech *const *mech;
	int err;

	lockdep_assert_held(&pe_mutex);
	b->blame = (struct pe_blame){};
	pe_choose_targets(b);
	err = pe_check_all(b);
	if (!err)
		err = pe_batch_arm_all(b);
	if (err)
		return err;
	pe_for_each_mech(mech)
		(*mech)->finish(&b->of[(*mech)->id].arm, &b->of[(*mech)->id].disarm);
	return 0;
}

/* The first @most sites to be armed go from @from to the empty @to. */
static unsigned int pe_take_some(struct pe_batch *from, struct pe_batch *to, unsigned int most)
{
	struct list_head *arm;
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(from->of); i++) {
		arm = &from->of[i].arm;
		for (; n < most && !list_empty(arm); n++)
			list_move_tail(arm->next, &to->of[i].arm);
	}
	return n;
}

static void pe_put_back(struct pe_batch *from, struct pe_batch *to)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(from->of); i++)
		list_splice_init(&from->of[i].arm, &to->of[i].arm);
}

/* The site that is to blame; or all sites of a mechanism that takes none now.  False: neither. */
static bool pe_leave_out_refused(struct pe_batch *b,
				 void (*refuse)(struct pe_site *site, const char *reason))
{
	const struct pe_blame *blame = &b->blame;
	struct pe_site *site, *next;

	if (blame->culprit) {
		refuse(blame->culprit, blame->reason);
		list_del_init(&blame->culprit->batch);
		return true;
	}
	if (!blame->reason || !blame->mech)
		return false;
	list_for_each_entry_safe(site, next, &b->of[blame->mech->id].arm, batch) {
		refuse(site, blame->reason);
		list_del_init(&site->batch);
	}
	return true;
}

/**
 * pe_batch_settle_some() - bring all sites to their targets that can be
 * @b: the batch
 * @refuse: called for each of the others
 * @refused: the error of the first of these, or 0
 *
 * A try costs time for each of its sites, and finds at most one refused site.  So the sites are
 * tried in parts.  The size of a part is halved after each refused part and doubled after each
 * accepted one: however many sites are refused, and wherever they are, the tries together have
 * few more sites than the batch.
 *
 * Return: 0, or an error that is no site's.  Then some sites may be armed; nothing is disarmed.
 */
int pe_batch_settle_some(struct pe_batch *b,
			 void (*refuse)(struct pe_site *site, const char *reason), int *refused)
{
	unsigned int most = UINT_MAX, n;
	struct pe_batch part;
	int err;

	*refused = 0;
	pe_choose_targets(b);
	pe_batch_begin(&part, true);
	while ((n = pe_take_some(b, &part, most))) {
		err = pe_batch_settle(&part);
		if (err && !pe_leave_out_refused(&part, refuse)) {
			pe_batch_end(&part);
			return err;
		}
		if (err) {
			*refused = *refused ?: err;
			pe_put_back(&part, b);
			most = max(n / 2, 1u);
		} else {
			pe_batch_end(&part);
			most = n > UINT_MAX / 2 ? UINT_MAX : 2 * n;
		}
		cond_resched();
	}
	return pe_batch_settle(b);	/* only disarms */
}
