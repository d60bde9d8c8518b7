/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trace_session.h - a session: what is defined and switched through an open file goes with it.
 */
#ifndef PE_TRACE_SESSION_H
#define PE_TRACE_SESSION_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct pe_instance;
struct pid;

/**
 * struct pe_notices - lines for who reads a session's file
 * @lock: guards all but @wait; a leaf
 * @lines: struct pe_notice, oldest first
 * @nr: how many there are
 * @lost: lines for which there was no room
 * @ended: the last line has been queued: after it comes the end of the file
 * @wait: readers
 */
struct pe_notices {
	spinlock_t lock;
	struct list_head lines;
	unsigned int nr;
	unsigned long lost;
	bool ended;
	wait_queue_head_t wait;
};

/**
 * enum pe_session_state - the states of a session, in the order of its life
 * @PE_SESSION_LIVE: its file is open
 * @PE_SESSION_KEPT: its file is closed, its time is not over
 * @PE_SESSION_DYING: it has ended, and another user keeps some of it from being freed
 * @PE_SESSION_GONE: there is nothing of it; its file may still be open
 */
enum pe_session_state {
	PE_SESSION_LIVE,
	PE_SESSION_KEPT,
	PE_SESSION_DYING,
	PE_SESSION_GONE,
};

/**
 * struct pe_session - a session
 * @list: in the list of all, until it is gone
 * @ref: one for @list, one for the open file
 * @nr: its number; constant, as the next four
 * @name: "sN": its group, if a command names none, and its instance
 * @pid: the process that has opened the file; referenced
 * @comm: its name
 * @since: when; ns, local_clock()
 * @what: the comment, or NULL
 * @home: the instance in which it works; pe_event_mutex
 * @inst: that, if it is its own, with a reference; else NULL
 * @grave: its instance, which no path leads to any more, until it is freed
 * @used: something in that instance has been switched
 * @state: enum pe_session_state
 * @until: until when it is kept; ns, boot time; 0: as long as its file is open
 * @work: ends a session whose time is over, or tries again to free one that is dying
 * @notices: for who reads its file
 * @nr_events: for the listing, as the next
 * @hits: of its events
 * @cost: ns, what these have cost
 *
 * Members that are not said to be guarded otherwise are guarded by the mutex of session.c.  Events
 * point here: with pe_event_mutex, event->session is valid.
 */
struct pe_session {
	struct list_head list;
	refcount_t ref;
	unsigned int nr;
	char name[12];
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	u64 since;
	char *what;
	struct pe_instance *home;
	struct pe_instance *inst;
	struct pe_instance *grave;
	bool used;
	u8 state;
	u64 until;
	struct delayed_work work;
	struct pe_notices notices;
	unsigned int nr_events;
	unsigned long hits;
	u64 cost;
};

#endif
