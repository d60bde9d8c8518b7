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

enum worth worth_of(const struct answer *a)
{
	return has_pages(a) ? WORTH_PAGES : has_time(a) ? WORTH_TIME : WORTH_NONE;
}

double worth_cpu_seconds(const struct answer *a)
{
	return a->cpu_seconds ? a->cpu_seconds : a->table->seconds * (a->cpus ? a->cpus : 1);
}

double worth_share(const struct answer *a, unsigned long long weight)
{
	double all = worth_cpu_seconds(a) * 1e9;

	return all > 0 ? 100 * weight / all : 0;
}

size_t worth_columns(const struct answer *a)
{
	return has_pages(a) ? 2 : !has_time(a) ? 0 : a->timed ? 1 : 3;
}

double worth_mb(unsigned long long pages)
{
	return pages / PAGES_PER_MB;
}

void worth_cells(const struct answer *a, struct grid *g, const struct group *group)
{
	unsigned long long weight = group->weight;
	char text[UNITS_TEXT];

	if (has_pages(a)) {
		grid_cell(g, print_count(text, weight));
		snprintf(text, sizeof(text), "%.1f", worth_mb(weight));
		grid_cell(g, text);
	} else if (has_time(a)) {
		if (!a->timed)
			grid_cell(g, print_time(text, weight, a->r->unit));
		snprintf(text, sizeof(text), "%.1f%%", worth_share(a, weight));
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
	fprintf(out, "%.1f MB: net %s", worth_mb(freed), sign);
	fprintf(out, "%s pages, %s%.1f MB\n", print_count(text, net), sign, worth_mb(net));
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
		print_time(text, worth_cpu_seconds(a) * 1e9, "s"));
}
