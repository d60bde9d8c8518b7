// SPDX-License-Identifier: GPL-2.0
/*
 * top.c - the verb top: what is counted, on a whole screen, with keys.
 *
 * A question is counted by intervals, each of which is cut off exactly.  A picture has one of them;
 * its table is kept, so that a key can show it in another way.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "measure.h"
#include "presets.h"
#include "report.h"
#include "screen.h"
#include "tally.h"
#include "verb.h"
#include "wait.h"

#define SECOND 1000000000ULL
#define LINES_AROUND 7	/* head, title, headings, rest, total, balance, free */

/* What is above the rows: the head and a blank line, the title, the headings. */
#define FIRST_ROW 4

static const char help_text[] =
	"\n  s      next order: by calls, a percentile, a key\n"
	"  r      the order the other way round\n"
	"  d      next interval: 1, 2, 5, 10 s\n"
	"  arrows choose a row; enter shows its histogram of all the time (lat)\n"
	"  /      show rows that contain a text: type it, then enter\n"
	"  p      pause: the picture stays, counting goes on\n"
	"  w      write what has been counted to top-HHMMSS.json\n"
	"  q      end: the total and the balance follow\n\n"
	"  any key goes back\n";

/* A question that is asked. */
struct top {
	struct show *show;
	struct screen screen;
	struct request r;	/* with the order as it is now */
	unsigned long long interval;
	size_t order;		/* of orders(), the next one */
	long row;		/* that is chosen */
	size_t rows;		/* that are shown */
	char filter[64];
	bool typing, paused, help, histogram;
	char note[200];
	char *text;		/* the tables, as they are shown */
	size_t size;
};

/* ---- rows ---- */

/* For show_interval(): only rows that contain the text, and of a histogram the chosen one. */
static void pick(void *ctx, struct table *table)
{
	struct top *t = ctx;
	size_t i, nr = 0;

	t->show->a.table = table;
	for (i = 0; i < table->nr; i++)
		if (!*t->filter || answer_has(&t->show->a, &table->groups[i], t->filter))
			table->groups[nr++] = table->groups[i];
	table->nr = nr;
	t->rows = nr < t->show->a.fit ? nr : t->show->a.fit;
	if (t->row >= (long)t->rows)
		t->row = t->rows ? t->rows - 1 : 0;
	if (t->histogram && nr) {
		table->groups[0] = table->groups[t->row];
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

/* There is one screen, so there is one top. */
static struct top *this_top;

static void put_table(const struct answer *a, FILE *out)
{
	if (this_top->histogram && a->timed && a->table->nr)
		put_histogram(a, &this_top->show->sum, out);
	else
		answer_print(a, out);
}

static const struct format format_screen = { .name = "screen", .table = put_table };

/* ---- drawing ---- */

static void put_head(const struct top *t, FILE *out)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	fprintf(out, "top  %02d:%02d:%02d  each %.0f s  by %s%s", tm.tm_hour, tm.tm_min, tm.tm_sec,
		t->interval / 1e9, t->r.sort ?: "calls", t->r.reverse ? ", reversed" : "");
	fprintf(out, "%s%s%s  h: help\n\n", *t->filter || t->typing ? "  /" : "", t->filter,
		t->paused ? "  PAUSED" : "");
}

/* The tables are in @text; @again: the last one, in another order. */
static int make_text(struct top *t, bool again)
{
	FILE *out = open_memstream(&t->text, &t->size);
	int ret;

	if (!out)
		return complain("no memory");
	t->show->out = out;
	t->show->a.width = t->screen.width - 1;
	t->show->a.fit = t->screen.height > LINES_AROUND ? t->screen.height - LINES_AROUND : 1;
	ret = again && t->show->intervals ? show_again(t->show) : show_interval(t->show);
	if (!ret)
		ret = show_balance(t->show, out);
	t->show->out = stdout;
	fclose(out);
	return ret;
}

static int refresh(struct top *t, bool again)
{
	char *old = t->text;

	t->text = NULL;
	if (make_text(t, again)) {
		free(old);
		return -1;
	}
	free(old);
	return 0;
}

static int draw(struct top *t)
{
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);
	bool rows = !t->help && !t->histogram && t->rows && t->r.nr_keys;

	if (!out)
		return complain("no memory");
	put_head(t, out);
	fputs(t->help ? help_text : t->text ?: "", out);
	if (*t->note)
		fprintf(out, "%s\n", t->note);
	fclose(out);
	screen_draw(&t->screen, all, rows ? FIRST_ROW + t->row : -1);
	free(all);
	return 0;
}

/* ---- keys ---- */

/* The order after the one that there is: values first, then keys. */
static void next_order(struct top *t)
{
	static const char * const values[] = { "calls", "p50", "p90", "p99", "max", "total" };
	size_t nr = t->show->a.timed ? sizeof(values) / sizeof(*values) : 1;

	t->order = (t->order + 1) % (nr + t->r.nr_keys);
	t->r.sort = t->order < nr ? values[t->order] : t->r.keys[t->order - nr];
}

static void next_interval(struct top *t)
{
	static const unsigned int seconds[] = { 1, 2, 5, 10 };
	size_t i;

	for (i = 0; i < sizeof(seconds) / sizeof(*seconds); i++)
		if (seconds[i] * SECOND > t->interval)
			break;
	t->interval = seconds[i % (sizeof(seconds) / sizeof(*seconds))] * SECOND;
}

