// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * kprobes.c - probes: registration, arming, removal.
 *
 * A site is an address, a probe is a handler to run there.  The sites are in a hash by address;
 * each has a list of probes.  Hash and lists are written under pe_mutex and read by hits under RCU.
 * Return probes have a list of their own, which hits know as sets (return/ret_set.c).
 *
 * A site is armed when it should be: at least one of its probes is enabled and not
 * stopped by the switch for everything.  Every operation changes flags and lists
 * first and then lets one batch (batch.c) bring the text of the sites concerned in
 * line.  When that fails, the operation undoes its changes and nothing else has happened.
 *
 * Registration: resolve symbols (no lock), then, under pe_mutex and with the
 * kernel's kprobes locked: check and link all probes, settle.
 *
 * Removal, three steps:
 *   unreachable  unlink the probes; sites without probes are disarmed, which for
 *		  a breakpoint means that no CPU is in its handler any more
 *		  (text_patch.c), and unhashed;
 *   wait	  pe_wait_for_hits(): hits of ftrace entries, and of sites that keep
 *		  other probes, may still be walking the lists with preemption
 *		  off;
 *   release	  counters, sites.  A copy of an instruction may still have a
 *		  preempted task in it, so it is retired (retire.c).
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <pe/symbols.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/batch.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/probe_kind.h"
#include "kernel/probe/site.h"
#include "kernel/probe/wait.h"

/* kprobes/enabled: are probes to fire that users may switch off?  pe_mutex. */
static bool pe_kprobes_all_armed = true;

/* ---- registration ---- */

static struct pe_refusal pe_resolve_symbol(struct pe_kprobe *kp)
{
	struct pe_symbol found;

	pe_symbol_find(kp->symbol, &found);
	if (found.count > 1)
		return PE_REFUSE(EADDRNOTAVAIL, "several symbols have that name");
	kp->addr = found.addr;
	return kp->addr ? PE_ACCEPT : PE_REFUSE(ENOENT, "no such symbol");
}

/* Fills @addr and @on_entry. */
static struct pe_refusal pe_kprobes_resolve(struct pe_kprobe *kp)
{
	struct pe_refusal r = PE_ACCEPT;
	unsigned long start, size;

	if (kp->symbol)
		r = pe_resolve_symbol(kp);
	if (r.err)
		return r;
	kp->addr += kp->offset;
	if (!pe_symbol_at(kp->addr, &start, &size))
		return PE_REFUSE(ENOENT, "no function is known to hold the address");
	if (kp->addr == start)
		kp->addr = pe_arch_skip_entry_mark(kp->addr);
	kp->on_entry = pe_addr_on_entry(start, kp->addr - start);
	return r;
}

static void pe_set_stopped(struct pe_kprobe *kp, bool stopped)
{
	unsigned int flags = kp->flags & ~PE_KPROBE_STOPPED;

	if (stopped && !(flags & PE_KPROBE_ALWAYS))
		flags |= PE_KPROBE_STOPPED;
	WRITE_ONCE(kp->flags, flags);	/* read by pe_wants_hit() */
}

/*
 * From here on hits may see the probe: at once, when its site is armed already.
 * After an error the probe may have a site, for pe_unlink_probes().
 */
static struct pe_refusal pe_link_probe(struct pe_kprobe *kp)
{
	struct pe_site *site = NULL;
	struct pe_refusal r = pe_site_get(&site, kp->addr, pe_mech_prepare);

	INIT_LIST_HEAD(&kp->node);
	if (r.err)
		return r;
	kp->site = site;
	pe_set_stopped(kp, !pe_kprobes_all_armed);
	if (pe_needs(kp) > site->mech->serves)
		return PE_REFUSE(EOPNOTSUPP, "calls cannot be diverted here");
	return pe_client_of(kp)->link(site, kp);
}

static bool pe_alloc_counters(struct pe_kprobe *kp)
{
	const struct pe_client *client = pe_client_of(kp);

	kp->missed = alloc_percpu(unsigned long);
	return kp->missed && (!client->alloc || client->alloc(kp));
}

