// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * kept.c - what was before a slow call, in a file: the verb watch.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "dat_out.h"
#include "kept.h"
#include "report.h"
#include "safe.h"
#include "spike.h"
#include "units.h"
#include "wait.h"

#define SECOND 1000000000ULL
#define ROUND (SECOND / 10)

/* The line of the last call; NULL: there is none.  The event lat is recorded of slow calls only. */
static const char *find_call(const char *trace, struct spike_line *call)
{
	const char *found = NULL;
	struct spike_line l;

	for (; trace; trace = strchr(trace, '\n')) {
		trace += *trace == '\n';
		if (!spike_read(&l, trace) || l.event_len != 3 || strncmp(l.event, "lat", 3))
			continue;
		*call = l;
		found = trace;
	}
	return found;
}

/* "bash-181": what stands before the CPU. */
static void put_task(const char *line, const struct spike_line *call, FILE *out)
{
	const char *end = call->task_end;
	char *task;

	line += strspn(line, " ");
	while (end > line && end[-1] == ' ')
		end--;
	task = strndup(line, end > line ? end - line : 0);
	if (task)
		put_safe(task, 0, out);
	free(task);
}

static void put_clock(unsigned long long at, FILE *out)
{
	struct timespec ts;
	time_t seconds;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &ts);
	at += ts.tv_sec * SECOND + ts.tv_nsec - now_ns();
	seconds = at / SECOND;
	localtime_r(&seconds, &tm);
	fprintf(out, "%02d:%02d:%02d.%03llu ", tm.tm_hour, tm.tm_min, tm.tm_sec,
		at / 1000000 % 1000);
}

/* A file that did not exist, or that of -o.  The first is spike-1752.txt, if it is 17:52 now. */
static FILE *open_kept(const struct kept *k, char *name, size_t size)
{
	time_t now = time(NULL);
	char number[16];
	struct tm tm;
	int i, fd = -1;

	localtime_r(&now, &tm);
	if (k->output && !k->nr) {
		snprintf(name, size, "%s", k->output);
		return fopen(name, "we");
	}
	for (i = 1; i < 1000 && fd < 0 && (i == 1 || errno == EEXIST); i++) {
		snprintf(number, sizeof(number), i > 1 ? "-%d" : "", i);
		if (k->output)
			snprintf(name, size, "%s.%d", k->output, i);
		else
			snprintf(name, size, "spike-%02d%02d%s.%s", tm.tm_hour, tm.tm_min,
				 number, k->dat ? "dat" : "txt");
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static void tell_spike(const struct spike *s, const struct kept *k)
{
	unsigned long long span = s->until - (s->records ? s->first : s->until);
	char text[UNITS_TEXT];

	printf("  %s records", print_count(text, s->records));
	printf(", %s", print_time(text, span, NULL));
	if (!s->whole && span + SECOND / 100 < k->before)
		printf("; the buffers had no room for the time before: --kb %lu", 4 * k->kb);
	putchar('\n');
	if (s->asleep)
		printf("  the task was off its CPU for %s\n", print_time(text, s->asleep, NULL));
	if (s->requests) {
		printf("  block: %s requests", print_count(text, s->requests));
		printf(", the longest %s on %u:%u\n", print_time(text, s->longest, NULL),
		       s->dev >> 20, s->dev & 0xfffff);
	}
}

/* As text, or all that the buffers have; @out: the file, as it was opened */
static int write_kept(const struct kept *k, struct spike *s, const char *trace, const char *name,
		      FILE *out)
{
	FILE *text = k->dat ? fopen("/dev/null", "we") : out;
	int ret = !text || spike_cut(s, trace, text) ? complain("no memory") : 0;

	if (text && text != out)
		fclose(text);
	if (fclose(out))
		ret = complain("%s: %s", name, strerror(errno));
	return ret || !k->dat ? ret : dat_out_snapshot(name, k->dat);
}

static int keep(struct kept *k, const struct spike_line *call, const char *line,
		const char *trace)
{
	struct spike s = { .tid = call->tid, .until = call->at + ROUND,
			   .from = call->at > k->before ? call->at - k->before : 0 };
	char name[PATH_MAX], text[UNITS_TEXT];
	unsigned long long ns = 0;
	FILE *out = open_kept(k, name, sizeof(name));
	int ret;

	if (!out)
		return complain("%s: %s", name, strerror(errno));
	ret = write_kept(k, &s, trace, name, out);
	put_clock(call->at, stdout);
	printf("%s of ", k->what);
	put_task(line, call, stdout);
	spike_arg(call, "ns", &ns);
	printf(" took %s; %s%s%s\n", print_time(text, ns, k->unit), name,
	       k->dat ? ": trace-cmd report -i " : "", k->dat ? name : "");
	tell_spike(&s, k);
	return fflush(stdout) ? complain("cannot write: %s", strerror(errno)) : ret;
}

int kept_write(struct kept *k, const char *trace)
{
	struct spike_line call;
	const char *line = find_call(trace, &call);
	int ret = line ? keep(k, &call, line, trace) :
		  complain("the call's record has been overwritten");

	k->nr++;
	return ret;
}
