// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * breakpoint.c - sites under a breakpoint.
 *
 * A CPU executes either the old instruction or the breakpoint, never a mixture; the
 * architecture's text_patch.c says why.  The rest of the instruction is not touched.  So
 * no multi-step protocol is needed.
 *
 * Arming:
 *   1. pe_text_lock(): no other writer of text (jump labels, static calls, ftrace,
 *      the kernel's kprobes) is at work, so no transient bytes are seen;
 *   2. look at every site: its bytes must be the instruction that was examined.
 *      If one differs, the operation ends and nothing has been changed;
 *   3. for each site, write the state, because its first hit asks for it.  Then write
 *      the breakpoint;
 *   4. pe_text_sync(), once: no CPU runs a stale copy of the old bytes.
 *
 * Disarming:
 *   1. as above;
 *   2. if a site's breakpoint is not there any more, the site is lost: it belongs to
 *      another writer.  Leave it.  That writer may have saved our breakpoint and may put
 *      it back one day, so the site stays hashed and this module stays loaded;
 *   3. put the instruction back, then write the state: a hit that finds the site idle
 *      finds the instruction, too;
 *   4. pe_text_sync(): when it returns, no CPU is on its way to or in the handler because
 *      of one of these breakpoints.  Only now may the sites be unhashed.
 *
 * While a breakpoint is in place, the site's state alone decides whether calls are diverted.
 *
 * Some time later, a jump may take the place of a breakpoint (jump/jump.c).  It is taken off first
 * where something here changes.  So the steps above see breakpoints only.
 *
 * A post handler runs after the instruction.  If that is executed from a slot, a second
 * breakpoint follows the copy there: it replaces the jump back, or its beginning.  So it
 * comes and goes like the first, in one step, and a task that was preempted in the
 * slot finds one or the other.  It is there as long as a probe with a post handler is
 * registered, whether the site is armed or not.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <pe/listing.h>
#include "kernel/compiled/round.h"
#include "kernel/jump/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/mech/slots.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hidden.h"
#include "kernel/probe/retire.h"

static bool pe_breakpoint_takes(unsigned long addr)
{
	return true;
}

static struct pe_text_site *pe_text_new(struct pe_site *site)
{
	struct pe_text_site *text = kzalloc(sizeof(*text), GFP_KERNEL);

	if (!text)
		return NULL;
	text->site = site;
	INIT_HLIST_NODE(&text->followed);
	return text;
}

static struct pe_refusal pe_breakpoint_prepare(struct pe_site *site)
{
	struct pe_refusal r = pe_trap_check(site->addr);
	int err;

	site->text = pe_text_new(site);
	if (!site->text)
		return PE_REFUSE(ENOMEM, NULL);
	if (!r.err)
		r = pe_arch_examine(&site->text->arch, site->addr);
	if (!r.err)
		r = pe_text_reserved_check(&site->text->arch, site->addr, PE_OWNER_ANY);
	if (r.err)
		return r;
	err = pe_arch_prepare(&site->text->arch, site->addr);
	return err ? PE_REFUSE(-err, "no out-of-line copy can be made") : PE_ACCEPT;
}

static void pe_text_free(struct pe_retired *retired)
{
	struct pe_text_site *text = container_of(retired, struct pe_text_site, retired);

	pe_arch_release(&text->arch);
	kfree(text);
}

/* A task may have been preempted in the copy, or an idle task interrupted there. */
static void pe_breakpoint_release(struct pe_site *site)
{
	if (!site->text)
		return;
	pe_jump_release(site);
	if (site->text->arch.slot)
		pe_retire(&site->text->retired, pe_text_free);
	else
		kfree(site->text);
}

static struct pe_refusal pe_breakpoint_follow(struct pe_site *site)
{
	if (pe_arch_after_copy(&site->text->arch, &site->text->after))
		return PE_REFUSE(EOPNOTSUPP, "no handler can run after this instruction");
	if (!site->text->after)
		return PE_ACCEPT;
	hash_add_rcu(pe_followed_sites, &site->text->followed, site->text->after);
	pe_text_lock();
	pe_text_put_breakpoint(site->text->after);
	pe_text_sync();
	pe_text_unlock();
	return PE_ACCEPT;
}

/* After pe_text_sync() no CPU is in the handler because of the breakpoint. */
static void pe_breakpoint_unfollow(struct pe_site *site)
{
	if (hlist_unhashed(&site->text->followed))
		return;
	pe_text_lock();
	pe_text_restore_jump(site->text->after);
	pe_text_sync();
	pe_text_unlock();
	hash_del_rcu(&site->text->followed);
}

/* Ask again: the kernel's kprobes may have come since the site was prepared. */
static int pe_breakpoint_check(struct list_head *sites, struct pe_blame *blame)
{
	struct pe_site *site;
	struct pe_refusal r;

	list_for_each_entry(site, sites, batch) {
		if (pe_site_is_armed(site))
			continue;
		r = pe_text_reserved_check(&site->text->arch, site->addr, PE_OWNER_KPROBE);
		if (r.err) {
			*blame = (struct pe_blame){ site, r.reason };
			return r.err;
		}
	}
	return 0;
}

/* Write the text of all sites, or of none.  Sites that have their breakpoint are left out. */
static int pe_put_all(struct list_head *sites, struct pe_blame *blame)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (pe_site_is_armed(site))
			continue;
		if (site->state == PE_SITE_LOST || !pe_text_is(&site->text->arch, site->addr)) {
			*blame = (struct pe_blame){
				site, "other code has changed the instruction"
			};
			return -EBUSY;
		}
	}
	list_for_each_entry(site, sites, batch) {
		if (pe_site_is_armed(site))
			continue;
		pe_site_set_state(site, site->target);	/* first: the handler asks */
		pe_text_put_breakpoint(site->addr);
		pe_nr_breakpoints++;
	}
	return 0;
}

