// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * match.c - the filter after "if", of what was saved.
 *
 *	any:	all { or all }
 *	all:	one { and one }
 *	one:	not one | ( any ) | FIELD OPERATOR VALUE
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "named.h"

#define DEEPEST 16	/* parentheses and "not"s */

enum operator { LT, LE, GT, GE, EQ, NE, HAS, LIKE, AND, NONE };

struct reader {
	const char *const *next, *const *end;
	match_field *field;	/* NULL: only the words are looked at */
	void *ctx;
	unsigned int depth;
	const char *wrong;
};

static bool any_of(struct reader *r);

bool match_number(const char *text, __int128 *number)
{
	bool negative = *text == '-';
	char *end;

	errno = 0;
	*number = strtoull(text + negative, &end, 0);
	if (negative)
		*number = -*number;
	return text[negative] >= '0' && text[negative] <= '9' && !*end && !errno;
}

static enum operator operator_of(const char *word)
{
	static const char * const names[][2] = {
		{ "lt", "<" }, { "le", "<=" }, { "gt", ">" }, { "ge", ">=" }, { "eq", "==" },
		{ "ne", "!=" }, { "has", "has" }, { "~", "~" }, { "&", "&" },
	};
	size_t i;

	for (i = 0; i < NONE; i++)
		if (!strcmp(word, names[i][0]) || !strcmp(word, names[i][1]))
			break;
	return i;
}

static bool next_is(const struct reader *r, const char *word, const char *sign)
{
	return r->next < r->end && (!strcmp(*r->next, word) || !strcmp(*r->next, sign));
}

static bool take(struct reader *r, const char *word, const char *sign)
{
	if (!next_is(r, word, sign))
		return false;
	r->next++;
	return true;
}

static bool compare_numbers(enum operator op, __int128 a, __int128 b)
{
	switch (op) {
	case LT:
		return a < b;
	case LE:
		return a <= b;
	case GT:
		return a > b;
	case GE:
		return a >= b;
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case AND:
		return a & b;
	default:
		return false;
	}
}

/* "has" is a pattern with stars on both sides, as the modules' filters take it. */
static bool compare_texts(enum operator op, const char *text, const char *value)
{
	char pattern[512];

	switch (op) {
	case EQ:
		return !strcmp(text, value);
	case NE:
		return strcmp(text, value);
	case LIKE:
		return !fnmatch(value, text, 0);
	case HAS:
		snprintf(pattern, sizeof(pattern), "*%s*", value);
		return !fnmatch(pattern, text, 0);
	default:
		return false;
	}
}

static bool condition(struct reader *r)
{
	const char *name, *value;
	enum operator op;
	struct field field;
	__int128 number, own;
	int named;

	if (r->end - r->next < 3 || operator_of(r->next[1]) == NONE) {
		r->wrong = FILTER_IS;
		r->next = r->end;
		return false;
	}
	name = *r->next++;
	op = operator_of(*r->next++);
	value = *r->next++;
	if (strlen(value) > 500)
		r->wrong = "a text of a filter is too long";
	if (!r->field || !r->field(r->ctx, name, &field))
		return false;
	/* As with the modules; a field may have names itself. */
	if (!field.text && !field.name && named_number(name, value, &named))
		return compare_numbers(op, field.number, named);
	if (!match_number(value, &number)) {
		field.text = field.text ?: field.name;
		return field.text ? compare_texts(op, field.text, value) : op == NE;
	}
	if (!field.text)
		return compare_numbers(op, field.number, number);
	/* A number that was too long for JSON is a text. */
	if (match_number(field.text, &own))
		return compare_numbers(op, own, number);
	return compare_texts(op, field.text, value);
}

static bool one_of(struct reader *r)
{
	bool is;

	if (++r->depth > DEEPEST) {
		r->wrong = "the filter is nested too deep";
		r->next = r->end;
		return false;
	}
	if (take(r, "not", "!")) {
		is = !one_of(r);
	} else if (take(r, "(", "(")) {
		is = any_of(r);
		if (!take(r, ")", ")"))
			r->wrong = r->wrong ?: "a ) is missing in the filter";
	} else {
		is = condition(r);
	}
	r->depth--;
	return is;
}

static bool all_of(struct reader *r)
{
	bool is = one_of(r);

	while (!r->wrong && take(r, "and", "&&"))
		is &= one_of(r);
	return is;
}

static bool any_of(struct reader *r)
{
	bool is = all_of(r);

	while (!r->wrong && take(r, "or", "||"))
		is |= all_of(r);
	return is;
}

const char *match_check(const char *const *words, size_t nr)
{
	struct reader r = { .next = words, .end = words + nr };

	if (!nr)
		return NULL;
	any_of(&r);
	if (!r.wrong && r.next < r.end)
		return "conditions of a filter are joined by and, or: if ret lt 0 and comm eq bash";
	return r.wrong;
}

bool match(const char *const *words, size_t nr, match_field *field, void *ctx)
{
	struct reader r = { .next = words, .end = words + nr, .field = field, .ctx = ctx };

	return !nr || any_of(&r);
}
