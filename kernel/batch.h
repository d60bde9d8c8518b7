/* SPDX-License-Identifier: GPL-2.0 */
/*
 * batch.h - bring a set of sites to what they should be (batch.c).
 *
 * All under pe_mutex: pe_batch_begin(), pe_batch_add() for each site whose probes
 * have changed, pe_batch_settle(), pe_batch_end().
 */
#ifndef PE_BATCH_H
#define PE_BATCH_H

#include <linux/list.h>
#include <linux/types.h>

struct pe_site;

/*
 * Sites to be changed together.  A site is on at most one list by ->batch,
 * and on one by ->returns_batch; an unlinked one means that it is on none.
 * @arms: sites may be armed; if not, only what is too much is undone, which can't fail.
 * @hand_back: sites that leave the return probes' ftrace_ops for the other one.
 * When the batch fails: whose fault it is alone, if so, and why.
 */
struct pe_batch {
	bool arms;
	struct list_head arm_int3, arm_entry, hand_back, disarm_int3, disarm_entry;
	struct list_head arm_returns, disarm_returns;	/* by ->returns_batch */
	struct pe_site *culprit;
	const char *reason;
};

void pe_batch_begin(struct pe_batch *b, bool arms);
void pe_batch_add(struct pe_batch *b, struct pe_site *site);
void pe_batch_leave_out(struct pe_site *site);
int pe_batch_settle(struct pe_batch *b);
void pe_batch_end(struct pe_batch *b);

#endif
