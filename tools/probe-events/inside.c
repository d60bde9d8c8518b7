// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * inside.c - the verb inside: who is in a function now, and for how long.
 *
 * A return event follows each call of the functions, but records nothing.  What has not returned
 * when the time is over is in the event's file inside, also what will never return.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "calls.h"
#include "comment.h"
#include "csv.h"
#include "grid.h"
#include "json.h"
#include "limiting.h"
#include "narrow.h"
#include "presets.h"
#include "refused.h"
#include "report.h"
#include "session.h"
#include "text.h"
#include "units.h"
#include "verb.h"
#include "wait.h"
#include "whats.h"

#define LABEL 160	/* bytes: a function, and what its call does */

/* Where calls are followed.  @inode: only those of this file, @path, with its device. */
struct places {
	char **what;		/* as typed, or of a preset: commands */
	size_t nr;
	const char *typed;	/* all of it, for the session */
	bool preset, inode;
	const char *path;
	unsigned long long ino, dev;
};

/* A call that is shown; @what: the function; of a preset a command. */
struct found {
	struct call_line call;
	const char *what;
	const char *holds;	/* of a preset: what it does with the lock; NULL: not shown */
};

/* All of them; @texts: the files that they are in; @functions: of patterns, that are followed. */
struct all {
	struct found *found;
	size_t nr;
	unsigned long in_flight, functions;
	char **texts;
	size_t nr_texts;
};

static char *commands_for(const struct places *p)
{
	const struct limits standard = {};
	char *text = NULL, name[32], limit[LIMITS_TEXT + 64];
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < p->nr; i++) {
		snprintf(name, sizeof(name), "in%zu", i);
		limits_line(&standard, 0, name, limit);
		if (p->preset)
			fprintf(out, "r:%s%s\n", name, p->what[i] + 1);
		else
			fprintf(out, "f:%s %s%%return ns=$elapsed\n", name, p->what[i]);
		fprintf(out, "trigger %s hist:keys=common_cpu\n%s", name, limit);
	}
	fprintf(out, "comment %s\n", p->typed);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Is it about the file that is asked for?  The kernel's numbers of devices have 20 bits below. */
static bool wanted(const struct places *p, const struct call_line *call)
{
	unsigned long long ino, dev;

	if (!p->inode)
		return true;
	return calls_arg(call, "ino", &ino) && calls_arg(call, "dev", &dev) && ino == p->ino &&
	       dev >> 20 == major(p->dev) && (dev & 0xfffff) == minor(p->dev);
}