static void write_all(struct top *t)
{
	char name[32];
	time_t now = time(NULL);
	struct tm tm;
	FILE *out;

	localtime_r(&now, &tm);
	snprintf(name, sizeof(name), "top-%02d%02d%02d.json", tm.tm_hour, tm.tm_min, tm.tm_sec);
	out = fopen(name, "wxe");
	if (out) {
		t->show->a.table = &t->show->sum;
		t->show->a.interval = 0;
		format_json.begin(&t->show->a, "", out);
		format_json.table(&t->show->a, out);
		format_json.end(&t->show->a, 0, out);
		t->show->a.table = NULL;
	}
	if (!out || fclose(out))
		snprintf(t->note, sizeof(t->note), "%s: %s", name, strerror(errno));
	else
		snprintf(t->note, sizeof(t->note), "%s is written", name);
}

/* A letter of the text that rows have to contain. */
static void type_filter(struct top *t, int key)
{
	size_t len = strlen(t->filter);

	if (key == '\n' || key == '\r' || key == '\033')
		t->typing = false;
	else if ((key == 127 || key == '\b') && len)
		t->filter[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < sizeof(t->filter))
		t->filter[len] = key;
}

/* What a key asks for; false: it is the end. */
static bool take_key(struct top *t, int key)
{
	*t->note = '\0';
	if (t->typing) {
		type_filter(t, key);
		return true;
	}
	if (t->help || t->histogram) {
		t->help = false;
		t->histogram = false;
		return key != 'q';
	}
	switch (key) {
	case 'q':
		return false;
	case 's':
		next_order(t);
		break;
	case 'r':
		t->r.reverse = !t->r.reverse;
		break;
	case 'd':
		next_interval(t);
		break;
	case 'h':
	case '?':
		t->help = true;
		break;
	case 'p':
		t->paused = !t->paused;
		break;
	case 'w':
		write_all(t);
		break;
	case '/':
		t->typing = true;
		memset(t->filter, 0, sizeof(t->filter));
		break;
	case KEY_UP:
		t->row -= t->row > 0;
		break;
	case KEY_DOWN:
		t->row++;
		break;
	case '\n':
	case '\r':
		t->histogram = t->show->a.timed && t->rows && t->r.nr_keys;
		break;
	}
	return true;
}

/* ---- a question of its own ---- */

/* Ctrl-Z: the terminal is as it was while this program is stopped; counting goes on. */
static void stop(struct top *t, struct wait *w)
{
	w->stopped = false;
	screen_off(&t->screen);
	raise(SIGSTOP);
	screen_on(&t->screen);
}

/* All keys that are there; false: it is the end. */
static bool take_keys(struct top *t)
{
	int key;

	while ((key = screen_key(&t->screen)) != KEY_NONE)
		if (key == KEY_GONE || !take_key(t, key))
			return false;
	return true;
}

static int run_screen(struct top *t, struct wait *w)
{
	unsigned long long next = now_ns() + SECOND / 2;

	if (refresh(t, false) || draw(t))
		return -1;
	while (!wait_round(w, next)) {
		if (w->stopped)
			stop(t, w);
		if (w->resized)
			screen_resize(&t->screen);
		w->resized = false;
		w->asked = false;
		if (!take_keys(t))
			return 0;
		if (next > now_ns() + t->interval)
			next = now_ns() + t->interval;
		if (now_ns() >= next) {
			if (!t->paused && refresh(t, false))
				return -1;
			next = now_ns() + t->interval;
		} else if (refresh(t, true)) {
			return -1;
		}
		if (draw(t))
			return -1;
	}
	return 0;
}

static int show_top(struct show *s, struct wait *w)
{
	struct top t = { .show = s, .r = *s->a.r, .interval = s->a.r->interval ?: SECOND };
	const struct request *before = s->a.r;
	const struct format *format = s->format;
	int ret;

	if (screen_begin(&t.screen))
		return -1;
	this_top = &t;
	s->a.r = &t.r;
	s->format = &format_screen;
	s->pick = pick;
	s->ctx = &t;
	screen_on(&t.screen);
	ret = run_screen(&t, w);
	screen_off(&t.screen);
	/* What follows is for the terminal as it is without us, and is the total only. */
	s->intervals = 0;
	s->pick = NULL;
	s->format = format;
	s->a.r = before;
	screen_resize(&t.screen);
	s->a.width = t.screen.width - 1;
	s->a.fit = t.screen.height > LINES_AROUND ? t.screen.height - LINES_AROUND : 1;
	free(t.text);
	return ret;
}

/* ---- the verb ---- */

static int run_top(const struct verb *verb, int argc, char **argv)
{
	bool timed;

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		fputs(verb->help, argc < 2 ? stderr : stdout);
		return argc < 2 ? PE_EXIT_USAGE : 0;
	}
	timed = strncmp(argv[1], "t:", 2) && (*argv[1] != '@' || presets_timed(argv[1]));
	return measure(verb, argc, argv, timed, show_top);
}

const struct verb verb_top = {
	.name = "top",
	.summary = "count and lat on a whole screen",
	.run = run_top,
	.help =
"usage: probe-events top WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS]\n"
"\n"
"What lat shows of calls, or count of tracepoints, of each second on a whole screen.\n"
"WHAT, KEY, FILTER and the options are theirs, without -f and -k and a command;\n"
"-i TIME is the interval.\n"
"\n"
"    probe-events top vfs_read by comm\n"
"    probe-events top @lock by lock,caller\n"
"\n"
"  s  next order        r  turned round       d  next interval\n"
"  /  rows with a text  arrows, enter         the histogram of a row\n"
"  p  pause             w  write as JSON      h  help           q  end\n"
"\n"
"Each picture has exactly the calls of its interval, and below it the balance of all. At\n"
"the end the total follows, as of count or lat.\n"
"\n"
"Exit status: as of count and lat; 1 if this is no terminal.\n",
};
