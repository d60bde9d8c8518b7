// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * top.c - the verb top: what is counted, on a whole screen, with keys.
 *
 * A question is counted by intervals, each of which is cut off exactly.  A picture has one of them;
 * its table is kept, so that a key can show it in another way.  Without a question top shows the
 * sessions that there are: top_sessions.c.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "measure.h"
#include "picture.h"
#include "presets.h"
#include "report.h"
#include "session.h"
#include "tally.h"
#include "top_sessions.h"
#include "verb.h"

#define SECOND 1000000000ULL
#define LINES_HEAD 2	/* the head and the note */
#define LINES_AROUND 7	/* of the total: the command's line, title, headings, rest, ... */

static const char help_text[] =
	"\n  s      next order: by calls, a percentile, a key\n"
	"  r      the order the other way round\n"
	"  d      next interval: 1, 2, 5, 10 s\n"
	"  arrows choose a row; enter shows its histogram of all the time (lat)\n"
	"  /      show rows that contain a text: type it, then enter\n"
	"  p      pause: the picture stays, counting goes on\n"
	"  c      clear: the total and the histograms begin anew\n"
	"  l      a limit: type its words, as cpu=5% one=50%, then enter\n"
	"  w      write what has been counted to top-HHMMSS.json\n"
	"  q      end: the total and the balance follow\n\n"
	"  any key goes back\n";

/* A question that is asked. */
struct top {
	struct picture p;
	bool limiting;		/* words of a limit are being typed */
	char limit[64];
	char *text;		/* the table, as it is shown */
	size_t size;
};

/* ---- drawing ---- */

static void put_head(const struct top *t, FILE *out)
{
	fputs("top  ", out);
	picture_clock(&t->p, out);
	picture_order(&t->p, out);
	fputs("  h: help\n", out);
	if (t->limiting)
		fprintf(out, "limit: %s", t->limit);
	else
		fputs(t->p.note, out);
	fputc('\n', out);
}

/* The table is in @text; @again: the last one, in another order. */
static int refresh(struct top *t, bool again)
{
	size_t height = t->p.screen.height;
	char *old = t->text;
	FILE *out;
	int ret;

	t->text = NULL;
	out = open_memstream(&t->text, &t->size);
	free(old);
	if (!out)
		return complain("no memory");
	ret = picture_table(&t->p, again, height > LINES_HEAD ? height - LINES_HEAD : 1, out);
	fclose(out);
	return ret;
}

static int draw(struct top *t)
{
	long row = t->p.help ? -1 : picture_first_row(&t->p);
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	if (!out)
		return complain("no memory");
	put_head(t, out);
	fputs(t->p.help ? help_text : t->text ?: "", out);
	fclose(out);
	screen_draw(&t->p.screen, all, row < 0 ? -1 : LINES_HEAD + row + t->p.row);
	free(all);
	return 0;
}

/* ---- keys ---- */

/* What was counted goes from the total, and with the next table this is known. */
static void clear(struct top *t)
{
	tally_clear(&t->p.show->sum);
	if (!refresh(t, false))
		snprintf(t->p.note, sizeof(t->p.note), "the total begins anew");
}

/* The limit of this question, from now on; what is wrong with the words becomes the note. */
static void set_limit(struct top *t)
{
	const struct show *s = t->p.show;
	char line[128];

	if (!*t->limit)
		return;
	snprintf(line, sizeof(line), "limit %s %s\n", s->event, t->limit);
	if (!session_write(s->session, line))
		snprintf(t->p.note, sizeof(t->p.note), "limit: %s", t->limit);
}

