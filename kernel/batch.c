// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - arm and disarm several sites together.
 *
 * A batch collects the sites that an operation concerns.  It finds those whose state is not
 * the one that their probes ask for, and lets their mechanisms change them together.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include "kernel/batch.h"
#include "kernel/client.h"
#include "kernel/hit.h"
#include "kernel/kprobes.h"
#include "kernel/mech/mech.h"
#include "kernel/site.h"

/* The state that the site's probes ask for, without those that need more than @limit. */
static enum pe_site_state wanted(const struct pe_site *site, enum pe_site_state limit)
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
	for (i = 0; i < ARRAY_SIZE(b->of); i++) {
		INIT_LIST_HEAD(&b->of[i].arm);
		INIT_LIST_HEAD(&b->of[i].disarm);
	}
	b->blame = (struct pe_blame){};
}

/*
 * Add the site again for each of its probes that has changed: the last time decides.
 *
 * If a site could not be armed when a caller asked for it, it stays unarmed until a
 * caller asks again.
 */
void pe_batch_add(struct pe_batch *b, struct pe_site *site)
{
	enum pe_site_state now = site->state == PE_SITE_LOST ? PE_SITE_IDLE : site->state;

	if (pe_site_is_gone(site))
		return;		/* its @batch is taken */
	pe_batch_leave_out(site);
	site->target = wanted(site, b->arms ? PE_SITE_DIVERTING : now);
	if (site->target < now)
		list_add_tail(&site->batch, &b->of[site->mech->id].disarm);
	else if (site->target > now)
		list_add_tail(&site->batch, &b->of[site->mech->id].arm);
}

/* Leave the site as it is. */
void pe_batch_leave_out(struct pe_site *site)
{
	list_del_init(&site->batch);
}

static void unlink_all(struct list_head *sites)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, sites, batch)
		list_del_init(&site->batch);
}

void pe_batch_end(struct pe_batch *b)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(b->of); i++) {
		unlink_all(&b->of[i].arm);
		unlink_all(&b->of[i].disarm);
	}
}

static int check_all(struct pe_batch *b)
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
static int arm_all(struct pe_batch *b)
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
	err = check_all(b);
	if (!err)
		err = arm_all(b);
	if (err)
		return err;
	pe_for_each_mech(mech)
		(*mech)->finish(&b->of[(*mech)->id].arm, &b->of[(*mech)->id].disarm);
	return 0;
}
