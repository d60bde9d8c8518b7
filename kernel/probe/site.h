/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
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
#include "kernel/probe/retire.h"
#ifndef PE_NO_JUMPS
#include <pe_arch/site_jump.h>
#endif

struct pe_mech;
struct pe_piece;
struct pe_return_point;

/**
 * enum pe_site_state - what the text, or ftrace, has been told of a site
 * @PE_SITE_IDLE: nothing; no hit comes
 * @PE_SITE_SERVING: hits come, @probes are served
 * @PE_SITE_DIVERTING: the same, and handlers may change registers; then the call goes to
 *	@divert_to, if there is any
 * @PE_SITE_MOVING: between the two, if that takes two steps (mech/ftrace.c): hits come
 *	by one way, or the other, or both.  Only while a batch is being settled
 * @PE_SITE_LOST: another writer of text has overwritten what the mechanism had put
 *	there, and may put it back, so a hit is still ours.  It is never written to again
 * @PE_NR_SITE_STATES: how many there are
 *
 *	  +--------------------- arm -----------------------+
 *	  |                                                 v
 *	IDLE ---- arm ----> SERVING <---> MOVING <---> DIVERTING
 *	  ^                 |  |  ^                    ^  |  |
 *	  |                 |  |  +---- in one step ---+  |  |
 *	  |                 |  +---------> LOST <---------+  |
 *	  +---- disarm -----+----------- disarm -------------+
 *
 * The order is that of what is served.  pe_site_set_state() is the only writer.
 *
 * These facts are not states:
 *   - the mechanism: constant;
 *   - which of several ftrace_ops serves a site: hits do not see the difference;
 *     mech/ftrace.c knows it;
 *   - gone: the text has been unloaded.  The site was brought to IDLE before (or is
 *     LOST), and has left the hash, so its state does not change any more.
 */
enum pe_site_state {
	PE_SITE_IDLE,
	PE_SITE_SERVING,
	PE_SITE_DIVERTING,
	PE_SITE_MOVING,
	PE_SITE_LOST,
	PE_NR_SITE_STATES,
} __packed;

/* Kinds of probes; see probe_kind.h. */
enum pe_client_kind {
	PE_CLIENT_HITS,		/* a handler for each hit */
	PE_CLIENT_RETURNS,	/* return probes */
	PE_NR_CLIENTS,
};

/* The kinds of probes on a site's list of PE_CLIENT_HITS. */
enum __packed pe_site_hits {
	PE_HITS_NONE,
	PE_HITS_OBSERVED,	/* probes that change nothing */
	PE_HITS_CHANGED,	/* also such with PE_KPROBE_CHANGES */
};

/**
 * struct pe_site - an address with at least one probe
 * @hash: in pe_sites; RCU, written under pe_mutex
 * @addr: the probed instruction
 * @probes: struct pe_kprobe.node, for each kind; pe_mutex.  Hits walk the list of
 *	PE_CLIENT_HITS under RCU
 * @posts: probes of PE_CLIENT_HITS with a post handler; hits read it; written under pe_mutex
 * @hits: what is on that list; the same
 * @state: enum pe_site_state; hits read it; written under pe_mutex
 * @target: the state to which a batch brings it; pe_mutex
 * @told: pe_site_changes() has been called since it is in a batch
 * @changers: probes of PE_CLIENT_HITS with PE_KPROBE_CHANGES; pe_mutex
 * @divert_to: where calls go on while the site is DIVERTING, 0: nowhere else.  Hits read it;
 *	the code there stays until no task can be on its way to it
 * @point: the same, with all that belongs to it; used only by kernel/return/
 * @call: code that enters its calls, or NULL; used only in compiled/; pe_mutex
 * @mech: the mechanism that arms it; constant
 * @text: NULL, or what @mech needs because it writes to the text; constant once hits can come
 * @batch: scratch link for one operation on several sites; of a gone site, in
 *	pe_gone_sites; pe_mutex
 * @mech_data: used only by @mech; pe_mutex
 *
 * Life: created by the first registration; unhashed when its last probe goes;
 * freed, with its slot, after the grace periods that pe_unregister_kprobes()
 * describes.
 */
struct pe_site {
	struct hlist_node hash;
	unsigned long addr;
	struct list_head probes[PE_NR_CLIENTS];
	unsigned int posts;
	enum pe_site_hits hits;
	enum pe_site_state state;
	enum pe_site_state target;
	bool told;
	unsigned int changers;
	unsigned long divert_to;
	struct pe_return_point *point;
	struct pe_piece *call;
	const struct pe_mech *mech;
	struct pe_text_site *text;
	struct list_head batch;
	void *mech_data;
};

