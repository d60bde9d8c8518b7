/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * limit.h - limits of events: what is served before an event is stopped.
 *
 *	limit.c		limits in force
 *	limit_timer.c	looks at them, on each CPU
 *	limit_price.c	what a hit costs
 *	limit_file.c	a limit is written and shown
 *	limit_trip.c	an event is stopped: disarmed, and told
 *	limit_all.c	the limit of all events together
 *
 * Each instance may give an event a limit.  The smallest of each word is in force, for all hits of
 * the event.  When one is reached, the event is gated at once: its hits are counted as limited, and
 * nothing else is done with them.  A moment later it is disarmed, in all instances, whatever had it
 * armed.  Only enabling it again arms it, and its limit begins anew.
 *
 * All events together have a limit as well.  It is a struct pe_limit without an event; when it is
 * reached, no event is served until the dearest ones have been stopped.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_LIMIT_H
#define PE_EVENT_LIMIT_H

#include <linux/list.h>
#include <linux/types.h>
#include "kernel/trace/hit/limit_hit.h"
#include "kernel/trace/parse/limit_words.h"
#include "limit_window.h"

struct pe_change;
struct pe_event;
struct pe_event_link;
struct pe_session;
struct seq_file;
struct work_struct;

#define PE_LIMIT_WHY_TEXT	96

/**
 * struct pe_limit_entry - a limit that an instance gives an event
 * @list: in pe_limit.entries, or not yet, or not any more
 * @link: the event in the instance
 * @by: the session that has written it; NULL: none
 * @words: what was written
 * @end: pe_limit_hits.taken may not pass it; U64_MAX: it is not limited
 * @until: when the time is over; ns, boot time; 0: never
 */
struct pe_limit_entry {
	struct list_head list;
	struct pe_event_link *link;
	struct pe_session *by;
	struct pe_limit_words words;
	u64 end;
	u64 until;
};

/**
 * struct pe_limit_reach - a share of time that was too much
 * @reached: what it was, in thousandths of a percent
 * @after: how much of the window had passed; ms
 * @whole: the window; ms
 * @on: the CPU
 */
struct pe_limit_reach {
	u32 reached;
	unsigned int after;
	unsigned int whole;
	int on;
};

/**
 * struct pe_limit - the limit of an event that has, or had, one
 * @hits: what hits see; event->limit points to it
 * @event: the event; NULL: all
 * @armed: in the list of those that the timer looks at, RCU
 * @is_armed: it is in it: the event is armed, and a limit in force
 * @tripped: the event has been stopped
 * @restarts: it is being enabled again, which may still fail
 * @entries: struct pe_limit_entry, one of an instance at most
 * @words: the smallest ones
 * @until: likewise; timers read it
 * @begun: since when the event is armed; ns, monotonic
 * @spent: of windows of time since then, by the last bits of their numbers: limit_window.h
 * @claimed: a timer writes the next one, and will close the gate
 * @reach: how a share was reached; it stays while the gate is closed
 * @why: why it was stopped the last time, as text
 * @when: when; ns, monotonic
 */
struct pe_limit {
	struct pe_limit_hits hits;
	struct pe_event *event;
	struct list_head armed;
	bool is_armed;
	bool tripped;
	bool restarts;
	struct list_head entries;
	struct pe_limit_words words;
	u64 until;
	u64 begun;
	atomic64_t spent[PE_LIMIT_WINDOWS];
	atomic_t claimed;
	struct pe_limit_reach reach;
	char why[PE_LIMIT_WHY_TEXT];
	u64 when;
};

/* limit.c */

/* The limit of an event; NULL: it never had one. */
struct pe_limit *pe_limit_of(const struct pe_event *event);
/* The same; if there is none, a new one, or NULL: no memory. */
struct pe_limit *pe_limit_need(struct pe_event *event);
/* It limits shares of time: hits will be timed.  Return: 0 or -ENOMEM. */
int pe_limit_need_costs(struct pe_limit *limit);
/* The words of an instance, or NULL. */
struct pe_limit_entry *pe_limit_entry_of(const struct pe_event_link *link);

bool pe_limit_in_force(const struct pe_event *event);
/* Has the event been stopped?  Then nothing arms it but pe_limit_restart(). */
bool pe_limit_tripped(const struct pe_event *event);

