/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trigger.h - triggers: what a hit does besides making a record.
 *
 *   trigger_parse.c		parse a line of a trigger file [P]
 *   ../hit/trigger_hit.c	triggers at a hit [H]
 *   ../event/event_trigger.c	set, remove, list
 *
 * An event with triggers is armed even if it is disabled, and so is an event
 * that a trigger may enable or disable.  pe_event_link.soft counts the triggers
 * that want this.  So a hit need only set pe_event_link.enabled.
 */
#ifndef PE_TRIGGER_H
#define PE_TRIGGER_H

#include <linux/types.h>
#include "lex.h"

struct pe_parse_err;

enum pe_trigger_kind {
	PE_TRIGGER_TRACEON,
	PE_TRIGGER_TRACEOFF,
	PE_TRIGGER_SNAPSHOT,
	PE_TRIGGER_STACKTRACE,
	PE_TRIGGER_ENABLE,
	PE_TRIGGER_DISABLE,
	PE_TRIGGER_ENABLE_HIST,
	PE_TRIGGER_DISABLE_HIST,
	PE_TRIGGER_HIST,
	PE_NR_TRIGGERS,
};

extern const char *const pe_trigger_names[PE_NR_TRIGGERS];

/**
 * struct pe_trigger_cmd - a parsed line
 * @kind: enum pe_trigger_kind
 * @remove: the line began with "!"; then only @kind, @group, @event and @params count
 * @count: how often it acts, -1 for always
 * @group: of the event to be enabled or disabled, or whose histograms are
 * @event: likewise
 * @filter: the expression after "if ", or NULL
 * @params: of PE_TRIGGER_HIST, what follows its name, for pe_hist_parse(); else NULL
 * @event_pos: column of @group
 *
 * Slices, @filter and @params point into the line.
 */
struct pe_trigger_cmd {
	u8 kind;
	bool remove;
	long count;
	struct pe_str group;
	struct pe_str event;
	const char *filter;
	const char *params;
	unsigned int event_pos;
};

/**
 * pe_trigger_parse() - read a line of a trigger file
 * @cmd: filled
 * @text: without blanks at its end
 * @err: zeroed by the caller
 *
 * Return: 0 or -errno.
 */
int pe_trigger_parse(struct pe_trigger_cmd *cmd, const char *text,
		     struct pe_parse_err *err);

/*
 * The family of a trigger: the first of its kinds.  An event can have only one
 * trigger of a family, and "!" does not tell its kinds apart.  But it can have any
 * number of histograms.
 */
static inline unsigned int pe_trigger_family(unsigned int kind)
{
	switch (kind) {
	case PE_TRIGGER_TRACEOFF:
		return PE_TRIGGER_TRACEON;
	case PE_TRIGGER_DISABLE:
		return PE_TRIGGER_ENABLE;
	case PE_TRIGGER_DISABLE_HIST:
		return PE_TRIGGER_ENABLE_HIST;
	default:
		return kind;
	}
}

#endif
