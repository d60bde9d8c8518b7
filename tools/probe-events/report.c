// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "safe.h"
#include "typed.h"

static void (*report_also)(void *ctx, const char *what, const char *command, int where);
static void *report_ctx;

/* On a whole screen messages have a place of their own. */
static char *report_note;
static size_t report_size;

static void (*report_wipe)(void);
static bool (*report_is_preset)(const char *name);
static void (*report_advise)(const char *what, const char *word, size_t len, bool filter,
			     char *text, size_t size);

static bool told;

/* Around the name. */
static const char *paint_begin = "", *paint_end = "";

/* A message may have texts of others in it: of a file, of the kernel. */
static void tell(const char *text)
{
	char *shown = safe_text(text);

	if (report_wipe)
		report_wipe();
	if (report_note)
		snprintf(report_note, report_size, "%s", shown ?: "no memory");
	else
		fprintf(stderr, "%sprobe-events:%s %s\n", paint_begin, paint_end,
			shown ?: "no memory");
	free(shown);
}

bool report_told(void)
{
	return told;
}

void mention(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tell(text);
}

static int complain_of_column(const char *text, int column)
{
	told = true;
	tell(text);
	if (!report_note)
		typed_show(column, stderr);
	if (report_also)
		report_also(report_ctx, text, NULL, -1);
	return -1;
}

int complain(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return complain_of_column(text, -1);
}

int complain_at(const char *at, const char *format, ...)
{
	char text[1024];
	va_list args;
	int column;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	column = typed_column(at);
	return complain_of_column(text, column >= 0 ? column : typed_named(text));
}

/* "WHAT (did you mean NAME?)": the name, which is cut off; NULL: there is none, or a command. */
static char *cut_meant(char *what)
{
	static const char before[] = " (did you mean ";
	char *at = strstr(what, before), *name = at ? at + sizeof(before) - 1 : NULL;
	size_t len = name ? strcspn(name, "? ") : 0;

	if (!name || strcmp(name + len, "?)"))
		return NULL;
	*at = '\0';
	name[len] = '\0';
	return name;
}

/*
 * The modules look for names of functions.  One of a tracepoint's own leads to the tracepoint, and
 * a word that is a preset's name is more likely that than a part of some function's.
 */
static void tell_meant(const char *meant, int column)
{
	static const char tracepoint[] = "__traceiter_";
	int len = 0;
	const char *word = typed_word(column, &len);
	char preset[64];

	snprintf(preset, sizeof(preset), "@%.*s", len, word ?: "");
	if (word && report_is_preset && report_is_preset(preset))
		fprintf(stderr, "  meant: %s\n", preset);
	else if (!strncmp(meant, tracepoint, sizeof(tracepoint) - 1))
		fprintf(stderr, "  meant: t:%s\n", meant + sizeof(tracepoint) - 1);
	else
		fprintf(stderr, "  meant: %s\n", meant);
}

static void tell_advice(const char *what, int column)
{
	char text[128] = "";
	const char *word;
	bool filter;
	int len;

	word = typed_key(column, &len, &filter);
	if (word && report_advise)
		report_advise(what, word, len, filter, text, sizeof(text));
	if (*text)
		fprintf(stderr, "  %s\n", text);
}

/* What is told of a command that the user has not seen. */
static void tell_typed(const char *what, int column)
{
	char text[1024], *meant;

	snprintf(text, sizeof(text), "%s", what);
	meant = cut_meant(text);
	tell(text);
	typed_show(column, stderr);
	if (meant)
		tell_meant(meant, column);
	else
		tell_advice(what, column);
}

/* With a caret below the byte at fault. */
static void show_command(const char *command, int where)
{
	char *shown = safe_text(command), *begin = where < 0 ? NULL : strndup(command, where);
	char *before = begin ? safe_text(begin) : NULL;

	fprintf(stderr, "  Command: %s\n", shown ?: "no memory");
	if (before)
		fprintf(stderr, "           %*s^\n", (int)strlen(before), "");
	free(shown);
	free(begin);
	free(before);
}

int complain_of(const char *what, const char *command, int where)
{
	int column = report_note ? -1 : typed_of_command(command, where);

	told = true;
	if (column >= 0) {
		tell_typed(what, column);
	} else {
		tell(what);
		if (!report_note)
			show_command(command, where);
	}
	if (report_also)
		report_also(report_ctx, what, command, where);
	return -1;
}

void report_to(void (*also)(void *ctx, const char *what, const char *command, int where),
	       void *ctx)
{
	report_also = also;
	report_ctx = ctx;
}

void report_painted(const char *begin, const char *end)
{
	paint_begin = begin;
	paint_end = end;
}

void report_presets(bool (*is_preset)(const char *name))
{
	report_is_preset = is_preset;
}

void report_advice(void (*advise)(const char *what, const char *word, size_t len, bool filter,
				  char *text, size_t size))
{
	report_advise = advise;
}

void report_first(void (*wipe)(void))
{
	report_wipe = wipe;
}

void report_into(char *note, size_t size)
{
	report_note = note;
	report_size = size;
}
