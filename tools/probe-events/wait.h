/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * wait.h - wait until the time is over, the command ends, or a signal ends it.
 */
#ifndef PE_TOOL_WAIT_H
#define PE_TOOL_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include "child.h"
#include "session.h"

/**
 * struct wait - what is waited for
 * @session: who can end it, too
 * @child: the command; its @pid is 0 if there is none
 * @command: there is one
 * @until: when it is over, by now_ns(); 0: never
 * @keys: standard input is read: wake when there is something
 * @stopped: SIGTSTP is there, which is asked for with @keys only; for the caller to clear
 * @resized: the terminal has another size now; for the caller to clear
 * @asked: SIGQUIT has asked what there is so far; for the caller to clear
 * @several: a limit that stops one event is told, and is no end
 * @ended: another program has ended the session: what is shown then is not all, or nothing
 * @limited: a limit has stopped an event: why, or ""
 * @event: which event that was, without its group
 * @awaited: is told of an event whose place no loaded module has, and that; NULL: the user is
 * @data: for it
 * @signals: a descriptor that tells of signals
 * @before: the signals that were blocked before
 * @heard: @nr_heard characters of a line that the session tells
 * @nr_heard: how many there are
 * @told: the place that was told last to be in no loaded module
 */
struct wait {
	const struct session *session;
	struct child *child;
	bool command;
	bool several;
	unsigned long long until;
	bool keys, stopped;
	bool resized, asked, ended;
	char limited[120], event[64];
	void (*awaited)(void *data, const char *event, const char *why);
	void *data;
	/* private */
	int signals;
	sigset_t before;
	char heard[4096];
	size_t nr_heard;
	char told[1100];
};

/** now_ns() - the monotonic clock */
unsigned long long now_ns(void);

/** wait_begin() - take the signals; 0, or -1 after a message */
int wait_begin(struct wait *w);

/**
 * wait_round() - wait
 * @w: for what
 * @wake: until then at most, by now_ns(); 0: for ever
 *
 * Return: true if it is the end; false if it is @wake, or @resized, @asked or @stopped, or there is
 * input.
 */
bool wait_round(struct wait *w, unsigned long long wake);

/** wait_hear() - hear what the session tells by now: for verbs that do not wait */
void wait_hear(struct wait *w);

/** wait_to_end() - wait, whatever else comes: for verbs that show nothing meanwhile */
void wait_to_end(struct wait *w);

/** wait_end() - signals do what they did before: a second Ctrl-C ends the program at once */
void wait_end(struct wait *w);

#endif
