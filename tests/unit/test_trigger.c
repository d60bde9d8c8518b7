// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* trigger_parse.c: the meaning of a line, and the error and column of a refusal. */
#include <linux/errno.h>
#include "harness.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/trigger.h"

static bool same(struct pe_str s, const char *text)
{
	return s.p ? pe_str_eq(s, text) : !*text;
}

static void says(const char *text, unsigned int kind, bool remove, long count,
		 const char *group, const char *event, const char *filter)
{
	struct pe_parse_err err = { 0 };
	struct pe_trigger_cmd cmd;
	int ret = pe_trigger_parse(&cmd, text, &err);
	bool is_hist = kind == PE_TRIGGER_HIST;

	if (ret || err.code != PE_ERR_NONE || cmd.kind != kind || cmd.remove != remove ||
	    (!remove && cmd.count != count) || !same(cmd.group, group) ||
	    !same(cmd.event, event) || !cmd.filter != !filter ||
	    (filter && strcmp(cmd.filter, filter)) || !cmd.params == is_hist) {
		printf("%s: %d, kind %u remove %d count %ld filter %s\n", text, ret,
		       cmd.kind, cmd.remove, cmd.count, cmd.filter ? cmd.filter : "-");
		pe_test_failures++;
	}
}

static void test_good(void)
{
	says("traceon", PE_TRIGGER_TRACEON, false, -1, "", "", NULL);
	says("  traceoff", PE_TRIGGER_TRACEOFF, false, -1, "", "", NULL);
	says("traceoff:5", PE_TRIGGER_TRACEOFF, false, 5, "", "", NULL);
	says("traceoff 0x10", PE_TRIGGER_TRACEOFF, false, 16, "", "", NULL);
	says("snapshot", PE_TRIGGER_SNAPSHOT, false, -1, "", "", NULL);
	says("snapshot:2 if a == 1", PE_TRIGGER_SNAPSHOT, false, 2, "", "", "a == 1");
	says("stacktrace:0x3", PE_TRIGGER_STACKTRACE, false, 3, "", "", NULL);
	says("stacktrace if a", PE_TRIGGER_STACKTRACE, false, -1, "", "", "a");
	says("!snapshot:2", PE_TRIGGER_SNAPSHOT, true, 0, "", "", NULL);
	says("traceoff:0", PE_TRIGGER_TRACEOFF, false, 0, "", "", NULL);
	says("traceoff:5:x", PE_TRIGGER_TRACEOFF, false, 5, "", "", NULL);
	says("traceon if a == 1", PE_TRIGGER_TRACEON, false, -1, "", "", "a == 1");
	says("traceon:if a == 1", PE_TRIGGER_TRACEON, false, -1, "", "", "a == 1");
	says("traceon:3   if  a == 1", PE_TRIGGER_TRACEON, false, 3, "", "", " a == 1");
	says("traceon:3\tif\ta == 1", PE_TRIGGER_TRACEON, false, 3, "", "", "a == 1");
	says("!traceon", PE_TRIGGER_TRACEON, true, 0, "", "", NULL);
	says("!traceon:nonsense", PE_TRIGGER_TRACEON, true, 0, "", "", NULL);
	says("enable_event:g:e", PE_TRIGGER_ENABLE, false, -1, "g", "e", NULL);
	says("disable_event:g:e:7 if x", PE_TRIGGER_DISABLE, false, 7, "g", "e", "x");
	says("enable_event g:e if x", PE_TRIGGER_ENABLE, false, -1, "g", "e", "x");
	says("enable_event:g:", PE_TRIGGER_ENABLE, false, -1, "g", "", NULL);
	says("enable_hist:g:e:2 if x", PE_TRIGGER_ENABLE_HIST, false, 2, "g", "e", "x");
	says("!disable_hist:g:e", PE_TRIGGER_DISABLE_HIST, true, 0, "g", "e", NULL);
	says("hist:keys=a if b", PE_TRIGGER_HIST, false, -1, "", "", NULL);
	says("!hist keys=a", PE_TRIGGER_HIST, true, 0, "", "", NULL);
	says("!enable_event:g:e:9 if x", PE_TRIGGER_ENABLE, true, 0, "g", "e", NULL);
}

static void refused(const char *text, int ret, enum pe_parse_errno code, unsigned int pos)
{
	struct pe_parse_err err = { 0 };
	struct pe_trigger_cmd cmd;
	int got = pe_trigger_parse(&cmd, text, &err);

	if (got != ret || err.code != code || err.pos != pos) {
		printf("%s: %d \"%s\" at %u\n", text, got, pe_parse_err_text(err.code),
		       err.pos);
		pe_test_failures++;
	}
}

static void test_bad(void)
{
	refused("", -EINVAL, PE_ERR_TRIG_UNKNOWN, 0);
	refused("!", -EINVAL, PE_ERR_TRIG_UNKNOWN, 1);
	refused("nope", -EINVAL, PE_ERR_TRIG_UNKNOWN, 0);
	refused(" !nope:1", -EINVAL, PE_ERR_TRIG_UNKNOWN, 2);
	refused("traceonx", -EINVAL, PE_ERR_TRIG_UNKNOWN, 0);
	refused("snapshot:x", -EINVAL, PE_ERR_TRIG_NO_IF, 9);
	refused("!!traceon", -EINVAL, PE_ERR_TRIG_UNKNOWN, 1);
	refused("traceon:5x", -EINVAL, PE_ERR_TRIG_BAD_COUNT, 8);
	refused("traceon:99999999999999999999", -ERANGE, PE_ERR_TRIG_BAD_COUNT, 8);
	refused("traceon:-1", -EINVAL, PE_ERR_TRIG_NO_IF, 8);
	refused("traceon:x", -EINVAL, PE_ERR_TRIG_NO_IF, 8);
	refused("traceon a == 1", -EINVAL, PE_ERR_TRIG_NO_IF, 8);
	refused("traceon if", -EINVAL, PE_ERR_TRIG_NO_IF, 8);
	refused("traceon:5 iff x", -EINVAL, PE_ERR_TRIG_NO_IF, 10);
	refused("enable_hist", -EINVAL, PE_ERR_TRIG_NO_EVENT, 11);
	refused("enable_event", -EINVAL, PE_ERR_TRIG_NO_EVENT, 12);
	refused("enable_event:g", -EINVAL, PE_ERR_TRIG_NO_EVENT, 14);
	refused("!enable_event:g", -EINVAL, PE_ERR_TRIG_NO_EVENT, 15);
	refused("enable_event:g:e:", -EINVAL, PE_ERR_TRIG_BAD_COUNT, 17);
	refused("enable_event:g:e:x", -EINVAL, PE_ERR_TRIG_BAD_COUNT, 17);
	refused("enable_event:g:e x", -EINVAL, PE_ERR_TRIG_NO_IF, 17);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "good", test_good },
		{ "bad", test_bad },
	};

	return PE_RUN(tests);
}
