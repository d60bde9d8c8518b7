/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_cmd.h - commands of kprobe_events and dynamic_events: create, append, delete.
 */
#ifndef PE_EVENT_CMD_H
#define PE_EVENT_CMD_H

#include <linux/types.h>

/* event_cmd.c: these take pe_event_mutex. */

/**
 * pe_command_run() - run one command; log its error
 * @text: without its newline
 * @dynamic: it was written to dynamic_events: "!p:..." deletes, and there are fprobes
 *
 * Return: 0 or -errno as of the file.
 */
int pe_command_run(const char *text, bool dynamic);

/* Note in error_log that a line is too long to be a command; @text is its beginning. */
void pe_command_too_long(const char *text);

/**
 * pe_commands_delete_all() - remove every probe, or none
 * @dynamic: fprobes, too, as in dynamic_events
 * @force: enabled ones, too (module exit)
 *
 * Return: 0, or -EBUSY if an event is enabled.
 */
int pe_commands_delete_all(bool dynamic, bool force);

/* Call it after the last command. */
void pe_commands_exit(void);

#endif
