// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * filter_parse.c - the structure of a filter expression.  [P]
 *
 *	expr:	and { "||" and }
 *	and:	term { "&&" term }
 *	term:	{ "!" } ( comparison | "(" expr ")" )
 *
 * The parser compiles in one pass.  It knows an expression that it is still
 * reading by its exits: the edges of tests that leave it when true, and those
 * that leave it when false.  Their targets are not known yet.  An open edge is
 * linked to the next of its list through its own target field.  "&&" closes the
 * true exits of its left side at the next test, and "||" the false ones.  "!"
 * exchanges the two lists.  The stack of open parentheses is an array, because
 * texts may nest to any depth.
 *
 * Codes, columns and errnos are the kernel's; parse_err.c has the odd ones.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "arg.h"
#include "filter.h"
#include "filter_parse.h"
#include "filter_pred.h"
#include "parse_err.h"

#define NO_EDGE		0xffffu

/* A list of open edges; edge 2 * n is test n's on_true, 2 * n + 1 its on_false. */
struct exits {
	u16 first;
	u16 last;
};

static const struct exits pe_no_exits = { NO_EDGE, NO_EDGE };

/* An expression whose parenthesis is still open. */
struct frame {
	struct exits or_true;	/* of the terms before the last "||" */
	struct exits and_false;	/* of the terms before the last "&&" */
	bool invert;		/* a "!" is before the parenthesis */
};

struct parser {
	struct pe_filter_builder b;
	struct frame *stack;
	unsigned int depth;	/* of the stack in use, less 1 */
	unsigned int max_depth;
	unsigned int max_tests;
	size_t at;
};

static int pe_filter_parse_fail(const struct parser *p, enum pe_parse_errno code)
{
	return pe_parse_fail_in(p->b.err, PE_IN_EXPRESSION, code, p->at, 0);
}

static u16 *pe_filter_parse_edge(const struct parser *p, u16 n)
{
	struct pe_filter_test *test = &p->b.filter->tests[n / 2];

	return n % 2 ? &test->on_false : &test->on_true;
}

static struct exits pe_filter_parse_join(const struct parser *p, struct exits a, struct exits b)
{
	if (a.first == NO_EDGE)
		return b;
	if (b.first == NO_EDGE)
		return a;
	*pe_filter_parse_edge(p, a.last) = b.first;
	return (struct exits){ a.first, b.last };
}

static void pe_close_exits(const struct parser *p, struct exits list, u16 target)
{
	u16 n = list.first, next;

	while (n != NO_EDGE) {
		next = n == list.last ? NO_EDGE : *pe_filter_parse_edge(p, n);
		*pe_filter_parse_edge(p, n) = target;
		n = next;
	}
}

static void pe_swap_exits(struct exits *a, struct exits *b)
{
	struct exits t = *a;

	*a = *b;
	*b = t;
}

static void pe_open_frame(struct parser *p, bool invert)
{
	p->stack[p->depth] = (struct frame){ pe_no_exits, pe_no_exits, invert };
}

/*
 * Find what is between the end of a term and the next term or the end.
 * Returns '&', '|', ')' or 0, or -errno; p->at is there.
 */
static int pe_read_joint(struct parser *p)
{
	const char *text = p->b.text;

	while (isspace(text[p->at]))
		p->at++;
	switch (text[p->at]) {
	case 0:
	case ')':
		return text[p->at];
	case '&':
	case '|':
		if (text[p->at + 1] == text[p->at])
			return text[p->at];
		break;
	}
	return pe_filter_parse_fail(p, PE_ERR_FILT_TOO_MANY_PREDS);
}

/* End a term with these exits.  Returns 1 if another must follow, 0 at the end. */
static int pe_end_term(struct parser *p, struct exits yes, struct exits no)
{
	unsigned int next = p->b.filter->nr_tests;
	struct frame *top;
	int joint;

	for (;;) {
		joint = pe_read_joint(p);
		if (joint < 0)
			return joint;
		top = &p->stack[p->depth];
		no = pe_filter_parse_join(p, top->and_false, no);
		top->and_false = pe_no_exits;
		if (joint == '&') {
			pe_close_exits(p, yes, next);
			top->and_false = no;
			p->at += 2;
			return 1;
		}
		yes = pe_filter_parse_join(p, top->or_true, yes);
		top->or_true = pe_no_exits;
		if (joint == '|') {
			pe_close_exits(p, no, next);
			top->or_true = yes;
			p->at += 2;
			return 1;
		}
		if (!joint)
			break;
		if (!p->depth)
			return pe_filter_parse_fail(p, PE_ERR_FILT_TOO_MANY_CLOSE);
		if (top->invert)
			pe_swap_exits(&yes, &no);
		p->depth--;
		p->at++;
	}
	if (p->depth)
		return pe_filter_parse_fail(p, PE_ERR_FILT_TOO_MANY_OPEN);
	pe_close_exits(p, yes, PE_FILTER_ACCEPT);
	pe_close_exits(p, no, PE_FILTER_REJECT);
	return 0;
}

