// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * refused.c - the modules' file kprobes/refused: functions of a pattern that cannot be probed.
 *
 * A line is "GROUP/EVENT FUNCTION REASON".
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "refused.h"
#include "text.h"
#include "units.h"

unsigned long refused_lines(const char *text, const char *group, const char *event,
			    const char *before, FILE *out)
{
	char name[256];
	size_t len = snprintf(name, sizeof(name), "%s/%s%s", group, event ?: "",
			      event ? " " : "");
	unsigned long nr = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *rest = text + len;

		if (strncmp(text, name, len))
			continue;
		nr++;
		if (!event)
			rest += strcspn(rest, "\n ");
		rest += *rest == ' ';
		if (out)
			fprintf(out, "%srefused: %.*s\n", before, (int)strcspn(rest, "\n"), rest);
	}
	return nr;
}

static int look(const char *dir, const char *group, const char *event, FILE *out, unsigned long *nr)
{
	char path[PATH_MAX], *text;

	snprintf(path, sizeof(path), "%s/kprobes/refused", dir);
	text = read_text(path);
	if (!text)
		return -1;
	*nr = refused_lines(text, group, event, "", out);
	free(text);
	return 0;
}

int refused_count(const char *dir, const char *group, const char *event, unsigned long *nr)
{
	return look(dir, group, event, NULL, nr);
}

int refused_tell(const char *dir, const char *group, const char *event)
{
	unsigned long nr;

	return look(dir, group, event, stderr, &nr);
}

void refused_print(unsigned long nr, bool option, FILE *out)
{
	char text[UNITS_TEXT];

	if (nr)
		fprintf(out, "; %s refused%s", print_count(text, nr), option ? " (-v)" : "");
}
