// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * check.c - the verb check: can it be probed, and how often would it be hit?
 *
 * Each WHAT is defined in a session, alone, so one that is refused keeps no other from being
 * counted.  All of it goes with the session.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cost.h"
#include "csv.h"
#include "grid.h"
#include "json.h"
#include "limiting.h"
#include "losses.h"
#include "narrow.h"
#include "refused.h"
#include "report.h"
#include "session.h"
#include "text.h"
#include "units.h"
#include "verb.h"
#include "wait.h"
#include "whats.h"

/* What is to be checked. */
struct probed {
	const char *what;
	char *wrong;		/* why it is refused; NULL: it is armed */
	char *stopped;		/* why its limit has stopped it; NULL: it has not */
	unsigned long long hits, ns;
	unsigned long refused;	/* functions of a pattern */
	double seconds;		/* so long it was armed */
};

static void keep_error(void *ctx, const char *what, const char *command, int where)
{
	struct probed *p = ctx;

	(void)command;
	(void)where;
	free(p->wrong);
	p->wrong = strdup(what);
}

/* Entries of a function or a pattern, a place in one, or a tracepoint; nothing is recorded. */
static char *commands_for(const struct probed *p, size_t i)
{
	bool tracepoint = !strncmp(p->what, "t:", 2);
	char kind = tracepoint ? 't' : strchr(p->what, '+') ? 'p' : 'f';
	const struct limits standard = {};
	char *text, limit[LIMITS_TEXT + 64], name[32];

	snprintf(name, sizeof(name), "check%zu", i);
	limits_line(&standard, 0, name, limit);
	return asprintf(&text, "%c:%s %s\ntrigger %s hist:keys=common_cpu\n%s", kind, name,
			p->what + (tracepoint ? 2 : 0), name, limit) < 0 ? NULL : text;
}

static int arm_all(const struct session *s, struct probed *all, size_t nr, struct wait *w)
{
	size_t i, armed = 0;

	for (i = 0; i < nr; i++) {
		char *text = commands_for(&all[i], i);

		if (!text)
			return complain("no memory");
		report_to(keep_error, &all[i]);
		armed += !session_write(s, text);
		report_to(NULL, NULL);
		free(text);
		wait_hear(w);	/* few of its lines are kept */
	}
	return armed;
}

/* "tripped: WHY at SECONDS", of the monotonic clock, as @since is. */
static void look_for_stop(const struct session *s, struct probed *p, const char *name, double since)
{
	char path[PATH_MAX], *text, *why, *end;

	snprintf(path, sizeof(path), "%s/events/%s/%s/limit", s->dir, s->group, name);
	text = read_file(path);
	why = text ? strstr(text, "tripped: ") : NULL;
	end = why ? strrchr(why, ' ') : NULL;
	if (end && end > why + 9 + 3) {
		p->seconds = strtod(end, NULL) - since;
		p->stopped = strndup(why + 9, end - 3 - why - 9);
	}
	free(text);
}

static void count_hits(const struct session *s, struct probed *all, size_t nr,
		       unsigned long long since)
{
	char path[PATH_MAX], *text, name[32];
	struct losses losses;
	size_t i;

	snprintf(path, sizeof(path), "%s/kprobe_losses", s->dir);
	text = read_text(path);
	for (i = 0; text && i < nr; i++) {
		snprintf(name, sizeof(name), "check%zu", i);
		losses_read(&losses, text, s->group, name);
		all[i].hits = losses_of(&losses, "hits");
		all[i].seconds = (now_ns() - since) / 1e9;
		cost_of(s->dir, s->group, name, &all[i].ns);
		look_for_stop(s, &all[i], name, since / 1e9);
	}
	free(text);
}

/* Return: whether there is anything to say of it beside its row. */
static bool is_odd(const struct probed *p)
{
	return p->wrong || p->stopped || p->refused;
}

static void print_odd(const struct session *s, const struct probed *p, size_t i,
		      const char *refused)
{
	char name[32];

	printf("\n%s\n", p->what);
	if (p->stopped)
		printf("    stopped by its limit after %.3f s: %s\n", p->seconds, p->stopped);
	snprintf(name, sizeof(name), "check%zu", i);
	if (p->wrong)
		printf("    refused: %s\n", p->wrong);
	else
		refused_lines(refused, s->group, name, "    ", stdout);
}

/* Something is divided by it. */
static double seconds_of(const struct probed *p)
{
	return p->seconds > 0.001 ? p->seconds : 0.001;
}

static void print_csv(const struct probed *all, size_t nr)
{
	size_t i;

	puts("what,refused,hits,seconds,cost_percent,error,stopped");
	for (i = 0; i < nr; i++) {
		csv_text(all[i].what, stdout);
		printf(",%lu,%llu,%.6f,%.4f,", all[i].refused, all[i].hits, all[i].seconds,
		       cost_share(all[i].ns, seconds_of(&all[i])));
		csv_text(all[i].wrong ?: "", stdout);
		putchar(',');
		csv_text(all[i].stopped ?: "", stdout);
		putchar('\n');
	}
}

static void print_json(const struct probed *all, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		struct json_object *o = json_line("checked", now_ns() / 1e9);
		double cost = cost_share(all[i].ns, seconds_of(&all[i]));

		json_object_object_add(o, "what", json_text(all[i].what));
		json_object_object_add(o, "refused", json_number(all[i].refused));
		json_object_object_add(o, "hits", json_number(all[i].hits));
		json_object_object_add(o, "seconds", json_object_new_double(all[i].seconds));
		json_object_object_add(o, "cost_percent", json_object_new_double(cost));
		if (all[i].wrong)
			json_object_object_add(o, "error", json_text(all[i].wrong));
		if (all[i].stopped)
			json_object_object_add(o, "stopped", json_text(all[i].stopped));
		json_print(o, stdout);
	}
}

