/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * outcome.h - where the hits have gone: the last line of the verb trace.
 */
#ifndef PE_TOOL_OUTCOME_H
#define PE_TOOL_OUTCOME_H

#include <stdbool.h>
#include <stdio.h>
#include "hits.h"
#include "losses.h"

#define OUTCOME_WAYS 8	/* of losing a hit */

/**
 * struct outcome - the parts of all hits
 * @known: it has been added up
 * @hits: all of them
 * @others: those that were not asked for
 * @inside: calls that have not returned while the event was on
 * @later: hits on their way while the event was switched on or off
 * @hidden: later than the last that was to be shown
 * @lost: by the way in which they were
 * @all_lost: the sum of these
 * @refused: functions of a pattern that have no probe
 * @cost_known: @cost is
 * @cost: share of all CPUs' time
 */
struct outcome {
	bool known;
	unsigned long long hits, others, inside, later, hidden, lost[OUTCOME_WAYS], all_lost;
	unsigned long refused;
	bool cost_known;
	double cost;
};

/**
 * outcome_add_up() - from the modules' counters
 * @o: gets it
 * @h: what was shown
 * @l: the event's counters
 * @dropped: those of @l that were so before the event was switched off
 */
void outcome_add_up(struct outcome *o, const struct hits *h, const struct losses *l,
		    unsigned long long dropped);

/** outcome_print() - the balance as a line */
void outcome_print(const struct outcome *o, const struct hits *h, FILE *out);

/** outcome_json() - the balance as an object, with the status, after one for each loss */
void outcome_json(const struct outcome *o, const struct hits *h, int status, FILE *out);

#endif
