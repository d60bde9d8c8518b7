// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * html.c - an answer as one page, which needs no other file, no network and no script.
 *
 * The page ends with all that it was made of, as lines of JSON: nothing is in the pictures only.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "balance.h"
#include "format.h"
#include "html.h"
#include "origin.h"
#include "regroup.h"
#include "report.h"
#include "tally.h"

/* What comes before the end, where the page is written. */
static struct {
	FILE *raw;
	char *text;
	size_t size;
	char *commands;
	char *error;		/* the last one */
} page;

static void html_begin(const struct answer *a, const char *commands, FILE *out)
{
	(void)out;
	page.raw = open_memstream(&page.text, &page.size);
	page.commands = strdup(commands);
	if (page.raw)
		format_json.begin(a, commands, page.raw);
}

static void html_rows(const struct answer *a, FILE *out)
{
	(void)out;
	if (page.raw)
		format_json.table(a, page.raw);
}

static void html_error(const char *what, const char *command, int where, FILE *out)
{
	(void)out;
	free(page.error);
	page.error = strdup(what);
	if (page.raw)
		format_json.error(what, command, where, page.raw);
}

/* The question, as it was typed but for options. */
static void put_question(const struct answer *a, FILE *out)
{
	size_t i;

	html_text(a->verb, out);
	fputc(' ', out);
	html_text(a->r->what, out);
	for (i = 0; i < a->r->nr_keys; i++) {
		fputs(i ? "," : " by ", out);
		html_text(a->r->keys[i], out);
	}
	for (i = 0; i < a->r->nr_filter; i++) {
		fputs(i ? " " : " if ", out);
		html_text(a->r->filter[i], out);
	}
}

static void put_fact(const char *name, const char *text, FILE *out)
{
	if (!*text)	/* not known of what was saved */
		return;
	fprintf(out, "<dt>%s</dt><dd>", name);
	html_text(text, out);
	fputs("</dd>\n", out);
}

static void put_facts(const struct answer *a, FILE *out)
{
	char text[64];
	struct origin here;
	const struct origin *from = a->origin;

	if (!from) {
		origin_here(&here);
		from = &here;
	}
	fputs("<dl>\n", out);
	put_fact("Machine", from->host, out);
	put_fact("Kernel", from->kernel, out);
	put_fact("Time", from->time, out);
	if (a->table) {
		snprintf(text, sizeof(text), "%.1f s", a->table->seconds);
		put_fact("Measured for", text, out);
	}
	fputs("</dl>\n", out);
}

static void put_balance(const struct answer *a, FILE *out)
{
	char *text = NULL;
	struct sums s;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return;
	balance_print(a, line);
	fclose(line);
	text[strcspn(text, "\n")] = '\0';
	balance_make(a, &s);
	fprintf(out, "<p class=\"balance%s\">", s.lost ? " lost" : "");
	html_text(text, out);
	fputs("</p>\n", out);
	free(text);
}

static bool has_stacks(const struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (t->columns[i].type == COLUMN_STACK)
			return true;
	return false;
}

static int put_answer(const struct answer *a, FILE *out)
{
	size_t columns[TABLE_COLUMNS], i;
	struct table t = {};
	struct group all = {};
	int ret;

	for (i = 0; i < a->r->nr_keys; i++)
		columns[i] = table_key(a->table, i);
	ret = regroup(&t, a->table, columns, i, a->symbols);
	if (!ret)
		ret = table_merge(&t, &all);
	if (!ret && a->timed && all.hits) {
		fputs("<h2>Times</h2>\n", out);
		html_histogram(a, &all, out);
	}
	if (!ret && has_stacks(&t))
		ret = html_flame(a, &t, out);
	if (!ret) {
		tally_sort(&t, a->r, a->timed);
		html_table(a, &t, &all, out);
	}
	free(all.steps);
	table_free(&t);
	return ret;
}

static void put_sources(FILE *out)
{
	fputs("<h2>Source</h2>\n", out);
	if (page.commands && *page.commands) {
		fputs("<details><summary>What was written to the file session</summary>\n<pre>",
		      out);
		for (char *rest = page.commands, *line; rest && (line = strsep(&rest, "\n"));) {
			html_text(line, out);
			fputc('\n', out);
		}
		fputs("</pre></details>\n", out);
	}
	fputs("<details><summary>All data, as lines of JSON</summary>\n<pre id=\"data\">", out);
	html_json(page.text, out);
	fputs("</pre></details>\n", out);
}

static void html_end(const struct answer *a, int status, FILE *out)
{
	if (!page.raw) {
		complain("no memory");
		return;
	}
	format_json.end(a, status, page.raw);
	fclose(page.raw);
	html_head(out);
	put_question(a, out);
	fputs("</title>\n</head>\n<body>\n<h1>", out);
	put_question(a, out);
	fputs("</h1>\n", out);
	put_facts(a, out);
	if (page.error) {
		fputs("<p class=\"error\">", out);
		html_text(page.error, out);
		fputs("</p>\n", out);
	}
	if (a->table) {
		put_balance(a, out);
		if (put_answer(a, out))
			complain("no memory");
	}
	put_sources(out);
	html_foot(out);
	free(page.text);
	free(page.commands);
	free(page.error);
	memset(&page, 0, sizeof(page));
}

const struct format format_html = {
	.name = "html",
	.begin = html_begin,
	.table = html_rows,
	.end = html_end,
	.error = html_error,
};
