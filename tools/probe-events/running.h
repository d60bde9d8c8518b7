/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * running.h - what is told while hits are counted whose table is not seen yet.
 */
#ifndef PE_TOOL_RUNNING_H
#define PE_TOOL_RUNNING_H

#include <stdbool.h>
#include <stdio.h>
#include "losses.h"
#include "request.h"
#include "session.h"
#include "wait.h"

struct stock;

/**
 * struct running - a question that is being answered
 * @r: the question
 * @session: whose events count
 * @event: its name
 * @of: what a hit is: "calls", "hits"
 * @beside: losses of all the session's events count, not only this one's
 * @profile: what else knows the hits, and those that were missed: neither their cost is known then,
 *	     nor what was chosen among them; NULL: the session does
 * @stock: for @profile
 * @since: when it was armed, by now_ns()
 * @on: lines are drawn
 * @next: when the next one is due
 */
struct running {
	const struct request *r;
	const struct session *session;
	const char *event, *of;
	bool beside;
	bool (*profile)(const struct stock *stock, unsigned long long *hits,
			unsigned long long *missed);
	const struct stock *stock;
	unsigned long long since;
	/* private */
	bool on;
	unsigned long long next;
};

/**
 * running_begin() - it is armed now
 * @run: all but @since is set
 * @out: gets the answer: on a terminal nothing else is drawn, and neither where a command writes
 */
void running_begin(struct running *run, FILE *out);

/** running_wake() - when to come again; @next: when the caller wants to; 0: never */
unsigned long long running_wake(const struct running *run, unsigned long long next);

/**
 * running_turn() - draw, if it is time
 * @run: the question
 * @w: has returned; what it says of the terminal's size is done with
 * @next: as of running_wake()
 *
 * Return: true: there is nothing else to do.
 */
bool running_turn(struct running *run, struct wait *w, unsigned long long next);

/**
 * running_print() - the line
 * @run: the question
 * @l: what became of its hits
 * @seconds: since it was armed
 * @cost: a share of all CPUs' time in percent; below 0: not known
 * @text: gets it
 * @size: of @text
 */
void running_print(const struct running *run, const struct losses *l, double seconds, double cost,
		   char *text, size_t size);

/** running_print_profile() - likewise, of what @profile tells */
void running_print_profile(const struct running *run, unsigned long long hits,
			   unsigned long long missed, double seconds, char *text, size_t size);

#endif
