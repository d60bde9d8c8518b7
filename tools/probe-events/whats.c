// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "existing.h"
#include "json.h"
#include "report.h"
#include "request.h"
#include "wait.h"
#include "whats.h"

#define SECOND 1000000000ULL

/* -d TIME, -f FORM; false: it is none of these. */
static bool take_option(struct whats *w, const char *option, const char *value)
{
	if (!strcmp(option, "-d"))
		return value && parse_time(value, &w->duration);
	if (strcmp(option, "-f") || !value)
		return false;
	w->format = format_find(value);
	return w->format == &format_text || w->format == &format_json || w->format == &format_csv;
}

int whats_parse(struct whats *w, const struct verb *verb, int argc, char **argv)
{
	int i;

	*w = (struct whats){ .what = argv + 1, .duration = SECOND, .format = &format_text };
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	for (i = 1; i < argc; i++) {
		if (take_option(w, argv[i], argv[i + 1])) {
			i++;
			continue;
		}
		if (existing_is(argv[i])) {
			complain_at(argv[i], "%s: %s: events are for count, lat, trace and top",
				    verb->name, argv[i]);
			return PE_EXIT_USAGE;
		}
		if (*argv[i] == '-' || strpbrk(argv[i], " \t\n")) {
			complain_at(argv[i],
				    "%s: %s: neither a function nor -d TIME nor -f text, json or csv (probe-events %s --help)",
				    verb->name, argv[i], verb->name);
			return PE_EXIT_USAGE;
		}
		w->what[w->nr++] = argv[i];
	}
	if (w->nr)
		return -1;
	complain("%s: which function? (probe-events %s --help)", verb->name, verb->name);
	return PE_EXIT_USAGE;
}

static void pass_error(void *ctx, const char *what, const char *command, int where)
{
	(void)ctx;
	format_json.error(what, command, where, stdout);
	fflush(stdout);
}

void whats_begin(const struct whats *w, const char *verb, const char *commands)
{
	struct request r = {};
	const struct answer a = { .verb = verb, .r = &r };
	char *typed = NULL;
	size_t size, i;
	FILE *out;

	if (w->format != &format_json)
		return;
	out = open_memstream(&typed, &size);
	for (i = 0; out && i < w->nr; i++)
		fprintf(out, "%s%s", i ? " " : "", w->what[i]);
	if (out)
		fclose(out);
	r.what = typed ?: "";
	format_json.begin(&a, commands, stdout);
	report_to(pass_error, NULL);
	free(typed);
}

void whats_end(const struct whats *w, int status, const char *name, struct json_object *o)
{
	struct json_object *end;

	if (w->format != &format_json)
		return;
	report_to(NULL, NULL);
	end = json_line("end", now_ns() / 1e9);
	json_object_object_add(end, "status", json_object_new_int(status));
	if (name && o)
		json_object_object_add(end, name, o);
	json_print(end, stdout);
}