/* @text is @all's from here on.  It was read so many nanoseconds after the first one. */
static int add_calls(struct all *all, const struct places *p, char *text, const char *what,
		     unsigned long long late)
{
	unsigned long in_flight = 0;
	struct call_line call;
	struct found *more;

	all->texts[all->nr_texts++] = text;
	if (!calls_in_flight(text, &in_flight))
		return complain("inside: %s: %s", what, text);
	all->in_flight += in_flight;
	while (calls_next(&text, &call)) {
		if (!wanted(p, &call))
			continue;
		call.ns = call.ns > late ? call.ns - late : 0;
		more = reallocarray(all->found, all->nr + 1, sizeof(*more));
		if (!more)
			return complain("no memory");
		all->found = more;
		all->found[all->nr++] = (struct found){ .call = call, .what = what ?: call.func };
	}
	return 0;
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

static bool waits(const struct found *found)
{
	return !strncmp(found->what, "r rwsem_down_", strlen("r rwsem_down_"));
}

/* A task that waits is in the call that waits, and in the one which that was made from. */
static void tell_waits(struct all *all)
{
	size_t i, k;

	for (i = 0; i < all->nr; i++)
		all->found[i].holds = waits(&all->found[i]) ? "waits" : "holds";
	for (i = 0; i < all->nr; i++)
		for (k = 0; waits(&all->found[i]) && k < all->nr; k++) {
			if (k == i || all->found[k].call.pid != all->found[i].call.pid ||
			    waits(&all->found[k]))
				continue;
			all->found[k].holds = "waits";
			all->found[i].holds = NULL;
		}
	for (i = 0, k = 0; i < all->nr; i++)
		if (all->found[i].holds)
			all->found[k++] = all->found[i];
	all->nr = k;
}

/* How many functions an event has: a line of kprobes/compiled is "GROUP/EVENT FUNCTION ...". */
static unsigned long count_functions(const char *compiled, const char *event)
{
	size_t len = strlen(event);
	unsigned long nr = 0;

	for (; *compiled; compiled += strcspn(compiled, "\n"), compiled += *compiled == '\n')
		nr += !strncmp(compiled, event, len) && compiled[len] == ' ';
	return nr;
}

/* The whole text of a file that would wait until hits are compiled; for free(). */
static char *read_now(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = fd < 0 ? NULL : read_open(fd);

	if (fd >= 0)
		close(fd);
	return text;
}

/* What patterns have become. */
static void find_functions(const struct session *s, const struct places *p, struct all *all)
{
	char path[PATH_MAX], event[64], *compiled = NULL;
	size_t i;

	for (i = 0; !p->preset && i < p->nr; i++) {
		if (!strpbrk(p->what[i], "*?["))
			continue;
		snprintf(path, sizeof(path), "%s/kprobes/compiled", s->dir);
		compiled = compiled ?: read_now(path);
		snprintf(event, sizeof(event), "%s/in%zu", s->group, i);
		all->functions += compiled ? count_functions(compiled, event) : 0;
	}
	free(compiled);
}

static int find_all(const struct session *s, const struct places *p, struct all *all)
{
	unsigned long long began = now_ns(), at;
	char path[PATH_MAX], *text;
	size_t i;

	all->texts = calloc(p->nr, sizeof(*all->texts));
	if (!all->texts)
		return complain("no memory");
	find_functions(s, p, all);
	for (i = 0; i < p->nr; i++) {
		snprintf(path, sizeof(path), "%s/events/%s/in%zu/inside", s->dir, s->group, i);
		at = now_ns();
		text = read_text(path);
		if (!text)
			return -1;
		if (add_calls(all, p, text, p->preset ? p->what[i] : NULL, at - began))
			return -1;
	}
	if (p->preset)
		tell_waits(all);
	if (all->nr)
		qsort(all->found, all->nr, sizeof(*all->found), oldest_first);
	return 0;
}

/* The first function of /proc/PID/stack, "[<0>] NAME+0x1/0x2", that is not the modules'. */
static char *first_of(const char *stack)
{
	static const char before[] = "[<0>] ";
	const char *line = stack;

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, before, sizeof(before) - 1))
			continue;
		line += sizeof(before) - 1;
		if (strncmp(line, "pe_", 3))
			return strndup(line, strcspn(line, "+\n"));
	}
	return NULL;
}

/* Where a task sleeps: the kernel's function; "-": it runs, or this may not be known. */
static char *place_of(long pid)
{
	char path[64], *text, *place;

	/* By its stack: wchan takes the way by which a probed call returns for a function. */
	snprintf(path, sizeof(path), "/proc/%ld/stack", pid);
	text = read_file(path);
	place = text ? first_of(text) : NULL;
	free(text);
	if (place)
		return place;
	snprintf(path, sizeof(path), "/proc/%ld/wchan", pid);
	text = read_file(path);
	if (text && *text && strcmp(text, "0"))
		return text;
	free(text);
	return strdup("-");
}

/* Of a preset's command the function, and what the call does with the lock. */
static void print_what(const struct found *found, char *text, size_t size)
{
	if (found->holds)
		snprintf(text, size, "%.*s (%s)", (int)strcspn(found->what + 2, " "),
			 found->what + 2, found->holds);
	else
		snprintf(text, size, "%s", found->what);
}

/* RFC 4180; what is not known is empty. */
static void print_csv(const struct all *all)
{
	char what[LABEL], *place;
	size_t i;

	puts("pid,comm,state,cpu,ns,exact,in,sleeps_in");
	for (i = 0; i < all->nr; i++) {
		const struct call_line *call = &all->found[i].call;

		printf("%ld,", call->pid);
		csv_text(call->comm, stdout);
		printf(",%c,%s,%llu,%d,", call->state, *call->cpu == '-' ? "" : call->cpu,
		       call->ns, call->exact);
		print_what(&all->found[i], what, sizeof(what));
		csv_text(what, stdout);
		place = place_of(call->pid);
		printf(",%s\n", place && *place != '-' ? place : "");
		free(place);
	}
}

