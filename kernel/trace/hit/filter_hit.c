// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * filter_hit.c - does a record pass a filter?  [P][H]
 *
 * Runs on the bytes of a complete record, in any context.  A string that could
 * not be read has length 0 and is compared as an empty text.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "fetch.h"
#include "filter_hit.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/filter_env.h"

#define COMM_LEN	16

static const void *pe_filter_hit_behind(const struct pe_filter *filter, u32 offset)
{
	return (const u8 *)filter + offset;
}

/* @order: result of comparing the two sides: below 0, 0, or above 0. */
static bool pe_filter_hit_ordered(unsigned int op, int order)
{
	switch (op) {
	case PE_FILTER_EQ:
		return order == 0;
	case PE_FILTER_NE:
		return order != 0;
	case PE_FILTER_LT:
		return order < 0;
	case PE_FILTER_LE:
		return order <= 0;
	case PE_FILTER_GT:
		return order > 0;
	case PE_FILTER_GE:
		return order >= 0;
	default:
		return false;
	}
}

static bool pe_compare_unsigned(unsigned int op, u64 a, u64 b)
{
	return op == PE_FILTER_AND ? a & b : pe_filter_hit_ordered(op, (a > b) - (a < b));
}

static bool pe_compare_signed(unsigned int op, s64 a, s64 b)
{
	return op == PE_FILTER_AND ? a & b : pe_filter_hit_ordered(op, (a > b) - (a < b));
}

static u64 pe_load_unsigned(const void *field, unsigned int size)
{
	u64 val = 0;

	memcpy(&val, field, size);
	return val;
}

static s64 pe_load_signed(const void *field, unsigned int size)
{
	unsigned int unused = 64 - 8 * size;

	return (s64)(pe_load_unsigned(field, size) << unused) >> unused;
}

/* Compares in the field's size: a value that does not fit is cut, as in C. */
static bool pe_test_unsigned(const struct pe_filter_test *test, const void *field)
{
	return pe_compare_unsigned(test->op, pe_load_unsigned(field, test->size),
				   pe_load_unsigned(&test->val, test->size));
}

static bool pe_test_signed(const struct pe_filter_test *test, const void *field)
{
	return pe_compare_signed(test->op, pe_load_signed(field, test->size),
				 pe_load_signed(&test->val, test->size));
}

static bool pe_test_cpu(const struct pe_filter_test *test, unsigned int cpu)
{
	if (test->op == PE_FILTER_AND)
		return false;
	return pe_compare_signed(test->op, (int)cpu, (int)test->val);
}

/* A set of several CPUs, or of none, never equals one. */
static bool pe_filter_hit_test_set(const struct pe_filter *filter,
				   const struct pe_filter_test *test, unsigned int cpu)
{
	const unsigned long *set = pe_filter_hit_behind(filter, test->text);

	if (test->op != PE_FILTER_AND)
		return test->op == PE_FILTER_NE;
	return set[cpu / 64] >> (cpu % 64) & 1;
}

static bool pe_test_number_set(const struct pe_filter *filter,
			       const struct pe_filter_test *test, const void *field)
{
	unsigned int cpu = pe_load_unsigned(field, test->size);

	return cpu < pe_env_cpus() && pe_filter_hit_test_set(filter, test, cpu);
}

static bool pe_test_range(const struct pe_filter_test *test, const void *field)
{
	u64 addr = pe_load_unsigned(field, sizeof(addr));

	return (addr >= test->val && addr < test->end) == (test->op == PE_FILTER_EQ);
}

/*
 * A [class] of characters, @p past the bracket.  True if @c is in it (or, after
 * "!", is not).  *@end is set past the class, or to NULL if it has no end.
 */
static bool pe_glob_class(const char *p, char c, const char **end)
{
	bool invert = *p == '!', match = false;
	const char *first;
	u8 a, b;

	if (invert)
		p++;
	for (first = p; p == first || *p != ']'; p++) {
		if (!*p) {
			*end = NULL;
			return false;
		}
		a = *p;
		b = a;
		if (p[1] == '-' && p[2] && p[2] != ']') {
			b = p[2];
			p += 2;
		}
		if (a <= (u8)c && (u8)c <= b)
			match = true;
	}
	*end = p + 1;
	return match != invert;
}

