// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * records.c - the records of a session's instance, by libtracefs, in order of time.
 *
 * Each CPU has its pages.  A CPU that is read late may have older records than one read before, so
 * records that are newer than the beginning of a round wait for the next round.
 *
 * A stack is a record of its own, after that of its hit: of the same CPU, task and context, so
 * what interrupts a hit between the two takes none of it.  Neither are they joined over a gap of
 * records that were overwritten: the stack after it is another hit's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <kbuffer.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>
#include "records.h"
#include "report.h"
#include "text.h"

static int open_cpus(struct records *rs)
{
	int cpu;

	rs->nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	rs->cpus = calloc(rs->nr_cpus, sizeof(*rs->cpus));
	rs->gaps = calloc(rs->nr_cpus, sizeof(*rs->gaps));
	rs->kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	if (!rs->cpus || !rs->gaps || !rs->kbuf)
		return complain("no memory");
	for (cpu = 0; cpu < rs->nr_cpus; cpu++) {
		rs->cpus[cpu] = tracefs_cpu_open(rs->instance, cpu, true);
		/* A CPU that has never been online has no file. */
		if (!rs->cpus[cpu] && errno != ENOENT)
			return complain("trace_pipe_raw of CPU %d: %s", cpu, strerror(errno));
		if (rs->cpus[cpu] && !rs->sub)
			rs->sub = malloc(tracefs_cpu_read_size(rs->cpus[cpu]));
	}
	return rs->sub ? 0 : complain("no memory");
}

static char *read_below(const char *dir, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%s", dir, file);
	return read_text(path);
}

/*
 * What is known of records, of this event only.  libtracefs' own way reads all symbols of the
 * kernel, too: 3,500 system calls before the first hit can be recorded.
 */
static struct tep_handle *know_event(const struct session *s, const char *event)
{
	struct tep_handle *tep = tep_alloc();
	char file[128], *page, *format;
	bool known;

	snprintf(file, sizeof(file), "%s/%s/format", s->group, event);
	page = tep ? read_below(s->dir, "header_page") : NULL;
	format = page ? read_below(s->dir, file) : NULL;
	known = format && !tep_parse_header_page(tep, page, strlen(page), sizeof(long)) &&
		!tep_parse_event(tep, format, strlen(format), s->group);
	free(page);
	free(format);
	if (known)
		return tep;
	tep_free(tep);
	return NULL;
}

/* The format of stacks; -1 after a message. */
static int know_stacks(struct records *rs, const struct session *s)
{
	char *format = read_below(s->dir, "ftrace/kernel_stack/format");

	if (!format)
		return -1;
	if (!tep_parse_event(rs->tep, format, strlen(format), "ftrace"))
		rs->stack = tep_find_event_by_name(rs->tep, "ftrace", "kernel_stack");
	free(format);
	return rs->stack ? 0 : complain("libtraceevent does not read the format of stacks");
}

int records_open(struct records *rs, const struct session *s, const char *event, bool stacks)
{
	*rs = (struct records){};
	if (tracefs_set_tracing_dir((char *)s->dir))
		return complain("libtracefs does not take %s", s->dir);
	rs->instance = tracefs_instance_alloc(s->dir, s->group);
	rs->tep = know_event(s, event);
	rs->event = rs->tep ? tep_find_event_by_name(rs->tep, s->group, event) : NULL;
	if (!rs->instance || !rs->event)
		return complain("libtracefs does not find the event %s/%s", s->group, event);
	if (stacks && know_stacks(rs, s))
		return -1;
	return open_cpus(rs);
}

int records_also(struct records *rs, const struct session *s, const char *event)
{
	char file[128], *format;

	snprintf(file, sizeof(file), "%s/%s/format", s->group, event);
	format = read_below(s->dir, file);
	if (!format)
		return -1;
	if (!tep_parse_event(rs->tep, format, strlen(format), s->group))
		rs->also = tep_find_event_by_name(rs->tep, s->group, event);
	free(format);
	return rs->also ? 0 : complain("libtraceevent does not read the format of %s", event);
}

/* A hit in an interrupt has the task's number, but not its flags. */
static unsigned long long context_of(struct records *rs, void *data)
{
	struct tep_record record = { .data = data };

	return (unsigned long long)tep_data_pid(rs->tep, &record) << 8 |
	       (tep_data_flags(rs->tep, &record) & 0xff);
}

/* The callers of a record of a stack; as many as there is room for in it. */
static unsigned long long *frames_of(struct records *rs, const void *data, int size, size_t *nr)
{
	struct tep_format_field *caller = tep_find_field(rs->stack, "caller");
	struct tep_format_field *field = tep_find_field(rs->stack, "size");
	unsigned long long *frames, has = 0;

	*nr = 0;
	if (!caller || !field || caller->offset > size ||
	    tep_read_number_field(field, data, &has))
		return NULL;
	*nr = (size - caller->offset) / sizeof(*frames);
	if (has < *nr)
		*nr = has;
	frames = malloc((*nr + 1) * sizeof(*frames));
	if (frames)
		memcpy(frames, (const char *)data + caller->offset, *nr * sizeof(*frames));
	return frames;
}

/* One more place for a record; NULL after a message. */
static struct record *new_record(struct records *rs)
{
	struct record *more;

	if (rs->nr == rs->room) {
		more = reallocarray(rs->all, rs->room * 2 + 256, sizeof(*more));
		if (!more) {
			complain("no memory");
			return NULL;
		}
		rs->all = more;
		rs->room = rs->room * 2 + 256;
	}
	return &rs->all[rs->nr];
}

static int type_of(struct records *rs, void *data)
{
	struct tep_record record = { .data = data };

	return tep_data_type(rs->tep, &record);
}

