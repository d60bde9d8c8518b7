// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_table.c - the rows of an answer in a page.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "preset.h"
#include "units.h"
#include "worth.h"

/* More rows than that are no reading: they have no picture each. */
#define MOST_PICTURES 1000

static const double percentiles[] = { 50, 90, 99 };

#define NR_PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static void put_count(unsigned long long count, FILE *out)
{
	char text[UNITS_TEXT];

	fprintf(out, "<td data-v=\"%llu\">%s</td>", count, print_count(text, count));
}

static void put_time(const struct answer *a, unsigned long long ns, FILE *out)
{
	char text[UNITS_TEXT];

	fprintf(out, "<td data-v=\"%llu\">%s</td>", ns, print_time(text, ns, a->r->unit));
}

static void put_stack(const char *stack, FILE *out)
{
	char *list = strdup(stack), *rest = list, *name;

	fputs("<ol>", out);
	while (rest && (name = strsep(&rest, ","))) {
		fputs("<li>", out);
		html_text(name, out);
		fputs("</li>", out);
	}
	fputs("</ol>", out);
	free(list);
}

static void put_key(const struct table *t, const struct group *g, size_t i, FILE *out)
{
	char *end;

	if (t->columns[i].type == COLUMN_STACK) {
		fputs("<td class=\"key\">", out);
		put_stack(g->keys[i], out);
		fputs("</td>", out);
		return;
	}
	strtoll(g->keys[i], &end, 10);
	fputs("<td class=\"key\"", out);
	if (t->columns[i].type == COLUMN_NUMBER && !*end && end != g->keys[i])
		fprintf(out, " data-v=\"%s\"", g->keys[i]);
	fputs("><bdi>", out);
	html_text(g->keys[i], out);
	fputs("</bdi></td>", out);
}

/* As a table for people: of lat the time itself is the total. */
static void put_worth_headings(const struct answer *a, FILE *out)
{
	static const char pages[] = "<th scope=\"col\">pages</th><th scope=\"col\">MB</th>";
	static const char share[] = "<th scope=\"col\">share</th>";
	enum worth worth = worth_of(a);

	if (worth == WORTH_PAGES)
		fputs(pages, out);
	else if (worth == WORTH_TIME)
		fprintf(out, "%s%s%s", a->timed ? "" : "<th scope=\"col\">time</th>", share,
			a->timed ? "" : "<th scope=\"col\">longest</th>");
}

static void put_worth(const struct answer *a, const struct group *g, FILE *out)
{
	enum worth worth = worth_of(a);

	if (worth == WORTH_PAGES) {
		put_count(g->weight, out);
		fprintf(out, "<td data-v=\"%llu\">%.1f</td>", g->weight, worth_mb(g->weight));
	} else if (worth == WORTH_TIME) {
		if (!a->timed)
			put_time(a, g->weight, out);
		fprintf(out, "<td data-v=\"%llu\">%.1f%%</td>", g->weight,
			worth_share(a, g->weight));
		if (!a->timed)
			put_time(a, g->max, out);
	}
}

static void put_values(const struct answer *a, const struct group *g, FILE *out)
{
	size_t i;

	put_count(g->hits, out);
	put_worth(a, g, out);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++)
		put_time(a, group_percentile(g, percentiles[i]), out);
	if (a->timed) {
		put_time(a, g->max, out);
		put_time(a, g->sum < 0 ? 0 : g->sum, out);
	}
}

/* "switches" of "SWITCHES" */
static void put_counts(const struct answer *a, FILE *out)
{
	const char *counts = a->r->preset && a->r->preset->counts ? a->r->preset->counts : "calls";
	char name[64];
	size_t i;

	snprintf(name, sizeof(name), "%s", counts);
	for (i = 0; name[i]; i++)
		name[i] = tolower((unsigned char)name[i]);
	fputs("<th scope=\"col\">", out);
	html_text(name, out);
	fputs("</th>", out);
}

static void put_headings(const struct answer *a, FILE *out)
{
	size_t i;

	fputs("<thead><tr>", out);
	for (i = 0; i < a->r->nr_keys; i++) {
		fputs("<th class=\"key\" scope=\"col\">", out);
		html_text(a->r->keys[i], out);
		fputs("</th>", out);
	}
	put_counts(a, out);
	put_worth_headings(a, out);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++)
		fprintf(out, "<th scope=\"col\">p%g</th>", percentiles[i]);
	if (a->timed)
		fputs("<th scope=\"col\">max</th><th scope=\"col\">total</th><th></th>", out);
	fputs("</tr></thead>\n", out);
}

static void begin_foot_row(const struct answer *a, const char *name, FILE *out)
{
	fputs("<tr>", out);
	if (a->r->nr_keys)
		fprintf(out, "<td class=\"key\" colspan=\"%zu\">%s</td>", a->r->nr_keys, name);
}

static void put_note(const struct answer *a, const struct group *all, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *note = open_memstream(&text, &size);

	if (!note)
		return;
	worth_note(a, all->weight, note);
	fclose(note);
	text[strcspn(text, "\n")] = '\0';
	if (*text) {
		fputs("<p>", out);
		html_text(text, out);
		fputs("</p>\n", out);
	}
	free(text);
}

void html_table(const struct answer *a, const struct table *t, const struct group *all, FILE *out)
{
	size_t i, k;

	fputs("<h2>Rows</h2>\n<div class=\"wide\"><table id=\"rows\">\n", out);
	put_headings(a, out);
	fputs("<tbody>\n", out);
	for (i = 0; a->r->nr_keys && i < t->nr; i++) {
		fputs("<tr>", out);
		for (k = 0; k < t->nr_columns; k++)
			put_key(t, &t->groups[i], k, out);
		put_values(a, &t->groups[i], out);
		if (a->timed) {
			fputs("<td>", out);
			if (i < MOST_PICTURES)
				html_spark(&t->groups[i], all, out);
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n<tfoot>\n", out);
	if (t->balance.other) {
		begin_foot_row(a, "(other)", out);
		put_count(t->balance.other, out);
		for (i = 0; i < worth_columns(a); i++)
			fputs("<td></td>", out);
		fprintf(out, "%s</tr>\n", a->timed ? "<td colspan=\"6\"></td>" : "");
	}
	begin_foot_row(a, "total", out);
	put_values(a, all, out);
	fprintf(out, "%s</tr>\n</tfoot>\n</table></div>\n", a->timed ? "<td></td>" : "");
	put_note(a, all, out);
}