/* Nothing has been allocated for the probe. */
static void pe_init_probe(struct pe_kprobe *kp)
{
	kp->reason = NULL;
	kp->site = NULL;
	kp->missed = NULL;
	kp->code = NULL;
	kp->flags &= PE_KPROBE_DISABLED | PE_KPROBE_RETURN | PE_KPROBE_ALWAYS | PE_KPROBE_NESTS;
	if (!(kp->flags & PE_KPROBE_RETURN) && (kp->change || kp->post))
		kp->flags |= PE_KPROBE_CHANGES;
	if (!(kp->flags & PE_KPROBE_NESTS))
		kp->flags |= PE_KPROBE_ALONE;
	if (pe_client_of(kp)->init)
		pe_client_of(kp)->init(kp);
}

static int pe_prepare_probe(struct pe_kprobe *kp)
{
	const struct pe_client *client = pe_client_of(kp);
	struct pe_refusal r = pe_kprobes_resolve(kp);

	if (!r.err && client->check)
		r = client->check(kp);
	if (r.err) {
		kp->reason = r.reason;
		return r.err;
	}
	return pe_alloc_counters(kp) ? 0 : -ENOMEM;
}

/* Before anything is shared: symbols, addresses, counters. */
static int pe_prepare_probes(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < n; i++)
		pe_init_probe(kps[i]);
	for (i = 0; i < n && !err; i++) {
		err = pe_prepare_probe(kps[i]);
		cond_resched();
	}
	return err;
}

static void pe_free_counters(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		free_percpu(kps[i]->missed);
		kps[i]->missed = NULL;
		if (pe_client_of(kps[i])->free)
			pe_client_of(kps[i])->free(kps[i]);
		cond_resched();
	}
}

/*
 * Give the reason to the probe that made a batch fail; to the first one of several.  No site is
 * armed for a probe that does not fire.
 */
static void pe_kprobes_blame(struct pe_kprobe **kps, unsigned int n, const struct pe_batch *b)
{
	unsigned int i;

	for (i = 0; i < n && b->blame.reason; i++) {
		if (!pe_wants_hit(kps[i]))
			continue;
		if (!b->blame.culprit || kps[i]->site == b->blame.culprit) {
			kps[i]->reason = b->blame.reason;
			return;
		}
	}
}

/*
 * Make probes unreachable: unlink those that are linked, disarm and unhash sites
 * that are left without any and collect them in @dead.
 *
 * Return: were there any that hits may have seen?
 */
static bool pe_unlink_probes(struct pe_kprobe **kps, unsigned int n, struct list_head *dead)
{
	struct pe_site *site;
	struct pe_batch b;
	bool linked = false;
	unsigned int i;

	pe_batch_begin(&b, false);
	for (i = 0; i < n; i++) {
		if (!kps[i]->site)
			continue;
		pe_client_of(kps[i])->unlink(kps[i]->site, kps[i]);
		pe_batch_add(&b, kps[i]->site);
		linked = true;
		cond_resched();
	}
	WARN_ON(pe_batch_settle(&b));	/* only disarms */
	pe_batch_end(&b);
	for (i = 0; i < n; i++) {
		site = kps[i]->site;
		kps[i]->site = NULL;
		if (!site)
			continue;
		if (pe_client_of(kps[i])->retire)
			pe_client_of(kps[i])->retire(site);
		pe_site_retire(site, dead);
		cond_resched();
	}
	return linked;
}

/* Free what has been unlinked and waited for. */
static void pe_release_probes(struct pe_kprobe **kps, unsigned int n, struct list_head *dead)
{
	pe_sites_free(dead);
	pe_free_counters(kps, n);
}

static int pe_link_or_refuse(struct pe_kprobe *kp)
{
	struct pe_refusal r = pe_link_probe(kp);

	if (r.err)
		kp->reason = r.reason;
	return r.err;
}

static int pe_link_and_arm(struct pe_kprobe **kps, unsigned int n)
{
	struct pe_batch b;
	unsigned int i;
	int err = 0;

	pe_batch_begin(&b, true);
	for (i = 0; i < n && !err; i++) {
		err = pe_link_or_refuse(kps[i]);
		if (!err && pe_wants_hit(kps[i]))	/* others change nothing for the site */
			pe_batch_add(&b, kps[i]->site);
		cond_resched();
	}
	if (!err)
		err = pe_batch_settle(&b);
	if (err)
		pe_kprobes_blame(kps, n, &b);
	pe_batch_end(&b);
	return err;
}

static void pe_kprobes_make_room(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int count[PE_NR_CLIENTS] = {};
	unsigned int i;

	for (i = 0; i < n; i++)
		count[pe_client_kind(kps[i])]++;
	for (i = 0; i < PE_NR_CLIENTS; i++) {
		if (pe_clients[i]->make_room)
			pe_clients[i]->make_room(count[i]);
	}
}

