// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * json.c - answers as lines of JSON; schema.json says what is in them.
 *
 * Each line is an object with its type, the version of what the type means, and the time.  Losses
 * and errors are objects, too, and a text without an "end" is incomplete.
 */
#define _GNU_SOURCE
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "balance.h"
#include "format.h"
#include "json.h"
#include "preset.h"
#include "safe.h"
#include "symbols.h"
#include "utf8.h"
#include "worth.h"

#define VERSION 1
#define EXACT (1ULL << 53)	/* readers of JSON may keep numbers as double */

struct json_object *json_number(unsigned long long value)
{
	char text[24];

	if (value <= EXACT)
		return json_object_new_int64(value);
	snprintf(text, sizeof(text), "%llu", value);
	return json_object_new_string(text);
}

struct json_object *json_signed(long long value)
{
	char text[24];

	if (value >= -(long long)EXACT && value <= (long long)EXACT)
		return json_object_new_int64(value);
	snprintf(text, sizeof(text), "%lld", value);
	return json_object_new_string(text);
}

/* A text of the kernel's is bytes: what is not UTF-8 is {"hex": "..."}. */
struct json_object *json_text(const char *text)
{
	struct json_object *o;
	const char *s = text;
	char *hex, *to;
	size_t len;

	while (*s && (len = utf8_read(s, NULL)))
		s += len;
	if (!*s)
		return json_object_new_string(text);
	hex = malloc(2 * strlen(text) + 1);
	if (!hex)
		return NULL;
	for (s = text, to = hex; *s; s++)
		to += sprintf(to, "%02x", (unsigned char)*s);
	o = json_object_new_object();
	json_object_object_add(o, "hex", json_object_new_string(hex));
	free(hex);
	return o;
}

struct json_object *json_named(long long number, const char *name)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "number", json_signed(number));
	if (name)
		json_object_object_add(o, "name", json_text(name));
	return o;
}

static struct json_object *seconds_object(double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", seconds);
	return json_object_new_double_s(seconds, text);
}

struct json_object *json_line(const char *type, double at)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "type", json_object_new_string(type));
	json_object_object_add(o, "v", json_object_new_int(VERSION));
	json_object_object_add(o, "t", seconds_object(at));
	return o;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* In JSON, one that takes more than 16 bits is two. */
static void put_escaped(unsigned int code, FILE *out)
{
	if (code > 0xffff)
		fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
	else
		fprintf(out, "\\u%04x", code);
}

/* The same JSON without what would change a screen; such characters are in texts only. */
static void put_on_terminal(const char *text, FILE *out)
{
	unsigned int code;
	size_t len;

	while (*text) {
		len = utf8_read(text, &code);
		if (safe_length(text))
			fwrite(text, 1, len, out);
		else
			put_escaped(len ? code : 0xfffd, out);
		text += len ?: 1;
	}
}

void json_print(struct json_object *o, FILE *out)
{
	const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE);

	if (isatty(fileno(out)))
		put_on_terminal(text, out);
	else
		fputs(text, out);
	fputc('\n', out);
	json_object_put(o);
}

void json_note(const char *what, FILE *out)
{
	struct json_object *o = json_line("note", now());

	json_object_object_add(o, "what", json_text(what));
	json_print(o, out);
}

/* What a table for people shows in place of the question and of "calls", and what it adds up. */
static struct json_object *preset_object(const struct answer *a)
{
	static const char * const units[] = { [WORTH_PAGES] = "pages", [WORTH_TIME] = "ns" };
	struct json_object *o = json_object_new_object();
	enum worth worth = worth_of(a);

	json_object_object_add(o, "summary", json_text(a->r->preset->summary));
	if (a->r->preset->counts)
		json_object_object_add(o, "counts", json_text(a->r->preset->counts));
	if (worth)
		json_object_object_add(o, "unit", json_object_new_string(units[worth]));
	return o;
}

static struct json_object *lines_of(const char *text)
{
	struct json_object *list = json_object_new_array();
	char *copy = strdup(text), *rest = copy, *line;

	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			json_object_array_add(list, json_text(line));
	free(copy);
	return list;
}

static void json_begin(const struct answer *a, const char *commands, FILE *out)
{
	struct json_object *o, *by = json_object_new_array();
	const struct origin *from = a->origin;
	struct origin here;
	size_t i;

	if (!from) {
		origin_here(&here);
		from = &here;
	}
	o = json_line("start", from->at);
	json_object_object_add(o, "verb", json_object_new_string(a->verb));
	json_object_object_add(o, "what", json_text(a->r->what));
	if (a->r->preset)
		json_object_object_add(o, "preset", preset_object(a));
	for (i = 0; i < a->r->nr_keys; i++)
		json_object_array_add(by, json_text(a->r->keys[i]));
	json_object_object_add(o, "by", by);
	if (a->r->interval)
		json_object_object_add(o, "interval_ns", json_number(a->r->interval));
	json_object_object_add(o, "host", json_text(from->host));
	json_object_object_add(o, "kernel", json_text(from->kernel));
	json_object_object_add(o, "time", json_text(from->time));
	json_object_object_add(o, "commands", lines_of(commands));
	json_print(o, out);
}

