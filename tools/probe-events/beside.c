// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * beside.c - the events of the verb watch: the calls, and what is recorded beside them.
 */
#include <string.h>
#include "beside.h"
#include "paint.h"
#include "units.h"

/* What a table counts is not lost there if no record of it could be made. */
static const char * const uncounted[] = { "recursion", "no_stack", "dropped", "limited" };
static const char * const unrecorded[] = { "off", "full", "pid" };

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* "t sched_switch prev=..." is the event sched_switch; NULL: this kernel does not have it. */
static const char *event_of(const struct preset *p, size_t i, int *len)
{
	const char *command = preset_command(p, i);

	*len = command ? strcspn(command + 2, " ") : 0;
	return command ? command + 2 : NULL;
}

void beside_begin(struct beside *b, const struct preset *preset, const char *what,
		  const char *with)
{
	const char *event;
	size_t i;
	int len;

	*b = (struct beside){ .preset = preset, .what = what, .with = with };
	snprintf(b->names[b->nr++], BESIDE_NAME, "lat");
	for (i = 0; i < preset->nr_probes; i++) {
		event = event_of(preset, i, &len);
		if (event)
			snprintf(b->names[b->nr++], BESIDE_NAME, "%.*s", len, event);
	}
	if (with) {
		snprintf(b->names[b->nr++], BESIDE_NAME, "in");
		snprintf(b->names[b->nr++], BESIDE_NAME, "out");
	}
}

void beside_define(const struct beside *b, FILE *out)
{
	const char *event;
	size_t i;
	int len;

	for (i = 0; i < b->preset->nr_probes; i++) {
		event = event_of(b->preset, i, &len);
		if (event)
			fprintf(out, "%c:%.*s %s\n", event[-2], len, event, event);
	}
	if (b->with)
		fprintf(out, "f:in %s\nf:out %s%%return ns=$elapsed\n", b->with, b->with);
	for (i = 1; i < b->nr; i++)
		fprintf(out, "enable %s\n", b->names[i]);
}

void beside_limit(const struct beside *b, const struct limits *limits, FILE *out)
{
	char line[LIMITS_TEXT + 64];
	size_t i;

	for (i = 0; i < b->nr; i++) {
		limits_line(limits, 0, b->names[i], line);
		fputs(line, out);
	}
}

const char *beside_shown(const struct beside *b, const char *event)
{
	if (!strcmp(event, "lat"))
		return b->what;
	return b->with && (!strcmp(event, "in") || !strcmp(event, "out")) ? b->with : event;
}

void beside_read(struct beside *b, const char *text, const char *group)
{
	size_t i;

	for (i = 0; i < b->nr; i++)
		losses_read(&b->losses[i], text, group, b->names[i]);
}

static unsigned long long sum_of(const struct losses *l, const char * const *names, size_t nr)
{
	unsigned long long sum = 0;

	while (nr--)
		sum += losses_of(l, names[nr]);
	return sum;
}

static void put_losses(const struct beside *b, size_t event, const char * const *names, size_t nr,
		       const char **between, FILE *out)
{
	char text[UNITS_TEXT];
	unsigned long long hits;
	size_t i;

	for (i = 0; i < nr; i++) {
		hits = losses_of(&b->losses[event], names[i]);
		if (!hits)
			continue;
		fprintf(out, "%s %s of %s %s", *between, names[i],
			beside_shown(b, b->names[event]), print_count(text, hits));
		*between = ",";
	}
}

unsigned long long beside_print(const struct beside *b, unsigned long long counted, FILE *out)
{
	const struct losses *calls = b->losses;
	unsigned long long before = sum_of(calls, uncounted, NR(uncounted)), lost = 0, hits = 0;
	unsigned long long inside = losses_of(calls, "in_flight"), seen = counted + inside + before;
	unsigned long long all = losses_of(calls, "hits");
	const char *between = ":";
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < b->nr; i++) {
		lost += sum_of(&b->losses[i], uncounted, NR(uncounted)) +
			sum_of(&b->losses[i], unrecorded, NR(unrecorded));
		hits += i ? losses_of(&b->losses[i], "hits") : 0;
	}
	fprintf(out, "calls %s", print_count(text, all));
	fprintf(out, " = counted %s", print_count(text, counted));
	if (inside)
		fprintf(out, " + inside %s", print_count(text, inside));
	if (all > seen)
		fprintf(out, " + later %s", print_count(text, all - seen));
	if (before)
		fprintf(out, " + lost %s", print_count(text, before));
	fprintf(out, "; %s hits beside them; ", print_count(text, hits));
	paint(lost ? PAINT_BAD : PAINT_GOOD, out);
	if (lost)
		fprintf(out, "LOST %s", print_count(text, lost));
	else
		fputs("none lost", out);
	for (i = 0; i < b->nr; i++) {
		put_losses(b, i, uncounted, NR(uncounted), &between, out);
		put_losses(b, i, unrecorded, NR(unrecorded), &between, out);
	}
	paint(PAINT_NONE, out);
	return lost;
}
