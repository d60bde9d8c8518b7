// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * openmetrics.c - answers for Prometheus: OpenMetrics 1.0.
 *
 * A series has the question and the row's keys as its labels, and there is one of each set of
 * labels: so rows are by names, not by addresses.  The buckets of times are the same in each
 * answer, because they are added up.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "balance.h"
#include "format.h"
#include "preset.h"
#include "regroup.h"
#include "report.h"
#include "safe.h"
#include "utf8.h"
#include "worth.h"

#define CALLS	"probe_events_calls"
#define TIMES	"probe_events_call_seconds"
#define PAGES	"probe_events_pages"
#define FREED	"probe_events_freed_pages"
#define SPENT	"probe_events_spent_seconds"
#define LONGEST	"probe_events_longest_seconds"
#define CPUS	"probe_events_cpu_seconds"
#define HITS	"probe_events_hits"
#define LOST	"probe_events_lost"
#define REFUSED	"probe_events_refused"
#define SPAN	"probe_events_measured_seconds"

/* Buckets end at 127 ns, 255 ns ... 68 s: whole octaves, so that steps are never cut. */
#define FIRST_OCTAVE 7
#define LAST_OCTAVE 36

/* "skb_len" of "skb.len.log2"; what is not a letter, digit or _ is none in a label's name. */
static void label_name(const struct request *r, size_t key, char *name, size_t size)
{
	const char *text = r->keys[key];
	size_t n = 0, i;

	for (i = 0; text[i] && n + 1 < size; i++)
		if (isalnum((unsigned char)text[i]))
			name[n++] = text[i];
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	while (n && name[n - 1] == '_')
		n--;
	name[n] = '\0';
}

/* Names that are taken, by us or by the key before, get the key's number. */
static void put_label_name(const struct request *r, size_t key, FILE *out)
{
	char name[64], other[64];
	bool taken;
	size_t i;

	label_name(r, key, name, sizeof(name));
	taken = !isalpha((unsigned char)*name) || !strcmp(name, "what") || !strcmp(name, "why") ||
		!strcmp(name, "le");
	for (i = 0; i < key; i++) {
		label_name(r, i, other, sizeof(other));
		taken |= !strcmp(name, other);
	}
	if (taken)
		fprintf(out, "key%zu_", key + 1);
	fputs(name, out);
}

/* Bytes that are no UTF-8 or control the screen are \xNN; so is \, or two names could be one. */
static void put_value(const char *text, FILE *out)
{
	while (*text) {
		size_t len = utf8_read(text, NULL);
		unsigned char c = *text;

		if (!len || c < 32 || c == 127 || c == '\\' || !safe_for(text, out)) {
			fprintf(out, "\\\\x%02x", c);
			len = 1;
		} else if (c == '"') {
			fputs("\\\"", out);
		} else {
			fwrite(text, 1, len, out);
		}
		text += len;
	}
}

/* Frames are names, and stand with the outermost first, as folded stacks do. */
static void put_stack(const char *stack, FILE *out)
{
	char *list = strdup(stack), *comma;

	while (list && (comma = strrchr(list, ','))) {
		put_value(comma + 1, out);
		fputc(';', out);
		*comma = '\0';
	}
	if (list)
		put_value(list, out);
	free(list);
}

/* {what="f",comm="dd"}: all labels but the last brace. */
static void put_labels(const struct answer *a, const struct table *t, const struct group *g,
		       FILE *out)
{
	size_t i;

	fputs("{what=\"", out);
	put_value(a->r->what, out);
	for (i = 0; g && i < t->nr_columns; i++) {
		fputs("\",", out);
		put_label_name(a->r, i, out);
		fputs("=\"", out);
		if (t->columns[i].type == COLUMN_STACK)
			put_stack(g->keys[i], out);
		else
			put_value(g->keys[i], out);
	}
	fputc('"', out);
}