/* ---- rows ---- */

static struct json_object *symbol_object(const struct answer *a, const char *addr)
{
	char name[256];

	symbols_print(a->symbols, name, sizeof(name), addr);
	return json_object_new_string(name);
}

static struct json_object *stack_object(const struct answer *a, const char *stack)
{
	struct json_object *list = json_object_new_array();
	char *copy = strdup(stack), *rest = copy, *addr;

	while (rest && (addr = strsep(&rest, ",")))
		json_object_array_add(list, symbol_object(a, addr));
	free(copy);
	return list;
}

static struct json_object *number_object(const char *text)
{
	char *end;
	bool negative = *text == '-';
	unsigned long long value = strtoull(text + negative, &end, 0);

	if (*end || end == text + negative)	/* a range, say: "~ 2^3" */
		return json_object_new_string(text);
	return negative ? json_signed(-(long long)value) : json_number(value);
}

/* "4 NAME"; in a file that another user has made, it may be no number. */
static struct json_object *named_object(const char *text)
{
	const char *name = table_name(text);
	char *end;
	long long number = strtoll(text, &end, 10);

	if (end == text || (*end && *end != ' '))
		return json_text(text);
	return json_named(number, name == text ? NULL : name);
}

static struct json_object *key_object(const struct answer *a, const struct group *g)
{
	struct json_object *o = json_object_new_object(), *value;
	const struct table *t = a->table;
	size_t i, column;

	for (i = 0; i < a->r->nr_keys; i++) {
		const char *text;

		column = table_key(t, i);
		if (column == t->nr_columns)
			break;
		text = g->keys[column];
		value = t->columns[column].type == COLUMN_STACK ? stack_object(a, text) :
			t->columns[column].type == COLUMN_ADDRESS ? symbol_object(a, text) :
			t->columns[column].type == COLUMN_NUMBER ? number_object(text) :
			t->columns[column].type == COLUMN_NAMED ? named_object(text) :
			json_text(text);
		json_object_object_add(o, a->r->keys[i], value);
	}
	return o;
}

static struct json_object *steps_object(const struct group *g)
{
	struct json_object *h2 = json_object_new_object(), *steps = json_object_new_object();
	char name[16];
	size_t i;

	for (i = 0; i < g->nr_steps; i++) {
		snprintf(name, sizeof(name), "%d", g->steps[i].step);
		json_object_object_add(steps, g->steps[i].step < 0 ? "neg" : name,
				       json_number(g->steps[i].hits));
	}
	json_object_object_add(h2, "g", json_object_new_int(5));
	json_object_object_add(h2, "n", steps);
	return h2;
}

static struct json_object *time_object(const struct group *g)
{
	static const struct {
		const char *name;
		double percent;
	} all[] = { { "p50", 50 }, { "p90", 90 }, { "p99", 99 }, { "p999", 99.9 } };
	struct json_object *o = json_object_new_object();
	int first = g->nr_steps ? g->steps[0].step : 0;
	size_t i;

	json_object_object_add(o, "sum", json_signed(g->sum));
	json_object_object_add(o, "min", json_number(first < 0 ? 0 : step_lower(first)));
	json_object_object_add(o, "max", json_number(g->max));
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		json_object_object_add(o, all[i].name,
				       json_number(group_percentile(g, all[i].percent)));
	json_object_object_add(o, "h2", steps_object(g));
	return o;
}

/* To the nanosecond, as the times are: a share that is made of both is rounded as it was. */
static void add_cpu_seconds(struct json_object *o, double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9f", seconds);
	json_object_object_add(o, "cpu_seconds", json_object_new_double_s(seconds, text));
}

static void add_worth(const struct answer *a, const struct group *g, bool all,
		      struct json_object *o)
{
	enum worth worth = worth_of(a);
	struct json_object *value;

	if (worth == WORTH_PAGES) {
		json_object_object_add(o, "pages", json_number(g->weight));
		if (all && a->r->preset->frees)
			json_object_object_add(o, "freed_pages", json_number(a->table->freed));
	} else if (worth == WORTH_TIME) {
		value = json_object_new_object();
		json_object_object_add(value, "sum", json_number(g->weight));
		json_object_object_add(value, "max", json_number(g->max));
		json_object_object_add(o, "spent_ns", value);
		if (all)
			add_cpu_seconds(o, worth_cpu_seconds(a));
	}
}

