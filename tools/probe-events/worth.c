// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * worth.c - what the hits of a preset are worth: pages, or time.
 */
#include <stdio.h>
#include "preset.h"
#include "units.h"
#include "worth.h"

#define PAGES_PER_MB 256.0

static bool has_pages(const struct answer *a)
{
	return a->r->preset && a->r->preset->weigh;
}

static bool has_time(const struct answer *a)
{
	return a->r->preset && a->r->preset->spent;
}

void worth_headings(const struct answer *a, struct grid *g)
{
	if (has_pages(a)) {
		grid_column(g, "PAGES", false);
		grid_column(g, "MB", false);
	} else if (has_time(a)) {
		if (!a->timed)	/* else it is the total */
			grid_column(g, "TIME", false);
		grid_column(g, "SHARE", false);
		if (!a->timed)
			grid_column(g, "LONGEST", false);
	}
}

/* Nanoseconds of all CPUs that are asked about. */
static double all_time(const struct answer *a)
{
	return a->table->seconds * 1e9 * (a->cpus ? a->cpus : 1);
}

void worth_cells(const struct answer *a, struct grid *g, const struct group *group)
{
	unsigned long long weight = group->weight;
	char text[UNITS_TEXT];

	if (has_pages(a)) {
		grid_cell(g, print_count(text, weight));
		snprintf(text, sizeof(text), "%.1f", weight / PAGES_PER_MB);
		grid_cell(g, text);
	} else if (has_time(a)) {
		if (!a->timed)
			grid_cell(g, print_time(text, weight, a->r->unit));
		snprintf(text, sizeof(text), "%.1f%%", 100 * weight / all_time(a));
		grid_cell(g, text);
		if (!a->timed)
			grid_cell(g, print_time(text, group->max, a->r->unit));
	}
}

/* What was taken and not given back, as long as it was asked. */
static void net_note(const struct answer *a, unsigned long long weight, FILE *out)
{
	unsigned long long freed = a->table->freed;
	const char *sign = weight < freed ? "-" : "+";
	unsigned long long net = weight < freed ? freed - weight : weight - freed;
	char text[UNITS_TEXT];

	fprintf(out, "freed %s pages, ", print_count(text, freed));
	fprintf(out, "%.1f MB: net %s", freed / PAGES_PER_MB, sign);
	fprintf(out, "%s pages, %s%.1f MB\n", print_count(text, net), sign, net / PAGES_PER_MB);
}

void worth_note(const struct answer *a, unsigned long long weight, FILE *out)
{
	char text[UNITS_TEXT];

	if (has_pages(a) && a->r->preset->frees)
		net_note(a, weight, out);
	if (!has_time(a))
		return;
	fprintf(out, "%s of ", print_time(text, weight, "s"));
	fprintf(out, "%s; the rest: before a CPU's first switch, or after its last one\n",
		print_time(text, all_time(a), "s"));
}
