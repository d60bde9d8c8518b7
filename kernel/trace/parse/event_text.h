/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_text.h - the text that a static event's records are shown as.
 *
 *	print "comm={comm} pid={pid}"	after the event's name
 *	line "sys_kill(pid: {pid:x})"	in place of it
 *
 * A field is "{NAME}", or "{NAME:HOW}".  HOW is [0][WIDTH]d, u or x, or names of values:
 * "0=HI,1=TIMER".  All else stands for itself.
 */
#ifndef PE_EVENT_TEXT_H
#define PE_EVENT_TEXT_H

#include <linux/types.h>
#include "lex.h"

struct pe_arg;
struct pe_parse_err;

#define PE_TEXT_MAX_WIDTH	20

/**
 * struct pe_event_text - what follows a command in static_events
 * @text: without its quotes; NULL: there is none
 * @is_line: it stands for the event's name, too
 */
struct pe_event_text {
	const char *text;
	bool is_line;
};

/**
 * struct pe_text_piece - a piece of it
 * @words: they stand for themselves; or, with @is_field, the field's name
 * @is_field: a field
 * @how: of a field: how it is shown; empty: as its type is
 */
struct pe_text_piece {
	struct pe_str words;
	bool is_field;
	struct pe_str how;
};

/**
 * struct pe_text_number - how a number is shown
 * @letter: d, u or x; 0: by the names of its values
 * @zeros: filled with zeros
 * @width: characters at least
 */
struct pe_text_number {
	char letter;
	bool zeros;
	unsigned int width;
};

/**
 * pe_event_text_cut() - cut the text off a line of static_events
 * @line: keeps the command
 * @text: points into @line
 *
 * A quote that begins a word after "print" or "line" begins the text, and the line's last byte ends
 * it.  The parser of commands gets all that is no text, and refuses it.
 */
void pe_event_text_cut(char *line, struct pe_event_text *text);

/* The next piece; @rest is moved past it.  False at the end; what does not end is words. */
bool pe_event_text_next(struct pe_str *rest, struct pe_text_piece *piece);

/* [0][WIDTH]d, u, x, or names. */
bool pe_event_text_number(struct pe_str how, struct pe_text_number *number);

/* The next of "VALUE=NAME,VALUE=NAME"; false at the end, or if it is none. */
bool pe_event_text_name(struct pe_str *rest, u64 *value, struct pe_str *name);

/* The argument of that name, NULL: none. */
const struct pe_arg *pe_event_text_arg(struct pe_str name, unsigned int nargs,
				       const struct pe_arg *args);

/**
 * pe_event_text_check() - can records be shown so?
 * @text: the text
 * @nargs: arguments of the event
 * @args: they
 * @col: column of the text's first byte in the command, for @err
 * @err: the error
 *
 * Return: 0 or -EINVAL
 */
int pe_event_text_check(const char *text, unsigned int nargs, const struct pe_arg *args,
			unsigned int col, struct pe_parse_err *err);

#endif
