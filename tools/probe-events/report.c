// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include "report.h"

static void (*report_also)(void *ctx, const char *what, const char *command, int where);
static void *report_ctx;

int complain(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "probe-events: %s\n", text);
	if (report_also)
		report_also(report_ctx, text, NULL, -1);
	return -1;
}

int complain_of(const char *what, const char *command, int where)
{
	fprintf(stderr, "probe-events: %s\n  Command: %s\n", what, command);
	if (where >= 0)
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
