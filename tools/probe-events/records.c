// SPDX-License-Identifier: GPL-2.0
/*
 * records.c - the records of a session's instance, by libtracefs, in order of time.
 *
 * Each CPU has its pages.  A CPU that is read late may have older records than one read before, so
 * records that are newer than the beginning of a round wait for the next round.
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
	rs->kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	if (!rs->cpus || !rs->kbuf)
		return complain("no memory");
	for (cpu = 0; cpu < rs->nr_cpus; cpu++) {
		rs->cpus[cpu] = tracefs_cpu_open(rs->instance, cpu, true);
		/* A CPU that has never been online has no file. */
		if (!rs->cpus[cpu] && errno != ENOENT)
			return complain("trace_pipe_raw of CPU %d: %s", cpu, strerror(errno));
		if (rs->cpus[cpu] && !rs->page)
			rs->page = malloc(tracefs_cpu_read_size(rs->cpus[cpu]));
	}
	return rs->page ? 0 : complain("no memory");
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

int records_open(struct records *rs, const struct session *s, const char *event)
{
	*rs = (struct records){};
	if (tracefs_set_tracing_dir((char *)s->dir))
		return complain("libtracefs does not take %s", s->dir);
	rs->instance = tracefs_instance_alloc(s->dir, s->group);
	rs->tep = know_event(s, event);
	rs->event = rs->tep ? tep_find_event_by_name(rs->tep, s->group, event) : NULL;
	if (!rs->instance || !rs->event)
		return complain("libtracefs does not find the event %s/%s", s->group, event);
	return open_cpus(rs);
}

static int keep(struct records *rs, int cpu, unsigned long long at, const void *data, int size)
{
	struct record *more;

	if (rs->nr == rs->room) {
		more = reallocarray(rs->all, rs->room * 2 + 256, sizeof(*more));
		if (!more)
			return complain("no memory");
		rs->all = more;
		rs->room = rs->room * 2 + 256;
	}
	rs->all[rs->nr] = (struct record){ .at = at, .cpu = cpu, .data = malloc(size) };
	if (!rs->all[rs->nr].data)
		return complain("no memory");
	memcpy(rs->all[rs->nr++].data, data, size);
	return 0;
}

static int type_of(struct records *rs, void *data)
{
	struct tep_record record = { .data = data };

	return tep_data_type(rs->tep, &record);
}

static int read_page(struct records *rs, int cpu)
{
	unsigned long long at;
	int missed, ret = 0;
	void *data;

	if (kbuffer_load_subbuffer(rs->kbuf, rs->page))
		return complain("a page of CPU %d cannot be read", cpu);
	missed = kbuffer_missed_events(rs->kbuf);
	rs->missed += missed < 0 ? 1 : missed;	/* -1: nobody knows how many */
	for (data = kbuffer_read_event(rs->kbuf, &at); data && !ret;
	     data = kbuffer_next_event(rs->kbuf, &at))
		if (type_of(rs, data) == rs->event->id)
			ret = keep(rs, cpu, at, data, kbuffer_event_size(rs->kbuf));
	return ret;
}

static int compare_times(const void *va, const void *vb)
{
	const struct record *a = va, *b = vb;

	return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : a->cpu - b->cpu;
}

int records_read(struct records *rs, unsigned long long until,
		 bool (*show)(void *ctx, const struct record *r), void *ctx)
{
	size_t done = 0;
	bool wanted = true;
	int cpu;

	for (cpu = 0; cpu < rs->nr_cpus; cpu++)
		while (rs->cpus[cpu] && tracefs_cpu_read(rs->cpus[cpu], rs->page, true) > 0)
			if (read_page(rs, cpu))
				return -1;
	if (rs->nr)
		qsort(rs->all, rs->nr, sizeof(*rs->all), compare_times);
	for (; wanted && done < rs->nr && rs->all[done].at < until; done++) {
		wanted = show(ctx, &rs->all[done]);
		free(rs->all[done].data);
	}
	memmove(rs->all, rs->all + done, (rs->nr - done) * sizeof(*rs->all));
	rs->nr -= done;
	return 0;
}

void records_close(struct records *rs)
{
	size_t i;
	int cpu;

	for (cpu = 0; cpu < rs->nr_cpus && rs->cpus; cpu++)
		if (rs->cpus[cpu])
			tracefs_cpu_close(rs->cpus[cpu]);
	for (i = 0; i < rs->nr; i++)
		free(rs->all[i].data);
	free(rs->all);
	free(rs->page);
	free(rs->cpus);
	if (rs->kbuf)
		kbuffer_free(rs->kbuf);
	if (rs->tep)
		tep_free(rs->tep);
	if (rs->instance)
		tracefs_instance_free(rs->instance);
	*rs = (struct records){};
}
