/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_cmd.h - commands of kprobe_events, dynamic_events, static_events: create, append, delete.
 */
#ifndef PE_EVENT_CMD_H
#define PE_EVENT_CMD_H

#include <linux/types.h>

struct list_head;
struct pe_event_text;
struct pe_instance;
struct pe_mirrors;
struct pe_session;
struct pe_source;

/* event_cmd.c: these take pe_event_mutex. */

/* Files of commands, each with events of its own. */
enum pe_command_file {
	PE_KPROBE_EVENTS,	/* those of dynamic_events without fprobes */
	PE_DYNAMIC_EVENTS,	/* "!p:..." deletes there */
	PE_STATIC_EVENTS,	/* the same */
};

/**
 * pe_command_run() - run one command; log its error
 * @text: without its newline
 * @file: the file to which it was written
 * @shown: how records of the event are shown; NULL: as those of all
 *
 * Return: 0 or -errno as of the file.
 */
int pe_command_run(const char *text, enum pe_command_file file,
		   const struct pe_event_text *shown);

/* Note in error_log that a line is too long to be a command; @text is its beginning. */
void pe_command_too_long(const char *text);

/* Does the file show what this command has defined, and delete it? */
bool pe_command_file_has(enum pe_command_file file, const struct pe_source *source);

/**
 * pe_commands_delete_all() - remove every probe, or none
 * @file: those of this file
 * @force: those of all files and of sessions, enabled ones, too (module exit)
 *
 * Return: 0, or -EBUSY if an event is enabled.
 */
int pe_commands_delete_all(enum pe_command_file file, bool force);

/* Call it after the last command. */
void pe_commands_exit(void);

/**
 * struct pe_command_step - a command as a step of what its session does
 * @session: whose it is
 * @mirrors: what the caller has locked
 * @mirrored: a new event gets a mirror
 * @deletes: pe_command_check() has found that it does
 * @made: what pe_command_create() has defined; also if that fails, if it is to be removed
 * @found: pe_command_find() calls it for each source of the session that the command names
 * @data: for @found
 */
struct pe_command_step {
	struct pe_session *session;
	struct pe_mirrors *mirrors;
	bool mirrored;
	bool deletes;
	struct pe_source *made;
	int (*found)(void *data, struct pe_source *source);
	void *data;
};

/*
 * For sessions; all log errors.  The first only parses; the others are called with
 * pe_mirrors_lock().  Create may release pe_event_mutex meanwhile, if @mirrored.
 */
int pe_command_check(const char *text, struct pe_command_step *step);
int pe_command_create(const char *text, struct pe_command_step *step);
int pe_command_find(const char *text, struct pe_command_step *step);

/* event_remove.c; batches are of pe_event_probe.batch, all probes of each source */

/* Remove them, or if that is not forced and an event is in use, log that and return -EBUSY. */
int pe_remove_batch(struct list_head *batch, struct pe_mirrors *mirrors, bool force);

/*
 * Would an event lose its last probe that is armed, or has a mirror in use?  Then that is logged.
 * Its being armed in @home does not count.
 */
bool pe_sources_busy(struct list_head *batch, const struct pe_instance *home);
/* As pe_sources_remove(), with the triggers of events that go, and at them. */
void pe_sources_bury(struct list_head *batch, struct pe_mirrors *mirrors);

#endif
