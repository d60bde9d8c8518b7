/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * probe_kind.h - kinds of probes.
 *
 * A site has a list of probes of each kind.  Registration, batches and lists go over
 * all kinds.  A struct pe_client holds what is special about one kind.
 */
#ifndef PE_PROBE_KIND_H
#define PE_PROBE_KIND_H

#include <linux/types.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"
#include "kernel/probe/site.h"

/**
 * struct pe_client - a kind of probe
 * @needs: the least state of a site in which these probes are served; see pe_needs()
 * @letter: in kprobes/list
 *
 * Called without a mutex, in process context:
 * @make_room: before @n probes are registered; may take long.  May be NULL
 * @init: of a probe that has no counters allocated yet.  May be NULL
 * @check: may it be registered?  ->addr and ->on_entry are known.  May be NULL
 * @alloc: counters, besides those that all probes have; false without memory.  May be NULL
 * @free: free these, after @init; no hit can come any more.  May be NULL
 *
 * Called with pe_mutex:
 * @link: put it on the site's list.  Hits may see it from now on; at once, if its site
 *	is armed already
 * @unlink: undo @link, even if @link has refused.  Handlers may run until an RCU grace
 *	period has passed
 * @retire: a batch has been settled after probes were unlinked.  May be NULL
 */
struct pe_client {
	enum pe_site_state needs;
	char letter;

	void (*make_room)(unsigned int n);
	void (*init)(struct pe_kprobe *kp);
	struct pe_refusal (*check)(struct pe_kprobe *kp);
	bool (*alloc)(struct pe_kprobe *kp);
	void (*free)(struct pe_kprobe *kp);

	struct pe_refusal (*link)(struct pe_site *site, struct pe_kprobe *kp);
	void (*unlink)(struct pe_site *site, struct pe_kprobe *kp);
	void (*retire)(struct pe_site *site);
};

/* probe_kind.c, return/ret_kind.c */
extern const struct pe_client pe_client_hits, pe_client_returns;

/* probe_kind.c: by enum pe_client_kind */
extern const struct pe_client *const pe_clients[PE_NR_CLIENTS];

/* probe_kind.c.  pe_mutex held. */
void pe_site_changes(struct pe_site *site);

/* The only code that derives a probe's kind. */
static inline enum pe_client_kind pe_client_kind(const struct pe_kprobe *kp)
{
	return kp->flags & PE_KPROBE_RETURN ? PE_CLIENT_RETURNS : PE_CLIENT_HITS;
}

static inline const struct pe_client *pe_client_of(const struct pe_kprobe *kp)
{
	return pe_clients[pe_client_kind(kp)];
}

/* The least state of a site in which @kp is served. */
static inline enum pe_site_state pe_needs(const struct pe_kprobe *kp)
{
	return kp->flags & PE_KPROBE_CHANGES ? PE_SITE_DIVERTING : pe_client_of(kp)->needs;
}

/* Do hits of @kp, registered here, reach us?  pe_mutex held. */
static inline bool pe_site_serves(const struct pe_site *site, const struct pe_kprobe *kp)
{
	return pe_site_is_armed(site) && site->state >= pe_needs(kp);
}

#endif
