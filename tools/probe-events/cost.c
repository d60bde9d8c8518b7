// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cost.c - the modules' file kprobes/cost: a line for each definition, with tabs between columns.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cost.h"
#include "text.h"

bool cost_next(char **text, struct cost_line *line)
{
	const char *ns;
	const char **words[] = {
		&line->event, &line->place, &line->hits, &line->price, &line->is, &ns,
		&line->cpu, &line->state, &line->limit,
	};
	char *row, *word;
	size_t i;

	while (*text && (row = strsep(text, "\n"))) {
		if (!*row || !strncmp(row, "event\t", 6))
			continue;
		for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
			word = strsep(&row, "\t");
			*words[i] = word ?: "";
		}
		line->ns = strtoull(ns, NULL, 10);
		return true;
	}
	return false;
}

bool cost_of(const char *dir, const char *group, const char *event, unsigned long long *ns)
{
	char path[PATH_MAX], name[256], *text, *rest;
	struct cost_line line;

	snprintf(path, sizeof(path), "%s/kprobes/cost", dir);
	snprintf(name, sizeof(name), "%s/%s", group, event);
	*ns = 0;
	text = read_file(path);
	if (!text)
		return false;
	for (rest = text; cost_next(&rest, &line);)
		if (!strcmp(line.event, name))
			*ns += line.ns;
	free(text);
	return true;
}

double cost_share(unsigned long long ns, double seconds)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return seconds > 0 ? ns / seconds / 1e7 / (cpus > 0 ? cpus : 1) : 0;
}
