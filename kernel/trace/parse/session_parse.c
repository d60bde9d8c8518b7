// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session_parse.c - a line of a write to the file session.  [P]
 *
 *	enable|disable [GROUP/]EVENT
 *	filter|trigger|limit [GROUP/]EVENT TEXT
 *	instance KB
 *	keep ttl=N[s|m|h|d]
 *	comment TEXT
 *
 * All other lines are commands of dynamic_events.  These begin with one letter, with "-" or with
 * "!"; so no word of two letters is one.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "limit_words.h"
#include "parse_err.h"
#include "session_line.h"

static const char *const pe_session_words[PE_NR_SESSION_VERBS] = {
	[PE_SESSION_ENABLE] = "enable",
	[PE_SESSION_DISABLE] = "disable",
	[PE_SESSION_FILTER] = "filter",
	[PE_SESSION_TRIGGER] = "trigger",
	[PE_SESSION_LIMIT] = "limit",
	[PE_SESSION_INSTANCE] = "instance",
	[PE_SESSION_KEEP] = "keep",
	[PE_SESSION_SAY] = "comment",
};

/* The rest of a line. */
struct tail {
	const char *text;
	struct pe_str rest;
	struct pe_parse_err *err;
};

static int pe_session_fail(const struct tail *tail, const char *at, const char *detail)
{
	tail->err->detail = detail;
	return pe_parse_fail(tail->err, PE_ERR_SESSION_INVALID, at - tail->text, -EINVAL);
}

/* The place where the next word begins, or the line ends. */
static const char *pe_session_skip(struct tail *tail)
{
	size_t n = 0;

	while (isspace(pe_str_at(tail->rest, n)))
		n++;
	tail->rest = pe_str_from(tail->rest, n);
	return tail->rest.p;
}

static int pe_session_end(struct tail *tail)
{
	const char *at = pe_session_skip(tail);

	return *at ? pe_session_fail(tail, at, "nothing may follow") : 0;
}

static int pe_session_event(struct pe_session_line *line, struct tail *tail)
{
	const char *at = pe_session_skip(tail);
	struct pe_str word;
	size_t n;

	line->event_pos = at - tail->text;
	if (!pe_lex_word(&tail->rest, &word))
		return pe_session_fail(tail, at, "the event is missing");
	n = pe_str_find_any(word, "/:");
	line->event = word;
	if (n < word.len) {
		line->group = pe_str_cut(word, n);
		line->event = pe_str_from(word, n + 1);
	}
	if ((n < word.len && !n) || !line->event.len)
		return pe_session_fail(tail, at, "an event is EVENT or GROUP/EVENT");
	return 0;
}

/* A text up to the end of the line. */
static int pe_session_rest(struct pe_session_line *line, struct tail *tail, const char *missing)
{
	line->rest = pe_session_skip(tail);
	line->rest_pos = line->rest - tail->text;
	return *line->rest ? 0 : pe_session_fail(tail, line->rest, missing);
}

static int pe_session_size(struct pe_session_line *line, struct tail *tail)
{
	static const char detail[] = "KB of the buffer on each CPU, from 1 on";
	const char *at = pe_session_skip(tail);
	struct pe_str word;

	if (!pe_lex_word(&tail->rest, &word) || !isdigit(*word.p) ||
	    pe_lex_u64(word, 10, &line->number) || !line->number || line->number > U32_MAX)
		return pe_session_fail(tail, at, detail);
	return pe_session_end(tail);
}

static int pe_session_ttl(struct pe_session_line *line, struct tail *tail)
{
	const char *at = pe_session_skip(tail);
	struct pe_str word;

	if (!pe_lex_word(&tail->rest, &word) || !pe_str_skip(&word, "ttl="))
		return pe_session_fail(tail, at, PE_LIMIT_SECONDS_HINT);
	if (!pe_limit_seconds(word, &line->number))
		return pe_session_fail(tail, word.p, PE_LIMIT_SECONDS_HINT);
	return pe_session_end(tail);
}

static int pe_session_comment(struct pe_session_line *line, struct tail *tail)
{
	int ret = pe_session_rest(line, tail, "the text is missing");

	if (ret || strlen(line->rest) < PE_SESSION_COMMENT)
		return ret;
	pe_session_fail(tail, line->rest, "255 bytes at most");
	return -E2BIG;
}

static int pe_session_args(struct pe_session_line *line, struct tail *tail)
{
	int ret;

	switch (line->verb) {
	case PE_SESSION_INSTANCE:
		return pe_session_size(line, tail);
	case PE_SESSION_KEEP:
		return pe_session_ttl(line, tail);
	case PE_SESSION_SAY:
		return pe_session_comment(line, tail);
	}
	ret = pe_session_event(line, tail);
	if (ret)
		return ret;
	switch (line->verb) {
	case PE_SESSION_FILTER:
		return pe_session_rest(line, tail, "the filter is missing; 0 is none");
	case PE_SESSION_TRIGGER:
		return pe_session_rest(line, tail, "the trigger is missing");
	case PE_SESSION_LIMIT:
		return pe_session_rest(line, tail, "the limit is missing; none is none");
	}
	return pe_session_end(tail);
}

int pe_session_parse(struct pe_session_line *line, const char *text, struct pe_parse_err *err)
{
	struct tail tail = { .text = text, .rest = pe_str_of(text), .err = err };
	const char *at = pe_session_skip(&tail);
	struct pe_str word;
	size_t n = 0;

	*line = (struct pe_session_line){ .verb = PE_SESSION_NOTHING };
	if (!*at || *at == '#')
		return 0;
	line->verb = PE_SESSION_COMMAND;
	if (!isalpha(at[0]) || !isalpha(at[1]))
		return 0;
	pe_lex_word(&tail.rest, &word);
	for (n = PE_SESSION_ENABLE; n < PE_NR_SESSION_VERBS; n++) {
		if (!pe_str_eq(word, pe_session_words[n]))
			continue;
		line->verb = n;
		return pe_session_args(line, &tail);
	}
	return pe_parse_fail(err, PE_ERR_SESSION_UNKNOWN, at - text, -EINVAL);
}
