// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_text.c - the text that a static event's records are shown as: taken apart, checked [P]
 *
 * It is taken apart again whenever a record is shown: hits know nothing of it.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/string.h>
#include "arg.h"
#include "event_text.h"
#include "parse_err.h"

/* The first "WORD<blank>"" in the line, NULL: none. */
static char *pe_find_word(char *line, const char *word)
{
	size_t len = strlen(word);
	char *at = line;

	while ((at = strstr(at, word))) {
		if (at != line && isspace(at[-1]) && at[len] == ' ' && at[len + 1] == '"')
			return at;
		at += len;
	}
	return NULL;
}

void pe_event_text_cut(char *line, struct pe_event_text *text)
{
	char *print = pe_find_word(line, "print"), *whole = pe_find_word(line, "line"), *at, *begin;
	size_t len;

	text->text = NULL;
	text->is_line = whole && (!print || whole < print);
	at = text->is_line ? whole : print;
	if (!at)
		return;
	begin = strchr(at, '"') + 1;
	len = strlen(begin);
	while (len && isspace(begin[len - 1]))
		len--;
	if (!len || begin[len - 1] != '"')
		return;
	begin[len - 1] = '\0';
	*at = '\0';
	text->text = begin;
}

bool pe_event_text_next(struct pe_str *rest, struct pe_text_piece *piece)
{
	size_t end;

	if (!rest->len)
		return false;
	piece->is_field = pe_str_at(*rest, 0) == '{';
	piece->how = (struct pe_str){};
	if (!piece->is_field) {
		end = pe_str_find(*rest, '{');
		piece->words = pe_str_cut(*rest, end);
		*rest = pe_str_from(*rest, end);
		return true;
	}
	end = pe_str_find(*rest, '}');
	piece->words = pe_str_from(pe_str_cut(*rest, end), 1);
	*rest = pe_str_from(*rest, end + 1);
	end = pe_str_find(piece->words, ':');
	piece->how = pe_str_from(piece->words, end + 1);
	piece->words = pe_str_cut(piece->words, end);
	return true;
}

bool pe_event_text_number(struct pe_str how, struct pe_text_number *number)
{
	size_t digits;
	u64 width = 0;

	*number = (struct pe_text_number){ .zeros = pe_str_at(how, 0) == '0' };
	digits = pe_lex_digits(how, 10, &width, NULL);
	if (digits + 1 != how.len || !strchr("dux", how.p[digits]) || width > PE_TEXT_MAX_WIDTH)
		return false;
	number->letter = how.p[digits];
	number->width = width;
	return true;
}

bool pe_event_text_name(struct pe_str *rest, u64 *value, struct pe_str *name)
{
	struct pe_str one = pe_str_cut(*rest, pe_str_find(*rest, ','));
	size_t equals = pe_str_find(one, '=');

	if (!one.len || equals == one.len || pe_lex_u64(pe_str_cut(one, equals), 0, value))
		return false;
	*name = pe_str_from(one, equals + 1);
	*rest = pe_str_from(*rest, one.len + 1);
	return true;
}

const struct pe_arg *pe_event_text_arg(struct pe_str name, unsigned int nargs,
				       const struct pe_arg *args)
{
	unsigned int i;

	for (i = 0; i < nargs; i++)
		if (pe_str_eq(name, args[i].name))
			return &args[i];
	return NULL;
}

/* Texts, arrays, characters and symbols are shown as their types are. */
static bool pe_shown_as_number(const struct pe_arg *arg)
{
	return !arg->count && (arg->type->class == PE_CLASS_UINT ||
			       arg->type->class == PE_CLASS_SINT ||
			       arg->type->class == PE_CLASS_HEX);
}

static bool pe_good_how(const struct pe_arg *arg, struct pe_str how)
{
	struct pe_text_number number;
	struct pe_str name;
	u64 value;

	if (!how.len)
		return true;
	if (!pe_shown_as_number(arg))
		return false;
	if (pe_event_text_number(how, &number))
		return true;
	while (how.len)
		if (!pe_event_text_name(&how, &value, &name))
			return false;
	return true;
}

/* The first byte that a format file would take for something else. */
static size_t pe_bad_byte(struct pe_str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (!isascii(s.p[i]) || !isprint(s.p[i]) || strchr("%\"\\", s.p[i]))
			break;
	return i;
}

static int pe_text_fail(struct pe_parse_err *err, const char *why, unsigned int pos)
{
	pe_parse_fail(err, PE_ERR_BAD_TEXT, pos, 0);
	err->detail = why;
	return -EINVAL;
}

int pe_event_text_check(const char *text, unsigned int nargs, const struct pe_arg *args,
			unsigned int col, struct pe_parse_err *err)
{
	struct pe_str rest = pe_str_of(text);
	struct pe_text_piece piece;
	const struct pe_arg *arg;
	size_t bad = pe_bad_byte(rest);

	if (bad < rest.len)
		return pe_text_fail(err, "not a character for a text", col + bad);
	while (pe_event_text_next(&rest, &piece)) {
		unsigned int at = col + (piece.words.p - text);

		if (!piece.is_field)
			continue;
		arg = pe_event_text_arg(piece.words, nargs, args);
		if (!arg)
			return pe_text_fail(err, "no such argument", at);
		if (!pe_good_how(arg, piece.how))
			return pe_text_fail(err, "its value cannot be shown so",
					    col + (piece.how.p - text));
		if (rest.p[-1] != '}')
			return pe_text_fail(err, "its brace is not closed", at);
	}
	return 0;
}
