// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * filter_pred.c - one comparison of a filter: FIELD OP VALUE.  [P]
 *
 *	FIELD	an argument, a field of the record's head, comm, cpu; ".ustring" and
 *		".function" may follow
 *	VALUE	a number, a text in quotes, CPUS{list}; a function's name or an
 *		address when ".function" was there
 *
 * An argument may be called comm or cpu: an argument's name takes precedence
 * over the general ones.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "arg.h"
#include "filter.h"
#include "filter_env.h"
#include "filter_pred.h"
#include "lex.h"
#include "limits.h"
#include "parse_err.h"

#define MAX_DIGITS	23	/* of a number, sign and prefix included */

struct pred {
	struct pe_filter_builder *b;
	struct pe_filter_field field;
	struct pe_filter_test *test;
	size_t at;		/* in the text */
};

struct head_field {
	const char *name;
	struct pe_filter_field field;
};

static const struct head_field pe_probe_fields[] = {
	{ "__probe_ip",		{ PE_FIELD_NUMBER, false, 8, 8 } },
	{ }
};

static const struct head_field pe_return_fields[] = {
	{ "__probe_func",	{ PE_FIELD_NUMBER, false, 8, 8 } },
	{ "__probe_ret_ip",	{ PE_FIELD_NUMBER, false, 16, 8 } },
	{ }
};

static const struct head_field pe_marker_fields[] = {
	{ "ip",			{ PE_FIELD_NUMBER, false, 8, 8 } },
	{ "buf",		{ PE_FIELD_TEXT, false, 16, 0 } },
	{ }
};

static const struct head_field pe_general_fields[] = {
	{ "CPU",		{ PE_FIELD_CPU, true } },
	{ "cpu",		{ PE_FIELD_CPU, true } },
	{ "common_cpu",		{ PE_FIELD_CPU, true } },
	{ "COMM",		{ PE_FIELD_COMM } },
	{ "comm",		{ PE_FIELD_COMM } },
	{ "stacktrace",		{ PE_FIELD_STACK } },
	{ "STACKTRACE",		{ PE_FIELD_STACK } },
	{ "common_type",	{ PE_FIELD_NUMBER, false, 0, 2 } },
	{ "common_flags",	{ PE_FIELD_NUMBER, false, 2, 1 } },
	{ "common_preempt_count", { PE_FIELD_NUMBER, false, 3, 1 } },
	{ "common_pid",		{ PE_FIELD_NUMBER, true, 4, 4 } },
	{ }
};

static int pe_filter_pred_fail(const struct pred *p, enum pe_parse_errno code)
{
	return pe_parse_fail_in(p->b->err, PE_IN_COMPARISON, code, p->at, 0);
}

static bool pe_filter_pred_find_in(const struct head_field *row, struct pe_str name,
				   struct pe_filter_field *field)
{
	while (row->name && !pe_str_eq(name, row->name))
		row++;
	if (row->name)
		*field = row->field;
	return row->name;
}

static bool pe_find_arg(const struct pe_layout *layout, struct pe_str name,
			struct pe_filter_field *field)
{
	unsigned int i;

	for (i = 0; i < layout->nargs; i++) {
		const struct pe_arg *arg = &layout->args[i];

		if (!pe_str_eq(name, arg->name))
			continue;
		field->kind = pe_type_is_string(arg->type) ? PE_FIELD_STRING :
							     PE_FIELD_NUMBER;
		field->is_signed = arg->type->is_signed;
		field->offset = arg->offset;
		field->size = arg->size;
		return true;
	}
	return false;
}

bool pe_filter_find_field(const struct pe_layout *layout, struct pe_str name,
			  struct pe_filter_field *field)
{
	const struct head_field *head = layout->is_marker ? pe_marker_fields :
					layout->is_return ? pe_return_fields : pe_probe_fields;

	return pe_filter_pred_find_in(head, name, field) || pe_find_arg(layout, name, field) ||
	       pe_filter_pred_find_in(pe_general_fields, name, field);
}

static char pe_filter_pred_now(const struct pred *p)
{
	return p->b->text[p->at];
}

static void pe_filter_pred_skip_blanks(struct pred *p)
{
	while (isspace(pe_filter_pred_now(p)))
		p->at++;
}

