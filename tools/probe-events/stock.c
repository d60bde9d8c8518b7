// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stock.c - events in the kernel's own tracefs, by libtracefs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/trace-seq.h>
#include <tracefs.h>
#include <unistd.h>
#include "mounts.h"
#include "place.h"
#include "report.h"
#include "stock.h"
#include "text.h"

/* Calls of a function at one time; later ones are missed, and counted. */
#define MOST_CALLS 1024U

/* Tasks of which calls are matched; those of more are not. */
#define MOST_TASKS 16384

static char *path_of(const struct stock *s, char *path, const char *file)
{
	snprintf(path, PATH_MAX, "%s/%s", s->at.dir, file);
	return path;
}

/* Ours may cover the kernel's: of a kernel without its own, or in the namespace of exec. */
const char *stock_place(void)
{
	char *mounts = read_text("/proc/self/mounts");
	bool there = mounts && mounts_has(mounts, "tracefs", TRACING);

	free(mounts);
	if (!there)
		complain("the kernel's own files are not at %s: mount -t %s %s %s", TRACING,
			 "tracefs", "tracefs", TRACING);
	else if (!access(TRACING "/session", F_OK))
		there = complain("%s has the modules' files: the kernel's own are wanted",
				 TRACING) == 0;
	else if (access(TRACING "/kprobe_events", F_OK))
		there = complain("no %s/kprobe_events (CONFIG_KPROBE_EVENTS; are you root?)",
				 TRACING) == 0;
	return there ? TRACING : NULL;
}

void stock_names(struct stock *s, const char *event)
{
	int pid = getpid();

	*s = (struct stock){ .at = { .fd = -1, .dir = TRACING, .own = true } };
	snprintf(s->at.group, sizeof(s->at.group), "pe_%d", pid);
	/* kprobe_profile has no groups, so the name is this process's, too. */
	snprintf(s->event, sizeof(s->event), "%s_%d", event, pid);
	snprintf(s->entry, sizeof(s->entry), "%s_in_%d", event, pid);
	snprintf(s->synth_name, sizeof(s->synth_name), "%s_ns_%d", event, pid);
}

/* ---- what that kernel can do ---- */

static int look(const struct stock *s, bool hist, bool synth)
{
	char path[PATH_MAX], *readme = read_text(path_of(s, path, "README"));
	bool has = readme && strstr(readme, "hist:keys=");

	free(readme);
	if (!readme)
		return -1;
	if (hist && !has)
		return complain("this kernel has no histograms (CONFIG_HIST_TRIGGERS)");
	if (synth && access(path_of(s, path, "synthetic_events"), F_OK))
		return complain("this kernel has no synthetic events (CONFIG_SYNTH_EVENTS)");
	return 0;
}

/* A probe that is added to another user's event would be hard to tell from theirs. */
static int look_for_others(const struct stock *s)
{
	char path[PATH_MAX], file[64];

	snprintf(file, sizeof(file), "events/%s", s->at.group);
	if (!access(path_of(s, path, file), F_OK))
		return complain("%s is there already: left by a program that was killed?", path);
	snprintf(file, sizeof(file), "instances/%s", s->at.group);
	if (!access(path_of(s, path, file), F_OK))
		return complain("%s is there already: left by a program that was killed?", path);
	return 0;
}

int stock_begin(struct stock *s, bool hist, bool synth)
{
	if (!stock_place() || look(s, hist, synth) || look_for_others(s))
		return -1;
	if (tracefs_set_tracing_dir((char *)s->at.dir))
		return complain("libtracefs does not take %s", s->at.dir);
	s->instance = tracefs_instance_create(s->at.group);
	return s->instance ? 0 : complain("%s/instances/%s: %s", s->at.dir, s->at.group,
					  strerror(errno));
}

/* ---- definitions ---- */

/* The last entry of an error_log: "[ 12.3] trace_kprobe: error: WHAT", the command, the caret. */
static int complain_why(struct tracefs_instance *whose, const char *of, int err, char *before)
{
	static const char command[] = "  Command: ";
	char *log = tracefs_error_last(whose), *what = log ? strstr(log, "error: ") : NULL;
	char *rest = what ? what + strlen("error: ") : NULL, *line, *caret;

	/* Events that were there before are another user's. */
	if (before && log && !strcmp(before, log))
		rest = NULL;
	what = strsep(&rest, "\n");
	line = what ? strsep(&rest, "\n") : NULL;
	caret = line ? strsep(&rest, "\n") : NULL;
	if (line && !strncmp(line, command, sizeof(command) - 1))
		complain_of(what, line + sizeof(command) - 1, caret && strchr(caret, '^') ?
			    strchr(caret, '^') - caret - (int)sizeof(command) + 1 : -1);
	else
		complain("%s: %s", of, strerror(err));
	free(log);
	free(before);
	return -1;
}