/* Entries have changed: put the smallest of each word in force. */
void pe_limit_choose(struct pe_limit *limit);
/* It counts from now. */
void pe_limit_begin(const struct pe_limit *limit, struct pe_limit_entry *entry);
/* The event has been armed or disarmed, or has another limit.  @armed: are its hits wanted? */
void pe_limit_changed(const struct pe_event *event, bool armed);

/* The event is not armed, and has not been stopped: its hits are served when it is. */
void pe_limit_open(const struct pe_event *event);

/* The event is enabled: if it has been stopped, it is not any more.  The change may be undone. */
void pe_limit_restart(const struct pe_event *event);
void pe_limit_restart_undo(const struct pe_event *event);
void pe_limit_restart_done(const struct pe_event *event);

/* The instance or the event goes.  Return: it had a limit there; call pe_event_changed(). */
bool pe_limit_drop_link(const struct pe_event_link *link);
void pe_limit_drop_event(struct pe_event *event);
/* NULL is ignored.  Any context, after the last hit and a grace period. */
void pe_limit_free(struct pe_limit_hits *hits);

/* limit_timer.c */

/* All that timers look at; read with RCU, or pe_event_mutex. */
extern struct list_head pe_limits_armed;

/* Close the gate, and say how it was reached, unless it is closed.  Any context. */
void pe_limit_exceed(struct pe_limit *limit, enum pe_limit_why why,
		     const struct pe_limit_reach *reach);

void pe_limit_timer_add(struct pe_limit *limit);
void pe_limit_timer_remove(struct pe_limit *limit);

/* @work: what disarms.  Return: 0 or -errno. */
int pe_limit_timers_init(struct work_struct *work);
void pe_limit_timers_exit(void);		/* no event is armed */

/* limit_price.c */

/* Measure what the way to a handler costs.  Before the module's text is protected. */
void pe_limit_prices_measure(void);

/* limit_file.c */

/* Carry out a write to an event's limit file.  Return: 0 or -errno; errors are in the log. */
int pe_link_set_limit(struct pe_event_link *link, char *text);
void pe_link_show_limit(struct seq_file *m, const struct pe_event_link *link);

/**
 * struct pe_limit_change - a limit that a link is to have, or had
 * @entry: NULL: none
 * @gated: hits were refused when it came into force
 */
struct pe_limit_change {
	struct pe_limit_entry *entry;
	bool gated;
};

/**
 * pe_limit_change_begin() - prepare a write to an event's limit file
 * @change: filled if the words are good
 * @link: the event in the instance
 * @text: the words
 * @by: the session that writes, or NULL
 *
 * Return: 0 or -errno; errors are in the error log.  Nothing is changed yet.
 */
int pe_limit_change_begin(struct pe_limit_change *change, struct pe_event_link *link,
			  const char *text, struct pe_session *by);
/* Exchange the link's limit with that in @change, which it then has. */
void pe_limit_change_swap(struct pe_limit_change *change, struct pe_event_link *link);
/* Exchange them again.  If hits have reached the limit meanwhile, that does not count. */
void pe_limit_change_undo(struct pe_limit_change *change, struct pe_event_link *link);
void pe_limit_change_end(struct pe_limit_change *change);

/* limit.c: the event has been armed or disarmed; whom to tell if it is the first, the last one. */
void pe_limits_event_armed(struct pe_event *event, bool armed);
void pe_limits_tell_of_armed(void (*tell)(bool any));

/* limit_all.c */

/**
 * pe_limits_set() - write the limit of all events
 * @text: words, as of an event's limit
 *
 * It counts from now.  Takes pe_event_mutex.
 * Return: 0 or -EINVAL; the error is in the top's log.
 */
int pe_limits_set(const char *text);
void pe_limits_show(struct seq_file *m);		/* takes pe_event_mutex */

/* Return: 0 or -errno; -EINVAL: the module's parameter is no limit. */
int pe_limits_init(void);
void pe_limits_exit(void);			/* no event is armed */

/* limit_trip.c */

/* Why has it been reached?  Into ->why and ->when, of one that is gated. */
void pe_limit_say(struct pe_limit *limit);
/* A step of a change that pe_limit_stopped() ends.  ->why and ->when are there. */
void pe_limit_stop(struct pe_limit *limit, struct pe_change *change);
void pe_limit_stopped(struct pe_change *change);

/* @tell is told of each event that is stopped, and why, with the mutex; NULL: nothing is told. */
void pe_limit_trips_tell(void (*tell)(const struct pe_event *event, struct pe_session *session,
				      const char *why));

#endif