static void print_text(const struct probed *all, size_t nr)
{
	char text[UNITS_TEXT];
	struct grid g = {};
	size_t i;

	grid_column(&g, "WHAT", true);
	grid_column(&g, "REFUSED", false);
	grid_column(&g, "HITS", false);
	grid_column(&g, "HITS/S", false);
	grid_column(&g, "COST", false);
	for (i = 0; i < nr; i++) {
		grid_cell(&g, all[i].what);
		grid_cell(&g, all[i].wrong ? "all" : print_count(text, all[i].refused));
		grid_cell(&g, print_count(text, all[i].hits));
		grid_cell(&g, print_count(text, all[i].hits / seconds_of(&all[i]) + 0.5));
		snprintf(text, sizeof(text), "%.2f%%",
			 cost_share(all[i].ns, seconds_of(&all[i])));
		grid_cell(&g, text);
	}
	grid_print(&g, narrow_width(stdout), stdout);
	grid_free(&g);
}

static int tell(const struct session *s, struct probed *all, size_t nr,
		const struct format *format)
{
	char path[PATH_MAX], *refused, name[32];
	size_t i;

	snprintf(path, sizeof(path), "%s/kprobes/refused", s->dir);
	refused = read_text(path);
	if (!refused)
		return -1;
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "check%zu", i);
		all[i].refused = refused_lines(refused, s->group, name, "", NULL);
	}
	if (format == &format_json)
		print_json(all, nr);
	else if (format == &format_csv)
		print_csv(all, nr);
	else
		print_text(all, nr);
	for (i = 0; i < nr && format == &format_text; i++)
		if (is_odd(&all[i]))
			print_odd(s, &all[i], i, refused);
	free(refused);
	return 0;
}

/* What is wrong counts more than a limit. */
static int status_of(const struct probed *all, size_t nr)
{
	int status = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (all[i].wrong)
			return PE_EXIT_MISSING;
		if (all[i].stopped)
			status = PE_EXIT_LIMIT;
	}
	return status;
}

/* Its event's name is that of commands_for(). */
static void note_awaited(void *data, const char *event, const char *why)
{
	struct probed *all = data, *p = all + strtoul(event + strlen("check"), NULL, 10);

	p->wrong = strdup(why);
}

/* All commands, in one text. */
static int begin_answer(const struct probed *all, const struct whats *what)
{
	char *text = NULL, *one;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < what->nr; i++) {
		one = commands_for(&all[i], i);
		fputs(one ?: "", out);
		free(one);
	}
	if (!out || fclose(out))
		return complain("no memory");
	whats_begin(what, "check", text);
	free(text);
	return 0;
}

static int check(struct probed *all, const struct whats *what)
{
	struct session s = { .fd = -1 };
	struct child none = {};
	struct wait w = { .session = &s, .child = &none, .several = true, .signals = -1,
			  .awaited = note_awaited, .data = all };
	unsigned long long since;
	int status = PE_EXIT_MISSING, armed;

	if (begin_answer(all, what))
		return status;
	if (session_begin(&s)) {
		whats_end(what, status, NULL, NULL);
		return status;
	}
	since = now_ns();
	armed = arm_all(&s, all, what->nr, &w);
	w.until = now_ns() + what->duration;
	if (armed >= 0 && !wait_begin(&w)) {
		if (armed)
			wait_to_end(&w);
		count_hits(&s, all, what->nr, since);
		status = tell(&s, all, what->nr, what->format) || (size_t)armed != what->nr ||
			 w.ended ? PE_EXIT_MISSING : status_of(all, what->nr);
		wait_end(&w);
	}
	close(s.fd);
	whats_end(what, status, NULL, NULL);
	return fflush(stdout) ? PE_EXIT_MISSING : status;
}

static int run_check(const struct verb *verb, int argc, char **argv)
{
	struct probed *all;
	struct whats w;
	int status = whats_parse(&w, verb, argc, argv);
	size_t i;

	if (status >= 0)
		return status;
	all = calloc(w.nr, sizeof(*all));
	if (!all)
		return complain("no memory"), PE_EXIT_MISSING;
	for (i = 0; i < w.nr; i++)
		all[i].what = w.what[i];
	status = check(all, &w);
	for (i = 0; i < w.nr; i++) {
		free(all[i].wrong);
		free(all[i].stopped);
	}
	free(all);
	return status;
}

const struct verb verb_check = {
	.name = "check",
	.summary = "can it be probed, and how often would it be hit",
	.run = run_check,
	.help =
"usage: probe-events check WHAT... [-d TIME] [-f FORM]\n"
"\n"
"Counts the hits of each WHAT for a second, or TIME, and says which functions cannot be\n"
"probed, and why. WHAT is a function, MOD:FUNC, FUNC+OFFSET, a pattern 'tcp_*' or a\n"
"tracepoint, t:NAME. Nothing is recorded, and nothing is left armed.\n"
"\n"
"    probe-events check do_fsync 'ext4_*' t:sched_switch\n"
"\n"
"FORM is text, json (lines) or csv.\n"
"\n"
"COST is the share of all CPUs' time that counting takes. A WHAT that takes more than 2 %,\n"
"or 25 % of one CPU, is stopped early, and the time is that until then.\n"
"\n"
"Exit status: 0; 1 if a WHAT cannot be probed at all; 2 if the command line is wrong; 4 if\n"
"a limit has stopped one.\n",
};
