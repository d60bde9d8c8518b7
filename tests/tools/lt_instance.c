// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lt_instance.c - an instance and its files, with libtracefs.
 *
 * usage: lt_instance
 */
#include "lt.h"

static const char inst_name[] = "lt_inst";

struct count {
	unsigned int hits, prints;
};

static int record_came(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct count *count = context;

	(void)record;
	(void)cpu;
	if (!strcmp(event->name, LT_EVENT))
		count->hits++;
	else if (!strcmp(event->name, "print"))
		count->prints++;
	else
		errx(1, "unexpected event %s", event->name);
	return 0;
}

static struct count records(struct tep_handle *tep, struct tracefs_instance *inst)
{
	struct count count = {};

	CHECK(!tracefs_iterate_raw_events(tep, inst, NULL, 0, record_came, &count));
	return count;
}

/* Hits with 1 .. n as argument. */
static void hit(unsigned int n)
{
	int zero = lt_zero();
	unsigned int i;

	for (i = 1; i <= n; i++)
		lt_hit(zero, i);
	close(zero);
}

static bool has(char **list, const char *name)
{
	while (list && *list && strcmp(*list, name))
		list++;
	return list && *list;
}

/* Every format can be parsed, the list has the group. */
static struct tep_handle *events(void)
{
	struct tep_handle *tep = tep_alloc();
	int failures = -1;
	char **list;

	CHECK(tep && !tracefs_fill_local_events(NULL, tep, &failures));
	CHECK(!failures);
	CHECK(tep_find_event_by_name(tep, LT_SYSTEM, LT_EVENT));
	list = tracefs_event_systems(NULL);
	CHECK(has(list, LT_SYSTEM));
	tracefs_list_free(list);
	list = tracefs_system_events(NULL, LT_SYSTEM);
	CHECK(has(list, LT_EVENT) && tracefs_list_size(list) == 1);
	tracefs_list_free(list);
	return tep;
}

static void filters(struct tep_handle *tep, struct tracefs_instance *inst)
{
	struct tep_event *event = tep_find_event_by_name(tep, LT_SYSTEM, LT_EVENT);
	char *filter = NULL, *last;

	CHECK(!tracefs_filter_string_append(event, &filter, TRACEFS_FILTER_COMPARE, "bytes",
					    TRACEFS_COMPARE_GT, "90"));
	CHECK(!tracefs_filter_string_append(event, &filter, TRACEFS_FILTER_AND, NULL, 0, NULL));
	CHECK(!tracefs_filter_string_append(event, &filter, TRACEFS_FILTER_COMPARE, "comm",
					    TRACEFS_COMPARE_EQ, "\"lt_instance\""));
	/* These return the number of bytes written. */
	if (tracefs_event_filter_apply(inst, event, filter) < 0)
		errx(1, "filter %s: %s", filter, tracefs_error_last(inst) ?: "no reason");
	hit(100);
	CHECK(records(tep, inst).hits == 10);
	CHECK(tracefs_event_filter_clear(inst, event) >= 0);
	hit(100);
	CHECK(records(tep, inst).hits == 100);
	/* A wrong filter is refused with a reason, and changes nothing. */
	CHECK(tracefs_event_filter_apply(inst, event, "nonsense == 1") < 0);
	last = tracefs_error_last(inst);
	CHECK(last && strstr(last, "Field not found"));
	free(last);
	hit(1);
	CHECK(records(tep, inst).hits == 1);
	free(filter);
}

static void controls(struct tracefs_instance *inst)
{
	char *text;

	CHECK(tracefs_trace_is_on(inst) == 1);
	CHECK(!tracefs_trace_off(inst) && !tracefs_trace_is_on(inst));
	CHECK(tracefs_trace_is_on(NULL) == 1);
	CHECK(!tracefs_trace_on(inst));
	CHECK(tracefs_instance_file_write(inst, "trace_clock", "mono") > 0);
	text = tracefs_get_clock(inst);
	CHECK(text && !strcmp(text, "mono"));
	free(text);
	text = tracefs_get_clock(NULL);
	CHECK(text && !strcmp(text, "local"));
	free(text);
	CHECK(!tracefs_instance_set_buffer_size(inst, 256, -1));
	/* The size is in whole sub-buffers, without their headers. */
	CHECK(tracefs_instance_get_buffer_size(inst, 0) >= 256);
	CHECK(tracefs_instance_get_buffer_size(inst, 0) < 256 + 4);
	CHECK(tracefs_instance_set_affinity(inst, "0") >= 0);
	text = tracefs_instance_get_affinity(inst);
	CHECK(text && !strcmp(text, "0"));
	free(text);
	CHECK(tracefs_instance_set_affinity(inst, "0-1") >= 0);
	CHECK(!strcmp(tracefs_instance_get_name(inst), inst_name));
}

/* Every option can be changed, and keeps its value; or it refuses, and does that too. */
static void options(struct tracefs_instance *inst)
{
	int id, changed = 0;

	for (id = 1; id < TRACEFS_OPTION_MAX; id++) {
		bool on;

		if (!tracefs_option_is_supported(inst, id))
			continue;
		on = tracefs_option_is_enabled(inst, id);
		errno = 0;
		if ((on ? tracefs_option_disable : tracefs_option_enable)(inst, id)) {
			CHECK(errno == EINVAL);
			CHECK(tracefs_option_is_enabled(inst, id) == on);
			continue;
		}
		CHECK(tracefs_option_is_enabled(inst, id) != on);
		changed++;
		CHECK(!(on ? tracefs_option_enable : tracefs_option_disable)(inst, id));
		CHECK(tracefs_option_is_enabled(inst, id) == on);
	}
	CHECK(changed >= 5);
}

int main(void)
{
	struct tracefs_instance *inst;
	struct tracefs_dynevent *probe;
	struct tep_handle *tep;

	CHECK(!tracefs_instance_exists(inst_name));
	inst = tracefs_instance_create(inst_name);
	CHECK(inst && tracefs_instance_is_new(inst) && tracefs_instance_exists(inst_name));
	probe = lt_probe(inst);
	tep = events();
	hit(100);
	CHECK(records(tep, inst).hits == 100);
	CHECK(!records(tep, NULL).hits);	/* not enabled there */
	CHECK(tracefs_event_is_enabled(inst, LT_SYSTEM, LT_EVENT) == TRACEFS_ALL_ENABLED);
	CHECK(tracefs_event_is_enabled(NULL, LT_SYSTEM, LT_EVENT) == TRACEFS_ALL_DISABLED);
	filters(tep, inst);
	CHECK(!tracefs_printf(inst, "a mark: %d\n", 42));
	CHECK(records(tep, inst).prints == 1);
	tracefs_print_close(inst);
	controls(inst);
	options(inst);
	lt_unprobe(inst, probe);
	CHECK(!tracefs_instance_destroy(inst));
	tracefs_instance_free(inst);
	CHECK(!tracefs_instance_exists(inst_name));
	tep_free(tep);
	puts("instance: all as it should be");
	return 0;
}