static struct json_object *row_object(const struct answer *a, const char *type,
				      const struct group *g, bool all)
{
	struct json_object *o = json_line(type, a->table->now);

	if (a->interval)
		json_object_object_add(o, "interval", json_object_new_int64(a->interval));
	json_object_object_add(o, "hits", json_number(g->hits));
	add_worth(a, g, all, o);
	if (a->timed && g->hits)
		json_object_object_add(o, "ns", time_object(g));
	return o;
}

/* A line for each row, and one for all of them, with what is in no row. */
static void json_table(const struct answer *a, FILE *out)
{
	const struct table *t = a->table;
	struct json_object *o;
	struct group all;
	size_t i;

	for (i = 0; a->r->nr_keys && i < t->nr; i++) {
		o = row_object(a, "row", &t->groups[i], false);
		json_object_object_add(o, "key", key_object(a, &t->groups[i]));
		json_print(o, out);
	}
	if (table_merge(t, &all))
		return;
	o = row_object(a, a->interval ? "interval" : "total", &all, true);
	json_object_object_add(o, "seconds", seconds_object(t->seconds));
	json_object_object_add(o, "rows", json_number(a->r->nr_keys ? t->nr : 0));
	json_object_object_add(o, "other", json_number(t->balance.other));
	json_print(o, out);
	free(all.steps);
}

/* ---- the end ---- */

/* What was saved ended when it did. */
static double end_of(const struct answer *a)
{
	return a->origin && a->table ? a->table->now : now();
}

static void print_losses(const struct answer *a, struct json_object *lost, FILE *out)
{
	unsigned long long hits;
	struct json_object *o;
	const char *name;
	size_t i;

	for (i = 0; (name = balance_loss(a, i, &hits)); i++) {
		if (!hits)
			continue;
		name = i ? name : "table_full";
		json_object_object_add(lost, name, json_number(hits));
		o = json_line("loss", end_of(a));
		json_object_object_add(o, "why", json_object_new_string(name));
		json_object_object_add(o, "hits", json_number(hits));
		json_print(o, out);
	}
}

static void add_refused(const struct answer *a, struct json_object *balance)
{
	if (a->refused)
		json_object_object_add(balance, "refused", json_number(a->refused));
}

static struct json_object *balance_object(const struct answer *a, FILE *out)
{
	struct json_object *o = json_object_new_object(), *lost = json_object_new_object();
	struct sums s;

	balance_make(a, &s);
	json_object_object_add(o, "hits", json_number(s.hits));
	json_object_object_add(o, "counted", json_number(s.counted));
	if (s.frees)
		json_object_object_add(o, "frees", json_number(s.frees));
	json_object_object_add(o, "not_asked_for", json_number(s.others));
	json_object_object_add(o, "in_flight", json_number(s.inside));
	json_object_object_add(o, "later", json_number(s.later));
	add_refused(a, o);
	print_losses(a, lost, out);
	json_object_object_add(o, "lost", lost);
	return o;
}

static void json_end(const struct answer *a, int status, FILE *out)
{
	struct json_object *balance = a->table ? balance_object(a, out) : NULL;
	struct json_object *o = json_line("end", end_of(a));

	json_object_object_add(o, "status", json_object_new_int(status));
	if (balance)
		json_object_object_add(o, "balance", balance);
	json_print(o, out);
}

void json_shown(const struct answer *a, unsigned long long shown, int status, FILE *out)
{
	struct json_object *balance = json_object_new_object(), *lost = json_object_new_object();
	struct json_object *o;
	struct sums s;

	balance_make(a, &s);
	json_object_object_add(balance, "hits", json_number(s.hits));
	json_object_object_add(balance, "shown", json_number(shown));
	json_object_object_add(balance, "not_asked_for", json_number(s.others));
	json_object_object_add(balance, "in_flight", json_number(s.inside));
	json_object_object_add(balance, "later", json_number(s.later));
	json_object_object_add(balance, "not_shown", json_number(s.counted - shown));
	add_refused(a, balance);
	print_losses(a, lost, out);
	json_object_object_add(balance, "lost", lost);
	o = json_line("end", end_of(a));
	json_object_object_add(o, "status", json_object_new_int(status));
	json_object_object_add(o, "balance", balance);
	json_print(o, out);
}

static void json_error(const char *what, const char *command, int where, FILE *out)
{
	struct json_object *o = json_line("error", now());

	json_object_object_add(o, "what", json_text(what));
	if (command)
		json_object_object_add(o, "command", json_text(command));
	if (where >= 0)
		json_object_object_add(o, "where", json_object_new_int(where));
	json_print(o, out);
}

const struct format format_json = {
	.name = "json",
	.begin = json_begin,
	.table = json_table,
	.end = json_end,
	.error = json_error,
};
