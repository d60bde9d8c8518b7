/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * filter_pred.h - one comparison of a filter expression.  [P]
 */
#ifndef PE_FILTER_PRED_H
#define PE_FILTER_PRED_H

#include <linux/types.h>
#include "lex.h"

struct pe_filter;
struct pe_filter_field;
struct pe_filter_test;
struct pe_layout;
struct pe_parse_err;

/* filter_pred.c */

/**
 * struct pe_filter_builder - a program in the making
 * @filter: room for @plan->program bytes
 * @size: bytes of @filter
 * @text: the whole expression
 * @layout: the event's fields
 * @err: for errors
 */
struct pe_filter_builder {
	struct pe_filter *filter;
	size_t size;
	const char *text;
	const struct pe_layout *layout;
	struct pe_parse_err *err;
};

/**
 * pe_filter_pred() - compile the comparison at a place of the text
 * @b: the program
 * @at: where it begins
 * @test: filled, but for its targets
 *
 * Return: characters used, or -errno.
 */
int pe_filter_pred(struct pe_filter_builder *b, size_t at, struct pe_filter_test *test);

/* The field that a filter or a histogram calls @name; false: the event has none. */
bool pe_filter_find_field(const struct pe_layout *layout, struct pe_str name,
			  struct pe_filter_field *field);

/* Longs of a set of all possible CPUs. */
unsigned int pe_filter_set_longs(void);

#endif