/* What a key asks for; false: it is the end. */
static bool take_key(void *arg, int key)
{
	struct top *t = arg;
	struct picture *p = &t->p;

	*p->note = '\0';
	if (p->typing) {
		p->typing = !picture_type(p->filter, sizeof(p->filter), key);
		return true;
	}
	if (t->limiting) {
		t->limiting = !picture_type(t->limit, sizeof(t->limit), key);
		if (!t->limiting && key != '\033')
			set_limit(t);
		return true;
	}
	if (picture_back(p))
		return key != 'q';
	switch (key) {
	case 'q':
		return false;
	case 'c':
		clear(t);
		break;
	case 'l':
		t->limiting = true;
		memset(t->limit, 0, sizeof(t->limit));
		break;
	default:
		picture_key(p, key);
	}
	return true;
}

/* ---- a question of its own ---- */

static int run_screen(struct top *t, struct wait *w)
{
	struct picture *p = &t->p;
	unsigned long long next = now_ns() + SECOND / 2;

	if (refresh(t, false) || draw(t))
		return -1;
	while (!wait_round(w, next)) {
		if (w->stopped)
			picture_stop(p, w);
		if (w->resized)
			screen_resize(&p->screen);
		w->resized = false;
		w->asked = false;
		if (!picture_keys(&t->p, take_key, t))
			return 0;
		if (next > now_ns() + p->interval)
			next = now_ns() + p->interval;
		if (now_ns() >= next) {
			if (!p->paused && refresh(t, false))
				return -1;
			next = now_ns() + p->interval;
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
	struct top t = {};
	int ret;

	if (picture_begin(&t.p, s->a.r->interval))
		return -1;
	picture_of(&t.p, s);
	ret = run_screen(&t, w);
	picture_end(&t.p, ret);
	/* What follows is for the terminal as it is without us, and is the total only. */
	s->intervals = 0;
	s->a.width = t.p.screen.width > 1 ? t.p.screen.width - 1 : 1;
	s->a.fit = t.p.screen.height > LINES_AROUND ? t.p.screen.height - LINES_AROUND : 1;
	free(t.text);
	return ret;
}

/* ---- the verb ---- */

/* Nothing but -i TIME and -d TIME: no question. */
static bool asks_nothing(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strncmp(argv[i], "-i", 2) && strncmp(argv[i], "-d", 2))
			return false;
		i += !argv[i][2];
	}
	return i == argc;
}

static int run_top(const struct verb *verb, int argc, char **argv)
{
	bool timed;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (asks_nothing(argc, argv))
		return top_sessions(argc, argv);
	timed = strncmp(argv[1], "t:", 2) && strncmp(argv[1], "e:", 2) &&
		(*argv[1] != '@' || presets_timed(argv[1]));
	return measure(verb, argc, argv, timed, show_top);
}

const struct verb verb_top = {
	.name = "top",
	.summary = "all that is counted, on a whole screen",
	.run = run_top,
	.help =
"usage: probe-events top [-i TIME] [-d TIME]\n"
"       probe-events top WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS]\n"
"\n"
"Without WHAT: the sessions of all programs, what all probes cost and have lost, and what\n"
"the chosen session has counted. It is only read: no table is cut off or cleared.\n"
"\n"
"With WHAT: what lat shows of calls, or count of tracepoints (t:NAME) and of events that\n"
"are defined (e:GROUP/EVENT), of each second. WHAT, KEY, FILTER and the options are theirs,\n"
"without -f and -k and a command; -i TIME is the interval. Each picture has exactly the\n"
"calls of its interval, and below it the balance of all. At the end the total follows, as\n"
"of count or lat.\n"
"\n"
"    probe-events top\n"
"    probe-events top vfs_read by comm\n"
"    probe-events top @lock by lock,caller\n"
"    probe-events top e:kprobes/open by comm\n"
"\n"
"  s  next order        r  turned round       d  next interval\n"
"  /  rows with a text  arrows, enter         the histogram of a row\n"
"  p  pause             w  write as JSON      h  help           q  end\n"
"  l  limit: with WHAT that of the question, without it that of all events\n"
"With WHAT:     c  the total begins anew\n"
"Without WHAT:  tab  next session             k  end the session\n"
"\n"
"Exit status: as of count and lat; 1 if this is no terminal.\n",
};
