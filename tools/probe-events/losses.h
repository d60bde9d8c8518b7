/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * losses.h - the modules' file kprobe_losses: what became of the hits of an event.
 *
 * Pure: the text comes from the caller.
 */
#ifndef PE_TOOL_LOSSES_H
#define PE_TOOL_LOSSES_H

#include <stddef.h>

#define LOSS_COLUMNS 24

/**
 * struct losses - the columns of the file, summed over an event's probes
 * @names: in the file's order; hits is the first
 * @values: of each
 * @nr: how many
 */
struct losses {
	char names[LOSS_COLUMNS][16];
	unsigned long long values[LOSS_COLUMNS];
	size_t nr;
};

/**
 * losses_read() - the columns of an event
 * @l: gets them; all 0 if the event is not in the file
 * @text: the file
 * @group: the event's group; NULL: all events together
 * @event: its name; NULL: all of the group together
 */
void losses_read(struct losses *l, const char *text, const char *group, const char *event);

/** losses_of() - a column by its name; 0 if the file does not have it */
unsigned long long losses_of(const struct losses *l, const char *name);

#endif
