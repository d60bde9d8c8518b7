// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html_table.c - the rows of an answer in a page.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "units.h"

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

static void put_values(const struct answer *a, const struct group *g, FILE *out)
{
	size_t i;

	put_count(g->hits, out);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++)
		put_time(a, group_percentile(g, percentiles[i]), out);
	if (a->timed) {
		put_time(a, g->max, out);
		put_time(a, g->sum < 0 ? 0 : g->sum, out);
	}
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
	fputs("<th scope=\"col\">calls</th>", out);
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
		fprintf(out, "%s</tr>\n", a->timed ? "<td colspan=\"6\"></td>" : "");
	}
	begin_foot_row(a, "total", out);
	put_values(a, all, out);
	fprintf(out, "%s</tr>\n</tfoot>\n</table></div>\n", a->timed ? "<td></td>" : "");
}
