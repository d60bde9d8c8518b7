/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - what a verb defines belongs to it, and goes with it, however it ends.
 */
#ifndef PE_TOOL_SESSION_H
#define PE_TOOL_SESSION_H

#include <stddef.h>

/**
 * struct session - an open file `session`
 * @fd: the file; its close ends the session
 * @dir: where our files are
 * @group: the group of its events
 */
struct session {
	int fd;
	const char *dir;
	char group[16];
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

/** session_read() - a file of an event of the session, for free(); NULL after a message */
char *session_read(const struct session *s, const char *event, const char *file);

#endif