/**
 * struct pe_text_site - what a site has beside it if its mechanism writes to the text
 * @site: the site that has it as ->text
 * @arch: instruction and slot; constant
 * @followed: in pe_followed_sites, if there is a breakpoint after the copy of the
 *	instruction; RCU, written under pe_mutex
 * @retired: when the site has been freed: until no task is in the copy
 * @after: address after the copy
 * @jump: NULL, or the jump that is there or will be; hits read it; written only by jump/jump.c,
 *	under pe_mutex
 * @why: a constant string, or NULL: why the site was no jump when it was examined last; the same
 * @never: the same: why it will never be one; hits may write PE_UNWATCHED
 *
 * It lives from the mechanism's prepare() to its release(), or longer.
 */
struct pe_text_site {
	struct pe_site *site;
	struct pe_arch_site arch;
	union {
		struct hlist_node followed;
		struct pe_retired retired;
	};
	unsigned long after;
	struct pe_arch_jump *jump;
	const char *why, *never;
};

/* ->never of a site with a breakpoint that was hit where RCU was not watching. */
#define PE_UNWATCHED	"a hit came where RCU is not watching"

/* site.c */
#define PE_SITE_HASH_BITS	12
extern DECLARE_HASHTABLE(pe_sites, PE_SITE_HASH_BITS);
extern struct list_head pe_gone_sites;
/* By @after; written by mech/breakpoint.c. */
#define PE_FOLLOWED_HASH_BITS	6
extern DECLARE_HASHTABLE(pe_followed_sites, PE_FOLLOWED_HASH_BITS);

int pe_sites_init(void);
void pe_sites_exit(void);

/* pe_mutex held, except pe_sites_free(). */
struct pe_refusal pe_site_get(struct pe_site **found, unsigned long addr,
			      struct pe_refusal (*prepare)(struct pe_site *site));
void pe_site_set_state(struct pe_site *site, enum pe_site_state to);
void pe_site_retire(struct pe_site *site, struct list_head *dead);
void pe_sites_pick(struct list_head *from, struct list_head *to, enum pe_site_state state,
		   enum pe_site_state target);
void pe_sites_free(struct list_head *dead);

/*
 * The site at @addr, NULL if none.  Preemption off or pe_mutex held.  The hit path
 * uses it and must not call lockdep, hence the _notrace iterator.
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

/* The site with a copied instruction that ends at @addr, found in the same way. */
static __always_inline struct pe_site *pe_site_find_followed(unsigned long addr)
{
	struct pe_text_site *text;

	hash_for_each_possible_rcu_notrace(pe_followed_sites, text, followed, addr) {
		if (text->after == addr)
			return text->site;
	}
	return NULL;
}

/* Bytes of text that a jump at the site has overwritten, or will.  As pe_site_find(). */
static inline unsigned int pe_site_covered(const struct pe_site *site)
{
#ifndef PE_NO_JUMPS
	const struct pe_arch_jump *jump = site->text ? READ_ONCE(site->text->jump) : NULL;

	if (jump)
		return pe_arch_jump_length(jump);
#endif
	return 0;
}

/* Do hits come, because the text, or ftrace, has been changed?  pe_mutex held. */
static inline bool pe_site_is_armed(const struct pe_site *site)
{
	return site->state != PE_SITE_IDLE && site->state != PE_SITE_LOST;
}

/* Probes of all kinds, with @kind to loop over them. */
#define pe_site_for_each_probe(kp, kind, site)			\
	for ((kind) = 0; (kind) < PE_NR_CLIENTS; (kind)++)	\
		list_for_each_entry(kp, &(site)->probes[kind], node)

/* The site's text has been unloaded; its probes are still registered. */
static inline bool pe_site_is_gone(const struct pe_site *site)
{
	return hlist_unhashed(&site->hash);
}

/* site_hit.c, change_hit.c: [H] */
void pe_hit_alone(struct pe_kprobe *kp, const struct pe_hit *hit);
void pe_site_hit_exception(struct pe_site *site, struct pt_regs *regs);
void pe_site_divert_exception(struct pe_site *site, struct pt_regs *regs);
void pe_site_change_exception(struct pe_site *site, struct pt_regs *regs);
void pe_site_follow_exception(struct pe_site *site, struct pt_regs *regs);
bool pe_site_change_call(struct pe_site *site, struct pt_regs *regs, unsigned int added,
			 unsigned long next);

#endif