static bool pe_skip_word(struct pred *p, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(p->b->text + p->at, word, len))
		return false;
	p->at += len;
	return true;
}

static void pe_skip_alnum(struct pred *p)
{
	while (isalnum(pe_filter_pred_now(p)))
		p->at++;
}

static struct pe_str pe_filter_pred_since(const struct pred *p, size_t start)
{
	return (struct pe_str){ p->b->text + start, p->at - start };
}

/* Room after the tests.  It cannot run out: the plan counted the whole text. */
static void *pe_take_room(struct pred *p, size_t bytes)
{
	struct pe_filter *filter = p->b->filter;
	void *room = (u8 *)filter->tests + filter->used;

	if (sizeof(*filter) + filter->used + bytes > p->b->size)
		return NULL;
	p->test->text = sizeof(*filter) + filter->used;
	filter->used += bytes;
	return room;
}

static int pe_read_op(struct pred *p)
{
	/* An operator comes before its own prefix: "<=" before "<". */
	static const char *const ops[PE_FILTER_NR_OPS] = {
		[PE_FILTER_GLOB] = "~",
		[PE_FILTER_NE] = "!=",
		[PE_FILTER_EQ] = "==",
		[PE_FILTER_LE] = "<=",
		[PE_FILTER_LT] = "<",
		[PE_FILTER_GE] = ">=",
		[PE_FILTER_GT] = ">",
		[PE_FILTER_AND] = "&",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (!pe_skip_word(p, ops[i]))
			continue;
		p->test->op = i;
		return 0;
	}
	return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_OP);
}

/* Test a number of the field's own kind. */
static void pe_test_number(struct pred *p, bool is_signed)
{
	struct pe_filter_test *test = p->test;

	switch (p->field.size) {
	case 1:
	case 2:
	case 4:
	case 8:
		test->what = is_signed ? PE_TEST_SIGNED : PE_TEST_UNSIGNED;
		break;
	default:
		test->what = PE_TEST_NEVER;
	}
}

static bool pe_is_text(const struct pred *p)
{
	return p->field.kind == PE_FIELD_STRING || p->field.kind == PE_FIELD_TEXT ||
	       p->field.kind == PE_FIELD_COMM;
}

static int pe_filter_pred_read_number(struct pred *p)
{
	size_t start = p->at;
	struct pe_str digits;
	u64 val = 0;
	int ret;

	if (pe_is_text(p))
		return pe_filter_pred_fail(p, PE_ERR_FILT_EXPECT_STRING);
	if (p->test->op == PE_FILTER_GLOB)
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_OP);
	if (pe_filter_pred_now(p) == '-')
		p->at++;
	pe_skip_alnum(p);
	digits = pe_filter_pred_since(p, start);
	if (digits.len > MAX_DIGITS)
		return pe_filter_pred_fail(p, PE_ERR_FILT_OPERAND_LONG);
	if (p->field.is_signed)
		ret = pe_lex_s64(digits, 0, (s64 *)&val);
	else
		ret = pe_lex_u64(digits, 0, &val);
	if (ret) {
		p->at = start;
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_INTVAL);
	}
	p->test->val = val;
	if (p->field.kind == PE_FIELD_CPU)
		p->test->what = PE_TEST_CPU;
	else
		pe_test_number(p, p->field.is_signed);
	return 0;
}

/*
 * How to compare a glob.  If its only special characters are a star at one end
 * or at both, it needs no glob.  A pattern that begins with a digit is plain
 * text.
 */
static u8 pe_pattern_match(const char *pattern, size_t len)
{
	u8 match = PE_MATCH_FULL;
	size_t i;

	if (isdigit(pattern[0]))
		return match;
	for (i = 0; i < len; i++) {
		if (strchr("[?\\", pattern[i]))
			return PE_MATCH_GLOB;
		if (pattern[i] != '*')
			continue;
		if (i && i + 1 < len)
			return PE_MATCH_GLOB;
		if (!i)
			match = PE_MATCH_END;
		else
			match = match == PE_MATCH_END ? PE_MATCH_MIDDLE : PE_MATCH_FRONT;
	}
	return match;
}

