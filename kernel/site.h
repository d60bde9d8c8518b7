/* SPDX-License-Identifier: GPL-2.0 */
/*
 * site.h - probed addresses (site.c), and their hits (site_hit.c).
 */
#ifndef PE_SITE_H
#define PE_SITE_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"

struct ftrace_ops;
struct pe_return_point;

/**
 * struct pe_site - an address with at least one probe
 * @hash: in pe_sites; RCU, written under pe_mutex
 * @addr: the probed instruction
 * @probes: struct pe_kprobe.node; RCU, written under pe_mutex
 * @returns: the same of return probes, but read under pe_mutex only: hits use
 *	the sets of @point
 * @point: slots of the function, while there are return probes; RCU
 * @mech: how it is armed when it is armed; constant
 * @armed: the text (or ftrace, on behalf of @probes alone) has been told; pe_mutex
 * @returns_armed: calls are diverted to @point; at an entry of ftrace's, @probes are
 *	served there, too, and @armed is not set; written under pe_mutex
 * @gone: its text has been unloaded; no longer hashed; pe_mutex
 * @lost: somebody overwrote our breakpoint; never written to again; pe_mutex
 * @arch: instruction and slot; constant (PE_MECH_INT3 only)
 * @batch: scratch link for one operation on several sites; of a gone site, in
 *	pe_gone_sites; pe_mutex
 * @returns_batch: the same, for ftrace on behalf of @returns
 * @returns_ops: what has told ftrace on behalf of @returns, for this function
 *	alone: BPF had entered it before; usually NULL; pe_mutex
 *
 * Life: created by the first registration; unhashed when its last probe goes;
 * freed, with its slot, after the grace periods that pe_unregister_kprobes()
 * describes.
 */
struct pe_site {
	struct hlist_node hash;
	unsigned long addr;
	struct list_head probes;
	struct list_head returns;
	struct pe_return_point *point;
	enum pe_mechanism mech;
	bool armed;
	bool returns_armed;
	bool gone;
	bool lost;
	struct pe_arch_site arch;
	struct list_head batch;
	struct list_head returns_batch;
	struct ftrace_ops *returns_ops;
};

/* site.c */
#define PE_SITE_HASH_BITS	12
extern DECLARE_HASHTABLE(pe_sites, PE_SITE_HASH_BITS);
extern struct list_head pe_gone_sites;

/* pe_mutex held, except pe_sites_free(). */
struct pe_refusal pe_site_get(struct pe_site **found, unsigned long addr);
void pe_site_mark_gone(struct pe_site *site);
void pe_site_unhash_gone(struct pe_site *site);
void pe_site_retire(struct pe_site *site, struct list_head *dead);
void pe_sites_free(struct list_head *dead);

/*
 * The site at @addr, NULL if none.  Preemption off or pe_mutex held.  Used in
 * the hit path: no lockdep in it, hence the _notrace iterator.
 */
static __always_inline struct pe_site *pe_site_find(unsigned long addr)
{
	struct pe_site *site;

	hash_for_each_possible_rcu_notrace(pe_sites, site, hash, addr) {
		if (site->addr == addr)
			return site;
	}
	return NULL;
}

/* Do hits of @kp, registered here, reach us?  pe_mutex held. */
static inline bool pe_site_serves(const struct pe_site *site, const struct pe_kprobe *kp)
{
	if (kp->flags & PE_KPROBE_RETURN)
		return site->returns_armed;
	return site->armed || (site->mech == PE_MECH_ENTRY && site->returns_armed);
}

/* site_hit.c: [H] */
void pe_site_hit_exception(struct pe_site *site, struct pt_regs *regs);
void pe_site_hit_entry(struct pe_site *site, struct pt_regs *regs, unsigned int preempt_added);

#endif
