// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * definitions.c - the text of files of definitions, and of static_events.
 */
#include <stdlib.h>
#include <string.h>
#include "definitions.h"

static size_t line_len(const char *line)
{
	return strcspn(line, "\n");
}

/* Of "t:GRP/EVENT PLACE": false if the line has none. */
static bool find_name(struct definition *def)
{
	size_t word = strcspn(def->line, " \t\n"), before = strcspn(def->line, ":");

	if (before + 1 >= word || word >= def->len)
		return false;
	def->name = def->line + before + 1;
	def->name_len = word - before - 1;
	return true;
}

/* "6.5" as a number that grows with the version. */
static unsigned long version(const char *text)
{
	char *end;
	unsigned long major = strtoul(text, &end, 10);

	return major << 16 | (*end == '.' ? strtoul(end + 1, NULL, 10) : 0);
}

bool definition_for(const struct definition *def, const char *release)
{
	if (*def->kernels == '<')
		return version(release) < version(def->kernels + 1);
	return *def->kernels != '>' || version(release) >= version(def->kernels + 2);
}

/* Past ">=6.5 " or "<6.5 ", which is no part of the command. */
static const char *past_kernels(const char *line)
{
	if (*line == '<' || !strncmp(line, ">=", 2))
		line += strcspn(line, " \t\n");
	return line + strspn(line, " \t");
}

bool definition_next(const char **pos, struct definition *def)
{
	while (**pos) {
		size_t len = line_len(*pos), blank = strspn(*pos, " \t");

		def->kernels = *pos + blank;
		def->line = past_kernels(def->kernels);
		*pos += len + ((*pos)[len] == '\n');
		if (blank >= len)
			continue;
		def->len = strcspn(def->line, "#\n");
		if (find_name(def))
			return true;
	}
	return false;
}

bool definition_same(const struct definition *a, const struct definition *b)
{
	return a->name_len == b->name_len && !memcmp(a->name, b->name, a->name_len);
}

bool definition_listed(const char *list, const char *name, size_t len)
{
	const struct definition wanted = { .name = name, .name_len = len };
	struct definition def;

	while (definition_next(&list, &def))
		if (definition_same(&def, &wanted))
			return true;
	return false;
}
