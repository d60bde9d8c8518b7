// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * losses.c - the modules' file kprobe_losses: what became of the hits of an event.
 *
 * A line for each probe, with a header.  The first two columns are the event and its place, and no
 * text has a blank in it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "losses.h"

/* The next word of a line, in @word; false at the line's end. */
static bool next_word(const char **text, char *word, size_t size)
{
	size_t len;

	*text += strspn(*text, " ");
	len = strcspn(*text, "\n ");
	snprintf(word, size, "%.*s", (int)len, *text);
	*text += len;
	return len;
}

static void read_header(struct losses *l, const char *line)
{
	char word[128];

	next_word(&line, word, sizeof(word));
	next_word(&line, word, sizeof(word));
	while (l->nr < LOSS_COLUMNS && next_word(&line, word, sizeof(word)))
		snprintf(l->names[l->nr++], sizeof(*l->names), "%.15s", word);
}

/* @name: "GROUP/EVENT", "GROUP/" for all of a group, or NULL. */
static void add_line(struct losses *l, const char *line, const char *name)
{
	char word[256];
	size_t i, len = name ? strlen(name) : 0;

	if (!next_word(&line, word, sizeof(word)) || strncmp(word, name ?: "", len))
		return;
	if (len && name[len - 1] != '/' && word[len])
		return;
	next_word(&line, word, sizeof(word));
	for (i = 0; i < l->nr && next_word(&line, word, sizeof(word)); i++)
		l->values[i] += strtoull(word, NULL, 10);
}

void losses_read(struct losses *l, const char *text, const char *group, const char *event)
{
	char name[256];
	const char *line = text;

	*l = (struct losses){};
	snprintf(name, sizeof(name), "%s/%s", group ?: "", event ?: "");
	while (line && *line) {
		if (line == text)
			read_header(l, line);
		else
			add_line(l, line, group ? name : NULL);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
}

unsigned long long losses_of(const struct losses *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->names[i], name))
			return l->values[i];
	return 0;
}
