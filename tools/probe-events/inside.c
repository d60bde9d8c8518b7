// SPDX-License-Identifier: GPL-2.0
/*
 * inside.c - the verb inside: who is in a function now, and for how long.
 *
 * A return event follows each call of the functions, but records nothing.  What has not returned
 * when the time is over is in the event's file inside, also what will never return.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "grid.h"
#include "limits.h"
#include "report.h"
#include "session.h"
#include "text.h"
#include "units.h"
#include "verb.h"
#include "wait.h"
#include "whats.h"

/* A call that is shown; @what: as it was typed. */
struct found {
	struct call_line call;
	const char *what;
};

/* All of them; @texts: the files that they are in. */
struct all {
	struct found *found;
	size_t nr;
	unsigned long in_flight;
	char **texts;
	size_t nr_texts;
	bool failed;
};

static char *commands_for(char **what, size_t nr)
{
	const struct limits standard = {};
	char *text = NULL, name[32], limit[LIMITS_TEXT + 64];
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "in%zu", i);
		limits_line(&standard, 0, name, limit);
		fprintf(out, "f:%s %s%%return ns=$elapsed\ntrigger %s hist:keys=common_cpu\n%s",
			name, what[i], name, limit);
	}
	fprintf(out, "comment inside");
	for (i = 0; i < nr; i++)
		fprintf(out, " %s", what[i]);
	fputc('\n', out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static void add_calls(struct all *all, char *text, const char *what)
{
	struct call_line call;
	struct found *more;

	all->texts[all->nr_texts++] = text;
	all->in_flight += calls_in_flight(text);
	while (calls_next(&text, &call)) {
		more = reallocarray(all->found, all->nr + 1, sizeof(*more));
		if (!more) {
			all->failed = true;
			return;
		}
		all->found = more;
		all->found[all->nr++] = (struct found){ .call = call, .what = what };
	}
}

/* Those that may have ended are last, as in the files. */
static int oldest_first(const void *a, const void *b)
{
	const struct call_line *x = &((const struct found *)a)->call;
	const struct call_line *y = &((const struct found *)b)->call;

	if (x->exact != y->exact)
		return x->exact ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int find_all(const struct session *s, char **what, size_t nr, struct all *all)
{
	char path[PATH_MAX], *text;
	size_t i;

	all->texts = calloc(nr, sizeof(*all->texts));
	if (!all->texts)
		return complain("no memory");
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/events/%s/in%zu/inside", s->dir, s->group, i);
		text = read_text(path);
		if (!text)
			return -1;
		add_calls(all, text, what[i]);
	}
	if (all->nr)
		qsort(all->found, all->nr, sizeof(*all->found), oldest_first);
	return all->failed ? complain("no memory") : 0;
}

/* Where a task sleeps: the kernel's function; "-": it runs, or this may not be known. */
static char *place_of(long pid)
{
	char path[64], *text;

	snprintf(path, sizeof(path), "/proc/%ld/wchan", pid);
	text = read_file(path);
	if (text && *text && strcmp(text, "0"))
		return text;
	free(text);
	return strdup("-");
}

static void print_all(const struct all *all)
{
	char text[UNITS_TEXT], age[UNITS_TEXT + 1], state[2] = "", *place;
	struct grid g = {};
	size_t i;

	grid_column(&g, "PID", false);
	grid_column(&g, "COMM", true);
	grid_column(&g, "ST", true);
	grid_column(&g, "CPU", false);
	grid_column(&g, "FOR", false);
	grid_column(&g, "IN", true);
	grid_column(&g, "WHERE IT SLEEPS", true);
	for (i = 0; i < all->nr; i++) {
		const struct call_line *call = &all->found[i].call;

		snprintf(text, sizeof(text), "%ld", call->pid);
		grid_cell(&g, text);
		grid_cell(&g, call->comm);
		*state = call->state;
		grid_cell(&g, state);
		grid_cell(&g, call->cpu);
		snprintf(age, sizeof(age), "%s%s", call->exact ? "" : "~",
			 print_time(text, call->ns, NULL));
		grid_cell(&g, age);
		grid_cell(&g, all->found[i].what);
		place = place_of(call->pid);
		grid_cell(&g, place ? place : "-");
		free(place);
	}
	if (all->nr)
		grid_print(&g, 0, stdout);
	grid_free(&g);
}

static void print_balance(const struct all *all)
{
	size_t i, may = 0;

	for (i = 0; i < all->nr; i++)
		may += !all->found[i].call.exact;
	printf("%s%zu shown; %lu in progress by the counters", all->nr ? "\n" : "", all->nr,
	       all->in_flight);
	if (may)
		printf("; ~ %zu may have ended", may);
	printf("\ncalls that began before the probe was armed cannot be seen\n");
}

static int inside(char **what, size_t nr, unsigned long long duration)
{
	struct session s = { .fd = -1 };
	struct child none = {};
	struct wait w = { .session = &s, .child = &none, .signals = -1 };
	struct all all = {};
	int status = PE_EXIT_MISSING;
	char *text = commands_for(what, nr);
	size_t i;

	if (!text)
		return complain("no memory"), status;
	if (!session_begin(&s) && !session_write(&s, text) && !wait_begin(&w)) {
		w.until = now_ns() + duration;
		wait_to_end(&w);
		if (*w.limited)
			complain("stopped by its limit: %s", w.limited);
		if (!find_all(&s, what, nr, &all)) {
			print_all(&all);
			print_balance(&all);
			status = w.ended ? PE_EXIT_MISSING : 0;
			if (!status && *w.limited)
				status = PE_EXIT_LIMIT;
		}
		wait_end(&w);
	}
	if (s.fd >= 0)
		close(s.fd);
	for (i = 0; i < all.nr_texts; i++)
		free(all.texts[i]);
	free(all.texts);
	free(all.found);
	free(text);
	return fflush(stdout) ? PE_EXIT_MISSING : status;
}

static int run_inside(const struct verb *verb, int argc, char **argv)
{
	struct whats w;
	int status = whats_parse(&w, verb, argc, argv);
	size_t i;

	if (status >= 0)
		return status;
	for (i = 0; i < w.nr; i++) {
		if (strncmp(w.what[i], "t:", 2))
			continue;
		complain("inside: %s: a tracepoint has no inside", w.what[i]);
		return PE_EXIT_USAGE;
	}
	return inside(w.what, w.nr, w.duration);
}

const struct verb verb_inside = {
	.name = "inside",
	.summary = "who is in a function now, and for how long",
	.run = run_inside,
	.help =
"usage: probe-events inside WHAT... [-d TIME]\n"
"\n"
"Follows the calls of each WHAT for a second, or TIME, or until Ctrl-C. Then it shows those\n"
"that have not returned, the oldest first, also a call that hangs. WHAT is a function,\n"
"MOD:FUNC or a pattern 'ext4_*'. Nothing is recorded, and nothing is left armed.\n"
"\n"
"    probe-events inside vfs_rmdir iterate_dir -d 30\n"
"\n"
"~ before a time: the task was on another CPU, and the call may have ended meanwhile.\n"
"Calls that began before are not seen: wait longer.\n"
"\n"
"It is stopped if it takes more than 2 % of all CPUs' time, or 25 % of one CPU's.\n"
"\n"
"Exit status: 0; 1 if a WHAT cannot be probed; 2 if the command line is wrong; 4 if a limit\n"
"has stopped it.\n",
};
