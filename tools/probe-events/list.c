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
#include "limit.h"
#include "limiting.h"
#include "live.h"
#include "machine.h"
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

static int list_sessions(char *text, const char *cost)
{
	static const char * const headings[] = {
		"ID", "PID", "OWNER", "SINCE", "EVENTS", "HITS", "CPU", "TTL", "STATE", "WHAT",
	};
	char *rest = text, count[UNITS_TEXT], state[32];
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
		machine_state(&line, cost ?: "", state, sizeof(state));
		grid_cell(&g, state);
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
	char *text = read_ours(dir, "sessions"), path[PATH_MAX], *cost;

	if (!text)
		return PE_EXIT_MISSING;
	snprintf(path, sizeof(path), "%s/kprobes/cost", dir);
	cost = read_file(path);		/* older modules have none */
	list_sessions(text, cost);
	free(cost);
	free(text);
	count_others(dir);
	return fflush(stdout) ? PE_EXIT_MISSING : 0;
}

/* A limit may have stopped it, though its session is kept. */
static void tell_stopped(const char *dir, const char *group, const char *event)
{
	char name[64], *why, *at;

	snprintf(name, sizeof(name), "%s/%s", group, event);
	why = limit_why(dir, name);
	at = why ? strstr(why, " at ") : NULL;
	if (at)
		*at = '\0';
	if (why)
		complain("stopped by its limit: %s (%s)", why, limits_advice(why));
	free(why);
}

/* What a session has counted, as its own verb would show it; @rows: 0: those that fit */
static int list_table(const char *dir, const struct session_line *line, unsigned long rows)
{
	struct live l = { .out = stdout };
	struct again a;
	const char *wrong = again_begin(&a, dir, line->id, line->what);
	int status = PE_EXIT_MISSING;

	if (wrong) {
		complain("session %s cannot be shown: %s", line->id, wrong);
	} else {
		a.show.out = stdout;
		a.r.rows = rows;
		if (isatty(STDOUT_FILENO)) {
			live_resize(&l);
			a.show.a.width = l.width;
			a.show.a.fit = l.known ? live_rows(&l) : 0;
		}
		if (a.show.format->begin)
			a.show.format->begin(&a.show.a, "", stdout);
		tell_stopped(dir, a.session.group, a.show.event);
		status = show_end(&a.show, show_total(&a.show));
	}
	again_end(&a);
	return status;
}

static int list_one(const char *dir, const char *id, unsigned long rows)
{
	char *text = read_ours(dir, "sessions"), *rest = text;
	struct session_line line;
	int status = PE_EXIT_MISSING;

	while (text && sessions_next(&rest, &line))
		if (!strcmp(line.id, id)) {
			status = list_table(dir, &line, rows);
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
	return word && *word && !word[strspn(word, "0123456789")];
}

static int run_list(const struct verb *verb, int argc, char **argv)
{
	const char *dir, *id = argc > 1 ? argv[1] : NULL, *rows = argc > 3 ? argv[3] : NULL;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (id && !is_id(id)) {
		complain_at(id, "list: which session? a number (probe-events list --help)");
		return PE_EXIT_USAGE;
	}
	if (argc > 2 && (argc > 4 || strcmp(argv[2], "-n") || !is_id(rows))) {
		complain_at(argv[argc > 4 ? 4 : strcmp(argv[2], "-n") || !rows ? 2 : 3],
			    "list: after the session only -n ROWS (probe-events list --help)");
		return PE_EXIT_USAGE;
	}
	setlocale(LC_CTYPE, "");
	dir = place_of_files();
	if (!dir)
		return PE_EXIT_MISSING;
	return id ? list_one(dir, id, rows ? strtoul(rows, NULL, 10) : 0) : list(dir);
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
"usage: probe-events list [ID [-n ROWS]]\n"
"\n"
"Lists the sessions: each has what one program has defined, and goes with it. With ID it\n"
"shows what that session of count or lat has counted so far. It goes on counting. On a\n"
"terminal there are as many rows as it has room for, or ROWS.\n"
"\n"
"    probe-events count old_func by stack -k 24h\n"
"    probe-events list\n"
"    probe-events list 9\n"
"\n"
"SINCE is seconds since boot; CPU is what its hits have cost since then, a share of all\n"
"CPUs' time; TTL is how long a session that is kept (-k) still has. STATE says \"stopped\"\n"
"where a limit has stopped it: what has been counted till then can still be shown.\n"
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
