/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * format.h - in which forms an answer is written: option -f.
 */
#ifndef PE_TOOL_FORMAT_H
#define PE_TOOL_FORMAT_H

#include <stdbool.h>
#include <stdio.h>
#include "answer.h"

/**
 * struct format - a form
 * @name: as it is typed
 * @check: what is wrong with a question for this form, a static text; NULL: nothing.  NULL: all
 *	   questions will do.
 * @begin: before the first table; NULL: nothing is due.  @commands are the lines that were
 *	   written to the session.
 * @table: an interval's table, or at the end the total
 * @end: after the last table, or an error; @status is this program's
 * @error: at any time; @command and @where (its byte, from 0) are those of error_log, NULL and -1
 *	   if there are none.  NULL: an error is told on standard error only.
 */
struct format {
	const char *name;
	const char *(*check)(const struct request *r);
	void (*begin)(const struct answer *a, const char *commands, FILE *out);
	void (*table)(const struct answer *a, FILE *out);
	void (*end)(const struct answer *a, int status, FILE *out);
	void (*error)(const char *what, const char *command, int where, FILE *out);
};

extern const struct format format_text;
extern const struct format format_json;
extern const struct format format_csv;
extern const struct format format_folded;
extern const struct format format_openmetrics;
extern const struct format format_html;

/** format_find() - by its name; NULL: that of people */
const struct format *format_find(const char *name);

/** format_unknown() - what is wrong with a name that format_find() does not find */
const char *format_unknown(const char *name);

#endif
