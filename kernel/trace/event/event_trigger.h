/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_trigger.h - the triggers of events in instances.  Callers hold pe_event_mutex.
 */
#ifndef PE_EVENT_TRIGGER_H
#define PE_EVENT_TRIGGER_H

struct pe_event_link;
struct pe_instance;
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
void pe_trigger_free(struct pe_trigger *trigger);	/* no hit finds it; NULL: nothing */

/* Let hits find it, and arm the event.  0 or -errno. */
int pe_trigger_publish(struct pe_event_link *link, struct pe_trigger *trigger);
/* Undo it, and free it; it waits for hits. */
void pe_trigger_remove(struct pe_trigger *trigger);

/* Removes all of an instance's triggers; it waits for hits. */
void pe_triggers_clear(struct pe_instance *inst);
void pe_triggers_clear_all(void);	/* of every instance */

/* The text of an event's trigger file. */
void pe_link_show_triggers(struct seq_file *m, const struct pe_event_link *link);

#endif
