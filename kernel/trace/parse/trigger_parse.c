// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trigger_parse.c - a line of a trigger file.  [P]
 *
 *	[!]traceon|traceoff|snapshot|stacktrace[:COUNT] [if FILTER]
 *	[!]enable_event|disable_event:GROUP:EVENT[:COUNT] [if FILTER]
 *	[!]enable_hist|disable_hist:GROUP:EVENT[:COUNT] [if FILTER]
 *	[!]hist:...		hist_parse.c
 *
 * As in the kernel, a blank may replace the colon after the command's name, and
 * the text after the COUNT and a colon is ignored.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "parse_err.h"
#include "trigger.h"

const char *const pe_trigger_names[PE_NR_TRIGGERS] = {
	[PE_TRIGGER_TRACEON] = "traceon",
	[PE_TRIGGER_TRACEOFF] = "traceoff",
	[PE_TRIGGER_SNAPSHOT] = "snapshot",
	[PE_TRIGGER_STACKTRACE] = "stacktrace",
	[PE_TRIGGER_ENABLE] = "enable_event",
	[PE_TRIGGER_DISABLE] = "disable_event",
	[PE_TRIGGER_ENABLE_HIST] = "enable_hist",
	[PE_TRIGGER_DISABLE_HIST] = "disable_hist",
	[PE_TRIGGER_HIST] = "hist",
};

struct line {
	const char *text;
	size_t at;
	struct pe_parse_err *err;
};

static int pe_trigger_parse_fail(const struct line *l, enum pe_parse_errno code, int ret)
{
	return pe_parse_fail(l->err, code, l->at, ret);
}

static bool pe_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void pe_trigger_parse_skip_blanks(struct line *l)
{
	while (isspace(l->text[l->at]))
		l->at++;
}

/* The text up to a colon or blank, which is skipped.  @more: is there one? */
static struct pe_str pe_trigger_parse_word(struct line *l, bool *more)
{
	struct pe_str s = { l->text + l->at, 0 };
	char c;

	for (c = *s.p; c && c != ':' && !pe_is_blank(c); c = s.p[s.len])
		s.len++;
	l->at += s.len;
	*more = c;
	if (c)
		l->at++;
	return s;
}

/* A part of the parameter: up to a colon, which is skipped, or to a blank, which ends all parts. */
static struct pe_str pe_trigger_parse_part(struct line *l, bool *more)
{
	bool any;
	struct pe_str s = pe_trigger_parse_word(l, &any);

	*more = any && l->text[l->at - 1] == ':';
	if (any && !*more)
		l->at--;
	return s;
}

static int pe_find_kind(struct line *l, struct pe_str name)
{
	unsigned int i;

	for (i = 0; i < PE_NR_TRIGGERS; i++)
		if (pe_str_eq(name, pe_trigger_names[i]))
			return i;
	l->at = name.p - l->text;
	return pe_trigger_parse_fail(l, PE_ERR_TRIG_UNKNOWN, -EINVAL);
}

static int pe_read_count(struct line *l, struct pe_trigger_cmd *cmd)
{
	size_t start = l->at;
	struct pe_str number;
	bool more;
	u64 count;
	int ret;

	number = pe_trigger_parse_part(l, &more);
	ret = pe_lex_u64(number, 0, &count);
	if (ret) {
		l->at = start;
		return pe_trigger_parse_fail(l, PE_ERR_TRIG_BAD_COUNT, ret);
	}
	cmd->count = count;
	while (l->text[l->at] && !pe_is_blank(l->text[l->at]))
		l->at++;
	return 0;
}

static int pe_read_filter(struct line *l, struct pe_trigger_cmd *cmd)
{
	const char *text;

	pe_trigger_parse_skip_blanks(l);
	text = l->text + l->at;
	if (!*text)
		return 0;
	if (strncmp(text, "if", 2) || !pe_is_blank(text[2]))
		return pe_trigger_parse_fail(l, PE_ERR_TRIG_NO_IF, -EINVAL);
	cmd->filter = text + 3;
	return 0;
}

static bool pe_trigger_has_target(unsigned int kind)
{
	return pe_trigger_family(kind) == PE_TRIGGER_ENABLE ||
	       pe_trigger_family(kind) == PE_TRIGGER_ENABLE_HIST;
}

static int pe_read_event(struct line *l, struct pe_trigger_cmd *cmd, bool *more)
{
	cmd->event_pos = l->at;
	cmd->group = pe_trigger_parse_part(l, more);
	if (!*more)
		return pe_trigger_parse_fail(l, PE_ERR_TRIG_NO_EVENT, -EINVAL);
	cmd->event = pe_trigger_parse_part(l, more);
	return 0;
}

int pe_trigger_parse(struct pe_trigger_cmd *cmd, const char *text,
		     struct pe_parse_err *err)
{
	struct line l = { .text = text, .err = err };
	bool more;
	int ret;

	*cmd = (struct pe_trigger_cmd){ .count = -1 };
	pe_trigger_parse_skip_blanks(&l);
	cmd->remove = text[l.at] == '!';
	if (cmd->remove)
		l.at++;
	ret = pe_find_kind(&l, pe_trigger_parse_word(&l, &more));
	if (ret < 0)
		return ret;
	cmd->kind = ret;
	pe_trigger_parse_skip_blanks(&l);
	if (cmd->kind == PE_TRIGGER_HIST) {
		cmd->params = text + l.at;
		return 0;
	}
	more = false;
	if (pe_trigger_has_target(cmd->kind)) {
		ret = pe_read_event(&l, cmd, &more);
		if (ret)
			return ret;
	} else {
		more = isdigit(text[l.at]);
	}
	if (cmd->remove)
		return 0;
	ret = more ? pe_read_count(&l, cmd) : 0;
	return ret ? ret : pe_read_filter(&l, cmd);
}
