// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * probe_kind.c - the kinds of probes, and the plain one: a handler for each hit.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <pe_arch/hit_entry.h>
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/probe_kind.h"

const struct pe_client *const pe_clients[PE_NR_CLIENTS] = {
	[PE_CLIENT_HITS] = &pe_client_hits,
	[PE_CLIENT_RETURNS] = &pe_client_returns,
};

static void pe_hits_init(struct pe_kprobe *kp)
{
	kp->call = kp->flags & PE_KPROBE_ALONE ? pe_hit_alone : kp->handler;
}

static struct pe_refusal pe_hits_check(struct pe_kprobe *kp)
{
	if (!kp->handler && !kp->change && !kp->post)
		return PE_REFUSE(EINVAL, "the probe has no handler");
	if (kp->handler && kp->change)
		return PE_REFUSE(EINVAL, "a probe has either a handler or one that changes");
	return PE_ACCEPT;
}

/* A probe has come or gone. */
static void pe_note_hits(struct pe_site *site)
{
	enum pe_site_hits hits = PE_HITS_NONE;

	if (site->changers)
		hits = PE_HITS_CHANGED;
	else if (!list_empty(&site->probes[PE_CLIENT_HITS]))
		hits = PE_HITS_OBSERVED;
	WRITE_ONCE(site->hits, hits);	/* read by pe_breakpoint(), pe_ftrace_hit_serve() */
}

/*
 * A call with a frame executes its first instruction in a slot of the function's point, where
 * nothing follows it.
 */
static struct pe_refusal pe_begin_posts(struct pe_site *site)
{
	if (!site->mech->follow)
		return PE_ACCEPT;
	if (!list_empty(&site->probes[PE_CLIENT_RETURNS]))
		return PE_REFUSE(EBUSY, "no post handler beside return probes at a breakpoint");
	return site->mech->follow(site);
}

/*
 * An ftrace_ops that may divert makes BPF's fexit call what it finds in ->ip: without a divert,
 * that is the function after its call of ftrace, where no mark of a target is.
 */
static struct pe_refusal pe_check_change(const struct pe_site *site, const struct pe_kprobe *kp)
{
	if ((kp->flags & PE_KPROBE_CHANGES) && site->mech->compiled && pe_arch_checks_targets())
		return PE_REFUSE(EOPNOTSUPP, PE_ARCH_CHECKS_TARGETS);
	return PE_ACCEPT;
}

/*
 * The site's probes, or their flags, are about to change: nothing may rely on them any more.  If
 * the site is in a batch, this has been said for an earlier one of its probes, and pe_mutex has
 * been held since; there may be any number of them.
 */
void pe_site_changes(struct pe_site *site)
{
	lockdep_assert_held(&pe_mutex);
	if (!list_empty(&site->batch) && site->told)
		return;
	site->told = true;
	site->mech->changes(site, true);
}

/*
 * @kp comes or goes.  A disabled one that observes is none of what hits do: what is compiled for
 * the others holds.
 */
static void pe_client_tell_site(struct pe_site *site, const struct pe_kprobe *kp)
{
	if (pe_wants_hit(kp) || (kp->flags & PE_KPROBE_CHANGES))
		pe_site_changes(site);
	else
		site->mech->changes(site, false);
}

static struct pe_refusal pe_hits_link(struct pe_site *site, struct pe_kprobe *kp)
{
	struct pe_refusal r = pe_check_change(site, kp);

	if (r.err)
		return r;
	if (kp->post && !site->posts)
		r = pe_begin_posts(site);
	if (r.err)
		return r;
	if (kp->post)
		WRITE_ONCE(site->posts, site->posts + 1);	/* read by pe_run_posts() */
	pe_client_tell_site(site, kp);
	list_add_tail_rcu(&kp->node, &site->probes[PE_CLIENT_HITS]);
	site->changers += !!(kp->flags & PE_KPROBE_CHANGES);
	pe_note_hits(site);
	return r;
}

static void pe_hits_unlink(struct pe_site *site, struct pe_kprobe *kp)
{
	if (list_empty(&kp->node))
		return;		/* linking it was refused */
	list_del_rcu(&kp->node);
	pe_code_forget(kp);
	pe_client_tell_site(site, kp);
	site->changers -= !!(kp->flags & PE_KPROBE_CHANGES);
	pe_note_hits(site);
	if (!kp->post)
		return;
	WRITE_ONCE(site->posts, site->posts - 1);	/* read by pe_run_posts() */
	if (!site->posts && site->mech->unfollow)
		site->mech->unfollow(site);
}

const struct pe_client pe_client_hits = {
	.needs = PE_SITE_SERVING,
	.letter = 'k',
	.init = pe_hits_init,
	.check = pe_hits_check,
	.link = pe_hits_link,
	.unlink = pe_hits_unlink,
};
