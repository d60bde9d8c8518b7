// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * csv.c - answers for programs that know no units: CSV, and the folded stacks of flame graphs.
 *
 * Neither has a place for what was lost, or given back: that is told on standard error.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "balance.h"
#include "csv.h"
#include "folded.h"
#include "format.h"
#include "safe.h"
#include "symbols.h"
#include "worth.h"

static const double percentiles[] = { 50, 90, 99 };

#define NR_PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static void tell_losses(const struct answer *a, int status, FILE *out)
{
	struct group all;
	struct sums s;

	(void)status;
	(void)out;
	if (!a->table)
		return;
	balance_make(a, &s);
	if (worth_of(a) == WORTH_PAGES && !table_merge(a->table, &all)) {
		worth_note(a, all.weight, stderr);
		free(all.steps);
	}
	if (s.lost || a->refused)
		balance_print(a, stderr);
}

/* ---- CSV: RFC 4180 ---- */

/* A terminal gets \xNN of what would change the screen: a file has the bytes. */
static void put_character(const char **text, FILE *out)
{
	size_t len = safe_length(*text);

	if (len || safe_for(*text, out))
		fwrite(*text, 1, len ?: 1, out);
	else
		fprintf(out, "\\x%02x", (unsigned char)**text);
	*text += len ?: 1;
}

void csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		while (*text)
			put_character(&text, out);
		return;
	}
	fputc('"', out);
	while (*text) {
		if (*text == '"')
			fputc('"', out);
		put_character(&text, out);
	}
	fputc('"', out);
}

static void csv_stack(const struct answer *a, const char *stack, FILE *out)
{
	char *list = strdup(stack), *rest = list, *addr, *all = NULL, name[256];
	const char *between = "";
	size_t size;
	FILE *names = open_memstream(&all, &size);

	while (names && rest && (addr = strsep(&rest, ","))) {
		symbols_print(a->symbols, name, sizeof(name), addr);
		fprintf(names, "%s%s", between, name);
		between = ";";
	}
	if (names)
		fclose(names);
	csv_text(all ?: stack, out);
	free(all);
	free(list);
}

static void csv_key(const struct answer *a, const struct group *g, size_t column, FILE *out)
{
	enum column_type type = a->table->columns[column].type;
	char name[256];

	if (type == COLUMN_STACK) {
		csv_stack(a, g->keys[column], out);
	} else if (type == COLUMN_ADDRESS) {
		symbols_print(a->symbols, name, sizeof(name), g->keys[column]);
		csv_text(name, out);
	} else if (type == COLUMN_NAMED) {
		csv_text(table_name(g->keys[column]), out);
	} else {
		csv_text(g->keys[column], out);
	}
}

/* As a table for people: of lat the time itself is the total. */
static const char *worth_heading(const struct answer *a)
{
	switch (worth_of(a)) {
	case WORTH_PAGES:
		return ",pages";
	case WORTH_TIME:
		return a->timed ? ",share_percent" : ",time_ns,share_percent,longest_ns";
	default:
		return "";
	}
}

static void csv_worth(const struct answer *a, const struct group *g, FILE *out)
{
	enum worth worth = worth_of(a);

	if (worth == WORTH_PAGES || (worth == WORTH_TIME && !a->timed))
		fprintf(out, ",%llu", g->weight);
	if (worth == WORTH_TIME)
		fprintf(out, ",%.4f", worth_share(a, g->weight));
	if (worth == WORTH_TIME && !a->timed)
		fprintf(out, ",%llu", g->max);
}

static void csv_begin(const struct answer *a, const char *commands, FILE *out)
{
	size_t i;

	(void)commands;
	if (a->r->interval)
		fputs("interval,", out);
	for (i = 0; i < a->r->nr_keys; i++) {
		csv_text(a->r->keys[i], out);
		fputc(',', out);
	}
	fputs("calls", out);
	fputs(worth_heading(a), out);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++)
		fprintf(out, ",p%g_ns", percentiles[i]);
	fputs(a->timed ? ",max_ns,total_ns\r\n" : "\r\n", out);
}

