// SPDX-License-Identifier: GPL-2.0
/*
 * code_site.c - which hits can be compiled, as far as their site is concerned.
 *
 * What the probes' user wants of hits is for him to judge.
 */
#include <linux/container_of.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <pe/code.h>
#include <pe/kretprobe.h>
#include "kernel/arch.h"
#include "kernel/hit.h"
#include "kernel/kprobes.h"
#include "kernel/mech/code.h"
#include "kernel/mech/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/return/return.h"
#include "kernel/site.h"

/* NULL, or why the site has to be interpreted. */
static const char *cannot_compile(const struct pe_site *site)
{
	if (!site || !pe_site_is_armed(site))
		return "not armed";
	if (site->state == PE_SITE_DIVERTING || site->state == PE_SITE_MOVING)
		return "the function has return probes, or handlers that change registers";
	if (site->mech != &pe_mech_ftrace && !pe_jump_is_on(site))
		return "a breakpoint, which is not a jump";
	return NULL;
}

static const char *cannot_compile_return(const struct pe_kprobe *kp)
{
	const struct pe_kretprobe *rp = container_of(kp, struct pe_kretprobe, kp);

	if (!kp->site || !pe_site_is_armed(kp->site))
		return "not armed";
	if (rp->entry)
		return "it saves words at the entry";
	return pe_return_is_plain(rp) ? NULL :
	       "other return probes on the function, or arguments on the stack";
}

/* pe_code_site(), with pe_mutex held. */
const char *pe_code_site_probes(struct pe_kprobe *kp, struct pe_kprobe **kps, unsigned int *nr)
{
	const char *why = pe_code_is_return(kp) ? cannot_compile_return(kp) :
						  cannot_compile(kp->site);
	struct pe_kprobe *other;

	*nr = 0;
	if (why)
		return why;
	if (pe_code_is_return(kp)) {
		kps[(*nr)++] = kp;
		return NULL;
	}
	list_for_each_entry(other, &kp->site->probes[PE_CLIENT_HITS], node) {
		if (!pe_only_observes(other))
			continue;
		if (other->handler != kp->handler)
			return "another user has a probe there";
		if (*nr == PE_CODE_PROBES)
			return "the site has many probes";
		kps[(*nr)++] = other;
	}
	return *nr ? NULL : "not armed";
}

const char *pe_code_site(struct pe_kprobe *kp, struct pe_kprobe *kps[PE_CODE_PROBES],
			 unsigned int *nr)
{
	const char *why;

	mutex_lock(&pe_mutex);
	why = pe_code_site_probes(kp, kps, nr);
	mutex_unlock(&pe_mutex);
	return why;
}
EXPORT_SYMBOL_GPL(pe_code_site);