static void print_json(const struct all *all)
{
	char what[LABEL], *place;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		const struct call_line *call = &all->found[i].call;
		struct json_object *o = json_line("call", now_ns() / 1e9);
		const char state[] = { call->state, '\0' };

		json_object_object_add(o, "pid", json_number(call->pid));
		json_object_object_add(o, "comm", json_text(call->comm));
		json_object_object_add(o, "state", json_object_new_string(state));
		if (*call->cpu != '-')
			json_object_object_add(o, "cpu", json_number(strtoul(call->cpu, NULL, 10)));
		json_object_object_add(o, "ns", json_number(call->ns));
		json_object_object_add(o, "exact", json_object_new_boolean(call->exact));
		print_what(&all->found[i], what, sizeof(what));
		json_object_object_add(o, "in", json_text(what));
		place = place_of(call->pid);
		if (place && *place != '-')
			json_object_object_add(o, "sleeps_in", json_text(place));
		free(place);
		json_print(o, stdout);
	}
}

static void print_text(const struct all *all)
{
	char text[UNITS_TEXT], age[UNITS_TEXT + 1], state[2] = "", what[LABEL], *place;
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
		print_what(&all->found[i], what, sizeof(what));
		grid_cell(&g, what);
		place = place_of(call->pid);
		grid_cell(&g, place ? place : "-");
		free(place);
	}
	if (all->nr)
		grid_print(&g, narrow_width(stdout), stdout);
	grid_free(&g);
}

/*
 * Whose the lock was when the call was looked at.  Readers share it: then the kernel knows the last
 * one only, which may have left.
 */
static void print_owner(const struct all *all, const struct places *p)
{
	unsigned long long shared;
	const char *owner = NULL;
	size_t i;

	for (i = 0; i < all->nr && !owner; i++)
		owner = calls_last(&all->found[i].call, "owner");
	if (!owner || !strcmp(owner, "-"))
		return;
	printf("\nlock of %s (inode %u:%u/%llu) ", p->path, major(p->dev), minor(p->dev), p->ino);
	if (!calls_arg(&all->found[i - 1].call, "shared", &shared))
		shared = 0;
	printf(shared ? "is shared; %s was the last reader\n" : "is owned by %s\n", owner);
}

static size_t count_rough(const struct all *all)
{
	size_t i, nr = 0;

	for (i = 0; i < all->nr; i++)
		nr += !all->found[i].call.exact;
	return nr;
}

static struct json_object *balance_object(const struct all *all, unsigned long refused)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "shown", json_number(all->nr));
	json_object_object_add(o, "in_flight", json_number(all->in_flight));
	json_object_object_add(o, "may_have_ended", json_number(count_rough(all)));
	json_object_object_add(o, "refused", json_number(refused));
	return o;
}

static void print_balance(const struct all *all, unsigned long refused)
{
	size_t may = count_rough(all);
	char text[UNITS_TEXT];

	printf("%s%zu shown; %lu in progress by the counters", all->nr ? "\n" : "", all->nr,
	       all->in_flight);
	if (all->functions)
		printf(", of %s function%s", print_count(text, all->functions),
		       all->functions == 1 ? "" : "s");
	if (may)
		printf("; ~ %zu may have ended", may);
	if (refused)
		printf("; %lu refused (probe-events check)", refused);
	printf("\ncalls that began before the probe was armed cannot be seen\n");
}

/* JSON has its balance in the last line, CSV has no place for one. */
static void print_answer(const struct all *all, const struct places *p, const struct format *format,
			 unsigned long refused)
{
	if (format == &format_json) {
		print_json(all);
		return;
	}
	if (format == &format_csv) {
		print_csv(all);
		return;
	}
	print_text(all);
	if (p->inode)
		print_owner(all, p);
	print_balance(all, refused);
}

