// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * list.c - the verbs list and rm: what is armed, by whom, and its end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "again.h"
#include "grid.h"
#include "live.h"
#include "narrow.h"
#include "place.h"
#include "report.h"
#include "sessions.h"
#include "text.h"
#include "units.h"
#include "verb.h"

static char *read_ours(const char *dir, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return read_text(path);
}

static int list_sessions(char *text)
{
	static const char * const headings[] = {
		"ID", "PID", "OWNER", "SINCE", "EVENTS", "HITS", "CPU", "TTL", "STATE", "WHAT",
	};
	char *rest = text, count[UNITS_TEXT];
	struct session_line line;
	struct grid g = {};
	size_t i, nr = 0;

	for (i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		grid_column(&g, headings[i], strchr("IOW", *headings[i]) || i == 8);
	while (sessions_next(&rest, &line)) {
		grid_cell(&g, line.id);
		grid_cell(&g, line.pid);
		grid_cell(&g, line.comm);
		grid_cell(&g, line.since);
		grid_cell(&g, line.events);
		grid_cell(&g, print_count(count, strtoull(line.hits, NULL, 10)));
		grid_cell(&g, *line.cpu ? line.cpu : "-");	/* of an older module */
		snprintf(count, sizeof(count), "%.0fs", strtod(line.ttl, NULL));
		grid_cell(&g, *line.ttl == '-' ? "-" : count);
		grid_cell(&g, line.state);
		grid_cell(&g, line.what);
		nr++;
	}
	if (nr)
		grid_print(&g, narrow_width(stdout), stdout);
	else
		puts("no sessions");
	grid_free(&g);
	return 0;
}

/* Events that a session has by default are in its group; those of others stay when they end. */
static void count_others(const char *dir)
{
	char *text = read_ours(dir, "dynamic_events"), *rest = text, *line, group[32];
	unsigned int nr = 0, session;

	while (rest && (line = strsep(&rest, "\n"))) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		snprintf(group, sizeof(group), "%.*s", (int)strcspn(colon + 1, "/ "), colon + 1);
		nr += sscanf(group, "s%u", &session) != 1;
	}
	if (nr)
		printf("\n%u probe%s of no session: %s/dynamic_events\n", nr, nr == 1 ? "" : "s",
		       dir);
	free(text);
}

static int list(const char *dir)
{
	char *text = read_ours(dir, "sessions");

	if (!text)
		return PE_EXIT_MISSING;
	list_sessions(text);
	free(text);
	count_others(dir);
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

/* Beside the rows: title and headings, the sum, the rest, the balance, the cursor. */
#define LINES_AROUND 9

/* What a session has counted, as its own verb would show it. */
static int list_table(const char *dir, const struct session_line *line)
{
	struct live l;
	struct again a;
	const char *wrong = again_begin(&a, dir, line->id, line->what);
	int status = PE_EXIT_MISSING;

	if (wrong) {
		complain("session %s cannot be shown: %s", line->id, wrong);
	} else {
		a.show.out = stdout;
		if (isatty(STDOUT_FILENO)) {
			live_begin(&l, stdout);
			a.show.a.width = l.width;
			a.show.a.fit = l.height > LINES_AROUND + 1 ? l.height - LINES_AROUND : 1;
		}
		if (a.show.format->begin)
			a.show.format->begin(&a.show.a, "", stdout);
		status = show_end(&a.show, show_total(&a.show));
	}
	again_end(&a);
	return status;
}

static int list_one(const char *dir, const char *id)
{
	char *text = read_ours(dir, "sessions"), *rest = text;
	struct session_line line;
	int status = PE_EXIT_MISSING;

	while (text && sessions_next(&rest, &line))
		if (!strcmp(line.id, id)) {
			status = list_table(dir, &line);
			free(text);
			return status;
		}
	if (text)
		complain_at(id, "there is no session %s (probe-events list)", id);
	free(text);
	return status;
}

static bool is_id(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

static int run_list(const struct verb *verb, int argc, char **argv)
{
	const char *dir;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (argc > 2 || (argc == 2 && !is_id(argv[1]))) {
		complain_at(argv[is_id(argv[1]) ? 2 : 1],
			    "list: which session? a number (probe-events list --help)");
		return PE_EXIT_USAGE;
	}
	setlocale(LC_CTYPE, "");
	dir = place_of_files();
	if (!dir)
		return PE_EXIT_MISSING;
	return argc == 2 ? list_one(dir, argv[1]) : list(dir);
}

static int end_all(const char *dir)
{
	char *text = read_ours(dir, "sessions"), *rest = text;
	struct session_line line;
	int status = text ? 0 : PE_EXIT_MISSING;

	while (text && sessions_next(&rest, &line))
		if (strcmp(line.state, "dying") && sessions_end(dir, line.id))
			status = PE_EXIT_MISSING;
	free(text);
	return status;
}

static int run_rm(const struct verb *verb, int argc, char **argv)
{
	bool all = argc == 2 && !strcmp(argv[1], "--all");
	int i, status = 0;
	const char *dir;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	for (i = 1; i < argc && !all; i++)
		if (!is_id(argv[i])) {
			complain_at(argv[i], "rm: %s: no number of a session (probe-events list)",
				    argv[i]);
			return PE_EXIT_USAGE;
		}
	if (argc < 2) {
		complain("rm: which session? a number, or --all (probe-events rm --help)");
		return PE_EXIT_USAGE;
	}
	dir = place_of_files();
	if (!dir)
		return PE_EXIT_MISSING;
	if (all)
		return end_all(dir);
	for (i = 1; i < argc; i++)
		if (sessions_end(dir, argv[i]))
			status = PE_EXIT_MISSING;
	return status;
}

const struct verb verb_list = {
	.name = "list",
	.summary = "what is armed, by whom",
	.run = run_list,
	.help =
"usage: probe-events list [ID]\n"
"\n"
"Lists the sessions: each has what one program has defined, and goes with it. With ID it\n"
"shows what that session of count or lat has counted so far. It goes on counting.\n"
"\n"
"    probe-events count old_func by stack -k 24h\n"
"    probe-events list\n"
"    probe-events list 9\n"
"\n"
"SINCE is seconds since boot; CPU is what its hits have cost since then, a share of all\n"
"CPUs' time; TTL is how long a session that is kept (-k) still has.\n"
"\n"
"Exit status: 0; 1 if there is no such session; 2 if the command line is wrong; with ID\n"
"3 if something was lost.\n",
};

const struct verb verb_rm = {
	.name = "rm",
	.summary = "end sessions",
	.run = run_rm,
	.help =
"usage: probe-events rm ID... | --all\n"
"\n"
"Ends sessions, with all that they have defined, of any program. The program that has\n"
"begun one is told. Events that belong to no session stay.\n"
"\n"
"    probe-events rm 9\n"
"\n"
"Exit status: 0; 1 if there is no such session; 2 if the command line is wrong.\n",
};