/* Cut the special characters off a pattern. */
static void pe_set_pattern(struct pe_filter_test *test, char *pattern)
{
	size_t len = strlen(pattern);
	const char *use = pattern;

	test->match = PE_MATCH_FULL;
	if (test->op == PE_FILTER_GLOB) {
		if (*use == '!') {
			test->invert = true;
			use++;
			len--;
		}
		test->match = pe_pattern_match(use, len);
	}
	if (test->match == PE_MATCH_FRONT || test->match == PE_MATCH_MIDDLE)
		len--;
	if (test->match == PE_MATCH_END || test->match == PE_MATCH_MIDDLE) {
		use++;
		len--;
	}
	memmove(pattern, use, len);
	pattern[len] = 0;
	test->len = len;
}

static int pe_read_text(struct pred *p)
{
	struct pe_filter_test *test = p->test;
	char quote = pe_filter_pred_now(p), *pattern;
	struct pe_str text;
	size_t start;

	if (test->op == PE_FILTER_NE)
		test->invert = true;
	else if (test->op != PE_FILTER_EQ && test->op != PE_FILTER_GLOB)
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_OP);
	if (!pe_is_text(p))
		return pe_filter_pred_fail(p, PE_ERR_FILT_EXPECT_DIGIT);
	start = ++p->at;
	while (pe_filter_pred_now(p) && pe_filter_pred_now(p) != quote)
		p->at++;
	if (!pe_filter_pred_now(p))
		return pe_filter_pred_fail(p, PE_ERR_FILT_MISSING_QUOTE);
	text = pe_filter_pred_since(p, start);
	if (text.len > PE_FILTER_MAX_PATTERN)
		return pe_filter_pred_fail(p, PE_ERR_FILT_OPERAND_LONG);
	pattern = pe_take_room(p, text.len + 1);
	if (!pattern)
		return -ENOMEM;
	pe_str_copy(pattern, text.len + 1, text);
	pe_set_pattern(test, pattern);
	if (p->field.kind == PE_FIELD_COMM)
		test->what = PE_TEST_COMM;
	else
		test->what = p->field.kind == PE_FIELD_TEXT ? PE_TEST_TEXT : PE_TEST_STRING;
	p->at++;
	return 0;
}

unsigned int pe_filter_set_longs(void)
{
	return DIV_ROUND_UP(pe_env_cpus(), 8 * (unsigned int)sizeof(long));
}

/* The number of CPUs in a set, up to 2, and one of these CPUs. */
static unsigned int pe_set_weight(const unsigned long *set, u64 *cpu)
{
	unsigned int i, n = 0, cpus = pe_env_cpus();

	for (i = 0; i < cpus && n < 2; i++) {
		if (!(set[i / 64] >> (i % 64) & 1))
			continue;
		*cpu = i;
		n++;
	}
	return n;
}

/* A set of one CPU is a number. */
static void pe_filter_pred_test_set(struct pred *p, bool single)
{
	struct pe_filter_test *test = p->test;
	bool is_cpu = p->field.kind == PE_FIELD_CPU;

	pe_test_number(p, false);
	if (!single) {
		if (is_cpu)
			test->what = PE_TEST_CPU_SET;
		else if (test->what != PE_TEST_NEVER)
			test->what = PE_TEST_NUMBER_SET;
		return;
	}
	if (test->op == PE_FILTER_AND)
		test->op = PE_FILTER_EQ;
	if (is_cpu)
		test->what = PE_TEST_CPU;
}

/* The list between the braces. */
static int pe_read_list(struct pred *p, struct pe_str list)
{
	char text[PE_FILTER_MAX_PATTERN + 1];
	unsigned long *set;
	bool single;

	if (!list.len || !pe_str_copy(text, sizeof(text), list))
		return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_CPULIST);
	p->b->filter->used = ALIGN(p->b->filter->used, sizeof(long));
	set = pe_take_room(p, pe_filter_set_longs() * sizeof(long));
	if (!set)
		return -ENOMEM;
	if (pe_env_cpu_list(text, set))
		return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_CPULIST);
	single = pe_set_weight(set, &p->test->val) == 1;
	pe_filter_pred_test_set(p, single);
	return 0;
}

