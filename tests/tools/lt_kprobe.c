// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lt_kprobe.c - a kprobe event made, listed, recorded and removed with libtracefs.
 *
 * usage: lt_kprobe HITS
 *
 * The hits come from one thread that moves from CPU to CPU, and have numbers.  So, merged
 * by time, they must arrive complete and in order.
 */
#include "lt.h"

struct seen {
	unsigned int next;		/* number of the next hit */
	unsigned int cpus;		/* bit mask of CPUs hits came from */
};

static int hit_came(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct seen *seen = context;
	unsigned long long bytes, ip;
	char *comm;
	int len;

	if (strcmp(event->name, LT_EVENT) || strcmp(event->system, LT_SYSTEM))
		return 0;
	CHECK(!tep_get_field_val(NULL, event, "bytes", record, &bytes, 1));
	CHECK(!tep_get_field_val(NULL, event, "__probe_ip", record, &ip, 1));
	comm = tep_get_field_raw(NULL, event, "comm", record, &len, 1);
	CHECK(comm && !strcmp(comm, "lt_kprobe") && len == sizeof("lt_kprobe"));
	CHECK(ip);
	CHECK(tep_data_pid(event->tep, record) == getpid());
	if (bytes != seen->next % 100 + 1)
		errx(1, "hit %u on CPU %d has the argument %llu", seen->next, cpu, bytes);
	seen->next++;
	seen->cpus |= 1U << cpu;
	return 0;
}

static void hit(unsigned int hits, unsigned int cpus)
{
	int zero = lt_zero();
	unsigned int i;

	for (i = 0; i < hits; i++) {
		if (i % 50 == 0)
			lt_pin(i / 50 % cpus);
		lt_hit(zero, i % 100 + 1);
	}
	close(zero);
}

static void check_list(const char *why, int wanted)
{
	struct tracefs_dynevent **all;
	char *system, *event, *addr, *format;
	int n = 0;

	all = tracefs_dynevent_get_all(TRACEFS_DYNEVENT_KPROBE, LT_SYSTEM);
	for (; all && all[n]; n++) {
		CHECK(tracefs_dynevent_info(all[n], &system, &event, NULL, &addr, &format) ==
		      TRACEFS_DYNEVENT_KPROBE);
		CHECK(!strcmp(system, LT_SYSTEM) && !strcmp(event, LT_EVENT));
		CHECK(!strcmp(addr, "read_zero"));
		CHECK(!strcmp(format, "bytes=%dx:u32 comm=$comm"));
		free(system);
		free(event);
		free(addr);
		free(format);
	}
	if (all)
		tracefs_dynevent_list_free(all);
	if (n != wanted)
		errx(1, "%s: %d kprobes in the list", why, n);
}

int main(int argc, char **argv)
{
	unsigned int hits = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct tracefs_dynevent *probe;
	struct seen seen = {};
	struct tep_handle *tep;
	static const char *const systems[] = { LT_SYSTEM, NULL };

	CHECK(tracefs_instance_file_write(NULL, "trace_clock", "mono") > 0);
	check_list("before", 0);
	probe = lt_probe(NULL);
	check_list("created", 1);
	tep = tracefs_local_events_system(NULL, systems);
	CHECK(tep);
	CHECK(tracefs_dynevent_get_event(tep, probe));
	hit(hits, cpus);
	CHECK(!tracefs_trace_off(NULL));
	CHECK(!tracefs_iterate_raw_events(tep, NULL, NULL, 0, hit_came, &seen));
	if (seen.next != hits)
		errx(1, "%u hits, %u records", hits, seen.next);
	CHECK(seen.cpus == (1U << cpus) - 1 || hits < 50 * cpus);
	/* Consumed: nothing comes twice. */
	seen.next = 0;
	CHECK(!tracefs_iterate_raw_events(tep, NULL, NULL, 0, hit_came, &seen));
	CHECK(!seen.next);
	tep_free(tep);
	CHECK(!tracefs_trace_on(NULL));
	/* Enabled events are removed by force only. */
	CHECK(tracefs_dynevent_destroy(probe, false) < 0);
	lt_unprobe(NULL, probe);
	check_list("destroyed", 0);
	CHECK(tracefs_instance_file_write(NULL, "trace_clock", "local") > 0);
	printf("%u hits, %u records, in order\n", hits, hits);
	return 0;
}