static void csv_values(const struct answer *a, const struct group *g, FILE *out)
{
	size_t i;

	fprintf(out, "%llu", g->hits);
	csv_worth(a, g, out);
	for (i = 0; a->timed && i < NR_PERCENTILES; i++)
		fprintf(out, ",%llu", group_percentile(g, percentiles[i]));
	if (a->timed)
		fprintf(out, ",%llu,%lld", g->max, g->sum);
	fputs("\r\n", out);
}

static void csv_other(const struct answer *a, FILE *out)
{
	const char *worth = worth_heading(a);
	size_t i;

	for (i = 0; i < a->r->nr_keys; i++)
		fputs(i ? "," : "(other),", out);
	fprintf(out, "%llu", a->table->balance.other);
	for (; *worth; worth++)
		if (*worth == ',')
			fputc(',', out);
	fprintf(out, "%s\r\n", a->timed ? ",,,,," : "");
}

/* With intervals there is no total: their sum is. */
static void csv_table(const struct answer *a, FILE *out)
{
	const struct table *t = a->table;
	struct group all;
	size_t i, k;

	if (a->r->interval && !a->interval)
		return;
	if (!a->r->nr_keys) {
		if (table_merge(t, &all)) {
			fputs("no memory\r\n", out);
			return;
		}
		if (a->interval)
			fprintf(out, "%u,", a->interval);
		csv_values(a, &all, out);
		free(all.steps);
	}
	for (i = 0; a->r->nr_keys && i < t->nr; i++) {
		if (a->interval)
			fprintf(out, "%u,", a->interval);
		for (k = 0; k < a->r->nr_keys; k++) {
			csv_key(a, &t->groups[i], table_key(t, k), out);
			fputc(',', out);
		}
		csv_values(a, &t->groups[i], out);
	}
	if (t->balance.other) {
		if (a->interval)
			fprintf(out, "%u,", a->interval);
		csv_other(a, out);
	}
}

const struct format format_csv = {
	.name = "csv",
	.begin = csv_begin,
	.table = csv_table,
	.end = tell_losses,
};

/* ---- folded: FRAME;FRAME N, the outermost first ---- */

static const char *folded_check(const struct request *r)
{
	size_t i;

	for (i = 0; i < r->nr_keys; i++)
		if (!strcmp(r->keys[i], "stack"))
			return NULL;
	return "-f folded wants stacks: by stack";
}

static void folded_stack(const struct answer *a, const char *stack, FILE *out)
{
	char *list = strdup(stack), *comma, name[256];

	while (list) {
		comma = strrchr(list, ',');
		symbols_print(a->symbols, name, sizeof(name), comma ? comma + 1 : list);
		folded_frame(name, out);
		if (!comma)
			break;
		*comma = '\0';
		fputc(';', out);
	}
	free(list);
}

/* The other keys are frames, too, outside of the stack. */
static void folded_keys(const struct answer *a, const struct group *g, FILE *out)
{
	const struct table *t = a->table;
	size_t i, column, stack = 0;
	char name[256];

	for (i = 0; i < a->r->nr_keys; i++) {
		column = table_key(t, i);
		if (t->columns[column].type == COLUMN_STACK) {
			stack = column;
			continue;
		}
		if (t->columns[column].type == COLUMN_ADDRESS) {
			symbols_print(a->symbols, name, sizeof(name), g->keys[column]);
			folded_frame(name, out);
		} else if (t->columns[column].type == COLUMN_NAMED) {
			folded_frame(table_name(g->keys[column]), out);
		} else {
			folded_frame(g->keys[column], out);
		}
		fputc(';', out);
	}
	folded_stack(a, g->keys[stack], out);
}

static void folded_table(const struct answer *a, FILE *out)
{
	const struct table *t = a->table;
	size_t i;

	if (a->interval)
		return;
	for (i = 0; i < t->nr; i++) {
		const struct group *g = &t->groups[i];

		folded_keys(a, g, out);
		/* A sum below 0 has no width. */
		fprintf(out, " %llu\n",
			a->timed ? (g->sum > 0 ? (unsigned long long)g->sum : 0) :
			worth_of(a) ? g->weight : g->hits);
	}
	if (t->balance.other && !a->timed && !worth_of(a))
		fprintf(out, "(other) %llu\n", t->balance.other);
}

const struct format format_folded = {
	.name = "folded",
	.check = folded_check,
	.table = folded_table,
	.end = tell_losses,
};
