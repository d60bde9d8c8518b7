// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * existing.c - WHAT as e:GRP/EVENT: an event that is defined, as a preset with its probes.
 */
#define _GNU_SOURCE
#include <string.h>
#include "definitions.h"
#include "existing.h"
#include "recipe.h"

bool existing_is(const char *what)
{
	return !strncmp(what, "e:", 2);
}

/* Words for what every hit has: a field of such a name would be taken for it. */
static bool is_taken(const char *name, size_t len)
{
	static const char * const words[] = {
		"comm", "pid", "tid", "cpu", "func", "caller", "stack", "errno",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == len && !strncmp(name, words[i], len))
			return true;
	return false;
}

static bool is_named(const char *word, const char *prefix, const char *name, size_t len)
{
	size_t before = strlen(prefix);

	return !strncmp(word, prefix, before) && !strncmp(word + before, name, len) &&
	       !word[before + len];
}

/* Is a field one of the keys, or in the filter?  Results and times are for --fail and -L, too. */
static bool is_wanted(const struct request *r, const char *name, size_t len)
{
	const char *prefix = is_taken(name, len) ? "its_" : "";
	char field[64];
	size_t i;

	if (is_named("ret", prefix, name, len) || is_named("ns", prefix, name, len))
		return true;
	for (i = 0; i < r->nr_keys; i++) {
		recipe_field(r->keys[i], field, sizeof(field));
		if (is_named(field, prefix, name, len))
			return true;
	}
	for (i = 0; i < r->nr_filter; i++)
		if (is_named(r->filter[i], prefix, name, len))
			return true;
	return false;
}

/* How records are shown, in quotes up to the end of the line, is no part of the probe. */
static size_t without_text(const struct definition *def)
{
	static const char * const texts[] = { " print \"", " line \"" };
	size_t len = def->len, i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *at = memmem(def->line, len, texts[i], strlen(texts[i]));

		if (at)
			len = at - def->line;
	}
	return len;
}

/* "p PLACE NAME=FETCH..." of "p:GRP/EVENT PLACE NAME=FETCH..." */
static void put_probe(const struct request *r, const struct definition *def, bool all, FILE *out)
{
	const char *at = def->name + def->name_len, *end = def->line + without_text(def);
	bool place = true;

	fputc(*def->line, out);
	while (at < end) {
		size_t len, name;

		at += strspn(at, " \t");
		len = strcspn(at, " \t\n");
		if (at + len > end)
			len = end > at ? end - at : 0;
		name = strcspn(at, "=");
		if (!len)
			break;
		if (place || name >= len)
			fprintf(out, " %.*s", (int)len, at);
		else if (all || is_wanted(r, at, name))
			fprintf(out, " %s%.*s", is_taken(at, name) ? "its_" : "", (int)len, at);
		place = false;
		at += len;
	}
}

size_t existing_preset(const struct request *r, const char *list, const char *release, bool all,
		       FILE *out)
{
	const char *name = r->what + 2;
	struct definition def;
	size_t nr = 0;

	while (definition_next(&list, &def)) {
		if (def.name_len != strlen(name) || memcmp(def.name, name, def.name_len) ||
		    (release && !definition_for(&def, release)))
			continue;
		if (!nr)
			fprintf(out, "# %s - %s\nverbs count lat trace\n", name, name);
		if (nr++ && release)
			fputs("| ", out);
		put_probe(r, &def, all, out);
		fputc('\n', out);
	}
	return nr;
}
