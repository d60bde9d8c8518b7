// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * mech.c - the list of mechanisms, and which of them gets a site.
 */
#include "kernel/mech/mech.h"
#include "kernel/policy/policy.h"

/* The first one that takes an address gets it; the last one takes all. */
const struct pe_mech *const pe_mechs[] = {
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	&pe_mech_ftrace,
#endif
	&pe_mech_breakpoint,
	NULL
};

static const struct pe_mech *pe_mech_for(unsigned long addr)
{
	const struct pe_mech *const *mech;

	pe_for_each_mech(mech) {
		if ((*mech)->takes(addr))
			return *mech;
	}
	return NULL;
}

/* May this be a site?  Then choose its mechanism and prepare for it. */
struct pe_refusal pe_mech_prepare(struct pe_site *site)
{
	struct pe_refusal r = pe_blacklist_check(site->addr);

	if (r.err)
		return r;
	site->mech = pe_mech_for(site->addr);
	return site->mech->prepare ? site->mech->prepare(site) : PE_ACCEPT;
}