/* libtracefs 1.6 writes a number of calls as "r1024::", which the kernel refuses. */
static int create_return(const struct stock *s, const char *event, const char *place,
			 const char *args)
{
	char *text;
	int ret;

	if (asprintf(&text, "r%u:%s/%s %s %s\n", MOST_CALLS, s->at.group, event, place, args) < 0)
		return -1;
	ret = tracefs_instance_file_append(NULL, "kprobe_events", text);
	free(text);
	return ret < 0 ? -1 : 0;
}

static int define(struct stock *s, bool returns, const char *event, const char *place,
		  const char *args)
{
	char *before = tracefs_error_last(NULL);
	struct tracefs_dynevent *made;

	made = returns ? tracefs_kretprobe_alloc(s->at.group, event, place, args, 0) :
	       tracefs_kprobe_alloc(s->at.group, event, place, args);
	if (!made || (returns ? create_return(s, event, place, args) :
		      tracefs_dynevent_create(made))) {
		complain_why(NULL, place, errno, before);
		tracefs_dynevent_free(made);
		return -1;
	}
	free(before);
	s->made[s->nr_made++] = made;
	return 0;
}

int stock_define(struct stock *s, bool returns, const char *place, const char *args)
{
	return define(s, returns, s->event, place, args);
}

/* ", e.comm as comm" of "comm=$comm" */
static void put_fields(const struct stock *s, const char *args, FILE *out)
{
	while (*args) {
		int len = strcspn(args, "= ");

		if (args[len] == '=')
			fprintf(out, ", e.%.*s as %.*s", len, args, len, args);
		args += strcspn(args, " ");
		args += strspn(args, " ");
	}
	fprintf(out, " from %s as s join %s as e on s.common_pid = e.common_pid", s->entry,
		s->event);
}

/* "echo 'TEXT' >> DIR/FILE"; false: it is none.  The line is cut. */
static bool read_echo(char *line, char **text, char **file)
{
	static const char begin[] = "echo '", end[] = "' >> ";
	char *at, *stop = NULL;

	if (strncmp(line, begin, sizeof(begin) - 1))
		return false;
	for (at = line; (at = strstr(at, end)); at++)
		stop = at;
	if (!stop)
		return false;
	*stop = '\0';
	*text = line + sizeof(begin) - 1;
	*file = stop + sizeof(end) - 1;
	return true;
}

/*
 * A trigger of the library's, in the instance, with room for more tasks.  Task 0 is as many as
 * there are CPUs: an entry of one would be joined with the return of another.
 */
static int add_match(struct stock *s, const char *file, const char *text)
{
	char *before = tracefs_error_last(s->instance);
	size_t i = s->nr_matches;

	/* What begins with "!" takes it away. */
	if (i == 2 || asprintf(&s->matches[i][1], "!%s:size=%u if common_pid != 0", text,
			       MOST_TASKS) < 0)
		return complain("libtracefs has unknown commands");
	s->matches[i][0] = strdup(file);
	s->nr_matches++;
	if (!s->matches[i][0] || tracefs_instance_file_append(s->instance, file,
							      s->matches[i][1] + 1) < 0)
		return complain_why(s->instance, text, errno, before);
	free(before);
	return 0;
}

static int carry_out(struct stock *s, const char *text, const char *file)
{
	char *before, *name = strrchr(file, '/'), *trigger = strstr(file, "events/");

	if (trigger && name && !strcmp(name, "/trigger"))
		return add_match(s, trigger, text);
	if (!name || !strstr(name, "_events"))
		return complain("libtracefs has an unknown command: %s", text);
	before = tracefs_error_last(NULL);
	if (tracefs_instance_file_append(NULL, name + 1, text) < 0)
		return complain_why(NULL, text, errno, before);
	free(before);
	s->defined = true;
	return 0;
}

/*
 * tracefs_synth_create() works in the top instance: its clock would be another one then, and what
 * is in its buffers lost.  The library's own commands are carried out in ours.
 */
static int create_synth(struct stock *s)
{
	struct trace_seq seq;
	char *rest, *line, *text, *file;
	int ret = 0;

	trace_seq_init(&seq);
	if (tracefs_synth_echo_cmd(&seq, s->synth) < 0) {
		trace_seq_destroy(&seq);
		return complain("libtracefs has no commands for %s", s->synth_name);
	}
	trace_seq_terminate(&seq);
	for (rest = seq.buffer; !ret && (line = strsep(&rest, "\n"));)
		if (read_echo(line, &text, &file))
			ret = carry_out(s, text, file);
	if (!ret && (s->nr_matches != 2 || !s->defined))
		ret = complain("libtracefs has no commands for %s", s->synth_name);
	trace_seq_destroy(&seq);
	return ret;
}