static int pe_locked_down(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	if (!security_locked_down(LOCKDOWN_KPROBES))
		return 0;
	for (i = 0; i < n; i++)
		kps[i]->reason = "the kernel is locked down";
	return -EPERM;
}

int pe_register_kprobes(struct pe_kprobe **kps, unsigned int n)
{
	LIST_HEAD(dead);
	bool linked = false;
	int err = pe_locked_down(kps, n);

	if (err)
		return err;
	err = pe_prepare_probes(kps, n);
	if (err) {
		pe_free_counters(kps, n);
		return err;
	}
	pe_kprobes_make_room(kps, n);
	pe_lock_text();
	err = pe_link_and_arm(kps, n);
	if (err)
		linked = pe_unlink_probes(kps, n, &dead);
	pe_unlock_text();
	/* Most of what is refused is so before any hit could see it. */
	if (linked)
		pe_wait_for_hits();
	if (err)
		pe_release_probes(kps, n, &dead);
	return err;
}
EXPORT_SYMBOL_GPL(pe_register_kprobes);

/* Give the reason to the probes that would fire if the site could be armed. */
static void pe_set_reasons(struct pe_site *site, const char *reason)
{
	struct pe_kprobe *kp;
	unsigned int kind;

	pe_site_for_each_probe(kp, kind, site) {
		if (pe_wants_hit(kp))
			kp->reason = reason;
	}
}

/* Return: might hits have seen one that is unlinked again? */
static bool pe_link_and_arm_some(struct pe_kprobe **kps, unsigned int n, int *errs,
				 struct list_head *dead)
{
	bool linked = false;
	struct pe_batch b;
	int err, refused;
	unsigned int i;

	pe_batch_begin(&b, true);
	for (i = 0; i < n; i++) {
		errs[i] = errs[i] ?: pe_link_or_refuse(kps[i]);
		if (!errs[i] && pe_wants_hit(kps[i]))
			pe_batch_add(&b, kps[i]->site);
		cond_resched();
	}
	err = pe_batch_settle_some(&b, pe_set_reasons, &refused);
	pe_batch_end(&b);
	for (i = 0; i < n; i++) {
		if (!errs[i] && pe_wants_hit(kps[i]) && !pe_site_serves(kps[i]->site, kps[i]))
			errs[i] = err ?: refused;
		if (errs[i] && kps[i]->site)
			linked |= pe_unlink_probes(&kps[i], 1, dead);
		cond_resched();
	}
	return linked;
}

void pe_register_kprobes_some(struct pe_kprobe **kps, unsigned int n, int *errs)
{
	LIST_HEAD(dead);
	unsigned int i;
	bool linked;
	int err;

	for (i = 0; i < n; i++)
		pe_init_probe(kps[i]);
	err = pe_locked_down(kps, n);
	for (i = 0; i < n; i++) {
		errs[i] = err ?: pe_prepare_probe(kps[i]);
		cond_resched();
	}
	pe_kprobes_make_room(kps, n);
	pe_lock_text();
	linked = pe_link_and_arm_some(kps, n, errs, &dead);
	pe_unlock_text();
	if (linked)
		pe_wait_for_hits();
	pe_sites_free(&dead);
	for (i = 0; i < n; i++) {
		if (errs[i])
			pe_free_counters(&kps[i], 1);
	}
}
EXPORT_SYMBOL_GPL(pe_register_kprobes_some);

void pe_unregister_kprobes(struct pe_kprobe **kps, unsigned int n)
{
	LIST_HEAD(dead);

	if (!n)
		return;
	mutex_lock(&pe_mutex);
	pe_unlink_probes(kps, n, &dead);
	mutex_unlock(&pe_mutex);
	pe_wait_for_hits();
	pe_release_probes(kps, n, &dead);
}
EXPORT_SYMBOL_GPL(pe_unregister_kprobes);

/* ---- enabling ---- */

/*
 * Set or clear PE_KPROBE_DISABLED in those probes that differ.  Each change
 * is remembered in @changed (a bit per probe) unless it is NULL.
 */
static void pe_set_disabled(struct pe_kprobe **kps, unsigned int n, bool disabled,
			    unsigned long *changed, struct pe_batch *b)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (disabled == !!(kps[i]->flags & PE_KPROBE_DISABLED))
			continue;
		pe_site_changes(kps[i]->site);
		/* read by pe_wants_hit() */
		WRITE_ONCE(kps[i]->flags, kps[i]->flags ^ PE_KPROBE_DISABLED);
		if (changed)
			__set_bit(i, changed);
		pe_batch_add(b, kps[i]->site);
		cond_resched();
	}
}