/* One character of the text against the pattern; NULL, or the rest of the pattern. */
static const char *pe_glob_step(const char *p, char c)
{
	const char *end;
	bool match;

	switch (*p) {
	case 0:
		return NULL;
	case '?':
		return p + 1;
	case '[':
		match = pe_glob_class(p + 1, c, &end);
		if (end)
			return match ? end : NULL;
		break;		/* no class: a plain bracket */
	case '\\':
		p++;
		break;
	}
	return *p && *p == c ? p + 1 : NULL;
}

/*
 * After a mismatch only the last star need take one more character: it can take
 * any character that an earlier star could.
 */
bool pe_glob_match(const char *pattern, const char *text, size_t len)
{
	const char *p = pattern, *after_star = NULL, *next;
	size_t i = 0, retry = 0;

	for (;;) {
		while (*p == '*') {
			after_star = ++p;
			retry = i;
		}
		/* A backslash with nothing after it matches the end. */
		if (i == len && (!*p || (*p == '\\' && !p[1])))
			return true;
		next = i < len ? pe_glob_step(p, text[i]) : NULL;
		if (next) {
			p = next;
			i++;
			continue;
		}
		if (!after_star || retry >= len)
			return false;
		p = after_star;
		i = ++retry;
	}
}

static bool pe_find_text(const char *text, size_t len, const char *what, size_t n)
{
	size_t i;

	for (i = 0; i + n <= len; i++)
		if (!memcmp(text + i, what, n))
			return true;
	return false;
}

static bool pe_test_text(const struct pe_filter *filter, const struct pe_filter_test *test,
			 const char *text, size_t len)
{
	const char *pattern = pe_filter_hit_behind(filter, test->text);
	size_t n = test->len;
	bool match;

	switch (test->match) {
	case PE_MATCH_FULL:
		match = len == n && !memcmp(text, pattern, n);
		break;
	case PE_MATCH_FRONT:
		match = len >= n && !memcmp(text, pattern, n);
		break;
	case PE_MATCH_MIDDLE:
		match = pe_find_text(text, len, pattern, n);
		break;
	case PE_MATCH_END:
		match = len >= n && !memcmp(text + len - n, pattern, n);
		break;
	default:
		match = pe_glob_match(pattern, text, len);
	}
	return match != test->invert;
}

static noinline bool pe_test_comm(const struct pe_filter *filter,
				  const struct pe_filter_test *test)
{
	char comm[COMM_LEN];

	pe_current_comm(comm);
	return pe_test_text(filter, test, comm, strnlen(comm, sizeof(comm)));
}

static bool pe_test_string(const struct pe_filter *filter, const struct pe_filter_test *test,
			   const void *rec, unsigned int rec_len)
{
	u32 loc = pe_load_unsigned(rec + test->offset, sizeof(loc));
	unsigned int off = loc & 0xffff, len = loc >> 16;

	if (off > rec_len || len > rec_len - off)
		return false;
	return pe_test_text(filter, test, rec + off, strnlen(rec + off, len));
}

static bool pe_filter_hit_holds(const struct pe_filter *filter, const struct pe_filter_test *test,
				const void *rec, unsigned int len, unsigned int cpu)
{
	const void *field = rec + test->offset;

	switch (test->what) {
	case PE_TEST_UNSIGNED:
		return pe_test_unsigned(test, field);
	case PE_TEST_SIGNED:
		return pe_test_signed(test, field);
	case PE_TEST_CPU:
		return pe_test_cpu(test, cpu);
	case PE_TEST_NUMBER_SET:
		return pe_test_number_set(filter, test, field);
	case PE_TEST_CPU_SET:
		return pe_filter_hit_test_set(filter, test, cpu);
	case PE_TEST_RANGE:
		return pe_test_range(test, field);
	case PE_TEST_STRING:
		return pe_test_string(filter, test, rec, len);
	case PE_TEST_TEXT:
		return len >= test->offset &&
		       pe_test_text(filter, test, field, strnlen(field, len - test->offset));
	case PE_TEST_COMM:
		return pe_test_comm(filter, test);
	default:
		return false;
	}
}

bool pe_filter_match(const struct pe_filter *filter, const void *rec,
		     unsigned int len, unsigned int cpu)
{
	unsigned int next = 0;

	do {
		const struct pe_filter_test *test = &filter->tests[next];

		next = pe_filter_hit_holds(filter, test, rec, len, cpu) ? test->on_true :
									  test->on_false;
	} while (next < PE_FILTER_REJECT);
	return next == PE_FILTER_ACCEPT;
}
