// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * suggest.c - what a user may have meant by a command that is refused [P]
 *
 * The kernel logs no reason for what it does not take for a command of its own.  There are few ways
 * to get there: the letter is missing, words are exchanged, or it is another tool's language.
 */
#include <linux/compiler.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "parse_err.h"
#include "parser.h"
#include "spec.h"
#include "suggest.h"

#define LETTERS		"prft"

struct hint {
	char *buf;
	size_t size;
};

__printf(2, 3)
static bool pe_suggest_say(const struct hint *hint, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(hint->buf, hint->size, fmt, args);
	va_end(args);
	return true;
}

/* A name, or a name of a module, a colon and one. */
static bool pe_is_symbol(struct pe_str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (!isalnum(s.p[i]) && !strchr("_.:+,|*?", s.p[i]))
			return false;
	return s.len && (isalpha(s.p[0]) || s.p[0] == '_');
}

/* "kprobe:vfs_read" and the like, of bpftrace and others */
static bool pe_say_translated(const struct hint *hint, struct pe_str head)
{
	static const struct {
		const char *kind, *letter, *suffix;
	} kinds[] = {
		{ "kprobe", "p", "" }, { "kretprobe", "r", "" },
		{ "fentry", "f", "" }, { "fexit", "f", "%return" },
		{ "kfunc", "f", "" }, { "kretfunc", "f", "%return" },
		{ "tracepoint", "t", "" }, { "rawtracepoint", "t", "" },
	};
	size_t colon = pe_str_find(head, ':'), last = pe_str_find_last(head, ':');
	struct pe_str kind = pe_str_cut(head, colon), rest = pe_str_from(head, colon + 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!rest.len || !pe_str_eq(kind, kinds[i].kind))
			continue;
		if (kinds[i].letter[0] == 't')
			rest = pe_str_from(head, last + 1);
		return pe_suggest_say(hint, "did you mean %s %.*s%s?", kinds[i].letter,
				      (int)rest.len, rest.p, kinds[i].suffix);
	}
	return false;
}

/* The head begins with none of the letters, or with more than one. */
static bool pe_say_letter(const struct hint *hint, struct pe_str head)
{
	size_t colon = pe_str_find(head, ':');
	struct pe_str name = pe_str_from(head, colon + 1), place = pe_str_cut(head, colon);

	if (pe_say_translated(hint, head))
		return true;
	if (!pe_is_symbol(place))
		return false;
	if (name.len)
		return pe_suggest_say(hint, "did you mean p:%.*s %.*s?", (int)name.len, name.p,
				      (int)place.len, place.p);
	return pe_suggest_say(hint, "did you mean p %.*s?", (int)place.len, place.p);
}

/* "p :NAME PLACE" */
static bool pe_begins_with_name(const struct pe_spec *spec)
{
	return spec->nwords > 1 && strchr(LETTERS, pe_spec_word(spec, 0).p[0]) &&
	       pe_str_at(pe_spec_word(spec, 1), 0) == ':';
}

/* No place: an argument, or a name. */
static bool pe_say_order(const struct hint *hint, const struct pe_spec *spec)
{
	struct pe_str head = pe_spec_word(spec, 0), place = pe_spec_word(spec, 1), next = {};
	size_t colon = pe_str_find(head, ':');
	struct pe_str name = pe_str_from(head, colon + 1);

	if (spec->nwords > 2)
		next = pe_spec_word(spec, 2);
	if (pe_begins_with_name(spec)) {
		if (!pe_is_symbol(next))
			return pe_suggest_say(hint, "the name follows the letter: p:NAME PLACE");
		return pe_suggest_say(hint, "did you mean %c%.*s %.*s?", head.p[0], (int)place.len,
				      place.p, (int)next.len, next.p);
	}
	if (pe_str_find(place, '=') == place.len && !strchr("%$@\\", pe_str_at(place, 0)))
		return false;
	if (colon == head.len && head.len > 1 && !isdigit(head.p[1]) && pe_is_symbol(head))
		return pe_say_letter(hint, head);
	if (pe_is_symbol(name))
		return pe_suggest_say(hint,
				      "the place comes before the arguments: did you mean %c %.*s?",
				      head.p[0], (int)name.len, name.p);
	return pe_suggest_say(hint, "the place comes before the arguments");
}

