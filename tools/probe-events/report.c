// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdarg.h>
#include <stdio.h>
#include "report.h"

static void (*report_also)(void *ctx, const char *what, const char *command, int where);
static void *report_ctx;

/* On a whole screen messages have a place of their own. */
static char *report_note;
static size_t report_size;

static void (*report_wipe)(void);

/* Around the name. */
static const char *paint_begin = "", *paint_end = "";

static void tell(const char *text)
{
	if (report_wipe)
		report_wipe();
	if (report_note)
		snprintf(report_note, report_size, "%s", text);
	else
		fprintf(stderr, "%sprobe-events:%s %s\n", paint_begin, paint_end, text);
}

int complain(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tell(text);
	if (report_also)
		report_also(report_ctx, text, NULL, -1);
	return -1;
}

int complain_of(const char *what, const char *command, int where)
{
	tell(what);
	if (!report_note)
		fprintf(stderr, "  Command: %s\n", command);
	if (where >= 0 && !report_note)
		fprintf(stderr, "           %*s^\n", where, "");
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

void report_first(void (*wipe)(void))
{
	report_wipe = wipe;
}

void report_into(char *note, size_t size)
{
	report_note = note;
	report_size = size;
}