static void pe_undo_disabled(struct pe_kprobe **kps, unsigned int n, const unsigned long *changed)
{
	unsigned int i;

	/* read by pe_wants_hit() */
	for_each_set_bit(i, changed, n)
		WRITE_ONCE(kps[i]->flags, kps[i]->flags ^ PE_KPROBE_DISABLED);
}

static bool pe_any_gone(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (kps[i]->flags & PE_KPROBE_GONE)
			return true;
	}
	return false;
}

static int pe_enable_locked(struct pe_kprobe **kps, unsigned int n)
{
	unsigned long *changed;
	struct pe_batch b;
	unsigned int i;
	int err;

	if (pe_any_gone(kps, n))
		return -ENODEV;
	for (i = 0; i < n; i++)
		kps[i]->reason = NULL;
	changed = bitmap_zalloc(n, GFP_KERNEL);
	if (!changed)
		return -ENOMEM;
	pe_batch_begin(&b, true);
	pe_set_disabled(kps, n, false, changed, &b);
	err = pe_batch_settle(&b);
	if (err) {
		pe_kprobes_blame(kps, n, &b);
		pe_undo_disabled(kps, n, changed);
	}
	pe_batch_end(&b);
	bitmap_free(changed);
	return err;
}

int pe_enable_kprobes(struct pe_kprobe **kps, unsigned int n)
{
	int err;

	pe_lock_text();
	err = pe_enable_locked(kps, n);
	pe_unlock_text();
	return err;
}
EXPORT_SYMBOL_GPL(pe_enable_kprobes);

void pe_disable_kprobes(struct pe_kprobe **kps, unsigned int n)
{
	struct pe_batch b;

	mutex_lock(&pe_mutex);
	pe_batch_begin(&b, false);
	pe_set_disabled(kps, n, true, NULL, &b);
	WARN_ON(pe_batch_settle(&b));	/* only disarms */
	pe_batch_end(&b);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_disable_kprobes);

static void pe_set_site_stopped(struct pe_site *site, bool stopped)
{
	struct pe_kprobe *kp;
	unsigned int kind;

	pe_site_changes(site);
	pe_site_for_each_probe(kp, kind, site)
		pe_set_stopped(kp, stopped);
}

static void pe_set_all_armed(bool on)
{
	struct pe_site *site;
	int bucket;

	WRITE_ONCE(pe_kprobes_all_armed, on);	/* read by pe_kprobes_armed() */
	hash_for_each(pe_sites, bucket, site, hash) {
		pe_set_site_stopped(site, !on);
		cond_resched();
	}
}

static void pe_clear_reasons(void)
{
	struct pe_kprobe *kp;
	struct pe_site *site;
	unsigned int kind;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		pe_site_for_each_probe(kp, kind, site)
			kp->reason = NULL;
		cond_resched();
	}
}

static void pe_add_all_sites(struct pe_batch *b, bool arms)
{
	struct pe_site *site;
	int bucket;

	pe_batch_begin(b, arms);
	hash_for_each(pe_sites, bucket, site, hash) {
		pe_batch_add(b, site);
		cond_resched();
	}
}

static int pe_arm_all_locked(bool on)
{
	bool before = pe_kprobes_all_armed;
	struct pe_batch b;
	int err, refused;

	pe_set_all_armed(on);
	pe_clear_reasons();
	pe_add_all_sites(&b, on);
	err = pe_batch_settle_some(&b, pe_set_reasons, &refused);
	pe_batch_end(&b);
	if (!err)
		return refused;
	pe_set_all_armed(before);
	pe_add_all_sites(&b, false);
	WARN_ON(pe_batch_settle(&b));	/* only disarms */
	pe_batch_end(&b);
	return err;
}

int pe_kprobes_arm_all(bool on)
{
	int err;

	pe_lock_text();
	err = pe_arm_all_locked(on);
	pe_unlock_text();
	return err;
}
EXPORT_SYMBOL_GPL(pe_kprobes_arm_all);

bool pe_kprobes_armed(void)
{
	return READ_ONCE(pe_kprobes_all_armed);
}
EXPORT_SYMBOL_GPL(pe_kprobes_armed);
