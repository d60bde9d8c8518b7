/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cost.h - what hits cost: of each source, and of all on each CPU.
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_COST_H
#define PE_EVENT_COST_H

#include <linux/types.h>

struct pe_source;

/**
 * struct pe_cost_look - what all hits have cost between two looks
 * @interval: ns; 0: there has been no look that counts
 * @ns: on all CPUs
 * @on: the CPU on which it was the most
 * @most: how much it was there
 */
struct pe_cost_look {
	u64 interval;
	u64 ns;
	int on;
	u64 most;
};

/* The last look. */
extern struct pe_cost_look pe_cost_last;

/* The source of a price: "compiled", "timed", or "assumed" while it is none of them. */
const char *pe_cost_price_is(const struct pe_source *source);

/* Bring ->cost up to date. */
void pe_cost_update(struct pe_source *source);

/* Begin to look: what has been before does not count.  May sleep. */
void pe_cost_begin(void);
/* Look at all.  May sleep. */
void pe_cost_look(void);
/* How long ago that was; ns. */
u64 pe_cost_since_look(void);

/* Into ->spent of each event: what it has cost between the last two looks. */
void pe_cost_weigh(void);
/* The same of a CPU alone, in @ms from now.  Return: the interval, in ns. */
u64 pe_cost_weigh_on(int cpu, unsigned int ms);

int pe_cost_init(void);		/* 0 or -ENOMEM */
void pe_cost_exit(void);

#endif
