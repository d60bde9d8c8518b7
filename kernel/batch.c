// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - arm and disarm several sites together.
 *
 * Collects the sites that an operation concerns, finds out which of them are not in the
 * state that their probes ask for, and changes those, with one update of ftrace and one
 * of text in each direction.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include "kernel/arch.h"
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

/* What the site's probes ask for. */
static enum pe_site_state wanted(const struct pe_site *site)
{
	if (any_firing(&site->returns))
		return PE_SITE_DIVERTING;
	return any_firing(&site->probes) ? PE_SITE_SERVING : PE_SITE_IDLE;
}

void pe_batch_begin(struct pe_batch *b, bool arms)
{
	b->arms = arms;
	INIT_LIST_HEAD(&b->arm_ftrace);
	INIT_LIST_HEAD(&b->arm_int3);
	INIT_LIST_HEAD(&b->disarm_ftrace);
	INIT_LIST_HEAD(&b->disarm_int3);
	b->blame = (struct pe_blame){};
}

static struct list_head *list_for(struct pe_batch *b, const struct pe_site *site, bool arm)
{
	if (site->mech == PE_MECH_INT3)
		return arm ? &b->arm_int3 : &b->disarm_int3;
	return arm ? &b->arm_ftrace : &b->disarm_ftrace;
}

/*
 * Again for each probe of the site that has changed: the last time decides.
 *
 * What should be armed, could not be when a caller asked for it, and waits until one
 * asks again.
 */
void pe_batch_add(struct pe_batch *b, struct pe_site *site)
{
	enum pe_site_state now = site->state == PE_SITE_LOST ? PE_SITE_IDLE : site->state;

	if (pe_site_is_gone(site))
		return;		/* its @batch is taken */
	pe_batch_leave_out(site);
	site->target = wanted(site);
	if (site->target == now || (site->target > now && !b->arms))
		return;
	list_add_tail(&site->batch, list_for(b, site, site->target > now));
}

/* It stays as it is. */
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
	unlink_all(&b->arm_ftrace);
	unlink_all(&b->arm_int3);
	unlink_all(&b->disarm_ftrace);
	unlink_all(&b->disarm_int3);
}

static int check_kprobes_of_kernel(struct pe_batch *b)
{
	struct pe_site *site;
	struct pe_refusal refusal;

	list_for_each_entry(site, &b->arm_int3, batch) {
		if (pe_site_is_armed(site))
			continue;
		refusal = pe_text_reserved_check_kprobes(&site->arch, site->addr);
		if (refusal.err) {
			b->blame = (struct pe_blame){ site, refusal.reason };
			return refusal.err;
		}
	}
	return 0;
}

/* A breakpoint diverts, or stops diverting, as the site's state says. */
static void divert_or_not(struct list_head *sites)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (site->state == PE_SITE_SERVING && site->target == PE_SITE_DIVERTING)
			pe_site_set_state(site, PE_SITE_DIVERTING);
		else if (site->state == PE_SITE_DIVERTING && site->target != PE_SITE_DIVERTING)
			pe_site_set_state(site, PE_SITE_SERVING);
	}
}

/* Sites whose text has to be changed. */
static void move_by_armed(struct list_head *from, struct list_head *to, bool armed)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, batch) {
		if (pe_site_is_armed(site) == armed && (!armed || site->target == PE_SITE_IDLE))
			list_move_tail(&site->batch, to);
	}
}

/* All or none. */
static int arm_int3(struct pe_batch *b)
{
	LIST_HEAD(sites);
	int err;

	move_by_armed(&b->arm_int3, &sites, false);
	err = pe_text_arm(&sites, &b->blame.culprit);
	if (err)
		b->blame.reason = "somebody else has changed the instruction";
	else
		divert_or_not(&b->arm_int3);
	list_splice(&sites, &b->arm_int3);
	return err;
}

static void disarm_int3(struct pe_batch *b)
{
	LIST_HEAD(sites);

	move_by_armed(&b->disarm_int3, &sites, true);
	pe_text_disarm(&sites);
	list_splice(&sites, &b->disarm_int3);
}

/*
 * Bring all sites of the batch to what they should be.  Disarming can't fail
 * and comes last; when arming fails, nothing has been changed, and it may be tried
 * again.  The kernel's kprobes are locked by the caller when there may be breakpoints
 * to arm.
 */
int pe_batch_settle(struct pe_batch *b)
{
	int err;

	lockdep_assert_held(&pe_mutex);
	b->blame = (struct pe_blame){};
	err = check_kprobes_of_kernel(b);
	if (!err)
		err = pe_ftrace_arm(&b->arm_ftrace, &b->blame);
	if (err)
		return err;
	err = arm_int3(b);
	if (err) {
		pe_ftrace_undo(&b->arm_ftrace);
		return err;
	}
	divert_or_not(&b->disarm_int3);
	pe_ftrace_finish(&b->arm_ftrace, &b->disarm_ftrace);
	disarm_int3(b);
	return 0;
}
