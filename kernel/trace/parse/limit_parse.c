// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit_parse.c - the words of a limit.  [P]
 *
 *	hits=N		how many are served
 *	rate=N/s	how many are served in a second
 *	ttl=N[s|m|h|d]	for how long
 *	cpu=P%		share of all CPUs' time
 *	one=P%		share of one CPU's time
 *	none		instead of these: no limit
 *
 * N of hits and rates may end with k, M, G or an exponent: 10k, 1e6.  P may have three decimals.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "lex.h"
#include "limit_words.h"
#include "parse_err.h"

#define MAX_TTL		(3650ULL * 24 * 3600)	/* seconds */

/* Words that may follow a number, and the factor of each. */
struct unit {
	const char *name;
	u64 factor;
};

static const struct unit pe_limit_times[] = {
	{ "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 24 * 3600 },
};

static const struct unit pe_limit_thousands[] = {
	{ "", 1 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 },
};

/* 0: it is none. */
static u64 pe_limit_unit(struct pe_str text, const struct unit *units, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (pe_str_eq(text, units[i].name))
			return units[i].factor;
	return 0;
}

/* "e6" is a million; 0: it is no exponent, or a large one. */
static u64 pe_limit_exponent(struct pe_str text)
{
	u64 n, factor = 1;
	size_t used;

	if (pe_str_at(text, 0) != 'e' || text.len > 3)
		return 0;
	text = pe_str_from(text, 1);
	used = pe_lex_digits(text, 10, &n, NULL);
	if (!used || used != text.len || n > 18)
		return 0;
	while (n--)
		factor *= 10;
	return factor;
}

static bool pe_limit_number(struct pe_str text, bool is_time, u64 max, u64 *number)
{
	bool over = false;
	struct pe_str rest;
	size_t used;
	u64 factor;

	used = isdigit(pe_str_at(text, 0)) ? pe_lex_digits(text, 10, number, &over) : 0;
	rest = pe_str_from(text, used);
	if (is_time)
		factor = pe_limit_unit(rest, pe_limit_times, ARRAY_SIZE(pe_limit_times));
	else
		factor = pe_limit_unit(rest, pe_limit_thousands, ARRAY_SIZE(pe_limit_thousands)) ?:
			 pe_limit_exponent(rest);
	if (!used || over || !factor || !*number || *number > max / factor)
		return false;
	*number *= factor;
	return true;
}

static bool pe_limit_hits(struct pe_limit_words *words, struct pe_str value)
{
	return pe_limit_number(value, false, PE_LIMIT_MAX_HITS, &words->hits);
}

static bool pe_limit_rate(struct pe_limit_words *words, struct pe_str value)
{
	size_t n = pe_str_find(value, '/');

	return pe_str_eq(pe_str_from(value, n), "/s") &&
	       pe_limit_number(pe_str_cut(value, n), false, PE_LIMIT_MAX_RATE, &words->rate);
}

bool pe_limit_seconds(struct pe_str text, u64 *seconds)
{
	return pe_limit_number(text, true, MAX_TTL, seconds);
}

static bool pe_limit_ttl(struct pe_limit_words *words, struct pe_str value)
{
	return pe_limit_seconds(value, &words->ttl);
}

/* Decimals as a number of thousandths; false: there are none, or too many. */
static bool pe_limit_decimals(struct pe_str text, u64 *thousandths)
{
	size_t n = pe_lex_digits(text, 10, thousandths, NULL);

	if (!n || n != text.len || n > 3)
		return false;
	for (; n < 3; n++)
		*thousandths *= 10;
	return true;
}

static bool pe_limit_share(struct pe_str value, u32 *share)
{
	u64 whole = 0, part = 0;
	bool over = false;
	struct pe_str rest;
	size_t used;

	if (!value.len || value.p[value.len - 1] != '%' || !isdigit(*value.p))
		return false;
	value = pe_str_cut(value, value.len - 1);
	used = pe_lex_digits(value, 10, &whole, &over);
	rest = pe_str_from(value, used);
	if (rest.len && (*rest.p != '.' || !pe_limit_decimals(pe_str_from(rest, 1), &part)))
		return false;
	if (over || whole > 100 || whole * 1000 + part > PE_LIMIT_WHOLE)
		return false;
	*share = whole * 1000 + part;
	return *share;
}

static bool pe_limit_cpu(struct pe_limit_words *words, struct pe_str value)
{
	return pe_limit_share(value, &words->cpu);
}

static bool pe_limit_one(struct pe_limit_words *words, struct pe_str value)
{
	return pe_limit_share(value, &words->one);
}

struct limit_word {
	const char *name;
	bool (*read)(struct pe_limit_words *words, struct pe_str value);
	const char *detail;
};

static const struct limit_word pe_limit_list[] = {
	{ "hits=", pe_limit_hits, "hits=N, as 10k or 1e6" },
	{ "rate=", pe_limit_rate, "rate=N/s, 1G/s at most" },
	{ "ttl=", pe_limit_ttl, PE_LIMIT_SECONDS_HINT },
	{ "cpu=", pe_limit_cpu, "cpu=P%, from 0.001% to 100%" },
	{ "one=", pe_limit_one, "one=P%, from 0.001% to 100%" },
};

static const char pe_limit_known[] = "cpu=, one=, hits=, rate=, ttl=, or none";

static int pe_limit_fail(struct pe_parse_err *err, unsigned int pos, const char *detail)
{
	err->detail = detail;
	return pe_parse_fail(err, PE_ERR_LIMIT_INVALID, pos, -EINVAL);
}

/* @seen: bits of the words before it. */
static int pe_limit_word(struct pe_limit_words *words, struct pe_str word, unsigned int *seen,
			 unsigned int pos, struct pe_parse_err *err)
{
	const struct limit_word *known;
	unsigned int i;
	size_t len;

	for (i = 0; i < ARRAY_SIZE(pe_limit_list); i++) {
		known = &pe_limit_list[i];
		if (!pe_str_starts(word, known->name))
			continue;
		if (*seen & 1u << i)
			return pe_limit_fail(err, pos, "each word once");
		*seen |= 1u << i;
		len = strlen(known->name);
		if (known->read(words, pe_str_from(word, len)))
			return 0;
		return pe_limit_fail(err, pos + len, known->detail);
	}
	return pe_limit_fail(err, pos, pe_limit_known);
}

int pe_limit_parse(struct pe_limit_words *words, const char *text, struct pe_parse_err *err)
{
	struct pe_str rest = pe_str_of(text), word;
	unsigned int seen = 0, nr = 0;
	bool none = false;
	int ret;

	*words = (struct pe_limit_words){};
	while (pe_lex_word(&rest, &word)) {
		if (none || (nr && pe_str_eq(word, "none")))
			return pe_limit_fail(err, word.p - text, "none stands alone");
		nr++;
		none = pe_str_eq(word, "none");
		if (none)
			continue;
		ret = pe_limit_word(words, word, &seen, word.p - text, err);
		if (ret)
			return ret;
	}
	return nr ? 0 : pe_limit_fail(err, 0, pe_limit_known);
}

bool pe_limit_is_none(const struct pe_limit_words *words)
{
	return !words->hits && !words->rate && !words->ttl && !words->cpu && !words->one;
}

/* 0 limits nothing. */
static u64 pe_limit_smaller(u64 a, u64 b)
{
	return a && b ? min(a, b) : a ?: b;
}

void pe_limit_join(struct pe_limit_words *words, const struct pe_limit_words *other)
{
	words->hits = pe_limit_smaller(words->hits, other->hits);
	words->rate = pe_limit_smaller(words->rate, other->rate);
	words->ttl = pe_limit_smaller(words->ttl, other->ttl);
	words->cpu = pe_limit_smaller(words->cpu, other->cpu);
	words->one = pe_limit_smaller(words->one, other->one);
}

void pe_limit_print_share(char text[PE_LIMIT_SHARE_TEXT], u32 share)
{
	unsigned int part = share % 1000, digits = 3;

	while (digits && part % 10 == 0) {
		part /= 10;
		digits--;
	}
	if (digits)
		snprintf(text, PE_LIMIT_SHARE_TEXT, "%u.%0*u%%", share / 1000, digits, part);
	else
		snprintf(text, PE_LIMIT_SHARE_TEXT, "%u%%", share / 1000);
}

static size_t pe_limit_put_share(char *text, size_t at, const char *name, u32 share)
{
	char number[PE_LIMIT_SHARE_TEXT];

	if (!share)
		return at;
	pe_limit_print_share(number, share);
	return at + snprintf(text + at, PE_LIMIT_TEXT - at, "%s%s=%s", at ? " " : "", name, number);
}

static size_t pe_limit_put(char *text, size_t at, const char *name, u64 number, const char *unit)
{
	if (!number)
		return at;
	return at + snprintf(text + at, PE_LIMIT_TEXT - at, "%s%s=%llu%s", at ? " " : "", name,
			     (unsigned long long)number, unit);
}

void pe_limit_print(char text[PE_LIMIT_TEXT], const struct pe_limit_words *words)
{
	size_t at = 0;

	at = pe_limit_put_share(text, at, "cpu", words->cpu);
	at = pe_limit_put_share(text, at, "one", words->one);
	at = pe_limit_put(text, at, "hits", words->hits, "");
	at = pe_limit_put(text, at, "rate", words->rate, "/s");
	at = pe_limit_put(text, at, "ttl", words->ttl, "s");
	if (!at)
		snprintf(text, PE_LIMIT_TEXT, "none");
}