/* A comparison and the joint after it; returns as pe_end_term(). */
static int pe_read_comparison(struct parser *p, bool invert)
{
	struct pe_filter *filter = p->b.filter;
	u16 n = filter->nr_tests;
	struct exits yes = { 2 * n, 2 * n }, no = { 2 * n + 1, 2 * n + 1 };
	int used;

	if (n >= p->max_tests)
		return pe_filter_parse_fail(p, PE_ERR_FILT_TOO_MANY_PREDS);
	used = pe_filter_pred(&p->b, p->at, &filter->tests[n]);
	if (used < 0)
		return used;
	p->at += used;
	filter->nr_tests++;
	if (invert)
		pe_swap_exits(&yes, &no);
	return pe_end_term(p, yes, no);
}

static int pe_filter_parse_whole(struct parser *p)
{
	const char *text = p->b.text;
	bool invert = false;
	int ret;

	while (text[p->at]) {
		if (isspace(text[p->at])) {
			p->at++;
			continue;
		}
		if (text[p->at] == '(') {
			if (p->depth + 1 >= p->max_depth)
				return -EINVAL;
			p->depth++;
			p->at++;
			pe_open_frame(p, invert);
			invert = false;
			continue;
		}
		if (text[p->at] == '!' && text[p->at + 1] != '=' &&
		    text[p->at + 1] != '~') {
			invert = !invert;
			p->at++;
			continue;
		}
		ret = pe_read_comparison(p, invert);
		if (ret <= 0)
			return ret;
		invert = false;
	}
	/* No parenthesis is open: pe_filter_measure() has counted them. */
	return pe_filter_parse_fail(p, p->b.filter->nr_tests ? PE_ERR_FILT_INVALID_FILTER :
							       PE_ERR_FILT_NO_FILTER);
}

int pe_filter_compile(struct pe_filter *filter, void *work,
		      const struct pe_filter_plan *plan, const char *text,
		      const struct pe_layout *layout, struct pe_parse_err *err)
{
	struct parser p = {
		.b = {
			.filter = filter,
			.size = plan->program,
			.text = text,
			.layout = layout,
			.err = err,
		},
		.stack = work,
		.max_depth = plan->depth,
		.max_tests = plan->tests,
	};

	filter->used = plan->tests * sizeof(filter->tests[0]);
	pe_open_frame(&p, false);
	return pe_filter_parse_whole(&p);
}

/* The unclosed parenthesis, searched from the end as the kernel does. */
static size_t pe_find_open(const char *text, size_t len, unsigned int open)
{
	unsigned int level = open;
	char quote = 0;
	size_t i;

	for (i = len ? len - 1 : 0; i; i--) {
		if (quote) {
			if (text[i] == quote)
				quote = 0;
			continue;
		}
		switch (text[i]) {
		case '(':
			if (level == open)
				return i;
			level--;
			break;
		case ')':
			level++;
			break;
		case '\'':
		case '"':
			quote = text[i];
			break;
		}
	}
	return 0;
}

/* The number of sets of CPUs that the text can have. */
static unsigned int pe_count_sets(const char *text)
{
	unsigned int n = 0;

	while ((text = strstr(text, "CPUS"))) {
		text += 4;
		n++;
	}
	return n;
}

static void pe_set_plan(struct pe_filter_plan *plan, const char *text, size_t len)
{
	size_t sets = pe_count_sets(text) * pe_filter_set_longs() * sizeof(long);

	/* Patterns need no more bytes than the text: a NUL takes a quote's place. */
	plan->program = sizeof(struct pe_filter) + sets + len +
			plan->tests * sizeof(struct pe_filter_test);
	plan->work = plan->depth * sizeof(struct frame);
}

int pe_filter_measure(const char *text, struct pe_filter_plan *plan,
		      struct pe_parse_err *err)
{
	unsigned int open = 1;
	bool in_term = false;
	size_t i, quote_at = 0;
	char quote = 0;

	*plan = (struct pe_filter_plan){ .depth = 1 };
	for (i = 0; text[i]; i++) {
		if (isspace(text[i]))
			continue;
		if (quote) {
			if (text[i] == quote)
				quote = 0;
			continue;
		}
		switch (text[i]) {
		case '\'':
		case '"':
			quote = text[i];
			quote_at = i;
			break;
		case '|':
		case '&':
			if (text[i + 1] != text[i])
				break;
			in_term = false;
			continue;
		case '(':
			in_term = false;
			open++;
			plan->depth = max(plan->depth, open);
			continue;
		case ')':
			in_term = false;
			if (open == 1)
				return pe_parse_fail_in(err, PE_IN_BRACKETS,
							PE_ERR_FILT_TOO_MANY_CLOSE, i, 0);
			open--;
			continue;
		}
		if (!in_term)
			plan->tests++;
		in_term = true;
	}
	if (quote)
		return pe_parse_fail_in(err, PE_IN_BRACKETS, PE_ERR_FILT_MISSING_QUOTE, quote_at,
					0);
	if (open != 1)
		return pe_parse_fail_in(err, PE_IN_BRACKETS, PE_ERR_FILT_TOO_MANY_OPEN,
					pe_find_open(text, i, open), 0);
	if (!plan->tests)
		return -EINVAL;
	if (i > PE_FILTER_MAX_TEXT)
		return -EINVAL;
	pe_set_plan(plan, text, i);
	return 0;
}