static int keep(struct records *rs, int cpu, unsigned long long at, void *data, int size)
{
	struct record *r = new_record(rs);

	if (!r)
		return -1;
	*r = (struct record){ .at = at, .cpu = cpu, .nr = rs->next++, .gap = rs->gaps[cpu],
			      .data = malloc(size) };
	if (!r->data)
		return complain("no memory");
	memcpy(r->data, data, size);
	r->also = rs->also && type_of(rs, data) == rs->also->id;
	if (rs->stack)
		r->context = context_of(rs, data);
	rs->nr++;
	return 0;
}

static int keep_stack(struct records *rs, int cpu, unsigned long long at, void *data, int size)
{
	struct record *r = new_record(rs);

	if (!r)
		return -1;
	*r = (struct record){ .at = at, .cpu = cpu, .nr = rs->next++, .gap = rs->gaps[cpu],
			      .context = context_of(rs, data) };
	r->stack = frames_of(rs, data, size, &r->frames);
	if (!r->stack)
		return complain("no memory, or a stack that cannot be read");
	rs->nr++;
	return 0;
}

static int read_page(struct records *rs, int cpu)
{
	unsigned long long at;
	int missed, type, ret = 0;
	void *data;

	if (kbuffer_load_subbuffer(rs->kbuf, rs->sub))
		return complain("a page of CPU %d cannot be read", cpu);
	missed = kbuffer_missed_events(rs->kbuf);
	rs->missed += missed < 0 ? 1 : missed;	/* -1: their number is not known */
	rs->gaps[cpu] += missed != 0;
	for (data = kbuffer_read_event(rs->kbuf, &at); data && !ret;
	     data = kbuffer_next_event(rs->kbuf, &at)) {
		type = type_of(rs, data);
		if (type == rs->event->id || (rs->also && type == rs->also->id))
			ret = keep(rs, cpu, at, data, kbuffer_event_size(rs->kbuf));
		else if (rs->stack && type == rs->stack->id)
			ret = keep_stack(rs, cpu, at, data, kbuffer_event_size(rs->kbuf));
	}
	return ret;
}

static int read_cpu(struct records *rs, int cpu)
{
	int size = tracefs_cpu_read_size(rs->cpus[cpu]), len;

	while ((len = tracefs_cpu_read(rs->cpus[cpu], rs->sub, true)) > 0) {
		memset(rs->sub + len, 0, size - len);
		if ((rs->page && rs->page(rs->page_ctx, cpu, rs->sub, size)) || read_page(rs, cpu))
			return -1;
	}
	return 0;
}

static int compare_times(const void *va, const void *vb)
{
	const struct record *a = va, *b = vb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->nr < b->nr ? -1 : 1;
}

/* How far back a stack's hit is looked for: it is the last one of its CPU and context. */
#define FAR 4096

/* @i: a record of a stack */
static void give_stack(struct records *rs, size_t i)
{
	struct record *from = &rs->all[i], *to = from;

	while (to > rs->all && from - to < FAR) {
		to--;
		if (!to->data || to->stack || to->cpu != from->cpu ||
		    to->gap != from->gap || to->context != from->context)
			continue;
		to->stack = from->stack;
		to->frames = from->frames;
		from->stack = NULL;
		return;
	}
}

/* Records of stacks go to their hits, or if these are gone, nowhere. */
static void give_stacks(struct records *rs)
{
	size_t i, nr = 0;

	for (i = 0; i < rs->nr; i++) {
		if (rs->all[i].data)
			continue;
		give_stack(rs, i);
		free(rs->all[i].stack);
		rs->all[i].stack = NULL;
	}
	for (i = 0; i < rs->nr; i++)
		if (rs->all[i].data)
			rs->all[nr++] = rs->all[i];
	rs->nr = nr;
}

/* A stack that is not there a second later does not come. */
static bool is_whole(const struct records *rs, const struct record *r, unsigned long long until)
{
	return r->at < until && (!rs->stack || r->stack || r->at + 1000000000 < until);
}

int records_read(struct records *rs, unsigned long long until,
		 bool (*show)(void *ctx, const struct record *r), void *ctx)
{
	size_t done = 0;
	bool wanted = true;
	int cpu;

	for (cpu = 0; cpu < rs->nr_cpus; cpu++)
		if (rs->cpus[cpu] && read_cpu(rs, cpu))
			return -1;
	if (rs->nr)
		qsort(rs->all, rs->nr, sizeof(*rs->all), compare_times);
	give_stacks(rs);
	for (; wanted && done < rs->nr && is_whole(rs, &rs->all[done], until); done++) {
		wanted = show(ctx, &rs->all[done]);
		free(rs->all[done].data);
		free(rs->all[done].stack);
	}
	memmove(rs->all, rs->all + done, (rs->nr - done) * sizeof(*rs->all));
	rs->nr -= done;
	return 0;
}

unsigned long long records_lost(const struct records *rs, unsigned long long most)
{
	return (rs->stack || rs->also) && rs->missed > most ? most : rs->missed;
}

void records_close(struct records *rs)
{
	size_t i;
	int cpu;

	for (cpu = 0; cpu < rs->nr_cpus && rs->cpus; cpu++)
		if (rs->cpus[cpu])
			tracefs_cpu_close(rs->cpus[cpu]);
	for (i = 0; i < rs->nr; i++) {
		free(rs->all[i].data);
		free(rs->all[i].stack);
	}
	free(rs->all);
	free(rs->sub);
	free(rs->cpus);
	free(rs->gaps);
	if (rs->kbuf)
		kbuffer_free(rs->kbuf);
	if (rs->tep)
		tep_free(rs->tep);
	if (rs->instance)
		tracefs_instance_free(rs->instance);
	*rs = (struct records){};
}
