// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stock_hist.c - the kernel's own file hist, as the text of a table.
 *
 *	{ comm: dd                                 , common_pid:       4711 } hitcount:         20
 *
 * Nothing in it is quoted, and a text that was chosen by a task may have all of these characters,
 * a newline among them.  What is after a row's last brace is the kernel's, and so is all in front
 * of the first text; texts are between what their neighbours leave.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stock_hist.h"
#include "table.h"

#define KEYS 5

struct reading {
	const struct stock_key *keys;
	size_t nr;
	const char *value;
	FILE *out;
	size_t rows;
	unsigned long long hits, dropped, entries;
};

static const char *find_last(const char *from, const char *end, const char *what)
{
	const char *found = NULL, *at = from;
	size_t len = strlen(what);

	while ((at = memmem(at, end - at, what, len))) {
		found = at;
		at++;
	}
	return found;
}

/* "NAME: NUMBER", with blanks between; NULL: it is none.  *end: what follows. */
static bool read_value(const char *text, const char *name, unsigned long long *number,
		       const char **end)
{
	size_t len = strlen(name);
	char *rest;

	text += strspn(text, " ");
	if (strncmp(text, name, len) || text[len] != ':')
		return false;
	text += len + 1;
	text += strspn(text, " ");
	if (!isdigit((unsigned char)*text) && *text != '-')
		return false;
	*number = strtoull(text, &rest, 10);
	*end = rest;
	return true;
}

/* All after the brace of a row: the hits, and the value if there is one. */
static bool read_tail(const struct reading *r, const char *tail, const char *end,
		      unsigned long long *hits, unsigned long long *sum)
{
	*sum = 0;
	if (!read_value(tail, "hitcount", hits, &tail) ||
	    (r->value && !read_value(tail, r->value, sum, &tail)))
		return false;
	tail += strspn(tail, " ");
	return tail == end;
}

/* ---- a row ---- */

struct part {
	const char *text;
	size_t len;
};

/* " NAME: " after a comma, or after the brace if it is the first. */
static void mark_of(const struct reading *r, size_t i, char *mark, size_t size)
{
	snprintf(mark, size, "%s%s: ", i ? ", " : "{ ", r->keys[i].name);
}

static struct part trimmed(const char *from, const char *end)
{
	while (from < end && *from == ' ')
		from++;
	while (end > from && end[-1] == ' ')
		end--;
	return (struct part){ from, end - from };
}

/*
 * Keys up to the first text are looked for from the front, those after the last one from the end.
 * Two texts, one after the other, are parted where the name of the second one comes first.
 */
static bool split_row(const struct reading *r, const char *row, const char *end, struct part *parts)
{
	const char *begins[KEYS], *ends[KEYS], *at = row, *last = end;
	size_t first = 0, i;
	char mark[80];

	for (i = 0; i < r->nr; i++) {
		mark_of(r, i, mark, sizeof(mark));
		at = i ? memmem(at, end - at, mark, strlen(mark)) :
		     strncmp(at, mark, strlen(mark)) ? NULL : at;
		if (!at)
			return false;
		ends[i] = at;
		begins[i] = at += strlen(mark);
		first = i;
		if (r->keys[i].text)
			break;
	}
	for (i = r->nr; i-- > first + 1;) {
		bool behind = true;
		size_t k;

		for (k = i; k < r->nr; k++)
			behind &= !r->keys[k].text;
		mark_of(r, i, mark, sizeof(mark));
		at = behind ? find_last(begins[first], last, mark) :
		     memmem(begins[first], last - begins[first], mark, strlen(mark));
		if (!at)
			return false;
		ends[i] = at;
		begins[i] = at + strlen(mark);
		last = at;
	}
	for (i = 0; i < r->nr; i++)
		parts[i] = trimmed(begins[i], i + 1 < r->nr ? ends[i + 1] : end);
	return true;
}

/* "[ffffffff811d5a40] vfs_read+0x0/0x40": the name only. */
static struct part symbol_of(struct part p)
{
	const char *bracket = *p.text == '[' && p.len ? memchr(p.text, ']', p.len) : NULL;

	if (!bracket)
		return p;
	return trimmed(bracket + 1, p.text + p.len);
}

static void put_text(struct part p, FILE *out)
{
	size_t i;

	if (p.len && *p.text == '#')
		fputc('\\', out);
	for (i = 0; i < p.len; i++) {
		char c = p.text[i];

		if (c == '\t' || c == '\n' || c == '\\')
			fprintf(out, "\\%c", c == '\t' ? 't' : c == '\n' ? 'n' : '\\');
		else
			fputc(c, out);
	}
}

/* 64 bits without a sign: what a field is, the file does not say; a result may be below 0. */
static bool put_number(struct part p, FILE *out)
{
	char *end;
	unsigned long long number = strtoull(p.text, &end, 10);

	if (end != p.text + p.len || !p.len)
		return false;
	fprintf(out, "%lld", (long long)number);
	return true;
}

