// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * show.c - read what a session has counted, and show it: at the end, or at each interval.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "balance.h"
#include "cost.h"
#include "refused.h"
#include "report.h"
#include "show.h"
#include "symbols.h"
#include "tally.h"
#include "text.h"
#include "verb.h"

/* Names are loaded when the first table that needs them is read. */
static int load_symbols(void *ctx)
{
	struct show *s = ctx;

	if (s->kallsyms)
		return 0;
	s->kallsyms = read_text("/proc/kallsyms");
	if (!s->kallsyms)
		return -1;
	return symbols_load(&s->symbols, s->kallsyms) ? complain("no memory") : 0;
}

static int sort_rows(struct show *s, struct table *t)
{
	const char *wrong = tally_sort(t, s->a.r, s->a.timed);

	return wrong ? complain("%s", wrong) : 0;
}

/* The text has to stay as long as the table. */
static int read_table(struct show *s, bool take, struct table *t, char **text)
{
	const char *wrong;

	if (!s->view.r)
		view_begin(&s->view, s->a.r, &s->symbols, load_symbols, s);
	*text = session_table(s->session, s->event, take);
	wrong = *text ? table_read_as(t, *text, &s->view.shape) : NULL;
	if (*text && !wrong && !table_has_keys(t, s->a.r->nr_keys)) {
		table_free(t);
		wrong = "its keys are not those of the question";
	}
	if (*text && !wrong && s->naming && naming_apply(s->naming, t)) {
		table_free(t);
		wrong = "there is no memory for it";
	}
	if (*text && !wrong)
		return 0;
	if (wrong)
		complain("the table cannot be read: %s", wrong);
	free(*text);
	return -1;
}

static int put_table(struct show *s)
{
	s->format->table(&s->a, s->out);
	if (s->save)
		format_json.table(&s->a, s->save);
	return fflush(s->out) ? complain("cannot write: %s", strerror(errno)) : 0;
}

/* A table in its order; a copy, if only a part of it is wanted. */
static int show_table(struct show *s, struct table *t)
{
	struct table part = *t;
	int ret = sort_rows(s, t);

	if (ret)
		return ret;
	part.groups = t->groups;
	if (s->pick) {
		part.groups = malloc((t->nr + 1) * sizeof(*part.groups));
		if (!part.groups)
			return complain("no memory");
		memcpy(part.groups, t->groups, t->nr * sizeof(*part.groups));
		s->pick(s->ctx, &part);
	}
	s->a.table = &part;
	s->a.interval = s->intervals;
	ret = put_table(s);
	s->a.table = NULL;
	if (s->pick)
		free(part.groups);
	return ret;
}

int show_again(struct show *s)
{
	return show_table(s, &s->last);
}

int show_interval(struct show *s)
{
	struct table t;
	char *text;
	int ret;

	if (read_table(s, !s->look, &t, &text))
		return -1;
	s->intervals++;
	if (s->look)
		table_free(&s->sum);
	ret = tally_add(&s->sum, &t) ? complain("no memory") : show_table(s, &t);
	if (s->pick) {
		table_free(&s->last);
		free(s->last_text);
		s->last = t;
		s->last_text = text;
		return ret;
	}
	table_free(&t);
	free(text);
	return ret;
}

int show_live(struct show *s, FILE *out)
{
	struct table t;
	char *text;
	int ret;

	if (read_table(s, false, &t, &text))
		return -1;
	ret = sort_rows(s, &t);
	if (!ret) {
		s->a.table = &t;
		answer_print(&s->a, out);
	}
	s->a.table = NULL;
	table_free(&t);
	free(text);
	return ret;
}

static int read_losses(struct show *s)
{
	char path[PATH_MAX], *text;

	snprintf(path, sizeof(path), "%s/kprobe_losses", s->session->dir);
	text = read_text(path);
	if (!text)
		return -1;
	losses_read(&s->losses, text, s->session->group, s->event);
	free(text);
	if (s->refused_known)
		return 0;
	s->refused_known = true;
	return refused_count(s->session->dir, s->session->group, s->event, &s->a.refused);
}

/* Of the time that the table has counted. */
static void read_cost(struct show *s)
{
	unsigned long long ns;

	if (!cost_of(s->session->dir, s->session->group, s->event, &ns))
		return;
	s->cost = cost_share(ns, s->sum.seconds);
	s->a.cost = &s->cost;
}

int show_balance(struct show *s, FILE *out)
{
	if (read_losses(s))
		return -1;
	s->a.table = &s->sum;
	balance_print(&s->a, out);
	s->a.table = NULL;
	return 0;
}

static int add_all(struct show *s)
{
	struct table t;
	char *text;
	int ret;

	if (read_table(s, false, &t, &text))
		return -1;
	ret = tally_add(&s->sum, &t) ? complain("no memory") : 0;
	table_free(&t);
	free(text);
	return ret;
}

int show_total(struct show *s)
{
	struct sums sums;

	/*
	 * What has come since the last interval is one, too: then their sum is the total.  The
	 * table is cut before the counters are read: later hits are in the counters only.
	 */
	if ((s->intervals ? show_interval(s) : add_all(s)) || read_losses(s) ||
	    sort_rows(s, &s->sum))
		return PE_EXIT_MISSING;
	s->a.table = &s->sum;
	s->a.interval = 0;
	read_cost(s);
	if (put_table(s))
		return PE_EXIT_MISSING;
	balance_make(&s->a, &sums);
	return sums.lost ? PE_EXIT_LOST : 0;
}

int show_end(struct show *s, int status)
{
	s->format->end(&s->a, status, s->out);
	if (s->save)
		format_json.end(&s->a, status, s->save);
	if (!fflush(s->out) && !ferror(s->out))
		return status;
	complain("cannot write the answer: %s", strerror(errno));
	return PE_EXIT_MISSING;
}

void show_free(struct show *s)
{
	table_free(&s->sum);
	table_free(&s->last);
	free(s->last_text);
	view_end(&s->view);
	functions_free(&s->symbols);
	free(s->kallsyms);
}

unsigned int show_cpus(const char *list)
{
	unsigned int nr = 0, from, to;
	int len;

	if (!list)
		return sysconf(_SC_NPROCESSORS_ONLN);
	while (sscanf(list, "%u%n", &from, &len) == 1) {
		to = from;
		list += len;
		if (sscanf(list, "-%u%n", &to, &len) == 1)
			list += len;
		nr += to >= from ? to - from + 1 : 0;
		list += *list == ',';
	}
	return nr;
}
