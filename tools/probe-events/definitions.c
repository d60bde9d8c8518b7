// SPDX-License-Identifier: GPL-2.0
/*
 * definitions.c - the text of files of definitions, and of static_events.
 */
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

bool definition_next(const char **pos, struct definition *def)
{
	while (**pos) {
		size_t len = line_len(*pos), blank = strspn(*pos, " \t");

		def->line = *pos + blank;
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
