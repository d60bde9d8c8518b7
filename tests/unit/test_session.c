// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* session_parse.c: the meaning of a line, and the error and column of a refusal. */
#include <linux/errno.h>
#include "harness.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/session_line.h"

static bool same(struct pe_str s, const char *text)
{
	return s.p ? pe_str_eq(s, text) : !*text;
}

static void wrong(const char *text, const struct pe_session_line *line, int ret,
		  const struct pe_parse_err *err)
{
	printf("%s: %d, verb %u, number %lu, rest %s, \"%s\" at %u\n", text, ret, line->verb,
	       (unsigned long)line->number, line->rest ? line->rest : "-",
	       pe_parse_err_text(err->code), err->pos);
	pe_test_failures++;
}

static void says(const char *text, unsigned int verb, const char *group, const char *event,
		 const char *rest, u64 number)
{
	struct pe_parse_err err = { 0 };
	struct pe_session_line line;
	int ret = pe_session_parse(&line, text, &err);

	if (ret || err.code != PE_ERR_NONE || line.verb != verb || !same(line.group, group) ||
	    !same(line.event, event) || !line.rest != !rest || line.number != number ||
	    (rest && (strcmp(line.rest, rest) || line.rest != text + line.rest_pos)) ||
	    (*event && strncmp(text + line.event_pos, *group ? group : event, 1)))
		wrong(text, &line, ret, &err);
}

static void test_nothing(void)
{
	says("", PE_SESSION_NOTHING, "", "", NULL, 0);
	says(" \t ", PE_SESSION_NOTHING, "", "", NULL, 0);
	says("# enable x", PE_SESSION_NOTHING, "", "", NULL, 0);
	says("  #", PE_SESSION_NOTHING, "", "", NULL, 0);
}

static void test_commands(void)
{
	says("p vfs_read", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("p:a vfs_read", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("r10:a vfs_read", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("  f:g/e vfs_*", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("t:g/e sched_switch", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("-:g/e", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("!p:g/e", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("p", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("x:y", PE_SESSION_COMMAND, "", "", NULL, 0);
	says("0", PE_SESSION_COMMAND, "", "", NULL, 0);
}

static void test_events(void)
{
	says("enable e", PE_SESSION_ENABLE, "", "e", NULL, 0);
	says("enable g/e", PE_SESSION_ENABLE, "g", "e", NULL, 0);
	says("\tdisable  g:e  ", PE_SESSION_DISABLE, "g", "e", NULL, 0);
	says("filter g/e a == 1 && b", PE_SESSION_FILTER, "g", "e", "a == 1 && b", 0);
	says("filter e  0 ", PE_SESSION_FILTER, "", "e", "0 ", 0);
	says("trigger g/e traceoff:1 if a # b", PE_SESSION_TRIGGER, "g", "e",
	     "traceoff:1 if a # b", 0);
	says("trigger e !stacktrace", PE_SESSION_TRIGGER, "", "e", "!stacktrace", 0);
}

static void test_others(void)
{
	says("instance 1408", PE_SESSION_INSTANCE, "", "", NULL, 1408);
	says("instance 1 ", PE_SESSION_INSTANCE, "", "", NULL, 1);
	says("instance 4294967295", PE_SESSION_INSTANCE, "", "", NULL, 0xffffffff);
	says("keep ttl=5", PE_SESSION_KEEP, "", "", NULL, 5);
	says("keep ttl=90s", PE_SESSION_KEEP, "", "", NULL, 90);
	says("keep ttl=2m", PE_SESSION_KEEP, "", "", NULL, 120);
	says("keep  ttl=3h ", PE_SESSION_KEEP, "", "", NULL, 10800);
	says("keep ttl=3650d", PE_SESSION_KEEP, "", "", NULL, 3650UL * 86400);
	says("comment lat do_fsync # by comm ", PE_SESSION_SAY, "", "", "lat do_fsync # by comm ", 0);
}

static void refused_as(const char *text, int ret, enum pe_parse_errno code, unsigned int pos)
{
	struct pe_parse_err err = { 0 };
	struct pe_session_line line;
	int got = pe_session_parse(&line, text, &err);

	if (got != ret || err.code != code || err.pos != pos ||
	    (code == PE_ERR_SESSION_INVALID && !err.detail))
		wrong(text, &line, got, &err);
}

static void unknown(const char *text, unsigned int pos)
{
	refused_as(text, -EINVAL, PE_ERR_SESSION_UNKNOWN, pos);
}

static void refused(const char *text, unsigned int pos)
{
	refused_as(text, -EINVAL, PE_ERR_SESSION_INVALID, pos);
}

static void test_bad(void)
{
	unknown("enabled e", 0);
	unknown("  nope", 2);
	unknown("en", 0);
	unknown("enable:e", 0);
	unknown("Enable e", 0);
	unknown("limits x", 0);
	refused("enable", 6);
	refused("enable  ", 8);
	refused("enable /e", 7);
	refused("enable g/", 7);
	refused("enable :", 7);
	refused("enable g/e f", 11);
	refused("disable e 1", 10);
	refused("filter", 6);
	refused("filter e", 8);
	refused("filter e  ", 10);
	refused("trigger g/e", 11);
	refused("instance", 8);
	refused("instance 0", 9);
	refused("instance -1", 9);
	refused("instance +1", 9);
	refused("instance 1k", 9);
	refused("instance 4294967296", 9);
	refused("instance 99999999999999999999", 9);
	refused("instance 1 2", 11);
	refused("keep", 4);
	refused("keep 5", 5);
	refused("keep ttl", 5);
	refused("keep ttl=", 9);
	refused("keep ttl=0", 9);
	refused("keep ttl=s", 9);
	refused("keep ttl=5x", 9);
	refused("keep ttl=5sm", 9);
	refused("keep ttl=-5", 9);
	refused("keep ttl=3651d", 9);
	refused("keep ttl=99999999999999999999s", 9);
	refused("keep ttl=315360001", 9);
	refused("keep ttl=5 6", 11);
	refused("comment", 7);
	refused("comment \t", 9);
}

static void test_long_comment(void)
{
	char text[300] = "comment ";

	memset(text + 8, 'x', 255);
	text[8 + 255] = '\0';
	says(text, PE_SESSION_SAY, "", "", text + 8, 0);
	text[8 + 255] = 'x';
	refused_as(text, -E2BIG, PE_ERR_SESSION_INVALID, 8);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "nothing", test_nothing },
		{ "commands", test_commands },
		{ "events", test_events },
		{ "others", test_others },
		{ "bad", test_bad },
		{ "long comment", test_long_comment },
	};

	return PE_RUN(tests);
}
