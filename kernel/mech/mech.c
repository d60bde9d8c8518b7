// SPDX-License-Identifier: GPL-2.0
/*
 * mech.c - the list of mechanisms, and what they share.
 */
#include <linux/kconfig.h>
#include <linux/list.h>
#include "kernel/mech/mech.h"

/* The first one that takes an address gets it; the last one takes all. */
const struct pe_mech *const pe_mechs[] = {
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	&pe_mech_ftrace,
#endif
	&pe_mech_breakpoint,
	NULL
};

const struct pe_mech *pe_mech_for(unsigned long addr)
{
	const struct pe_mech *const *mech;

	pe_for_each_mech(mech) {
		if ((*mech)->takes(addr))
			return *mech;
	}
	return NULL;
}

/* Move the sites of a batch that are to go from @state to @target. */
void pe_mech_move(struct list_head *from, struct list_head *to, enum pe_site_state state,
		  enum pe_site_state target)
{
	struct pe_site *site, *next;

	list_for_each_entry_safe(site, next, from, batch) {
		if (site->state == state && site->target == target)
			list_move_tail(&site->batch, to);
	}
}
