// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * probe-events - command-line companion of the probe_events module.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "advice.h"
#include "nearest.h"
#include "paint.h"
#include "presets.h"
#include "report.h"
#include "typed.h"
#include "verb.h"
#include "version.h"

static const struct verb *const verbs[] = {
	&verb_count,
	&verb_lat,
	&verb_trace,
	&verb_report,
	&verb_watch,
	&verb_top,
	&verb_inside,
	&verb_list,
	&verb_rm,
	&verb_limit,
	&verb_find,
	&verb_check,
	&verb_exec,
	&verb_doctor,
	NULL
};

static void print_usage(FILE *out)
{
	const struct verb *const *verb;

	fputs("usage: probe-events VERB [ARGS]...\n"
	      "       probe-events help VERB\n"
	      "       probe-events help @[PRESET]\n"
	      "       probe-events --version\n\nVerbs:\n", out);
	for (verb = verbs; *verb; verb++)
		fprintf(out, "  %-8s %s\n", (*verb)->name, (*verb)->summary);
}

static const struct verb *find_verb(const char *name)
{
	const struct verb *const *verb = verbs;

	while (*verb && strcmp((*verb)->name, name))
		verb++;
	return *verb;
}

/* One that is near is enough; if not, all. */
static int complain_of_verb(const char *name)
{
	const struct verb *const *verb;
	const char *near = NULL;
	char names[200] = "";
	size_t len = 0, found = 0;

	for (verb = verbs; *verb; verb++)
		len += snprintf(names + len, sizeof(names) - len, "%s\n", (*verb)->name);
	near = nearest_name(name, strlen(name), names, &found);
	if (near) {
		complain_at(name, "no such verb: %s (meant: %.*s?)", name, (int)found, near);
	} else {
		complain_at(name, "no such verb: %s", name);
		print_usage(stderr);
	}
	return PE_EXIT_USAGE;
}

static int help_verb(const char *name)
{
	const struct verb *verb = find_verb(name);

	if (!verb)
		return complain("no such verb: %s (probe-events help)", name), PE_EXIT_USAGE;
	fputs(verb->help, stdout);
	return 0;
}

/* The words after exec are another program's. */
static void begin_colours(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "exec"))
		paint_words(argc, argv);
	if (paint_wanted(stderr))
		report_painted(paint_sequence(PAINT_BAD), paint_sequence(PAINT_NONE));
}

/* What a verb has not been able to write is no success, whether it has looked or not. */
static int check_output(int status)
{
	const char *why = fflush(stdout) ? strerror(errno) : "a part of it is lost";

	if (!ferror(stdout))
		return status;
	if (!status || !report_told())
		complain("cannot write: %s", why);
	return status ?: PE_EXIT_MISSING;
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2) {
		print_usage(stderr);
		return PE_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "help") && argc == 3 && *argv[2] == '@')
		return presets_help(argv[2]);
	if (!strcmp(argv[1], "help") && argc == 3)
		return help_verb(argv[2]);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		print_usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version"))
		return print_version("/sys/module/probe_events/version", stdout);
	report_presets(presets_has);
	report_advice(advice);
	typed_begin(argc - 1, argv + 1);
	verb = find_verb(argv[1]);
	if (!verb)
		return complain_of_verb(argv[1]);
	return verb->run(verb, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	begin_colours(argc, argv);
	return check_output(run(argc, argv));
}
