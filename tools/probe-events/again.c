// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * again.c - what a session of another program has counted, as its question says.
 *
 * The comment is another user's text: it is taken for a question, and nothing that it asks
 * for is done but reading.
 */
#define _GNU_SOURCE
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "again.h"
#include "comment.h"
#include "presets.h"
#include "safe.h"
#include "tally.h"
#include "verb.h"

/* Is it about times?  top is about calls if it can be. */
static bool is_timed(int argc, char **argv)
{
	if (strcmp(argv[0], "top") || argc < 2)
		return !strcmp(argv[0], "lat");
	return strncmp(argv[1], "t:", 2) && strncmp(argv[1], "e:", 2) &&
	       (*argv[1] != '@' || presets_timed(argv[1]));
}

/* The words are shown, and another user may have written them. */
static bool is_safe(const char *word)
{
	size_t len;

	while (*word && (len = safe_length(word)))
		word += len;
	return !*word;
}

static const char *split(struct again *a, int *argc)
{
	int i;

	*argc = comment_split(a->typed, a->argv, sizeof(a->argv) / sizeof(*a->argv));
	if (*argc < 0)
		return "its comment has only the beginning of what was typed";
	for (i = 0; i < *argc; i++)
		if (!is_safe(a->argv[i]))
			return "its comment has characters that are not shown";
	return NULL;
}

/* What the question asks for beside the table is its program's business. */
static const char *understand(struct again *a, bool *timed)
{
	int argc;
	const char *wrong = split(a, &argc);

	if (wrong)
		return wrong;
	if (!argc || (strcmp(a->argv[0], "count") && strcmp(a->argv[0], "lat") &&
		      strcmp(a->argv[0], "top")))
		return "it is not one of count or lat";
	*timed = is_timed(argc, a->argv);
	wrong = request_parse(&a->r, argc, a->argv);
	if (wrong)
		return wrong;
	if (a->r.nr_keys > TABLE_KEYS)
		return "three keys after 'by' at most";
	a->part = a->r.interval || !strcmp(a->argv[0], "top");
	a->session.own = a->r.command && !a->r.all;
	a->r.interval = 0;
	a->r.rows = 0;
	a->r.verbose = true;	/* list has no option -v */
	return presets_recall(&a->r, &a->preset, *timed ? "lat" : "count") ?:
	       tally_check(&a->r, *timed) ?: naming_begin(&a->naming, &a->r, &a->types);
}

const char *again_begin(struct again *a, const char *dir, const char *id, const char *typed)
{
	const char *wrong;
	bool timed = false;

	*a = (struct again){ .typed = strdup(typed), .session = { .fd = -1, .dir = dir } };
	wrong = a->typed ? understand(a, &timed) : "no memory";
	if (wrong)
		return wrong;
	snprintf(a->session.group, sizeof(a->session.group), "s%s", id);
	a->show = (struct show){
		.a = {
			.verb = timed ? "lat" : "count", .r = &a->r, .timed = timed,
			.losses = &a->show.losses, .symbols = &a->show.symbols,
			.words = &a->words, .cpus = show_cpus(a->r.cpus),
			.own = a->session.own,
			.utf8 = !a->r.ascii && !strcmp(nl_langinfo(CODESET), "UTF-8"),
		},
		.session = &a->session,
		.naming = &a->naming,
		.event = timed ? "lat" : "count",
		.format = (a->r.format ? format_find(a->r.format) : NULL) ?: &format_text,
		.look = true,
	};
	return NULL;
}

void again_end(struct again *a)
{
	show_free(&a->show);
	preset_free(&a->preset);
	words_free(&a->words);
	naming_free(&a->naming);
	types_free(&a->types);
	free(a->typed);
	*a = (struct again){};
}
