// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * limit.c - the verb limit: what events cost, and how much they may.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cost.h"
#include "grid.h"
#include "limit.h"
#include "narrow.h"
#include "place.h"
#include "report.h"
#include "text.h"
#include "units.h"
#include "verb.h"

/* ---- show ---- */

/* "all events: cpu=25% one=60%", and what it did the last time. */
static int show_all(const char *dir)
{
	char path[PATH_MAX], *text, *rest, *line;

	snprintf(path, sizeof(path), "%s/limits", dir);
	text = read_file(path);
	if (!text)
		return complain("%s: %s%s", path, strerror(errno), errno == ENOENT ?
				" (the module that is loaded is older than this command)" : "");
	rest = text;
	line = strsep(&rest, "\n");
	printf("all events: %s\n", line);
	if (rest && *rest)
		printf("            %s", rest);
	free(text);
	return 0;
}

/* Of the event's file in the top instance. */
char *limit_why(const char *dir, const char *event)
{
	char path[PATH_MAX], *text, *why;

	snprintf(path, sizeof(path), "%s/events/%s/limit", dir, event);
	text = read_file(path);
	why = text ? strstr(text, "tripped: ") : NULL;
	if (why) {
		why += strlen("tripped: ");
		why = strndup(why, strcspn(why, "\n"));
	}
	free(text);
	return why;
}

static void print_why(const char *dir, const char *event)
{
	char *why = limit_why(dir, event);

	if (why)
		printf("%s tripped: %s\n", event, why);
	free(why);
}

static bool is_wanted(const char *event, const char *what)
{
	size_t len = what ? strcspn(event, "/") : 0;

	if (!what || !strcmp(event, what))
		return true;
	/* A session's number is its group. */
	return *event == 's' && !strncmp(event + 1, what, len - 1) && !what[len - 1];
}

static void add_row(struct grid *g, const struct cost_line *line)
{
	char text[UNITS_TEXT];

	grid_cell(g, line->event);
	grid_cell(g, line->state);
	grid_cell(g, print_count(text, strtoull(line->hits, NULL, 10)));
	grid_cell(g, print_time(text, strtoull(line->price, NULL, 10), NULL));
	grid_cell(g, print_time(text, line->ns, NULL));
	grid_cell(g, line->cpu);
	grid_cell(g, line->limit);
}

