// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * picture.c - a table on a whole screen, and the keys that change how it is shown.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "balance.h"
#include "picture.h"
#include "report.h"
#include "tally.h"
#include "verb.h"

#define SECOND 1000000000ULL
#define LINES_AROUND 6	/* title, headings, rest, total, balance, free */
#define FIRST_ROW 2	/* after title and headings */

/* There is one screen, so there is one picture. */
static struct picture *this_picture;

/* ---- rows ---- */

/* For show_interval(): only rows that contain the text, and of a histogram the chosen one. */
static void pick(void *ctx, struct table *table)
{
	struct picture *p = ctx;
	size_t i, nr = 0;

	p->show->a.table = table;
	for (i = 0; i < table->nr; i++)
		if (!*p->filter || answer_has(&p->show->a, &table->groups[i], p->filter))
			table->groups[nr++] = table->groups[i];
	table->nr = nr;
	p->rows = nr < p->show->a.fit ? nr : p->show->a.fit;
	if (p->row >= (long)p->rows)
		p->row = p->rows ? p->rows - 1 : 0;
	if (p->histogram && nr) {
		table->groups[0] = table->groups[p->row];
		table->nr = 1;
	}
}

/* All of the time of one row. */
static void put_histogram(const struct answer *a, const struct table *sum, FILE *out)
{
	struct answer one = *a;
	struct request r = *a->r;
	struct table t = *sum;
	size_t i;

	for (i = 0; i < sum->nr; i++)
		if (table_same(sum, &sum->groups[i], &a->table->groups[0]))
			break;
	if (i == sum->nr)
		return;
	t.groups = &sum->groups[i];
	t.nr = 1;
	r.nr_keys = 0;
	one.r = &r;
	one.table = &t;
	one.interval = 1;
	answer_print(a, out);
	fputc('\n', out);
	answer_print(&one, out);
}

static void put_table(const struct answer *a, FILE *out)
{
	if (this_picture->histogram && a->timed && a->table->nr)
		put_histogram(a, &this_picture->show->sum, out);
	else
		answer_print(a, out);
}

static const struct format format_screen = { .name = "screen", .table = put_table };

/* ---- whose table, and where ---- */

int picture_begin(struct picture *p, unsigned long long interval)
{
	*p = (struct picture){ .interval = interval ?: SECOND };
	if (screen_begin(&p->screen))
		return -1;
	this_picture = p;
	screen_on(&p->screen);
	report_into(p->note, sizeof(p->note));
	return 0;
}

void picture_end(struct picture *p, bool failed)
{
	picture_of(p, NULL);
	report_into(NULL, 0);
	screen_off(&p->screen);
	screen_resize(&p->screen);
	if (failed && *p->note)
		fprintf(stderr, "probe-events: %s\n", p->note);
}

void picture_of(struct picture *p, struct show *s)
{
	if (p->show) {
		p->show->a.r = p->before;
		p->show->format = p->format;
		p->show->pick = NULL;
	}
	p->show = s;
	p->row = 0;
	p->rows = 0;
	p->order = 0;
	p->histogram = false;
	if (!s)
		return;
	p->before = s->a.r;
	p->format = s->format;
	p->r = *s->a.r;
	s->a.r = &p->r;
	s->format = &format_screen;
	s->pick = pick;
	s->ctx = p;
}

int picture_table(struct picture *p, bool again, size_t lines, FILE *out)
{
	struct show *s = p->show;
	FILE *before = s->out;
	int ret;

	s->out = out;
	s->a.width = p->screen.width > 1 ? p->screen.width - 1 : 1;
	s->a.fit = lines > LINES_AROUND ? lines - LINES_AROUND : 1;
	ret = again && s->intervals ? show_again(s) : show_interval(s);
	if (!ret)
		ret = show_balance(s, out);
	s->out = before;
	return ret;
}

long picture_first_row(const struct picture *p)
{
	return p->show && !p->histogram && p->rows && p->r.nr_keys ? FIRST_ROW : -1;
}

/* ---- the head ---- */

