/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * session_line.h - a line of a write to the file session.
 */
#ifndef PE_PARSE_SESSION_LINE_H
#define PE_PARSE_SESSION_LINE_H

#include <linux/types.h>
#include "lex.h"

struct pe_parse_err;

/* Longest comment, with its NUL. */
#define PE_SESSION_COMMENT	256

enum pe_session_verb {
	PE_SESSION_NOTHING,		/* blank, or begins with "#" */
	PE_SESSION_COMMAND,		/* of dynamic_events */
	PE_SESSION_ENABLE,
	PE_SESSION_DISABLE,
	PE_SESSION_FILTER,
	PE_SESSION_TRIGGER,
	PE_SESSION_LIMIT,
	PE_SESSION_INSTANCE,
	PE_SESSION_KEEP,
	PE_SESSION_SAY,			/* comment */
	PE_NR_SESSION_VERBS,
};

/**
 * struct pe_session_line - a parsed line
 * @verb: enum pe_session_verb; of a command nothing more is known
 * @group: of the event, in the line; empty: the session's own
 * @event: the event, likewise
 * @event_pos: column of the two
 * @rest: the filter, the trigger, the limit, the comment; in the line, to its end
 * @rest_pos: column of @rest
 * @number: KB of the instance's buffer on each CPU; seconds to keep the session
 */
struct pe_session_line {
	u8 verb;
	struct pe_str group;
	struct pe_str event;
	unsigned int event_pos;
	const char *rest;
	unsigned int rest_pos;
	u64 number;
};

/**
 * pe_session_parse() - read a line of the file session
 * @line: filled
 * @text: the line, without its newline; lives as long as @line
 * @err: zeroed by the caller
 *
 * Return: 0 or -errno.
 */
int pe_session_parse(struct pe_session_line *line, const char *text, struct pe_parse_err *err);

#endif
