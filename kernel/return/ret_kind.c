// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_kind.c - return probes as probes of a site; their counters.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include "kernel/compiled/round.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/probe_kind.h"
#include "kernel/probe/site.h"
#include "kernel/probe/stat.h"
#include "kernel/return/return.h"

static void pe_returns_init(struct pe_kprobe *kp)
{
	struct pe_kretprobe *rp = pe_to_kretprobe(kp);

	rp->stat = NULL;
	rp->call = kp->flags & PE_KPROBE_ALONE ? pe_return_alone : rp->handler;
}

static struct pe_refusal pe_returns_check(struct pe_kprobe *kp)
{
	return pe_return_check(pe_to_kretprobe(kp));
}

static bool pe_returns_alloc(struct pe_kprobe *kp)
{
	pe_to_kretprobe(kp)->stat = alloc_percpu(struct pe_kretprobe_stat);
	return pe_to_kretprobe(kp)->stat;
}

static void pe_returns_free(struct pe_kprobe *kp)
{
	free_percpu(pe_to_kretprobe(kp)->stat);
	pe_to_kretprobe(kp)->stat = NULL;
}

/* @kp comes or goes.  While calls do not go through its set, it is none of what hits do. */
static void pe_return_client_tell_site(struct pe_site *site, const struct pe_kprobe *kp)
{
	if (pe_wants_hit(kp) || site->state == PE_SITE_DIVERTING)
		pe_code_site_changes(site);
}

static struct pe_refusal pe_returns_link(struct pe_site *site, struct pe_kprobe *kp)
{
	pe_return_client_tell_site(site, kp);
	return pe_return_link(site, pe_to_kretprobe(kp));
}

static void pe_returns_unlink(struct pe_site *site, struct pe_kprobe *kp)
{
	pe_code_forget(kp);
	pe_return_client_tell_site(site, kp);
	pe_return_unlink(site, pe_to_kretprobe(kp));
}

const struct pe_client pe_client_returns = {
	.needs = PE_SITE_DIVERTING,
	.letter = 'r',
	.make_room = pe_return_make_room,
	.init = pe_returns_init,
	.check = pe_returns_check,
	.alloc = pe_returns_alloc,
	.free = pe_returns_free,
	.link = pe_returns_link,
	.unlink = pe_returns_unlink,
	.retire = pe_return_retire,
};

void pe_kretprobe_stat(const struct pe_kretprobe *rp, struct pe_kretprobe_stat *sum)
{
	*sum = (struct pe_kretprobe_stat){};
	if (!rp->stat)
		return;
	/* So no set dies in between, and is counted twice or not at all. */
	mutex_lock(&pe_arena.mutex);
	sum->returns = pe_counter_sum(&rp->stat->returns);
	sum->dropped = pe_counter_sum(&rp->stat->dropped);
	pe_return_add_counts(rp, false, sum);
	/*
	 * pe_kretprobe_stat:E, pairs with pe_return_enter_probes:E: returns are read before
	 * entries.  Otherwise a call could be seen to return that has not been entered.  A
	 * return after this looks like a call in progress.
	 */
	smp_rmb();
	sum->entries = pe_counter_sum(&rp->stat->entries);
	sum->skipped = pe_counter_sum(&rp->stat->skipped);
	sum->no_stack = pe_counter_sum(&rp->stat->no_stack);
	pe_return_add_counts(rp, true, sum);
	mutex_unlock(&pe_arena.mutex);
}
EXPORT_SYMBOL_GPL(pe_kretprobe_stat);
