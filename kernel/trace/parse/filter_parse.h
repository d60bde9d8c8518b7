/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * filter_parse.h - from a filter expression to a program.  [P]
 */
#ifndef PE_FILTER_PARSE_H
#define PE_FILTER_PARSE_H

#include <linux/types.h>

struct pe_filter;
struct pe_layout;
struct pe_parse_err;

/* filter_parse.c */

/**
 * struct pe_filter_plan - the sizes that compiling an expression needs
 * @tests: comparisons, at most
 * @depth: of parentheses, the expression itself counted
 * @program: bytes of the struct pe_filter
 * @work: bytes needed while compiling
 */
struct pe_filter_plan {
	unsigned int tests;
	unsigned int depth;
	size_t program;
	size_t work;
};

/**
 * pe_filter_measure() - look at the parentheses and quotes of an expression
 * @text: at most PE_FILTER_MAX_TEXT characters
 * @plan: filled on success
 * @err: zeroed by the caller
 *
 * Return: 0 or -errno as of the kernel's filter files.
 */
int pe_filter_measure(const char *text, struct pe_filter_plan *plan,
		      struct pe_parse_err *err);

/**
 * pe_filter_compile() - make a program of an expression
 * @filter: @plan->program bytes, all 0
 * @work: @plan->work bytes of memory, used during the call only
 * @plan: result of pe_filter_measure() for @text
 * @text: the expression
 * @layout: the event's fields
 * @err: zeroed by the caller
 *
 * May sleep (symbols are looked up).  Return: 0 or -errno.
 */
int pe_filter_compile(struct pe_filter *filter, void *work,
		      const struct pe_filter_plan *plan, const char *text,
		      const struct pe_layout *layout, struct pe_parse_err *err);

#endif
