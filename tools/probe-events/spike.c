// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * spike.c - what was before a slow call: a part of a trace's text, and what is in it.
 *
 *	            bash-181     [001] d....    35.664088: sched_switch: (PLACE) prev=1 next=2
 *
 * A task's name may have anything in it, but its last "-" is before the number, and the CPU in
 * brackets comes after that.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "spike.h"

#define PENDING 256		/* block requests at a time */

/* " [001] ", from @at on; NULL: there is none. */
static const char *find_cpu(const char *at, size_t len)
{
	const char *end = at + len;

	while ((at = memmem(at, end - at, " [", 2))) {
		if (end - at > 7 && strspn(at + 2, "0123456789") == 3 && at[5] == ']' &&
		    at[6] == ' ')
			return at;
		at++;
	}
	return NULL;
}

/* SECONDS.MICROSECONDS as nanoseconds; after them a colon and a blank. */
static const char *read_time(const char *at, unsigned long long *ns)
{
	unsigned long long s, us;
	char *end;

	at += strspn(at, " ");
	s = strtoull(at, &end, 10);
	if (end == at || *end != '.')
		return NULL;
	at = end + 1;
	us = strtoull(at, &end, 10);
	if (end - at != 6 || end[0] != ':' || end[1] != ' ')
		return NULL;
	*ns = s * 1000000000 + us * 1000;
	return end + 2;
}

/* What is after " [001] ": flags, time, event. */
static bool read_rest(struct spike_line *l, const char *at)
{
	at += strcspn(at, "\n ");	/* flags */
	at = *at == ' ' ? read_time(at, &l->at) : NULL;
	if (!at)
		return false;
	l->event = at;
	l->event_len = strcspn(at, ":\n");
	l->args = at + l->event_len + 1;
	return at[l->event_len] == ':';
}

bool spike_read(struct spike_line *l, const char *line)
{
	size_t len = strcspn(line, "\n");
	const char *cpu = *line == '#' ? NULL : find_cpu(line, len), *dash;

	/* A name is too short for all that follows a CPU. */
	while (cpu && !read_rest(l, cpu + 7))
		cpu = find_cpu(cpu + 1, len - (cpu + 1 - line));
	if (!cpu)
		return false;
	for (dash = cpu; dash > line && *dash != '-'; dash--)
		;
	l->tid = strtol(dash + 1, NULL, 10);
	l->task_end = cpu;
	return true;
}

bool spike_arg(const struct spike_line *l, const char *name, unsigned long long *value)
{
	size_t len = strlen(name), end = strcspn(l->args, "\n");
	const char *at = l->args;

	while ((at = memchr(at, ' ', end - (at - l->args)))) {
		at++;
		if (strncmp(at, name, len) || at[len] != '=')
			continue;
		*value = strtoull(at + len + 1, NULL, 0);
		return isdigit((unsigned char)at[len + 1]) || at[len + 1] == '-';
	}
	return false;
}

static bool is_event(const struct spike_line *l, const char *name)
{
	return strlen(name) == l->event_len && !strncmp(l->event, name, l->event_len);
}

/* ---- what is in the part ---- */

struct request_time {
	unsigned long long dev, sector, at;
};

struct looking {
	struct spike *s;
	unsigned long long off;	/* since when the task is off its CPU; 0: it is not */
	struct request_time pending[PENDING];
	size_t nr;
};

static void look_at_switch(struct looking *k, const struct spike_line *l)
{
	unsigned long long prev, next;

	if (!spike_arg(l, "prev", &prev) || !spike_arg(l, "next", &next))
		return;
	if ((long)prev == k->s->tid)
		k->off = l->at;
	if ((long)next != k->s->tid || !k->off)
		return;
	if (l->at - k->off > k->s->asleep)
		k->s->asleep = l->at - k->off;
	k->off = 0;
}

static void look_at_request(struct looking *k, const struct spike_line *l, bool issued)
{
	struct request_time r = { .at = l->at };
	size_t i;

	if (!spike_arg(l, "dev", &r.dev) || !spike_arg(l, "sector", &r.sector))
		return;
	for (i = 0; i < k->nr; i++)
		if (k->pending[i].dev == r.dev && k->pending[i].sector == r.sector)
			break;
	if (issued && i < PENDING) {
		k->pending[i] = r;
		k->nr += i == k->nr;
	} else if (!issued && i < k->nr) {
		k->s->requests++;
		if (l->at - k->pending[i].at > k->s->longest) {
			k->s->longest = l->at - k->pending[i].at;
			k->s->dev = r.dev;
		}
		k->pending[i] = k->pending[--k->nr];
	}
}

static void look(struct looking *k, const struct spike_line *l)
{
	if (is_event(l, "sched_switch"))
		look_at_switch(k, l);
	else if (is_event(l, "block_rq_issue"))
		look_at_request(k, l, true);
	else if (is_event(l, "block_rq_complete"))
		look_at_request(k, l, false);
}

int spike_cut(struct spike *s, const char *trace, FILE *out)
{
	struct looking *k = calloc(1, sizeof(*k));
	struct spike_line l;
	size_t len;

	if (!k)
		return -1;
	k->s = s;
	for (; *trace; trace += len + (trace[len] == '\n')) {
		bool record = spike_read(&l, trace);

		len = strcspn(trace, "\n");
		if (record && l.at < s->from)
			s->whole = true;
		if (record && (l.at < s->from || l.at > s->until))
			continue;
		if (record) {
			if (!s->records++)
				s->first = l.at;
			look(k, &l);
		}
		fprintf(out, "%.*s\n", (int)len, trace);
	}
	free(k);
	return 0;
}
