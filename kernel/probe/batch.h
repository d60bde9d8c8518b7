/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * batch.h - bring several sites to the states that their probes ask for (batch.c).
 *
 * All under pe_mutex: pe_batch_begin(), pe_batch_add() for each site with changed
 * probes, pe_batch_settle() or pe_batch_settle_some(), pe_batch_end().
 */
#ifndef PE_BATCH_H
#define PE_BATCH_H

#include <linux/list.h>
#include <linux/types.h>
#include "kernel/mech/mech.h"

struct pe_site;

/**
 * struct pe_batch - sites to be changed together
 * @arms: sites may be armed; if not, the batch only disarms, which cannot fail
 * @added: sites with targets that are not known yet, linked by ->batch
 * @of: for each mechanism, linked by ->batch: sites with targets that serve more than their state
 *	(arm), and sites with targets that serve less (disarm)
 * @blame: set when the batch has failed
 *
 * A site is on at most one of the lists; an unlinked ->batch means that it is on none.
 */
struct pe_batch {
	bool arms;
	struct list_head added;
	struct {
		struct list_head arm, disarm;
	} of[PE_NR_MECHANISMS];
	struct pe_blame blame;
};

void pe_batch_begin(struct pe_batch *b, bool arms);
void pe_batch_add(struct pe_batch *b, struct pe_site *site);
int pe_batch_settle(struct pe_batch *b);
int pe_batch_settle_some(struct pe_batch *b,
			 void (*refuse)(struct pe_site *site, const char *reason), int *refused);
void pe_batch_end(struct pe_batch *b);

#endif
