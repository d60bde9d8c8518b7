/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * stock.h - events in the kernel's own tracefs, by libtracefs.
 *
 * Events made there have no owner, and stay until they are removed: so it is, by stock_end(), on
 * every way out of this program but kill -9.  It has names with this process's number, and an
 * instance of its own; what others have there is not touched.
 */
#ifndef PE_TOOL_STOCK_H
#define PE_TOOL_STOCK_H

#include <stdbool.h>
#include <stddef.h>
#include "session.h"

/**
 * struct stock - what this program has made there
 * @at: the directory and the group, which is the instance's name, too
 * @event: of hits
 * @entry: the event of entries, of a match
 * @synth_name: the name of @synth
 * @instance: the instance
 * @made: events that were defined
 * @nr_made: how many
 * @trigger: the trigger of the event that counts, as it is removed
 * @matches: triggers of a match: file, and text that removes it
 * @nr_matches: how many
 * @defined: the synthetic event is there
 * @tep: libtraceevent's formats, for @synth
 * @synth: the event of a match; NULL: none
 */
struct stock {
	struct session at;
	char event[32];
	/* private */
	char entry[32], synth_name[32];
	struct tracefs_instance *instance;
	struct tracefs_dynevent *made[2];
	size_t nr_made;
	char *trigger, *matches[2][2];
	size_t nr_matches;
	bool defined;
	struct tep_handle *tep;
	struct tracefs_synth *synth;
};

/**
 * stock_place() - where the kernel's own files are
 *
 * Return: the directory, or NULL after a message.
 */
const char *stock_place(void);

/** stock_names() - the names that this process would use, for stock_begin() and a dry run */
void stock_names(struct stock *s, const char *event);

/**
 * stock_begin() - make the instance
 * @s: of stock_names(), for stock_end()
 * @hist: histograms are needed
 * @synth: and synthetic events
 *
 * Return: 0, or -1 after a message: it is there already, or this kernel cannot do it.
 */
int stock_begin(struct stock *s, bool hist, bool synth);

/**
 * stock_define() - define the event, which is not armed yet
 * @s: the rest
 * @returns: at a function's returns
 * @place: the function
 * @args: its arguments
 *
 * Return: 0, or -1 after a message: what error_log says.
 */
int stock_define(struct stock *s, bool returns, const char *place, const char *args);

/**
 * stock_match() - an event with the time between a call's entry and its return, which is armed then
 * @s: the rest, with the event of returns
 * @place: the function
 * @args: those of the event: its fields are those of the new one, and ns
 *
 * Entries are matched by task, in the instance: a clock that a match wants is set there only.
 *
 * Return: 0, or -1 after a message.
 */
int stock_match(struct stock *s, const char *place, const char *args);

/** stock_set() - write to a file of the instance; 0, or -1 after a message */
int stock_set(struct stock *s, const char *file, const char *text);

/** stock_write() - write to a file of the event that counts, in the instance; likewise */
int stock_write(struct stock *s, const char *file, const char *text);

/** stock_trigger() - give that event a trigger; likewise */
int stock_trigger(struct stock *s, const char *text);

/** stock_hist() - the histogram's text, for free(); NULL after a message */
char *stock_hist(struct stock *s);

/**
 * stock_profile() - what the kernel knows of the hits
 * @s: the rest
 * @hits: gets those of the event
 * @missed: gets those that were missed, by it or by the event of the same calls' entries
 *
 * Return: false: not known.
 */
bool stock_profile(const struct stock *s, unsigned long long *hits, unsigned long long *missed);

/**
 * stock_end() - remove all that has been made
 * @s: what has been made
 *
 * Return: 0, or -1 after a message with what is left.
 */
int stock_end(struct stock *s);

#endif
