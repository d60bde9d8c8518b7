// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jump.c - breakpoints that become jumps.
 *
 * A site is armed by a breakpoint.  If a jump can do the same for less, it takes the
 * breakpoint's place some time later.  The jump overwrites a *window*: the site's
 * instruction, and those after it that its bytes reach.  It leads to a *detour*: a call
 * of us (jump_hit.c), a copy of the window, a jump back.
 *
 *	breakpoint ---> PENDING ---> ON		a work item, after a wait
 *	     ^             |          |
 *	     +-------------+----------+		at once
 *
 * Only sites with probes that observe become jumps: state SERVING, and no handler that changes
 * registers or follows the instruction.  All of these must hold before a byte is written:
 *
 *   1. The window's instructions can be moved, and control comes to none of them but the
 *	first: not from the function, not from elsewhere, not by a table (jump_insn.c,
 *	text_targets.c).
 *   2. None is reserved text, none has an entry in the exception table.
 *   3. None has a probe of ours that is armed, or a kprobe of the kernel.
 *   4. No hit was there where RCU is not watching.  A breakpoint's exception makes it watch; a
 *	jump does not, and its hit cannot be served.  The first such hit of a jump is only
 *	counted, and some seconds later the site is a breakpoint, for ever.
 *   5. While the jump is on, no kprobe of the kernel can come there (optprobe.c).
 *
 * Where a jump does not fit, a short one may.  That leads to an *island* in padding nearby, and
 * that to the detour (islands.c).  The conditions and steps are the same.
 *
 * jump_check.c checks the first three.  Sites that fail are examined again after a kick, or some
 * seconds later, unless the reason is for ever.
 *
 * PENDING.  The tail, which is the window but its first byte, is still in use: the breakpoint's
 * slot ends with a jump into it.  So from now on a hit of the breakpoint goes on in the detour's
 * copy (site->text->jump).  After a quiescence (retire.c) nothing is in the tail: no code
 * with preemption off, no CPU that was coming up or going down, no idle task, and no task that
 * was preempted there or in the slot.
 *
 * A window of one instruction needs no wait: nothing can be inside it.
 *
 * ON.  text_patch.c has the steps.  Text is checked first: the breakpoint, and after it the
 * bytes that were there when the window was examined.
 *
 * OFF, when the site is disarmed, a probe asks for more than observing, another site in the
 * window is to be armed, or kprobes/optimization is switched off.  The steps are those of ON,
 * backwards, without a wait.  Then hits of the breakpoint go on in the slot again.  The detour
 * stays until no task can be in it, and so does its site for hits that are on their way; unless
 * the site has been disarmed: then they find none.
 *
 * A task that is preempted in a detour executes the rest of the window there.  If another site
 * in the window is armed meanwhile, that task passes it unseen.
 *
 * LOST.  The text of a jump is not what was written there.  It is left alone, as is its detour,
 * and the kernel's kprobes are kept away from it for ever (breakpoint.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/jump/islands.h"
#include "kernel/jump/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"

static struct pe_jump *pe_jump_of(const struct pe_site *site)
{
	struct pe_arch_jump *jump = site->text ? site->text->jump : NULL;

	return jump ? container_of(jump, struct pe_jump, arch) : NULL;
}

size_t pe_jump_memory(const struct pe_site *site)
{
	return ksize(pe_jump_of(site));
}

bool pe_jump_is_short(const struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	return j && j->arch.island;
}

bool pe_jump_is_on(const struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	return j && j->state == PE_JUMP_ON;
}

unsigned long pe_jump_return(const struct pe_site *site)
{
	return pe_arch_detour_return(pe_jump_of(site)->detour);
}

bool pe_jump_is_lost(const struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	return j && j->state == PE_JUMP_LOST;
}

/* ---- examining ---- */

/* The detour, and from now on hits of the breakpoint go there. */
static int pe_jump_begin(struct pe_jump *j, const char **why)
{
	int err;

	*why = "no room for a detour";
	if (pe_detour_take(j))
		return -EBUSY;
	*why = "no room in a detour";
	err = pe_arch_jump_write(&j->arch, j->site->addr, j->detour, pe_code_detour_front());
	if (err) {
		pe_detour_free(j);
		return -EOPNOTSUPP;
	}
	*why = "the island cannot be made";
	err = j->arch.island ? pe_island_make(j) : 0;
	if (err) {
		pe_detour_free(j);
		return err;
	}
	j->state = PE_JUMP_PENDING;
	j->site->text->why = NULL;
	/*
	 * Already now no kprobe of the kernel may come into the window: it could go again, with
	 * a CPU still on its way back into the window, before the window is written.  Read by
	 * pe_site_covered() and pe_go_to_detour().
	 */
	smp_store_release(&j->site->text->jump, &j->arch);
	return 0;
}