/* "~ 2^10": above 2^9, up to 2^10.  The step is the one in the middle. */
static bool put_steps(struct part p, unsigned long long sum, FILE *out)
{
	unsigned int power;

	if (p.len < 5 || strncmp(p.text, "~ 2^", 4))
		return false;
	power = strtoul(p.text + 4, NULL, 10);
	if (power > 63)
		return false;
	fprintf(out, "%u\t%lld\t%llu", step_of(power < 2 ? power : 3ULL << (power - 2)),
		(long long)sum, 1ULL << power);
	return true;
}

static bool put_row(struct reading *r, const char *row, const char *brace, unsigned long long hits,
		    unsigned long long sum)
{
	struct part parts[KEYS], steps = {};
	bool good = split_row(r, row, brace, parts), timed = false;
	size_t i;

	for (i = 0; good && i < r->nr; i++) {
		if (r->keys[i].log2) {
			steps = parts[i];
			timed = true;
			continue;
		}
		if (r->keys[i].text)
			put_text(symbol_of(parts[i]), r->out);
		else
			good = put_number(parts[i], r->out);
		fputc('\t', r->out);
	}
	fprintf(r->out, "%llu", hits);
	if (good && timed) {
		fputc('\t', r->out);
		good = put_steps(steps, sum, r->out);
	}
	fputc('\n', r->out);
	r->rows++;
	r->hits += hits;
	return good;
}

/* ---- the file ---- */

/* Is a line's end the end of its row?  @next: what is after it.  @totals: the end of all rows. */
static bool ends_row(const char *next, const char *totals, const char *mark)
{
	return next == totals || !strncmp(next, mark, strlen(mark));
}

/*
 * A name may look like the end of a row and a newline, so what is after a row must begin with the
 * first key's mark as well.  Each real row is found then; a text of a task's that is long enough
 * for both makes one more.
 */
static bool read_rows(struct reading *r, const char *text, const char *totals)
{
	const char *row = NULL, *line, *end, *brace;
	unsigned long long hits, sum;
	char mark[80];

	mark_of(r, 0, mark, sizeof(mark));
	for (line = text; line < totals; line = end + 1) {
		end = strchrnul(line, '\n');
		if (!row && strncmp(line, mark, strlen(mark)))
			continue;
		row = row ?: line;
		if (!ends_row(end + 1, totals, mark))
			continue;
		brace = find_last(row, end, "} hitcount:");
		if (!brace || !read_tail(r, brace + 1, end, &hits, &sum))
			continue;
		if (!put_row(r, row, brace, hits, sum))
			return false;
		row = NULL;
	}
	return !row;
}

static bool read_totals(struct reading *r, const char *line)
{
	unsigned long long number;
	const char *rest;
	bool known = false;

	for (; *line; line = strchrnul(line, '\n'), line += *line == '\n') {
		if (read_value(line, "Dropped", &number, &rest))
			r->dropped = number;
		if (read_value(line, "Entries", &number, &rest)) {
			r->entries = number;
			known = true;
		}
	}
	return known;
}

/* NULL: it is read.  What is after the last "Totals:" is the kernel's. */
static const char *read_hist(struct reading *r, const char *text)
{
	static const char mark[] = "\n\nTotals:\n";
	const char *totals = find_last(text, text + strlen(text), mark);

	if (!totals || !r->nr || r->nr > KEYS || !read_totals(r, totals + sizeof(mark) - 1) ||
	    !read_rows(r, text, totals + 1))
		return "the kernel's histogram has an unknown form";
	if (r->rows != r->entries)
		return "the kernel's histogram has a text that looks like rows of it";
	return NULL;
}

static void put_columns(const struct reading *r, FILE *out)
{
	bool timed = false;
	size_t i;

	for (i = 0; i < r->nr; i++)
		if (r->keys[i].log2)
			timed = true;
		else
			fprintf(out, "k%zu:%s:key\t", i, r->keys[i].text ? "str" : "s64");
	fprintf(out, "hits:u64%s\n", timed ? "\tns.step:h2-5:key\tns.sum:s64\tns.max:s64" : "");
}

char *stock_hist_table(const char *hist, const struct stock_key *keys, size_t nr,
		       const char *value, double since, double now, const char **wrong)
{
	struct reading r = { .keys = keys, .nr = nr, .value = value };
	char *rows = NULL, *text = NULL;
	const char *bad;
	size_t size;
	FILE *out;

	*wrong = "no memory";
	r.out = open_memstream(&rows, &size);
	if (!r.out)
		return NULL;
	bad = read_hist(&r, hist);
	fclose(r.out);
	out = bad ? NULL : open_memstream(&text, &size);
	if (bad)
		*wrong = bad;
	if (out) {
		fprintf(out, "#probe-events-table 1\n#time\t%.6f\t%.6f\n#columns\t", since, now);
		put_columns(&r, out);
		fprintf(out, "#balance\trows\t%llu\tother\t%llu\n%s#end %zu rows\n", r.hits,
			r.dropped, rows ?: "", r.rows);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	free(rows);
	return text;
}
