/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * lex.h - slices of a command's text, its words and its numbers.
 *
 * Parsers cut slices and never write into the text.  They copy only text that
 * is known to be good.
 */
#ifndef PE_LEX_H
#define PE_LEX_H

#include <linux/types.h>

struct pe_str {
	const char *p;
	size_t len;
};

/* NUL past the end, so that looking ahead needs no length check. */
static inline char pe_str_at(struct pe_str s, size_t i)
{
	return i < s.len ? s.p[i] : 0;
}

static inline struct pe_str pe_str_from(struct pe_str s, size_t i)
{
	size_t n = i < s.len ? i : s.len;

	return (struct pe_str){ s.p + n, s.len - n };
}

static inline struct pe_str pe_str_cut(struct pe_str s, size_t len)
{
	return (struct pe_str){ s.p, len < s.len ? len : s.len };
}

struct pe_str pe_str_of(const char *s);
bool pe_str_eq(struct pe_str s, const char *text);
bool pe_str_starts(struct pe_str s, const char *text);
/* The same; if it does, @s is moved past it. */
bool pe_str_skip(struct pe_str *s, const char *text);
/* Without the blanks at both ends. */
struct pe_str pe_str_strip(struct pe_str s);
/* A copy with a NUL; false, and none, if it would need more than @size bytes. */
bool pe_str_copy(char *to, size_t size, struct pe_str s);

/* Index of a character in @s, or its length if there is none. */
size_t pe_str_find(struct pe_str s, char c);
size_t pe_str_find_last(struct pe_str s, char c);
size_t pe_str_find_any(struct pe_str s, const char *chars);
/* The same, but not between "[" and "]". */
size_t pe_str_find_outside(struct pe_str s, const char *chars);

/**
 * pe_str_next() - the next part of a list
 * @rest: the rest of the list; advanced past the part and @by.  Its @p is NULL after the last one
 * @by: what is between parts
 * @part: set; it may be empty
 *
 * Return: false after the last part.
 */
bool pe_str_next(struct pe_str *rest, char by, struct pe_str *part);

/**
 * pe_lex_word() - the next blank-separated word
 * @rest: the rest of the text; advanced past the word
 * @word: set
 *
 * There is no quoting: a blank always ends a word.
 *
 * Return: false at the end of the text.
 */
bool pe_lex_word(struct pe_str *rest, struct pe_str *word);

/**
 * pe_lex_digits() - a number at the beginning of a text
 * @s: the text
 * @base: 10, or 0 to tell by a prefix (0x, 0) as C does
 * @val: set, modulo 2^64
 * @overflow: set if the number is larger than that; may be NULL
 *
 * Return: characters used including the prefix, 0 if there is no digit.
 */
size_t pe_lex_digits(struct pe_str s, unsigned int base, u64 *val, bool *overflow);

/**
 * pe_lex_u64() - a whole text as a number, with an optional plus sign
 * @s: the text
 * @base: as of pe_lex_digits()
 * @val: set
 *
 * Return: 0, -EINVAL or -ERANGE; @val is not touched on an error.
 */
int pe_lex_u64(struct pe_str s, unsigned int base, u64 *val);

/* The same with an optional sign. */
int pe_lex_s64(struct pe_str s, unsigned int base, s64 *val);

/* A C identifier; a group's name may also have hyphens. */
bool pe_lex_good_name(struct pe_str s, bool hyphens);

#endif
