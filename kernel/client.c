// SPDX-License-Identifier: GPL-2.0
/*
 * client.c - the kinds of probes, and the plain one: a handler for each hit.
 */
#include <linux/rculist.h>
#include "kernel/client.h"

const struct pe_client *const pe_clients[PE_NR_CLIENTS] = {
	[PE_CLIENT_HITS] = &pe_client_hits,
	[PE_CLIENT_RETURNS] = &pe_client_returns,
};

static struct pe_refusal hits_link(struct pe_site *site, struct pe_kprobe *kp)
{
	list_add_tail_rcu(&kp->node, &site->probes[PE_CLIENT_HITS]);
	return PE_ACCEPT;
}

static void hits_unlink(struct pe_site *site, struct pe_kprobe *kp)
{
	list_del_rcu(&kp->node);
}

const struct pe_client pe_client_hits = {
	.needs = PE_SITE_SERVING,
	.letter = 'k',
	.link = hits_link,
	.unlink = hits_unlink,
};