/* Return: how many there are. */
static size_t show_events(const char *dir, const char *what, char *text)
{
	static const char * const headings[] = {
		"EVENT", "STATE", "HITS", "A HIT", "ALL", "CPU", "LIMIT",
	};
	char *copy = strdup(text), *rest = copy;
	struct cost_line line;
	struct grid g = {};
	size_t i, nr = 0;

	for (i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		grid_column(&g, headings[i], i < 2 || i == 6);
	while (cost_next(&rest, &line))
		if (*line.event != '#' && is_wanted(line.event, what)) {
			add_row(&g, &line);
			nr++;
		}
	if (nr)
		grid_print(&g, narrow_width(stdout), stdout);
	grid_free(&g);
	free(copy);
	for (rest = text; cost_next(&rest, &line);)
		if (!strcmp(line.state, "tripped") && is_wanted(line.event, what))
			print_why(dir, line.event);
	return nr;
}

static int show(const char *dir, const char *what)
{
	char path[PATH_MAX], *text;
	size_t nr;

	if (!what && show_all(dir))
		return PE_EXIT_MISSING;
	snprintf(path, sizeof(path), "%s/kprobes/cost", dir);
	text = read_text(path);
	if (!text)
		return PE_EXIT_MISSING;
	nr = show_events(dir, what, text);
	free(text);
	if (!nr && what)
		complain_at(what, "no event %s (probe-events limit)", what);
	return fflush(stdout) || (!nr && what) ? PE_EXIT_MISSING : 0;
}

/* ---- set ---- */

/* The reason is the last in error_log: "... error: Invalid limit (cpu=P%, ...)". */
static void complain_why(const char *dir, const char *word, const char *words, int err)
{
	char path[PATH_MAX], *text, *at, *why = NULL;

	snprintf(path, sizeof(path), "%s/error_log", dir);
	text = read_file(path);
	for (at = text; at && (at = strstr(at, "error: ")); why = at)
		at += strlen("error: ");
	if (why && (err == EINVAL || err == EPERM))
		complain_at(word, "limit: %s: %.*s", words, (int)strcspn(why, "\n"), why);
	else
		complain_at(word, "limit: %s: %s", words, strerror(err));
	free(text);
}

int limit_set(const char *dir, const char *what, char **words, int nr)
{
	char path[PATH_MAX], text[512] = "";
	size_t len = 0;
	int fd, i, err = 0;

	for (i = 0; i < nr && len < sizeof(text); i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", i ? " " : "", words[i]);
	if (len >= sizeof(text))
		return complain("limit: too many words"), PE_EXIT_USAGE;
	if (!strcmp(what, "all"))
		snprintf(path, sizeof(path), "%s/limits", dir);
	else
		snprintf(path, sizeof(path), "%s/events/%s/limit", dir, what);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		err = errno;
		if (err == ENOENT)
			complain_at(what, "no event %s (probe-events limit)", what);
		else
			complain("%s: %s", path, strerror(err));
		return PE_EXIT_MISSING;
	}
	if (write(fd, text, len) != (ssize_t)len)
		err = errno;
	close(fd);
	if (err)
		complain_why(dir, nr == 1 ? words[0] : what, text, err);
	return err ? PE_EXIT_MISSING : 0;
}

static bool is_event(const char *what)
{
	const char *slash = strchr(what, '/');

	return slash && slash != what && slash[1] && !strchr(slash + 1, '/') &&
	       !strstr(what, "..");
}

static int run_limit(const struct verb *verb, int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : NULL, *dir;

	if (argc == 2 && (!strcmp(what, "--help") || !strcmp(what, "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (argc > 2 && strcmp(what, "all") && !is_event(what)) {
		complain_at(what, "limit: %s: all, or GROUP/EVENT (probe-events limit --help)",
			    what);
		return PE_EXIT_USAGE;
	}
	if (argc == 2 && !is_event(what) && what[strspn(what, "0123456789")]) {
		complain_at(what,
			    "limit: %s: GROUP/EVENT, or a number (probe-events limit --help)",
			    what);
		return PE_EXIT_USAGE;
	}
	dir = place_of_files();
	if (!dir)
		return PE_EXIT_MISSING;
	return argc > 2 ? limit_set(dir, what, argv + 2, argc - 2) : show(dir, what);
}

const struct verb verb_limit = {
	.name = "limit",
	.summary = "what events cost, and how much they may",
	.run = run_limit,
	.help =
"usage: probe-events limit [GROUP/EVENT | ID]\n"
"       probe-events limit GROUP/EVENT | all WORD...\n"
"\n"
"Shows what the hits of each event cost, and the limit that is in force for it; or of one\n"
"event, or of those of session ID. With words it sets a limit, of an event in the top\n"
"instance or of all events together:\n"
"\n"
"  cpu=P%  one=P%   share of all CPUs' time, of one CPU's, that hits may take\n"
"  hits=N           so many hits are served: 10k, 1e6\n"
"  rate=N/s         so many in a second; the others are left out, and it goes on\n"
"  ttl=T            for how long: 60, 10m, 12h, 3d\n"
"  none             no limit; of all events it is cpu=25% one=60% until another is set\n"
"\n"
"    probe-events limit\n"
"    probe-events limit kprobes/open hits=10k ttl=60s\n"
"    probe-events limit all cpu=10% one=40%\n"
"\n"
"When a limit is reached, the event is disarmed, until it is enabled again; of all events\n"
"those that cost most. CPU is the share of all CPUs' time in the last second or less, ALL\n"
"what all hits have cost.\n"
"\n"
"Exit status: 0; 1 if there is no such event, or a word is wrong; 2 if the command line is\n"
"wrong.\n",
};
