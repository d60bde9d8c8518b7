// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Lines of the file session, of any bytes:
 *
 *   - nothing is read after the text;
 *   - an error has an errno and a caret that is not past the end;
 *   - what is accepted points into the text, in order, and has no number that is out of bounds;
 *   - blanks at the end change nothing but a text that goes to the end.
 */
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/session_line.h"
#include "tests/fuzz/check.h"

static bool inside(struct pe_str s, const char *text, size_t len)
{
	return !s.p || (s.p >= text && s.p + s.len <= text + len);
}

static void check_line(const struct pe_session_line *line, const char *text, size_t len)
{
	CHECK(line->verb < PE_NR_SESSION_VERBS);
	CHECK(inside(line->group, text, len) && inside(line->event, text, len));
	switch (line->verb) {
	case PE_SESSION_ENABLE:
	case PE_SESSION_DISABLE:
		CHECK(line->event.len && !line->rest);
		break;
	case PE_SESSION_FILTER:
	case PE_SESSION_TRIGGER:
	case PE_SESSION_LIMIT:
		CHECK(line->event.len && line->event.p + line->event.len < line->rest);
		fallthrough;
	case PE_SESSION_SAY:
		CHECK(line->rest == text + line->rest_pos && *line->rest);
		break;
	case PE_SESSION_INSTANCE:
		CHECK(line->number >= 1 && line->number <= 0xffffffff);
		break;
	case PE_SESSION_KEEP:
		CHECK(line->number >= 1 && line->number <= 3650UL * 86400);
		break;
	default:
		CHECK(!line->event.p && !line->rest && !line->number);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 2);
	struct pe_session_line line, again;
	struct pe_parse_err err = { 0 };
	size_t len;
	int ret;

	memcpy(text, data, size);
	text[size] = '\0';
	len = strlen(text);
	ret = pe_session_parse(&line, text, &err);
	CHECK(ret <= 0 && !ret == (err.code == PE_ERR_NONE) && err.pos <= len);
	if (!ret) {
		check_line(&line, text, len);
		text[len] = ' ';
		text[len + 1] = '\0';
		if (line.verb != PE_SESSION_SAY) {
			CHECK(!pe_session_parse(&again, text, &err));
			CHECK(again.verb == line.verb && again.number == line.number &&
			      again.rest == line.rest && again.event.len == line.event.len);
		}
	}
	free(text);
	return 0;
}
