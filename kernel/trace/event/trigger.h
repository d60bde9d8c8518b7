/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trigger.h - triggers: what a hit does besides making a record.
 *
 *   trigger_parse.c  a line of a trigger file to what it says [P]
 *   trigger_hit.c    triggers at a hit [H]
 *   event_trigger.c  set, remove, list, and the files; callers hold pe_event_mutex
 *
 * An event with triggers is armed whether it is enabled or not, and so is one that
 * a trigger may switch: links count who wants that (pe_event_link.soft).  So a hit
 * need only set pe_event_link.enabled.
 */
#ifndef PE_TRIGGER_H
#define PE_TRIGGER_H

#include <linux/types.h>
#include "kernel/trace/parse/lex.h"

struct file_operations;
struct pe_built;
struct pe_event_link;
struct pe_instance;
struct pe_parse_err;
struct pe_trigger;
struct seq_file;

enum pe_trigger_kind {
	PE_TRIGGER_TRACEON,
	PE_TRIGGER_TRACEOFF,
	PE_TRIGGER_SNAPSHOT,
	PE_TRIGGER_STACKTRACE,
	PE_TRIGGER_ENABLE,
	PE_TRIGGER_DISABLE,
	PE_NR_TRIGGERS,
};

extern const char *const pe_trigger_names[PE_NR_TRIGGERS];

/**
 * struct pe_trigger_cmd - what a line says
 * @kind: enum pe_trigger_kind
 * @remove: it began with "!"; then only @kind, @group and @event count
 * @count: how often it acts, -1 for always
 * @group: of the event to be switched
 * @event: likewise
 * @filter: the expression behind "if ", or NULL
 * @event_pos: column of @group
 *
 * Slices and @filter point into the line.
 */
struct pe_trigger_cmd {
	u8 kind;
	bool remove;
	long count;
	struct pe_str group;
	struct pe_str event;
	const char *filter;
	unsigned int event_pos;
};

/**
 * pe_trigger_parse() - read a line of a trigger file
 * @text: without blanks at its end
 * @err: zeroed by the caller
 *
 * Return: 0 or -errno.
 */
int pe_trigger_parse(struct pe_trigger_cmd *cmd, const char *text,
		     struct pe_parse_err *err);

/*
 * What an event can have only one of, and "!" does not tell apart: the first of
 * these kinds.
 */
static inline unsigned int pe_trigger_family(unsigned int kind)
{
	switch (kind) {
	case PE_TRIGGER_TRACEOFF:
		return PE_TRIGGER_TRACEON;
	case PE_TRIGGER_DISABLE:
		return PE_TRIGGER_ENABLE;
	default:
		return kind;
	}
}

/**
 * pe_triggers_run() - the triggers of a link at a hit  [H]
 * @rec: the record's bytes, also when it will not be kept; NULL when no trigger of
 *	the link needs them
 *
 * Return: the kinds that have to act after the record, as bits: for
 * pe_triggers_after().
 */
unsigned int pe_triggers_run(struct pe_event_link *link, const void *rec,
			     unsigned int len);
void pe_triggers_after(struct pe_event_link *link, unsigned int kinds,
		       const struct pe_built *built);		/* [H] */

/* event_hit.c: record the stack of the hit, now.  [H] */
void pe_record_stack(const struct pe_built *built);

/**
 * pe_trigger_write() - do what a line says
 * @text: changed: blanks at its end are cut
 *
 * Return: 0 or -errno; errors are in the error log.
 */
int pe_trigger_write(struct pe_event_link *link, char *text);

/* Removes all of an instance's triggers; it waits for hits. */
void pe_triggers_clear(struct pe_instance *inst);
void pe_triggers_clear_all(void);	/* of every instance */

extern const struct file_operations pe_trigger_fops;

#endif
