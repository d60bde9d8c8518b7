/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * session.h - what a verb defines belongs to it, and goes with it, however it ends.
 */
#ifndef PE_TOOL_SESSION_H
#define PE_TOOL_SESSION_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct session - an open file `session`
 * @fd: the file; its close ends the session
 * @dir: where our files are
 * @group: the group of its events
 * @own: it has an instance of its own
 */
struct session {
	int fd;
	const char *dir;
	char group[16];
	bool own;
};

/**
 * session_begin() - begin one
 * @s: gets it, for close(@s->fd)
 *
 * Return: 0, or -1 after a message.
 */
int session_begin(struct session *s);

/**
 * session_write() - carry out commands, all or none
 * @s: the session
 * @text: a line each
 *
 * Return: 0, or -1 after a message: what error_log says.
 */
int session_write(const struct session *s, const char *text);

/** session_arm() - session_write() of what may take long: that is shown */
int session_arm(const struct session *s, const char *text);

/**
 * session_try() - session_write() without a message
 * @s: the session
 * @lines: a line each
 * @refused: gets the command that error_log has, for free(), if there is one
 *
 * Return: 0, or -1.
 */
int session_try(const struct session *s, const char *lines, char **refused);

/** session_complain() - the message of what session_try() could not do */
void session_complain(const struct session *s);

/**
 * session_instance() - give it an instance of its own
 * @s: the session, which has done nothing yet
 * @kb: size of the buffers, for each CPU
 *
 * Return: 0, or -1 after a message.
 */
int session_instance(struct session *s, unsigned int kb);

/**
 * session_set() - write to a file of its instance
 * @s: the session, which has an instance
 * @file: "set_event_pid", say
 * @text: what to write
 *
 * Return: 0, or -1 after a message.
 */
int session_set(const struct session *s, const char *file, const char *text);

/**
 * session_table() - the tables of an event
 * @s: the session
 * @event: its name
 * @take: empty them at the same moment
 *
 * Return: the text, for free(); NULL after a message.
 */
char *session_table(const struct session *s, const char *event, bool take);

#endif
