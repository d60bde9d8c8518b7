/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_trigger.h - the triggers of events in instances.  Callers hold pe_event_mutex.
 */
#ifndef PE_EVENT_TRIGGER_H
#define PE_EVENT_TRIGGER_H

struct pe_event_link;
struct pe_instance;
struct seq_file;

/* event_trigger.c */

/**
 * pe_trigger_write() - carry out a line of an event's trigger file
 * @link: the event in the instance
 * @text: changed: blanks at its end are cut
 *
 * Return: 0 or -errno; errors are in the error log.
 */
int pe_trigger_write(struct pe_event_link *link, char *text);

/* Removes all of an instance's triggers; it waits for hits. */
void pe_triggers_clear(struct pe_instance *inst);
void pe_triggers_clear_all(void);	/* of every instance */

/* The text of an event's trigger file. */
void pe_link_show_triggers(struct seq_file *m, const struct pe_event_link *link);

#endif
