// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rows.c - a table of what was saved: rows and hits, added one by one.
 *
 * They become lines of the modules' file `table`, so all that is known of tables is true of this
 * one: rows of equal keys become one, and equal steps of their distributions are added.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "rows.h"
#include "saved.h"
#include "tally.h"

/* So many lines wait; each is some tens of bytes. */
#define MOST_LINES 200000

/* Of 64 bits: 64 of one value each, and 32 of each octave above. */
#define NR_STEPS 1920

/* No key's name: these are k0, k1... */
#define WEIGHT "worth"

unsigned long long rows_number(struct json_object *o)
{
	const char *text = o ? json_object_get_string(o) : NULL;

	return text ? strtoull(text, NULL, 10) : 0;
}

/* As the modules do.  No row begins with #. */
static void put_escaped(const char *text, FILE *out)
{
	if (*text == '#')
		fputc('\\', out);
	for (; *text; text++)
		if (*text == '\t' || *text == '\n' || *text == '\\')
			fprintf(out, "\\%c", *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
		else
			fputc(*text, out);
}

/*
 * A tab or a newline is in no symbol; in a file that another user has made it would be a field, and
 * with # in front the row would be no row.
 */
static void put_frames(struct json_object *stack, FILE *out)
{
	size_t i, nr = json_object_array_length(stack);

	for (i = 0; i < nr; i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(stack, i));

		for (fputs(i ? "," : "", out); name && *name; name++)
			fputc(strchr("\t\n,#", *name) ? '?' : *name, out);
	}
}

/* Numbers beyond 2^53 are texts in JSON.  A text of the same form is the same, whatever it was. */
static bool is_large(const char *text)
{
	bool negative = *text == '-';
	const char *digits = text + negative;
	unsigned long long number;
	char *end;

	if (*digits < '1' || *digits > '9')
		return false;
	errno = 0;
	number = strtoull(digits, &end, 10);
	return !*end && !errno && number > 1ULL << 53 &&
	       (!negative || number <= 1ULL + LLONG_MAX);
}

static int put_key(struct rows *rows, size_t i, struct json_object *key)
{
	long long number;
	const char *name;
	char *text;

	if (saved_name(key, &number, &name)) {
		rows->named[i] = true;
		fprintf(rows->out, "%lld%s%s", number, name ? " " : "", name ?: "");
	} else if (json_object_is_type(key, json_type_array)) {
		rows->stacks[i] = true;
		put_frames(key, rows->out);
	} else if (json_object_is_type(key, json_type_int)) {
		fputs(json_object_get_string(key), rows->out);
	} else {
		text = saved_text(key);
		if (!text)
			return complain("a key is neither a text nor a number");
		if (!strcmp(text, "-"))		/* no value, perhaps */
			rows->empty[i] = true;
		else if (!is_large(text))
			rows->texts[i] = true;
		put_escaped(text, rows->out);
		free(text);
	}
	fputc('\t', rows->out);
	return 0;
}

static int put_line(struct rows *rows, struct json_object *const *keys, unsigned long long hits)
{
	size_t i;

	if (rows->nr++ == 0) {
		rows->out = open_memstream(&rows->text, &rows->size);
		if (!rows->out)
			return complain("no memory");
	}
	for (i = 0; i < rows->nr_keys; i++)
		if (put_key(rows, i, keys[i]))
			return -1;
	fprintf(rows->out, "%llu", hits);
	return 0;
}

/* The types of keys are known when all rows are: so the header comes last, and is put in front. */
static char *with_header(const struct rows *rows)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("#probe-events-table 1\n#columns\t", out);
	for (i = 0; i < rows->nr_keys; i++)
		fprintf(out, "k%zu:%s:key\t", i, rows->texts[i] ? "str" : rows->named[i] ? "name" :
			rows->empty[i] ? "str" : rows->stacks[i] ? "stack" : "s64");
	fprintf(out, "hits:u64%s%s\n%s#end %zu rows\n", rows->timed ?
		"\tns.step:h2-5:key\tns.sum:s64\tns.max:s64" : "",
		rows->worth ? "\t" WEIGHT ":u64\t" WEIGHT ".max:u64" : "", rows->text ?: "",
		rows->nr);
	return fclose(out) ? NULL : text;
}

