/* SPDX-License-Identifier: GPL-2.0 */
/*
 * round.h - bring a set of sites to what they should be (round.c).
 *
 * All under pe_mutex: pe_round_begin(), pe_round_add() for each site whose probes
 * have changed, pe_round_settle(), pe_round_end().
 */
#ifndef PE_ROUND_H
#define PE_ROUND_H

#include <linux/list.h>
#include <linux/types.h>

struct pe_site;

/*
 * Sites to be changed in one round.  A site is on at most one list by ->batch,
 * and on one by ->returns_batch; an unlinked one means that it is on none.
 * @arms: sites may be armed; if not, only what is too much is undone, which can't fail.
 * @hand_back: sites that leave the return probes' ftrace_ops for the other one.
 * When the round fails: whose fault it is alone, if so, and why.
 */
struct pe_round {
	bool arms;
	struct list_head arm_int3, arm_entry, hand_back, disarm_int3, disarm_entry;
	struct list_head arm_returns, disarm_returns;	/* by ->returns_batch */
	struct pe_site *culprit;
	const char *reason;
};

void pe_round_begin(struct pe_round *r, bool arms);
void pe_round_add(struct pe_round *r, struct pe_site *site);
void pe_round_leave_out(struct pe_site *site);
int pe_round_settle(struct pe_round *r);
void pe_round_end(struct pe_round *r);

#endif
