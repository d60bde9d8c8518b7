// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * site.c - probed addresses: lookup, creation, removal.
 */
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/site.h"

DEFINE_MUTEX(pe_mutex);	/* see engine.h */

DEFINE_HASHTABLE(pe_sites, PE_SITE_HASH_BITS);
DEFINE_HASHTABLE(pe_followed_sites, PE_FOLLOWED_HASH_BITS);

/* kmalloc() would give 256 bytes to each. */
static struct kmem_cache *pe_site_cache;

/* Sites that are not hashed any more, with probes still registered; by ->batch; pe_mutex. */
LIST_HEAD(pe_gone_sites);

static struct pe_site *pe_site_new(unsigned long addr)
{
	struct pe_site *site = kmem_cache_zalloc(pe_site_cache, GFP_KERNEL);
	unsigned int kind;

	if (!site)
		return NULL;
	site->addr = addr;
	for (kind = 0; kind < PE_NR_CLIENTS; kind++)
		INIT_LIST_HEAD(&site->probes[kind]);
	INIT_LIST_HEAD(&site->batch);
	INIT_HLIST_NODE(&site->hash);
	return site;
}

/* No hit can reach the site: it was waited for, or it was never hashed. */
static void pe_site_free(struct pe_site *site)
{
	if (site->mech && site->mech->release)
		site->mech->release(site);
	kmem_cache_free(pe_site_cache, site);
}

/**
 * pe_site_get() - the site at an address, a new one if there is none
 * @found: becomes the site, hashed
 * @addr: of an instruction
 * @prepare: choose a new one's mechanism, or refuse it
 *
 * Return: PE_ACCEPT, or why the address cannot be probed.
 */
struct pe_refusal pe_site_get(struct pe_site **found, unsigned long addr,
			      struct pe_refusal (*prepare)(struct pe_site *site))
{
	struct pe_site *site = pe_site_find(addr);
	struct pe_refusal r = PE_ACCEPT;

	lockdep_assert_held(&pe_mutex);
	if (!site) {
		site = pe_site_new(addr);
		if (!site)
			return PE_REFUSE(ENOMEM, NULL);
		r = prepare(site);
		if (r.err) {
			pe_site_free(site);
			return r;
		}
		hash_add_rcu(pe_sites, &site->hash, addr);
	}
	*found = site;
	return r;
}

/* The arrows in site.h. */
static const unsigned long pe_next_states[PE_NR_SITE_STATES] = {
	[PE_SITE_IDLE] = BIT(PE_SITE_SERVING) | BIT(PE_SITE_DIVERTING),
	[PE_SITE_SERVING] = BIT(PE_SITE_IDLE) | BIT(PE_SITE_MOVING) | BIT(PE_SITE_DIVERTING) |
			    BIT(PE_SITE_LOST),
	[PE_SITE_DIVERTING] = BIT(PE_SITE_IDLE) | BIT(PE_SITE_MOVING) | BIT(PE_SITE_SERVING) |
			      BIT(PE_SITE_LOST),
	[PE_SITE_MOVING] = BIT(PE_SITE_SERVING) | BIT(PE_SITE_DIVERTING),
};

/**
 * pe_site_set_state() - the text, or ftrace, has been changed for a site
 * @site: hashed
 * @to: the new state
 *
 * Only the site's mechanism calls it.  If hits ask for the state, the mechanism calls it
 * before the first hit can come, and after the last one has come.
 */
void pe_site_set_state(struct pe_site *site, enum pe_site_state to)
{
	lockdep_assert_held(&pe_mutex);
	WARN_ON_ONCE(pe_site_is_gone(site) || !(pe_next_states[site->state] & BIT(to)));
	WRITE_ONCE(site->state, to);	/* read by pe_breakpoint() */
}

/**
 * pe_site_retire() - probes of a site have been unlinked
 * @site: disarmed if these were its last probes; then hits cannot find it any more
 * @dead: collects such sites, for pe_sites_free()
 *
 * If a site's breakpoint has been overwritten, the site stays: the other writer may put the
 * breakpoint back.
 */
void pe_site_retire(struct pe_site *site, struct list_head *dead)
{
	unsigned int kind;

	lockdep_assert_held(&pe_mutex);
	for (kind = 0; kind < PE_NR_CLIENTS; kind++) {
		if (!list_empty(&site->probes[kind]))
			return;
	}
	if (site->state == PE_SITE_LOST && !pe_site_is_gone(site))
		return;
	hash_del_rcu(&site->hash);
	list_move(&site->batch, dead);	/* it may be in pe_gone_sites */
}

/**
 * pe_sites_free() - free retired sites
 * @dead: collected by pe_site_retire(); the caller has waited for hits
 */
void pe_sites_free(struct list_head *dead)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, dead, batch) {
		pe_site_free(site);
		cond_resched();
	}
}

/* Called once, at load. */
int pe_sites_init(void)
{
	pe_site_cache = KMEM_CACHE(pe_site, 0);
	return pe_site_cache ? 0 : -ENOMEM;
}

/* All sites have been freed. */
void pe_sites_exit(void)
{
	kmem_cache_destroy(pe_site_cache);
}

/* Move the sites of a batch that are to go from @state to @target. */
void pe_sites_pick(struct list_head *from, struct list_head *to, enum pe_site_state state,
		   enum pe_site_state target)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, batch) {
		if (site->state == state && site->target == target)
			list_move_tail(&site->batch, to);
	}
}
