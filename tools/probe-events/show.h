/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - read what a session has counted, and show it: at the end, or at each interval.
 */
#ifndef PE_TOOL_SHOW_H
#define PE_TOOL_SHOW_H

#include <stdio.h>
#include "answer.h"
#include "session.h"

/**
 * struct show - an answer in the making
 * @a: what does not change: question, width; the rest is set here
 * @session: who counts
 * @event: the event with the table
 * @out: gets the answer
 * @intervals: how many have been shown
 */
struct show {
	struct answer a;
	const struct session *session;
	const char *event;
	FILE *out;
	unsigned int intervals;
	/* private */
	struct table sum;
	struct losses losses;
	struct functions symbols;
	char *kallsyms;
};

/**
 * show_interval() - cut the table off, show it, add it to the total
 *
 * Return: 0, or -1 after a message.
 */
int show_interval(struct show *s);

/**
 * show_total() - all that was counted, and the balance
 *
 * Return: the exit status: 0, PE_EXIT_LOST, or PE_EXIT_MISSING after a message.
 */
int show_total(struct show *s);

/** show_free() - the end */
void show_free(struct show *s);

#endif