static int inside(const struct places *p, const struct whats *what)
{
	struct session s = { .fd = -1 };
	struct child none = {};
	struct wait w = { .session = &s, .child = &none, .signals = -1 };
	struct all all = {};
	int status = PE_EXIT_MISSING;
	struct json_object *balance = NULL;
	unsigned long refused;
	char *text = commands_for(p);
	size_t i;

	if (!text)
		return complain("no memory"), status;
	whats_begin(what, "inside", text);
	if (!session_begin(&s) && !session_write(&s, text) && !wait_begin(&w)) {
		w.until = now_ns() + what->duration;
		wait_to_end(&w);
		if (*w.limited)
			complain("stopped by its limit: %s", w.limited);
		if (!find_all(&s, p, &all) &&
		    !refused_count(s.dir, s.group, NULL, &refused)) {
			print_answer(&all, p, what->format, refused);
			if (what->format == &format_json)
				balance = balance_object(&all, refused);
			status = w.ended ? PE_EXIT_MISSING : 0;
			if (!status && *w.limited)
				status = PE_EXIT_LIMIT;
		}
		wait_end(&w);
	}
	if (s.fd >= 0)
		close(s.fd);
	whats_end(what, status, "inside", balance);
	for (i = 0; i < all.nr_texts; i++)
		free(all.texts[i]);
	free(all.texts);
	free(all.found);
	free(text);
	return fflush(stdout) ? PE_EXIT_MISSING : status;
}

/* The preset's probes, and the file that they are asked about. */
static int inside_preset(const struct verb *verb, const struct whats *w, const char *typed)
{
	char *commands[PRESET_PROBES];
	struct places p = { .what = commands, .preset = true, .typed = typed };
	struct preset preset;
	struct stat st;
	int status;
	size_t i;

	if (w->nr != 2) {
		complain("inside: which file? %s FILE", w->what[0]);
		return PE_EXIT_USAGE;
	}
	status = presets_find(&preset, w->what[0], w->what + 1, 1, verb->name);
	if (status)
		return status;
	p.inode = preset.inode;
	if (p.inode && stat(w->what[1], &st)) {
		complain("%s: %s", w->what[1], strerror(errno));
		status = PE_EXIT_MISSING;
	} else if (p.inode) {
		p.path = w->what[1];
		p.ino = st.st_ino;
		p.dev = st.st_dev;
	}
	for (i = 0; i < preset.nr_probes; i++)
		if (preset_command(&preset, i))
			commands[p.nr++] = (char *)preset_command(&preset, i);
	if (!status)
		status = inside(&p, w);
	preset_free(&preset);
	return status;
}

static int run_inside(const struct verb *verb, int argc, char **argv)
{
	struct whats w;
	int status = whats_parse(&w, verb, argc, argv);
	char typed[COMMENT_ROOM];
	struct places p = { .typed = typed };
	size_t i;

	if (status >= 0)
		return status;
	comment_make(typed, w.nr + 1, argv);	/* the verb is in front of them */
	if (*w.what[0] == '@')
		return inside_preset(verb, &w, typed);
	for (i = 0; i < w.nr; i++) {
		if (strncmp(w.what[i], "t:", 2))
			continue;
		complain_at(w.what[i], "inside: %s: a tracepoint has no inside", w.what[i]);
		return PE_EXIT_USAGE;
	}
	p.what = w.what;
	p.nr = w.nr;
	return inside(&p, &w);
}

const struct verb verb_inside = {
	.name = "inside",
	.summary = "which calls, from now on, have not returned, and for how long",
	.run = run_inside,
	.help =
"usage: probe-events inside WHAT... [-d TIME] [-f FORM]\n"
"       probe-events inside @dir FILE [-d TIME] [-f FORM]\n"
"\n"
"Follows the calls of each WHAT that begin from now on, for a second, or TIME, or until\n"
"Ctrl-C. Then it shows those that have not returned, the oldest first, also one that\n"
"hangs. WHAT is a function, MOD:FUNC or a pattern 'ext4_*'. Nothing is recorded, and\n"
"nothing is left armed.\n"
"\n"
"    probe-events inside vfs_rmdir iterate_dir -d 30\n"
"    probe-events inside @dir /srv/data\n"
"\n"
"FORM is text, json (lines) or csv.\n"
"\n"
"~ before a time: the task was on another CPU, and the call may have ended meanwhile.\n"
"Calls that began before are not seen.\n"
"\n"
"It is stopped if it takes more than 2 % of all CPUs' time, or 25 % of one CPU's.\n"
"\n"
"Exit status: 0; 1 if a WHAT cannot be probed; 2 if the command line is wrong; 4 if a limit\n"
"has stopped it.\n",
};
