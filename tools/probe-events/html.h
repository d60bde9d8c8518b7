/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * html.h - the parts of an answer as one page, which needs no other file.
 *
 * Names are bytes that others have chosen: all texts go through html_text().
 */
#ifndef PE_TOOL_HTML_H
#define PE_TOOL_HTML_H

#include <stddef.h>
#include <stdio.h>
#include "answer.h"

/**
 * html_text() - a text as text, never as markup
 * @text: any bytes
 * @out: gets it
 *
 * What is no UTF-8, controls the screen, cannot be seen or turns the direction of writing is
 * \xNN or \u{NNNN}.
 */
void html_text(const char *text, FILE *out);

/**
 * html_part() - as much of a text as there is room for
 * @text: any bytes
 * @width: how many characters may be seen
 * @out: gets it
 */
void html_part(const char *text, size_t width, FILE *out);

/** html_json() - lines of JSON, as the same JSON without anything that a page could act on */
void html_json(const char *text, FILE *out);

/** html_histogram() - the distribution of @g as a picture with its percentiles */
void html_histogram(const struct answer *a, const struct group *g, FILE *out);

/**
 * html_spark() - a row's distribution in the width of a column
 * @g: the row
 * @all: the sum of all rows, which gives the axis
 * @out: gets it
 */
void html_spark(const struct group *g, const struct group *all, FILE *out);

/**
 * html_flame() - stacks as a flame graph
 * @a: the answer
 * @t: its table by names, one of whose keys is a stack
 * @out: gets it
 *
 * Return: 0, or -1 without memory.
 */
int html_flame(const struct answer *a, const struct table *t, FILE *out);

/** html_table() - the rows, and what they add up to */
void html_table(const struct answer *a, const struct table *t, const struct group *all, FILE *out);

/** html_head() - all that does not depend on the answer, up to its title, which follows */
void html_head(FILE *out);

/** html_foot() - the end of the page */
void html_foot(FILE *out);

#endif
