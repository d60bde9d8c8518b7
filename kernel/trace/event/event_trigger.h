/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_trigger.h - the triggers of events in instances.  Callers hold pe_event_mutex.
 */
#ifndef PE_EVENT_TRIGGER_H
#define PE_EVENT_TRIGGER_H

#include <linux/types.h>
#include "owner.h"

struct list_head;
struct pe_change;
struct pe_event_link;
struct pe_instance;
struct pe_parse_err;
struct pe_session;
struct pe_trigger;
struct pe_trigger_cmd;
struct seq_file;

/* trigger_cmd.c */

/**
 * pe_trigger_write() - carry out a line of an event's trigger file
 * @link: the event in the instance
 * @text: changed: blanks at its end are cut
 *
 * Return: 0 or -errno; errors are in the error log.
 */
int pe_trigger_write(struct pe_event_link *link, char *text);

/* Does it need the snapshot's memory?  pe_event_mutex held. */
bool pe_trigger_snaps(const struct pe_trigger *trigger);

/**
 * struct pe_trigger_step - who writes a line, and what for
 * @by: a session; NULL: any user
 * @change: the line is a step of this change, which may be given up; NULL: it stands alone
 * @made: gets the trigger that the line has added or, with @finds, would remove
 * @finds: only look which trigger goes
 * @owner: room for the name of whom the event belongs to
 */
struct pe_trigger_step {
	const struct pe_session *by;
	struct pe_change *change;
	struct pe_trigger *made;
	bool finds;
	char owner[PE_OWNER_TEXT];
};

/**
 * pe_trigger_add() - the same for a session, of a line that does not begin with "!"
 * @link: the event in the instance
 * @text: likewise
 * @by: the session
 * @change: the caller ends it by pe_change_arm()
 * @made: set to the trigger, for pe_trigger_remove()
 *
 * Return: 0 or -errno; errors are in the error log.
 */
int pe_trigger_add(struct pe_event_link *link, char *text, const struct pe_session *by,
		   struct pe_change *change, struct pe_trigger **made);
/* The same of a line that removes one: that is @found, NULL: none; nothing is changed. */
int pe_trigger_find(struct pe_event_link *link, char *text, struct pe_trigger **found);

/* event_trigger.c */

/**
 * pe_trigger_alloc() - a trigger with its filter
 * @link: its event in the instance
 * @cmd: says which
 *
 * Return: the trigger, for pe_trigger_free(); or ERR_PTR().  An error of the filter is in the
 * error log.
 */
struct pe_trigger *pe_trigger_alloc(struct pe_event_link *link, const struct pe_trigger_cmd *cmd);
/* Hold the tables that its ->hist refers to; pe_trigger_free() lets go of them. */
void pe_trigger_refer(struct pe_trigger *trigger);
void pe_trigger_free(struct pe_trigger *trigger);	/* no hit finds it; NULL: nothing */

/* Let hits find it, and arm the event: in @change, if there is one.  0 or -errno. */
int pe_trigger_publish(struct pe_event_link *link, struct pe_trigger *trigger,
		       struct pe_change *change);
/* A session's write has been made: hits see the trigger that pe_trigger_publish() has listed. */
void pe_trigger_wake(struct pe_trigger *trigger);
/* Undo it, and free it; it waits for hits. */
void pe_trigger_remove(struct pe_trigger *trigger);
/* The same for many, in two steps: collect them in @gone, by ->gone; then wait once. */
void pe_trigger_take_out(struct pe_trigger *trigger, struct list_head *gone);
void pe_triggers_dispose(struct list_head *gone);

/* Removes all of an instance's triggers; it waits for hits. */
void pe_triggers_clear(struct pe_instance *inst);
/*
 * The same of every instance.  @dying_only: those of, and at, events that are dying, and those of
 * dying instances.
 */
void pe_triggers_clear_all(bool dying_only);

/* The text of an event's trigger file. */
void pe_link_show_triggers(struct seq_file *m, const struct pe_event_link *link);

#endif