static bool pe_breakpoint_all_armed(const struct list_head *sites)
{
	const struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (!pe_site_is_armed(site))
			return false;
	}
	return true;
}

static void pe_set_all(struct list_head *sites, enum pe_site_state from, enum pe_site_state to)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch) {
		if (site->state == from)
			pe_site_set_state(site, to);
	}
}

static int pe_breakpoint_arm(struct list_head *sites, struct pe_blame *blame)
{
	LIST_HEAD(begin);
	int err = 0;

	err = pe_jump_make_way(sites, &blame->culprit);
	if (err) {
		blame->reason = "other code has changed the instruction";
		return err;
	}
	if (!pe_breakpoint_all_armed(sites)) {
		err = pe_optprobe_guard(&blame->reason);
		if (err)
			return err;
		pe_text_lock();
		err = pe_put_all(sites, blame);
		if (!err)
			pe_text_sync();
		pe_text_unlock();
	}
	if (err) {
		pe_optprobe_unguard();
		return err;
	}
	pe_sites_pick(sites, &begin, PE_SITE_SERVING, PE_SITE_DIVERTING);
	pe_set_all(&begin, PE_SITE_SERVING, PE_SITE_DIVERTING);
	list_splice(&begin, sites);
	pe_jump_kick();
	return 0;
}

static void pe_breakpoint_take_out(struct pe_site *site)
{
	if (pe_jump_is_lost(site)) {
		/* It counts for ever: the kernel's kprobes must not come into its window. */
		pe_site_set_state(site, PE_SITE_LOST);
		return;
	}
	pe_nr_breakpoints--;
	if (pe_text_has_breakpoint(site->addr)) {
		pe_text_restore(&site->text->arch, site->addr);
		/* last: a hit that finds the site idle finds the instruction, too */
		pe_site_set_state(site, PE_SITE_IDLE);
		return;
	}
	pe_site_set_state(site, PE_SITE_LOST);
	__module_get(THIS_MODULE);
	pr_warn("the breakpoint at %pS has been overwritten by other code, left alone\n",
		(void *)site->addr);
}

static void pe_breakpoint_finish(struct list_head *armed, struct list_head *sites)
{
	struct pe_site *site;
	LIST_HEAD(out);

	pe_set_all(sites, PE_SITE_DIVERTING, PE_SITE_SERVING);
	pe_sites_pick(sites, &out, PE_SITE_SERVING, PE_SITE_IDLE);
	if (!list_empty(sites) || !list_empty(&out))
		pe_jump_kick();		/* others may have become candidates */
	if (list_empty(&out))
		return;
	pe_jump_take_off(&out);
	pe_text_lock();
	list_for_each_entry(site, &out, batch)
		pe_breakpoint_take_out(site);
	pe_text_sync();
	pe_text_unlock();
	pe_optprobe_unguard();
	pe_jump_forget();
	list_splice(&out, sites);
}

static void pe_breakpoint_changes(struct pe_site *site, bool hits)
{
	if (hits)
		pe_code_site_changes(site);
	pe_jump_site_changes(site);
}

static const struct pe_mech pe_mech_jump = { .id = PE_MECH_JUMP, .flag = "[OPTIMIZED]" };

static const struct pe_mech *pe_breakpoint_now(const struct pe_site *site)
{
	return pe_jump_is_on(site) ? &pe_mech_jump : &pe_mech_breakpoint;
}

static void pe_breakpoint_show(struct seq_file *m, const struct pe_site *site)
{
	const char *why = pe_jump_why_not(site);

	if (why)
		seq_printf(m, "breakpoint: %s\n", why);
	else
		seq_puts(m, pe_jump_is_short(site) ? "jump by an island\n" : "jump\n");
}

static size_t pe_breakpoint_memory(const struct pe_site *site)
{
	return ksize(site->text) + pe_jump_memory(site) + pe_code_site_memory(site);
}

static void pe_breakpoints_add_memory(struct pe_memory *memory)
{
	memory->copies += pe_slots_memory();
	memory->detours += pe_detours_memory();
}

const struct pe_mech pe_mech_breakpoint = {
	.id = PE_MECH_BREAKPOINT,
	.flag = "[INT3]",
	.serves = PE_SITE_DIVERTING,
	.takes = pe_breakpoint_takes,
	.prepare = pe_breakpoint_prepare,
	.release = pe_breakpoint_release,
	.follow = pe_breakpoint_follow,
	.unfollow = pe_breakpoint_unfollow,
	.changes = pe_breakpoint_changes,
	.gone = pe_jump_site_gone,
	.check = pe_breakpoint_check,
	.arm = pe_breakpoint_arm,
	.finish = pe_breakpoint_finish,
	.now = pe_breakpoint_now,
	.show = pe_breakpoint_show,
	.settled = pe_jumps_are_settled,
	.memory = pe_breakpoint_memory,
	.add_memory = pe_breakpoints_add_memory,
};
