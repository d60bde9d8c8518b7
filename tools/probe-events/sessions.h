/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * sessions.h - the modules' file sessions.
 */
#ifndef PE_TOOL_SESSIONS_H
#define PE_TOOL_SESSIONS_H

#include <stdbool.h>

/** struct session_line - a line of the file, as texts; see kprobe-events.md */
struct session_line {
	const char *id, *pid, *comm, *since, *events, *hits, *ttl, *state, *what;
	const char *ns, *cpu;	/* "" of older modules */
};

/**
 * sessions_next() - the next session
 * @text: where to go on in the file's text, which is cut into its words; moved on
 * @line: gets it: parts of the text
 *
 * Return: false if there is none left.
 */
bool sessions_next(char **text, struct session_line *line);

/**
 * sessions_end() - end a session, also another user's
 * @dir: where our files are
 * @id: its number
 *
 * Return: 0, or -1 after a message.
 */
int sessions_end(const char *dir, const char *id);

#endif