void picture_clock(const struct picture *p, FILE *out)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	fprintf(out, "%02d:%02d:%02d  each %.0f s", tm.tm_hour, tm.tm_min, tm.tm_sec,
		p->interval / 1e9);
}

void picture_order(const struct picture *p, FILE *out)
{
	if (p->show)
		fprintf(out, "  by %s%s", p->r.sort ?: "calls", p->r.reverse ? ", reversed" : "");
	fprintf(out, "%s%s%s", *p->filter || p->typing ? "  /" : "", p->filter,
		p->paused ? "  PAUSED" : "");
}

/* ---- keys ---- */

/* The order after the one that there is: values first, then keys. */
static void next_order(struct picture *p)
{
	static const char * const values[] = { "calls", "p50", "p90", "p99", "max", "total" };
	size_t nr = p->show->a.timed ? sizeof(values) / sizeof(*values) : 1;

	p->order = (p->order + 1) % (nr + p->r.nr_keys);
	p->r.sort = p->order < nr ? values[p->order] : p->r.keys[p->order - nr];
}

static void next_interval(struct picture *p)
{
	static const unsigned int seconds[] = { 1, 2, 5, 10 };
	size_t i;

	for (i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		if (seconds[i] * SECOND > p->interval)
			break;
	p->interval = seconds[i % (sizeof(seconds) / sizeof(*seconds))] * SECOND;
}

static void write_all(struct picture *p)
{
	struct answer *a = &p->show->a;
	struct sums sums;
	char name[32];
	time_t now = time(NULL);
	struct tm tm;
	FILE *out;

	localtime_r(&now, &tm);
	snprintf(name, sizeof(name), "top-%02d%02d%02d.json", tm.tm_hour, tm.tm_min, tm.tm_sec);
	out = fopen(name, "wxe");
	if (out) {
		a->table = &p->show->sum;
		a->interval = 0;
		format_json.begin(a, "", out);
		format_json.table(a, out);
		balance_make(a, &sums);
		format_json.end(a, sums.lost ? PE_EXIT_LOST : 0, out);
		a->table = NULL;
	}
	if (!out || fclose(out))
		snprintf(p->note, sizeof(p->note), "%s: %s", name, strerror(errno));
	else
		snprintf(p->note, sizeof(p->note), "%s is written", name);
}

bool picture_keys(struct picture *p, bool (*take)(void *arg, int key), void *arg)
{
	int key;

	while ((key = screen_key(&p->screen)) != KEY_NONE)
		if (key == KEY_GONE || !take(arg, key))
			return false;
	return true;
}

/* A letter of the text that rows have to contain; characters of several bytes may be among them. */
bool picture_type(char *text, size_t size, int key)
{
	size_t len = strlen(text);

	if (key == '\n' || key == '\r' || key == '\033')
		return true;
	if ((key == 127 || key == '\b') && len)
		text[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < size)
		text[len] = key;
	return false;
}

bool picture_back(struct picture *p)
{
	bool back = p->help || p->histogram;

	p->help = false;
	p->histogram = false;
	return back;
}

/* Keys that want a table. */
static void table_key_typed(struct picture *p, int key)
{
	switch (key) {
	case 's':
		next_order(p);
		break;
	case 'r':
		p->r.reverse = !p->r.reverse;
		break;
	case 'w':
		write_all(p);
		break;
	case KEY_UP:
		p->row -= p->row > 0;
		break;
	case KEY_DOWN:
		p->row++;
		break;
	case '\n':
	case '\r':
		p->histogram = p->show->a.timed && p->rows && p->r.nr_keys;
		break;
	}
}

void picture_key(struct picture *p, int key)
{
	switch (key) {
	case 'd':
		next_interval(p);
		break;
	case 'h':
	case '?':
		p->help = true;
		break;
	case 'p':
		p->paused = !p->paused;
		break;
	case '/':
		p->typing = true;
		memset(p->filter, 0, sizeof(p->filter));
		break;
	default:
		if (p->show)
			table_key_typed(p, key);
	}
}

void picture_stop(struct picture *p, struct wait *w)
{
	w->stopped = false;
	screen_off(&p->screen);
	raise(SIGSTOP);
	screen_on(&p->screen);
}