/* Return: 0: it pends; or what pe_jump_check() returns. */
int pe_jump_prepare(struct pe_site *site)
{
	struct pe_jump *j = kzalloc(sizeof(*j), GFP_KERNEL);
	const char *why;
	int err;

	if (!j)
		return -EAGAIN;
	j->site = site;
	INIT_LIST_HEAD(&j->list);
	err = pe_jump_check(site, &j->arch, &why) ?: pe_jump_begin(j, &why);
	if (!err)
		return 0;
	kfree(j);
	if (err == -EOPNOTSUPP)
		WRITE_ONCE(site->text->never, why);	/* read by pe_jump_may_be() */
	site->text->why = why;
	return err;
}

bool pe_jump_is_candidate(const struct pe_site *site)
{
	return pe_jump_may_be(site) && !site->text->jump;
}

bool pe_jump_is_pending(const struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	return j && j->state == PE_JUMP_PENDING;
}

const char *pe_jump_why_not(const struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	if (j && j->state != PE_JUMP_PENDING)
		return j->state == PE_JUMP_ON ? NULL :
						"another writer of text has changed the jump";
	if (j)
		return "not yet: tasks may be among the instructions";
	if (READ_ONCE(site->text->never))
		return site->text->never;
	if (!pe_jump_may_be(site))
		return "a handler may change registers, or follows the instruction";
	return pe_jump_why_none() ?: site->text->why ?: "not yet examined";
}

/* ---- on ---- */

static void pe_detour_call(struct pe_jump *j, struct pe_kprobe *kp)
{
	WRITE_ONCE(pe_detour_slots[j->detour].probe, kp);	/* read by pe_detour_stub */
}

/* There is room for another one, and the island is padding again. */
static void pe_jump_free(struct pe_retired *retired)
{
	struct pe_jump *j = container_of(retired, struct pe_jump, retired);

	mutex_lock(&pe_mutex);
	pe_detour_free(j);
	pe_optprobe_unguard();
	pe_jump_kick();
	mutex_unlock(&pe_mutex);
	kfree(j);
}

/* Not to be used any more: hits go on as without a jump.  The site may go before the detour. */
static void pe_jump_drop(struct pe_jump *j)
{
	/* read by pe_go_to_detour(), read by pe_site_covered() */
	WRITE_ONCE(j->site->text->jump, NULL);
	j->state = PE_JUMP_LEAVING;
	pe_detour_call(j, &pe_detour_all);
	pe_retire(&j->retired, pe_jump_free);
}

/* If the site has a single probe, the stub calls it. */
static void pe_set_probe(struct pe_jump *j)
{
	struct list_head *probes = &j->site->probes[PE_CLIENT_HITS];
	struct pe_kprobe *kp = list_first_entry(probes, struct pe_kprobe, node);

	if (!list_is_singular(probes) || !pe_only_observes(kp))
		kp = &pe_detour_all;
	pe_detour_call(j, kp);
}

void pe_jump_site_changes(struct pe_site *site)
{
	struct pe_jump *j = pe_jump_of(site);

	lockdep_assert_held(&pe_mutex);
	if (!j)
		return;
	pe_detour_call(j, &pe_detour_all);
	pe_jump_look_soon();
}

static void pe_write_jumps(struct list_head *jumps)
{
	struct pe_jump *j, *next;

	list_for_each_entry(j, jumps, list)
		pe_text_put_tail(&j->arch, j->site->addr);
	pe_text_sync();
	list_for_each_entry_safe(j, next, jumps, list) {
		pe_text_put_jump(&j->arch, j->site->addr);
		j->state = PE_JUMP_ON;
		j->arch.is_put = true;
		pe_code_site_changes(j->site);
		pe_set_probe(j);
		list_del_init(&j->list);
	}
	pe_text_sync();
}

/* Drop jumps if their conditions have changed.  Text is locked.  Return: were there any? */
static bool pe_drop_unfit(struct list_head *jumps)
{
	struct pe_jump *j, *next;
	bool any = false;

	list_for_each_entry_safe(j, next, jumps, list) {
		if (pe_jump_may_be(j->site) &&
		    !pe_jump_has_neighbour(j->site, pe_arch_jump_length(&j->arch)) &&
		    pe_text_is_breakpoint_of(&j->arch, j->site->addr))
			continue;
		list_del(&j->list);
		pe_jump_drop(j);
		any = true;
	}
	return any;
}

/* All that pend; @single: only those that need no wait. */
void pe_jump_switch_on(bool single)
{
	struct pe_site *site;
	LIST_HEAD(jumps);
	bool dropped;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		struct pe_jump *j = pe_jump_of(site);

		if (j && j->state == PE_JUMP_PENDING &&
		    (!single || pe_arch_jump_is_single(&j->arch)))
			list_add(&j->list, &jumps);
	}
	if (list_empty(&jumps))
		return;
	pe_text_lock();
	dropped = pe_drop_unfit(&jumps);
	if (!list_empty(&jumps))
		pe_write_jumps(&jumps);
	pe_text_unlock();
	if (dropped)
		pe_jump_kick();
}

/* ---- off ---- */