/* The kernel's tracefs has the others. */
static const char *pe_defined_elsewhere(const struct pe_spec *spec)
{
	struct pe_str head = pe_spec_word(spec, 0), place;

	if (head.len == 1 || head.p[1] == ':') {
		switch (head.p[0]) {
		case 'e':
			return "define probes on events in the kernel's tracefs";
		case 's':
			return "define synthetic events in the kernel's tracefs";
		case 'u':
			return "define user-space probes in the kernel's tracefs";
		}
	}
	if (spec->nwords < 2)
		return NULL;
	place = pe_spec_word(spec, 1);
	if (pe_str_find(place, '/') < place.len && pe_str_find(place, ':') < place.len)
		return "define user-space probes in the kernel's tracefs";
	return NULL;
}

/* For a refusal without a code.  The command has a word. */
static void pe_find_code(const struct pe_spec *spec, int ret, struct pe_parse_err *err)
{
	struct pe_str head = pe_spec_word(spec, 0);
	bool has_letter = strchr(LETTERS, head.p[0]);

	if (head.p[0] == '-' || head.p[0] == '!') {
		err->code = ret == -ENOENT ? PE_ERR_NO_EVENT : PE_ERR_NO_COMMAND;
		err->pos = ret == -ENOENT ? min_t(size_t, head.len, pe_str_find(head, ':') + 1) : 0;
		if (ret == -EINVAL)
			err->detail = "-:[GRP/]EVENT removes an event";
	} else if (ret == -E2BIG) {
		err->code = PE_ERR_TOO_MANY_ARGS;
		err->pos = pe_words_end_col(spec->words, spec->nwords) + 1;
	} else if (ret == -EINVAL && pe_defined_elsewhere(spec)) {
		err->code = PE_ERR_NOT_HERE;
		err->pos = has_letter ? spec->words[1].col : 0;
		err->detail = pe_defined_elsewhere(spec);
	} else if (ret == -EINVAL && !has_letter) {
		err->code = PE_ERR_NO_COMMAND;
	} else if (ret == -EINVAL && spec->nwords < 2) {
		err->code = PE_ERR_NO_PLACE;
		err->pos = pe_words_end_col(spec->words, spec->nwords) + 1;
	} else {
		err->code = PE_ERR_REFUSED;
		err->detail = pe_errno_text(ret);
	}
}

/* If words are in a wrong order, any error may come first. */
static bool pe_find_detail(const struct pe_spec *spec, const struct pe_parse_err *err,
			   const struct hint *hint)
{
	struct pe_str head = pe_spec_word(spec, 0);
	size_t colon = pe_str_find(head, ':');

	if (head.p[0] == '-' || head.p[0] == '!')
		return false;
	if (err->code == PE_ERR_NO_COMMAND)
		return pe_say_letter(hint, head) ||
		       pe_suggest_say(hint, "a command begins with p, r, f, t or -:NAME");
	if (err->code != PE_ERR_NO_PLACE)
		return spec->nwords > 1 && pe_say_order(hint, spec);
	if (colon == head.len && head.len > 1 && !isdigit(head.p[1]))
		return pe_say_letter(hint, head);
	return pe_say_translated(hint, head) || pe_suggest_say(hint, "%c[:NAME] PLACE", head.p[0]);
}

void pe_cmd_explain(const struct pe_spec *spec, int ret, struct pe_parse_err *err, char *buf,
		    size_t size)
{
	const struct hint hint = { buf, size };

	if (!spec->nwords) {
		err->code = PE_ERR_LINE_TOO_LONG;
		return;
	}
	if (err->code == PE_ERR_NONE)
		pe_find_code(spec, ret, err);
	/* If a name is where the place is, what is said of arguments is beside the point. */
	if ((!err->detail || pe_begins_with_name(spec)) && pe_find_detail(spec, err, &hint))
		err->detail = buf;
}
