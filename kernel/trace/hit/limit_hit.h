/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limit_hit.h - what hits see of an event's limit.  [H]
 */
#ifndef PE_LIMIT_HIT_H
#define PE_LIMIT_HIT_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct pe_event_stat;

/* Why an event has been stopped; 0: it has not. */
enum pe_limit_why {
	PE_LIMIT_HITS = 1,
	PE_LIMIT_TTL,
	PE_LIMIT_CPU,
	PE_LIMIT_ONE,
};

/* Parts of a nanosecond in which times between hits are counted. */
#define PE_LIMIT_PARTS	16

/**
 * struct pe_limit_cost - what hits have cost on a CPU
 * @ns: the time of those that have been timed
 * @hits: how many compiled ones there have been
 * @seen: how much of it the timer has seen; the timer's, as what follows
 * @looked: when that was; ns, monotonic
 * @window: the window of time that it is in
 * @spent: in that
 */
struct pe_limit_cost {
	unsigned long ns;
	unsigned long hits;
	unsigned long seen;
	u64 looked;
	u64 window;
	u64 spent;
};

/**
 * struct pe_limit_prices - what a hit costs that cannot be timed from within
 * @trap: the way of a breakpoint to the handler and back; ns
 * @call: that of a call
 * @compiled: a compiled hit, as a whole
 */
struct pe_limit_prices {
	unsigned int trap;
	unsigned int call;
	unsigned int compiled;
};

/* C code times one hit in so many. */
#define PE_LIMIT_SAMPLE		64

/*
 * Bits of a probe's number of hits: a hit that has one of them is neither timed nor kept from being
 * served by the limit of all events.  While the gate of that is closed, there are none.
 */
extern unsigned int pe_limit_unlooked;

/* Changed before the first hit. */
extern struct pe_limit_prices pe_limit_prices;

/**
 * struct pe_limit_hits - a limit in force
 * @gate: enum pe_limit_why: no hit is served any more.  The code that replaces 0 stops the event
 * @at: when that was; ns, monotonic
 * @step: between hits, in parts of a nanosecond; 0: any number of them
 * @burst: by how much they may come too early, likewise
 * @next: when the next one is due, if they come as often as they may; hits change it
 * @end: how many hits in all may be served; U64_MAX: not counted
 * @taken: how many have been, while they were counted
 * @compiled: compiled hits may have looked at it; compile.c, as the next one
 * @retired: to be freed when no compiled hit looks at it any more; compile.c
 * @timed: hits are to be timed
 * @costs: what they cost; NULL: there has been no need to know.  Once it is there, it stays
 *
 * Changed with pe_event_mutex, but for @gate, @at, @next and @taken.
 */
struct pe_limit_hits {
	atomic_t gate;
	u64 at;
	u64 step;
	u64 burst;
	atomic64_t next;
	u64 end;
	atomic64_t taken;
	bool compiled;
	struct callback_head retired;
	bool timed;
	struct pe_limit_cost __percpu *costs;
};

/* Hits are served again.  First @at goes: the next hit that closes the gate writes it. */
static inline void pe_limit_reopen(struct pe_limit_hits *limit)
{
	WRITE_ONCE(limit->at, 0);	/* read by pe_limit_say() */
	atomic_set_release(&limit->gate, 0);
}

/* The limit of all events together.  It has ->costs. */
extern struct pe_limit_hits *pe_limit_all;

/* Has each hit to ask it? */
static inline bool pe_limit_counts(const struct pe_limit_hits *limit)
{
	return READ_ONCE(limit->step) || READ_ONCE(limit->end) != U64_MAX;
}

/* limit_hit.c */

/* Open the gate of all events.  The code that has closed it was in an RCU section that is over. */
void pe_limit_open_all(void);

/**
 * pe_limit_gate() - stop an event: no hit that begins after the return is served
 * @limit: its limit
 * @why: the reason; the first one stays
 *
 * Any context.
 * Return: it has not been stopped before.
 */
bool pe_limit_gate(struct pe_limit_hits *limit, enum pe_limit_why why);

/* Is a hit to be served?  Ask once for each.  Any context. */
bool pe_limit_admits(struct pe_limit_hits *limit);

/**
 * pe_limit_clock() - the time now, for pe_limit_charge()
 *
 * Any context, as of the next one; preemption is off.
 */
u64 pe_limit_clock(void);
/* A hit has been served since @begun, on this CPU.  The limit has ->costs. */
void pe_limit_charge(struct pe_limit_hits *limit, u64 begun);
/* The same of one that stands for PE_LIMIT_SAMPLE hits of a probe: for the limit of all events. */
void pe_limit_sample(struct pe_event_stat __percpu *stat, u64 begun);

#endif