/* ---- what a row is worth is a column of its own ---- */

static int weigh_begin(void *ctx, struct table *t, size_t rows)
{
	(void)ctx;
	(void)t;
	(void)rows;
	return 0;
}

static void weigh_nothing(void *ctx, struct table *t, char **fields)
{
	(void)ctx;
	(void)t;
	(void)fields;
}

static void weigh_row(void *ctx, const struct table *t, char **fields)
{
	(void)ctx;
	(void)t;
	(void)fields;
}

static unsigned long long weigh(void *ctx, const struct table *t, char **fields)
{
	size_t i;

	(void)ctx;
	for (i = 0; i < t->nr_columns && strcmp(t->columns[i].name, WEIGHT); i++)
		;
	return i < t->nr_columns ? strtoull(fields[i], NULL, 10) : 0;
}

static const struct table_shape weighed = {
	.begin = weigh_begin, .frees = weigh_nothing, .row = weigh_row, .weight = weigh,
};

static int flush_rows(struct rows *rows)
{
	struct table part;
	const char *wrong;
	char *text;
	int ret;

	if (rows->out)
		fclose(rows->out);
	text = with_header(rows);
	wrong = text ? table_read_as(&part, text, &weighed) : "no memory";
	ret = wrong ? complain("the rows cannot be read: %s", wrong) : 0;
	if (!ret && tally_add(&rows->sum, &part))
		ret = complain("no memory");
	if (!wrong)
		table_free(&part);
	free(text);
	free(rows->text);
	rows->out = NULL;
	rows->text = NULL;
	rows->nr = 0;
	return ret;
}

static bool is_step(const char *name)
{
	char *end;
	unsigned long step = strtoul(name, &end, 10);

	return !strcmp(name, "neg") || (*name >= '0' && *name <= '9' && !*end && step < NR_STEPS);
}

static int end_line(struct rows *rows)
{
	fputc('\n', rows->out);
	return rows->nr >= MOST_LINES ? flush_rows(rows) : 0;
}

/* Of a row that has several lines, one has it. */
static void put_worth(struct rows *rows, bool first, struct json_object *worth)
{
	struct json_object *sum = worth, *max = NULL;

	if (!rows->worth)
		return;
	if (json_object_is_type(worth, json_type_object)) {
		sum = NULL;
		json_object_object_get_ex(worth, "sum", &sum);
		json_object_object_get_ex(worth, "max", &max);
	}
	fprintf(rows->out, "\t%llu\t%llu", first ? rows_number(sum) : 0,
		first ? rows_number(max) : 0);
}

int rows_add(struct rows *rows, struct json_object *const *keys, unsigned long long hits,
	     struct json_object *ns, struct json_object *worth)
{
	struct json_object *sum = NULL, *max = NULL, *h2 = NULL, *steps = NULL;
	bool first = true;

	if (rows->worth && !worth && hits)
		return complain("a row does not say what its hits are worth");
	if (!rows->timed) {
		if (put_line(rows, keys, hits))
			return -1;
		put_worth(rows, true, worth);
		return end_line(rows);
	}
	if (!ns || !json_object_object_get_ex(ns, "h2", &h2) ||
	    !json_object_object_get_ex(h2, "n", &steps) ||
	    !json_object_is_type(steps, json_type_object))
		return hits ? complain("a row has no times") : 0;
	json_object_object_get_ex(ns, "sum", &sum);
	json_object_object_get_ex(ns, "max", &max);
	json_object_object_foreach(steps, step, part) {
		if (!is_step(step))
			return complain("a row has times in no step");
		if (put_line(rows, keys, rows_number(part)))
			return -1;
		fprintf(rows->out, "\t%s\t%lld\t%llu", step,
			first ? (long long)rows_number(sum) : 0, first ? rows_number(max) : 0);
		put_worth(rows, first, worth);
		if (end_line(rows))
			return -1;
		first = false;
	}
	return 0;
}

int rows_hit(struct rows *rows, struct json_object *const *keys, unsigned long long ns)
{
	if (put_line(rows, keys, 1))
		return -1;
	if (rows->timed)
		fprintf(rows->out, "\t%u\t%llu\t%llu", step_of(ns), ns, ns);
	return end_line(rows);
}

int rows_end(struct rows *rows)
{
	return flush_rows(rows);
}