static void pe_jump_lose(struct pe_jump *j)
{
	j->state = PE_JUMP_LOST;
	__module_get(THIS_MODULE);
	pr_warn("the jump at %pS has been overwritten by other code, left alone\n",
		(void *)j->site->addr);
}

/* Each is a breakpoint afterwards, or lost, and no jump pends. */
static void pe_take_off(struct list_head *jumps)
{
	struct pe_jump *j, *next;

	if (list_empty(jumps))
		return;
	pe_text_lock();
	list_for_each_entry_safe(j, next, jumps, list) {
		if (j->state != PE_JUMP_ON)
			continue;
		pe_code_site_changes(j->site);
		if (pe_text_is_jump_of(&j->arch, j->site->addr)) {
			pe_text_put_breakpoint(j->site->addr);
			continue;
		}
		list_del_init(&j->list);
		pe_jump_lose(j);
	}
	pe_text_sync();
	list_for_each_entry(j, jumps, list) {
		if (j->state == PE_JUMP_ON)
			pe_text_restore_tail(&j->arch, j->site->addr);
	}
	pe_text_sync();
	list_for_each_entry_safe(j, next, jumps, list) {
		list_del(&j->list);
		pe_jump_drop(j);
	}
	pe_text_unlock();
	pe_jump_kick();		/* others may become jumps */
}

/* If @site has a jump, take it off, once. */
static void pe_jump_collect(struct pe_site *site, struct list_head *jumps)
{
	struct pe_jump *j = pe_jump_of(site);

	if (j && j->state != PE_JUMP_LOST)
		list_move(&j->list, jumps);
}

/* The jumps over the first byte of an instruction; sites with a lost jump are in the way. */
static bool pe_collect_over(unsigned long addr, struct list_head *jumps)
{
	struct pe_site *site;
	struct pe_jump *j;
	unsigned int back;

	for (back = 1; back < PE_ARCH_WINDOW_MAX; back++) {
		site = pe_site_find(addr - back);
		j = site ? pe_jump_of(site) : NULL;
		if (!j || pe_arch_jump_length(&j->arch) <= back)
			continue;
		if (j->state == PE_JUMP_LOST)
			return false;
		pe_jump_collect(site, jumps);
	}
	return true;
}

/* The jumps that are in the way of @sites.  Return: NULL, or a site with a lost one in its way. */
static struct pe_site *pe_collect_ways(struct list_head *sites, struct list_head *jumps)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (pe_site_is_armed(site) ? pe_jump_is_lost(site) :
					     !pe_collect_over(site->addr, jumps))
			return site;
		pe_jump_collect(site, jumps);
	}
	return NULL;
}

int pe_jump_make_way(struct list_head *sites, struct pe_site **culprit)
{
	LIST_HEAD(jumps);

	lockdep_assert_held(&pe_mutex);
	*culprit = pe_collect_ways(sites, &jumps);
	pe_take_off(&jumps);
	/* Some may have turned out to be lost; no other jump is left. */
	if (!*culprit)
		*culprit = pe_collect_ways(sites, &jumps);
	return *culprit ? -EBUSY : 0;
}

void pe_jump_take_off(struct list_head *sites)
{
	struct pe_site *site;
	LIST_HEAD(jumps);

	lockdep_assert_held(&pe_mutex);
	list_for_each_entry(site, sites, batch)
		pe_jump_collect(site, &jumps);
	pe_take_off(&jumps);
}

void pe_jump_take_off_all(void)
{
	struct pe_site *site;
	LIST_HEAD(jumps);
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash)
		pe_jump_collect(site, &jumps);
	pe_take_off(&jumps);
}

/*
 * A hit that could not be served would be served at a breakpoint: that makes RCU watch.  The
 * others may have another probe than before.
 */
bool pe_jump_look_at_all(void)
{
	struct pe_site *site;
	LIST_HEAD(jumps);
	bool any = false;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		struct pe_jump *j = pe_jump_of(site);

		if (!j || j->state != PE_JUMP_ON)
			continue;
		any = true;
		pe_set_probe(j);
		if (!READ_ONCE(j->unwatched))
			continue;
		WRITE_ONCE(site->text->never, PE_UNWATCHED);	/* read by pe_jump_may_be() */
		pe_jump_collect(site, &jumps);
	}
	pe_take_off(&jumps);
	return any;
}

/* A jump that is lost may still lead to its detour. */
static bool pe_is_disarmed(const struct pe_site *site)
{
	return !pe_site_is_armed(site) && !pe_jump_is_lost(site);
}

void pe_jump_forget(void)
{
	pe_detours_forget(pe_is_disarmed);
}

/* Unhashed while its jump is lost: pe_jump_forget() has left out its detours. */
void pe_jump_site_gone(const struct pe_site *site)
{
	lockdep_assert_held(&pe_mutex);
	if (pe_jump_is_lost(site))
		pe_detours_forget(pe_site_is_gone);
}

/* A lost one stays. */
void pe_jump_release(struct pe_site *site)
{
	const struct pe_jump *j = pe_jump_of(site);

	WARN_ON(j && j->state != PE_JUMP_LOST);
}
