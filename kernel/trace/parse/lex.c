// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lex.c - slices, words, numbers and names [P]
 *
 * Numbers are read exactly as the kernel's kstrto*() family reads them, because
 * the set of accepted numbers is part of the interface.  "0x" without a digit
 * is an octal 0 followed by an x.  An unsigned number may have a plus sign, but
 * no minus sign.  And -0 is a number.
 */
#include "lex.h"
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

struct pe_str pe_str_of(const char *s)
{
	return (struct pe_str){ s, strlen(s) };
}

bool pe_str_eq(struct pe_str s, const char *text)
{
	return strlen(text) == s.len && !memcmp(s.p, text, s.len);
}

bool pe_str_starts(struct pe_str s, const char *text)
{
	size_t len = strlen(text);

	return s.len >= len && !memcmp(s.p, text, len);
}

bool pe_str_skip(struct pe_str *s, const char *text)
{
	bool starts = pe_str_starts(*s, text);

	if (starts)
		*s = pe_str_from(*s, strlen(text));
	return starts;
}

/* Not isspace(): the kernel's has Latin-1 as well. */
static bool pe_is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct pe_str pe_str_strip(struct pe_str s)
{
	while (pe_is_white(pe_str_at(s, 0)))
		s = pe_str_from(s, 1);
	while (s.len && pe_is_white(s.p[s.len - 1]))
		s.len--;
	return s;
}

bool pe_str_copy(char *to, size_t size, struct pe_str s)
{
	if (s.len >= size)
		return false;
	memcpy(to, s.p, s.len);
	to[s.len] = 0;
	return true;
}

bool pe_str_next(struct pe_str *rest, char by, struct pe_str *part)
{
	size_t len;

	if (!rest->p)
		return false;
	len = pe_str_find(*rest, by);
	*part = pe_str_cut(*rest, len);
	*rest = len < rest->len ? pe_str_from(*rest, len + 1) : (struct pe_str){};
	return true;
}

size_t pe_str_find(struct pe_str s, char c)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (s.p[i] == c)
			break;
	return i;
}

size_t pe_str_find_last(struct pe_str s, char c)
{
	size_t i;

	for (i = s.len; i > 0; i--)
		if (s.p[i - 1] == c)
			return i - 1;
	return s.len;
}

size_t pe_str_find_any(struct pe_str s, const char *chars)
{
	size_t best = s.len;

	for (; *chars; chars++)
		best = min(best, pe_str_find(s, *chars));
	return best;
}

size_t pe_str_find_outside(struct pe_str s, const char *chars)
{
	bool inside = false;
	size_t i;

	for (i = 0; i < s.len; i++) {
		if (!inside && strchr(chars, s.p[i]))
			break;
		inside = s.p[i] == '[' || (inside && s.p[i] != ']');
	}
	return i;
}

bool pe_lex_word(struct pe_str *rest, struct pe_str *word)
{
	size_t from = 0, to;

	while (from < rest->len && isspace(rest->p[from]))
		from++;
	for (to = from; to < rest->len && !isspace(rest->p[to]); to++)
		;
	*word = pe_str_cut(pe_str_from(*rest, from), to - from);
	*rest = pe_str_from(*rest, to);
	return word->len != 0;
}

static int pe_digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return 16;
}

size_t pe_lex_digits(struct pe_str s, unsigned int base, u64 *val, bool *overflow)
{
	bool too_big = false;
	size_t start = 0, i;
	u64 v = 0;

	if (!base && pe_str_at(s, 0) == '0') {
		bool hex = (pe_str_at(s, 1) | 0x20) == 'x' &&
			   pe_digit_value(pe_str_at(s, 2)) < 16;

		base = hex ? 16 : 8;
		start = hex ? 2 : 0;
	} else if (!base) {
		base = 10;
	}

	for (i = start; i < s.len; i++) {
		unsigned int d = pe_digit_value(s.p[i]);

		if (d >= base)
			break;
		/* divide only near the end of the range */
		if (v > U64_MAX / 16 && v > (U64_MAX - d) / base)
			too_big = true;
		v = v * base + d;
	}
	if (i == start)
		return 0;
	*val = v;
	if (overflow)
		*overflow = too_big;
	return i;
}

static int pe_whole_number(struct pe_str s, unsigned int base, u64 *val)
{
	bool overflow;
	size_t used;
	u64 v;

	used = pe_lex_digits(s, base, &v, &overflow);
	if (!used)
		return -EINVAL;
	if (overflow)
		return -ERANGE;
	if (used != s.len)
		return -EINVAL;
	*val = v;
	return 0;
}

int pe_lex_u64(struct pe_str s, unsigned int base, u64 *val)
{
	if (pe_str_at(s, 0) == '+')
		s = pe_str_from(s, 1);
	return pe_whole_number(s, base, val);
}

int pe_lex_s64(struct pe_str s, unsigned int base, s64 *val)
{
	bool negative = pe_str_at(s, 0) == '-';
	u64 v, limit;
	int ret;

	ret = negative ? pe_whole_number(pe_str_from(s, 1), base, &v) :
			 pe_lex_u64(s, base, &v);
	if (ret)
		return ret;
	limit = negative ? 1ULL << 63 : (1ULL << 63) - 1;
	if (v > limit)
		return -ERANGE;
	*val = negative ? (s64)-v : (s64)v;
	return 0;
}

bool pe_lex_good_name(struct pe_str s, bool hyphens)
{
	size_t i;

	for (i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (!isalpha(c) && c != '_' && !(i && isdigit(c)) &&
		    !(hyphens && c == '-'))
			return false;
	}
	return s.len != 0;
}