static int pe_read_cpus(struct pred *p)
{
	size_t start;
	int ret;

	switch (p->field.kind) {
	case PE_FIELD_NUMBER:
	case PE_FIELD_CPU:
		break;
	default:
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_OP);
	}
	if (p->test->op != PE_FILTER_EQ && p->test->op != PE_FILTER_NE &&
	    p->test->op != PE_FILTER_AND)
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_OP);
	pe_skip_word(p, "CPUS");
	if (pe_filter_pred_now(p) != '{')
		return pe_filter_pred_fail(p, PE_ERR_FILT_NO_BRACE_OPEN);
	start = ++p->at;
	while (pe_filter_pred_now(p) && pe_filter_pred_now(p) != '}')
		p->at++;
	if (!pe_filter_pred_now(p))
		return pe_filter_pred_fail(p, PE_ERR_FILT_NO_BRACE_CLOSE);
	ret = pe_read_list(p, pe_filter_pred_since(p, start));
	p->at++;
	return ret;
}

static int pe_filter_pred_read_function(struct pred *p)
{
	char name[PE_MAX_SYMBOL_LEN];
	size_t start = p->at;
	struct pe_str word;
	u64 addr = 0;
	bool found;

	if (p->field.size != 8)
		return pe_filter_pred_fail(p, PE_ERR_FILT_ILLEGAL_OP);
	if (p->test->op != PE_FILTER_EQ && p->test->op != PE_FILTER_NE)
		return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_OP);
	if (isdigit(pe_filter_pred_now(p))) {
		pe_skip_alnum(p);
		word = pe_filter_pred_since(p, start);
		if (word.len > MAX_DIGITS)
			return pe_filter_pred_fail(p, PE_ERR_FILT_OPERAND_LONG);
		if (pe_lex_u64(word, 0, &addr))
			return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_VALUE);
		found = pe_env_function(NULL, addr, &p->test->val, &p->test->end);
	} else {
		/* Up to a blank: even a closing parenthesis is part of the name. */
		while (pe_filter_pred_now(p) && !isspace(pe_filter_pred_now(p)))
			p->at++;
		word = pe_filter_pred_since(p, start);
		found = word.len && pe_str_copy(name, sizeof(name), word) &&
			pe_env_function(name, 0, &p->test->val, &p->test->end);
	}
	if (!found)
		return pe_filter_pred_fail(p, PE_ERR_FILT_NO_FUNCTION);
	p->test->what = PE_TEST_RANGE;
	return 0;
}

static int pe_read_value(struct pred *p)
{
	if (!strncmp(p->b->text + p->at, "CPUS", 4))
		return pe_read_cpus(p);
	if (pe_filter_pred_now(p) == '\'' || pe_filter_pred_now(p) == '"')
		return pe_read_text(p);
	if (isdigit(pe_filter_pred_now(p)) || pe_filter_pred_now(p) == '-')
		return pe_filter_pred_read_number(p);
	return pe_filter_pred_fail(p, PE_ERR_FILT_INVALID_VALUE);
}

int pe_filter_pred(struct pe_filter_builder *b, size_t at, struct pe_filter_test *test)
{
	struct pred p = { .b = b, .test = test, .at = at };
	bool function;
	int ret;

	while (isalnum(pe_filter_pred_now(&p)) || pe_filter_pred_now(&p) == '_')
		p.at++;
	if (p.at == at)
		return pe_filter_pred_fail(&p, PE_ERR_NONE);
	if (!pe_filter_find_field(b->layout, pe_filter_pred_since(&p, at), &p.field))
		return pe_filter_pred_fail(&p, PE_ERR_FILT_NO_FIELD);
	pe_skip_word(&p, ".ustring");
	function = pe_skip_word(&p, ".function");
	pe_filter_pred_skip_blanks(&p);
	ret = pe_read_op(&p);
	if (ret)
		return ret;
	pe_filter_pred_skip_blanks(&p);
	test->offset = p.field.offset;
	test->size = p.field.size;
	ret = function ? pe_filter_pred_read_function(&p) : pe_read_value(&p);
	return ret ? ret : (int)(p.at - at);
}