static void put_head(const char *name, const char *type, const char *unit, const char *help,
		     FILE *out)
{
	fprintf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

static void put_number(const struct answer *a, const struct table *t, const struct group *g,
		       const char *name, unsigned long long value, FILE *out)
{
	fputs(name, out);
	put_labels(a, t, g, out);
	fprintf(out, "} %llu\n", value);
}

/* Seconds of whole nanoseconds, without zeros at the end: 1.5e+09 is "1.5". */
static void put_seconds(unsigned long long ns, FILE *out)
{
	char digits[16];
	int len = snprintf(digits, sizeof(digits), "%09llu", ns % 1000000000);

	while (len > 1 && digits[len - 1] == '0')
		digits[--len] = '\0';
	fprintf(out, "%llu.%s", ns / 1000000000, digits);
}

/* A bucket has all values up to its end. */
static void put_times(const struct answer *a, const struct table *t, const struct group *g,
		      FILE *out)
{
	unsigned long long hits = 0;
	size_t i = 0;
	int octave;

	for (octave = FIRST_OCTAVE; octave <= LAST_OCTAVE; octave++) {
		for (; i < g->nr_steps && (g->steps[i].step < 0 ||
					   step_lower(g->steps[i].step) >> octave == 0); i++)
			hits += g->steps[i].hits;
		fputs(TIMES "_bucket", out);
		put_labels(a, t, g, out);
		fputs(",le=\"", out);
		put_seconds((1ULL << octave) - 1, out);
		fprintf(out, "\"} %llu\n", hits);
	}
	fputs(TIMES "_bucket", out);
	put_labels(a, t, g, out);
	fprintf(out, ",le=\"+Inf\"} %llu\n", g->hits);
	put_number(a, t, g, TIMES "_count", g->hits, out);
	fputs(TIMES "_sum", out);
	put_labels(a, t, g, out);
	fputs("} ", out);
	put_seconds(g->sum < 0 ? 0 : g->sum, out);
	fputc('\n', out);
}

static void put_pages(const struct answer *a, const struct table *t, FILE *out)
{
	size_t i;

	put_head(PAGES, "counter", "pages", "Pages of these hits.", out);
	for (i = 0; i < t->nr; i++)
		put_number(a, t, &t->groups[i], PAGES "_total", t->groups[i].weight, out);
	if (!a->r->preset->frees)
		return;
	put_head(FREED, "counter", "pages", "Pages given back, of no row.", out);
	put_number(a, NULL, NULL, FREED "_total", t->freed, out);
}

static void put_time(const struct answer *a, const struct table *t, const struct group *g,
		     const char *name, unsigned long long ns, FILE *out)
{
	fputs(name, out);
	put_labels(a, t, g, out);
	fputs("} ", out);
	put_seconds(ns, out);
	fputc('\n', out);
}

/* Of lat, their sum is in the histogram. */
static void put_spent(const struct answer *a, const struct table *t, FILE *out)
{
	size_t i;

	if (!a->timed) {
		put_head(SPENT, "counter", "seconds", "Time of these hits.", out);
		for (i = 0; i < t->nr; i++)
			put_time(a, t, &t->groups[i], SPENT "_total", t->groups[i].weight, out);
		put_head(LONGEST, "gauge", "seconds", "The longest of these hits.", out);
		for (i = 0; i < t->nr; i++)
			put_time(a, t, &t->groups[i], LONGEST, t->groups[i].max, out);
	}
	put_head(CPUS, "gauge", "seconds", "For how long it was counted, on all CPUs together.",
		 out);
	fputs(CPUS, out);
	put_labels(a, NULL, NULL, out);
	fprintf(out, "} %.6f\n", worth_cpu_seconds(a));
}

static void put_rows(const struct answer *a, const struct table *t, FILE *out)
{
	enum worth worth = worth_of(a);
	size_t i;

	if (a->timed)
		put_head(TIMES, "histogram", "seconds", "Duration of calls.", out);
	else
		put_head(CALLS, "counter", NULL, "Hits that were counted.", out);
	for (i = 0; i < t->nr; i++)
		if (a->timed)
			put_times(a, t, &t->groups[i], out);
		else
			put_number(a, t, &t->groups[i], CALLS "_total", t->groups[i].hits, out);
	if (worth == WORTH_PAGES)
		put_pages(a, t, out);
	else if (worth == WORTH_TIME)
		put_spent(a, t, out);
}

static void put_balance(const struct answer *a, FILE *out)
{
	unsigned long long hits;
	const char *name;
	struct sums s;
	size_t i;

	balance_make(a, &s);
	put_head(HITS, "counter", NULL, "Hits, those not asked for included.", out);
	put_number(a, NULL, NULL, HITS "_total", s.hits, out);
	put_head(LOST, "counter", NULL, "Hits that had to be counted and were not.", out);
	for (i = 0; (name = balance_loss(a, i, &hits)); i++) {
		fputs(LOST "_total", out);
		put_labels(a, NULL, NULL, out);
		fprintf(out, ",why=\"%s\"} %llu\n", i ? name : "table_full", hits);
	}
	if (a->refused) {
		put_head(REFUSED, "gauge", NULL, "Functions that cannot be probed.", out);
		put_number(a, NULL, NULL, REFUSED, a->refused, out);
	}
	put_head(SPAN, "gauge", "seconds", "For how long it was counted.", out);
	fputs(SPAN, out);
	put_labels(a, NULL, NULL, out);
	fprintf(out, "} %.6f\n", a->table->seconds);
}

/* All at the end: intervals are no part of it, and without an answer there is no series. */
static void openmetrics_end(const struct answer *a, int status, FILE *out)
{
	size_t columns[TABLE_COLUMNS], i;
	struct table t;

	(void)status;
	if (a->table) {
		for (i = 0; i < a->r->nr_keys; i++)
			columns[i] = table_key(a->table, i);
		if (regroup(&t, a->table, columns, i, a->symbols)) {
			complain("no memory");
			return;	/* without its last line it is incomplete */
		}
		put_rows(a, &t, out);
		put_balance(a, out);
		table_free(&t);
	}
	fputs("# EOF\n", out);
}

static void openmetrics_table(const struct answer *a, FILE *out)
{
	(void)a;
	(void)out;
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.table = openmetrics_table,
	.end = openmetrics_end,
};
