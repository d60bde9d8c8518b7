/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * show.h - read what a session has counted, and show it: at the end, or at each interval.
 */
#ifndef PE_TOOL_SHOW_H
#define PE_TOOL_SHOW_H

#include <stdio.h>
#include "answer.h"
#include "format.h"
#include "naming.h"
#include "session.h"
#include "view.h"

/**
 * struct show - an answer in the making
 * @a: what does not change: question, width; the rest is set here
 * @session: who counts
 * @event: the event with the table
 * @format: its form
 * @out: gets it
 * @save: gets the same as JSON, too; NULL: not wanted
 * @intervals: how many have been shown
 * @look: the table is another program's: it is read and never cut off, and @sum is the last one
 * @pick: what of a table is shown: it may change the copy that it gets; NULL: all
 * @ctx: for @pick
 * @naming: names of keys' numbers; NULL: none has any
 * @sum: of all intervals
 * @last: the last one, if @pick is not NULL
 * @last_text: the text that @last points into
 * @losses: of the event, as the file says them
 * @view: how a preset's table is read
 * @cost: of the hits, in percent of all CPUs' time
 * @symbols: functions by address, loaded when the first address is shown
 * @kallsyms: the text that @symbols points into
 * @refused_known: the functions that were left out have been counted
 */
struct show {
	struct answer a;
	const struct session *session;
	const char *event;
	const struct format *format;
	FILE *out;
	FILE *save;
	unsigned int intervals;
	bool look;
	void (*pick)(void *ctx, struct table *t);
	void *ctx;
	const struct naming *naming;
	struct table sum, last;
	/* private */
	char *last_text;
	struct losses losses;
	struct view view;
	double cost;
	struct functions symbols;
	char *kallsyms;
	bool refused_known;
};

/**
 * show_interval() - cut the table off, show it, add it to the total
 * @s: the answer
 *
 * Return: 0, or -1 after a message.
 */
int show_interval(struct show *s);

/** show_again() - show @last once more, in the order of now; 0, or -1 after a message */
int show_again(struct show *s);

/** show_balance() - the line of the balance so far; 0, or -1 after a message */
int show_balance(struct show *s, FILE *out);

/**
 * show_live() - what has been counted so far, for people
 * @s: the answer
 * @out: gets it
 *
 * Return: 0, or -1 after a message.
 */
int show_live(struct show *s, FILE *out);

/**
 * show_total() - all that was counted
 * @s: the answer
 *
 * Return: the exit status: 0, PE_EXIT_LOST, or PE_EXIT_MISSING after a message.
 */
int show_total(struct show *s);

/**
 * show_end() - the balance
 * @s: the answer
 * @status: this program's
 *
 * Return: @status, or PE_EXIT_MISSING after a message.
 */
int show_end(struct show *s, int status);

/** show_cpus() - how many CPUs a list names; NULL: all that are online */
unsigned int show_cpus(const char *list);

/** show_free() - what it needed is needed no more */
void show_free(struct show *s);

#endif