int stock_match(struct stock *s, const char *place, const char *args)
{
	const char * const groups[] = { s->at.group, NULL };
	char *sql = NULL, *wrong = NULL;
	size_t size;
	FILE *out;

	if (define(s, false, s->entry, place, ""))
		return -1;
	s->tep = tracefs_local_events_system(s->at.dir, groups);
	out = open_memstream(&sql, &size);
	if (!s->tep || !out)
		return complain("libtracefs does not read the events %s", s->at.group);
	fputs("select (e.TIMESTAMP - s.TIMESTAMP) as ns", out);
	put_fields(s, args, out);
	fclose(out);
	s->synth = tracefs_sql(s->tep, s->synth_name, sql, &wrong);
	if (!s->synth)
		complain("libtracefs: %s: %s", sql, wrong ?: strerror(errno));
	free(sql);
	free(wrong);
	if (!s->synth)
		return -1;
	return create_synth(s);
}

/* ---- files ---- */

int stock_set(struct stock *s, const char *file, const char *text)
{
	if (tracefs_instance_file_write(s->instance, file, text) >= 0)
		return 0;
	return complain("%s/instances/%s/%s: %s", s->at.dir, s->at.group, file, strerror(errno));
}

static const char *counting_group(const struct stock *s)
{
	return s->synth ? "synthetic" : s->at.group;
}

static const char *counting_event(const struct stock *s)
{
	return s->synth ? s->synth_name : s->event;
}

int stock_write(struct stock *s, const char *file, const char *text)
{
	char *before = tracefs_error_last(s->instance);

	if (tracefs_event_file_append(s->instance, counting_group(s), counting_event(s), file,
				      text) < 0)
		return complain_why(s->instance, text, errno, before);
	free(before);
	return 0;
}

int stock_trigger(struct stock *s, const char *text)
{
	if (asprintf(&s->trigger, "!%s", text) < 0) {
		s->trigger = NULL;
		return complain("no memory");
	}
	return stock_write(s, "trigger", text);
}

char *stock_hist(struct stock *s)
{
	char *text = tracefs_event_file_read(s->instance, counting_group(s), counting_event(s),
					     "hist", NULL);

	if (!text)
		complain("the histogram cannot be read: %s", strerror(errno));
	return text;
}

bool stock_profile(const struct stock *s, unsigned long long *hits, unsigned long long *missed)
{
	char path[PATH_MAX], name[64], *text = read_file(path_of(s, path, "kprobe_profile"));
	unsigned long long hit, miss, entries_missed = 0;
	char *line, *rest;
	bool known = false;

	for (line = strtok_r(text, "\n", &rest); text && line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%63s %llu %llu", name, &hit, &miss) != 3)
			continue;
		if (!strcmp(name, s->entry))
			entries_missed = miss;
		if (strcmp(name, s->event))
			continue;
		*hits = hit;
		*missed = miss;
		known = true;
	}
	free(text);
	/* Both are probes of one address, which miss a call together: the sum has it twice. */
	if (known && entries_missed > *missed)
		*missed = entries_missed;
	return known;
}

/* ---- the end ---- */

/* The kernel may take an event for busy a moment after its last user has gone. */
static int end_synth(struct stock *s)
{
	char line[64];
	int i;

	snprintf(line, sizeof(line), "-:synthetic/%s\n", s->synth_name);
	for (i = 0; i < 50; i++) {
		if (tracefs_instance_file_append(NULL, "dynamic_events", line) >= 0)
			return 0;
		usleep(20000);
	}
	return complain("the synthetic event %s is left: %s", s->synth_name, strerror(errno));
}

/* Triggers that lead to an event keep it busy, also when their instance has gone. */
static void end_triggers(struct stock *s)
{
	if (s->trigger)
		tracefs_event_file_append(s->instance, counting_group(s), counting_event(s),
					  "trigger", s->trigger);
	free(s->trigger);
	s->trigger = NULL;
	while (s->nr_matches) {
		char **match = s->matches[--s->nr_matches];

		if (match[0])
			tracefs_instance_file_append(s->instance, match[0], match[1]);
		free(match[0]);
		free(match[1]);
	}
}

/* What is made last goes first.  An instance is busy for a moment after its files are closed. */
int stock_end(struct stock *s)
{
	int ret = 0, i;

	if (s->instance) {
		end_triggers(s);
		tracefs_event_disable(s->instance, s->at.group, s->event);
		for (i = 0; tracefs_instance_destroy(s->instance) && i < 50; i++)
			usleep(20000);
		if (i == 50)
			ret = complain("the instance %s is left: %s", s->at.group,
				       strerror(errno));
		tracefs_instance_free(s->instance);
	}
	if (s->defined && end_synth(s))
		ret = -1;
	if (s->synth)
		tracefs_synth_free(s->synth);
	while (s->nr_made) {
		struct tracefs_dynevent *made = s->made[--s->nr_made];

		if (tracefs_dynevent_destroy(made, true))
			ret = complain("an event of the group %s is left: %s", s->at.group,
				       strerror(errno));
		tracefs_dynevent_free(made);
	}
	if (s->tep)
		tep_free(s->tep);
	s->defined = false;
	s->instance = NULL;
	s->synth = NULL;
	s->tep = NULL;
	return ret;
}
