/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * machine.h - what all programs have armed on this machine, and what it costs, from look to look.
 *
 * Pure: the texts of the modules' files come from the caller.
 */
#ifndef PE_TOOL_MACHINE_H
#define PE_TOOL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include "sessions.h"

/**
 * struct machine_session - a session
 * @line: of the file sessions
 * @hits: of its events
 * @ns: what the hits of the events in its group have cost
 * @rate: hits in a second, since the last look
 * @cpu: cost since the last look, in percent of all CPUs' time
 * @seen: it was there at the last look: @rate and @cpu are known
 */
struct machine_session {
	struct session_line line;
	unsigned long long hits, ns;
	double rate, cpu;
	bool seen;
};

/**
 * struct machine - all of them
 * @of: the sessions
 * @nr: how many
 * @ns: what the hits of all events have cost that are there now
 * @cpu: cost since the last look, in percent of all CPUs' time
 * @lost: hits of events that are there now which had to be recorded or counted, and were not
 * @limited: those that a limit has left out
 * @at: when, in seconds
 * @cost: the file kprobes/cost
 * @losses: the file kprobe_losses
 * @sessions: the file sessions
 */
struct machine {
	struct machine_session *of;
	size_t nr;
	unsigned long long ns, lost, limited;
	double cpu, at;
	char *cost, *losses;
	/* private */
	char *sessions;
};

/**
 * machine_look() - what the files say now
 * @m: gets it; holds what they said before, or all 0
 * @sessions: the file sessions; @m frees it later, and the others
 * @cost: the file kprobes/cost
 * @losses: the file kprobe_losses
 * @now: seconds of the monotonic clock
 * @cpus: how many there are
 *
 * Return: 0, or -1 without memory: then @m is empty.
 */
int machine_look(struct machine *m, char *sessions, char *cost, char *losses, double now,
		 unsigned int cpus);

/** machine_free() - the end */
void machine_free(struct machine *m);

/** machine_owns() - is an event, "GROUP/EVENT", in the group of the session of this number? */
bool machine_owns(const char *id, const char *event);

/**
 * machine_state() - a session's state, for people: "kept, stopped"
 * @line: the session
 * @cost: the file kprobes/cost, which knows what a limit has stopped; "" of older modules
 * @text: gets it
 * @size: of @text
 *
 * Return: its length in @text.
 */
size_t machine_state(const struct session_line *line, const char *cost, char *text, size_t size);

#endif
