/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * cost.h - the modules' file kprobes/cost: what hits have cost.
 */
#ifndef PE_TOOL_COST_H
#define PE_TOOL_COST_H

#include <stdbool.h>

/**
 * struct cost_line - a line of the file, which is cut in place
 * @event: "GROUP/EVENT"; "#" in the last line, of all of them
 * @place: the first place of its probes
 * @hits: how many there were
 * @price: of a hit, in nanoseconds
 * @is: where the price is from: "compiled", "timed" or "assumed"
 * @cpu: share of all CPUs' time, in percent
 * @limit: the limit in force, or "none"
 * @state: "armed", "off" or "tripped"; of all, the time of which @cpu is a share
 * @ns: what its hits have cost in all
 *
 * All but @ns are texts as they are in the file.
 */
struct cost_line {
	const char *event, *place, *hits, *price, *is, *cpu, *state, *limit;
	unsigned long long ns;
};

/** cost_next() - the next line; @text: the rest of the file; false: there is none */
bool cost_next(char **text, struct cost_line *line);

/**
 * cost_of() - what the hits of an event have cost
 * @dir: where our files are
 * @group: the event's group
 * @event: its name
 * @ns: gets it, in nanoseconds
 *
 * Return: false: it is not known: the module is older, or the file cannot be read.
 */
bool cost_of(const char *dir, const char *group, const char *event, unsigned long long *ns);

/** cost_share() - the same as a share of all CPUs' time, in percent */
double cost_share(unsigned long long ns, double seconds);

#endif
