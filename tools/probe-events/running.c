// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * running.c - what is told while hits are counted whose table is not seen yet.
 *
 * The counters of hits and losses are read, not the table, which may be large.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "balance.h"
#include "cost.h"
#include "progress.h"
#include "running.h"
#include "text.h"
#include "units.h"

#define STEP (2 * PROGRESS_STEP)
#define SHARE 20	/* of the time is spent on it at most: a twentieth */

void running_begin(struct running *run, FILE *out)
{
	/*
	 * A command writes to standard output, and what reads that may write to the terminal;
	 * on the other, commands only tell of what goes wrong.
	 */
	run->on = progress_beside(out) && (!run->r->command || progress_beside(stdout));
	run->since = now_ns();
	run->next = run->since + STEP;
}

unsigned long long running_wake(const struct running *run, unsigned long long next)
{
	return run->on && (!next || run->next < next) ? run->next : next;
}

/* "12 s of 30   4,021 calls"; its length, which @size has room for */
static size_t print_begin(const struct running *run, unsigned long long hits, double seconds,
			  char *text, size_t size)
{
	char number[UNITS_TEXT], of[32] = "";

	if (run->r->duration)
		snprintf(of, sizeof(of), " of %g", run->r->duration / 1e9);
	return snprintf(text, size, "%.0f s%s   %s %s", seconds, of, print_count(number, hits),
			run->of);
}

void running_print(const struct running *run, const struct losses *l, double seconds, double cost,
		   char *text, size_t size)
{
	bool own = run->r->command && !run->r->all;
	unsigned long long hits = losses_of(l, "hits"), lost = 0, others;
	char number[UNITS_TEXT], share[32] = "";
	size_t i;

	for (i = 0; i < l->nr; i++)
		/* Hits that meet the end or the beginning are lost for count only. */
		if (balance_knows(l->names[i]) && strcmp(l->names[i], "unlinked") &&
		    !(own && !strcmp(l->names[i], "pid")) &&
		    !(run->r->most && !strcmp(l->names[i], "limited")))
			lost += l->values[i];
	others = losses_of(l, "filter") + (own ? losses_of(l, "pid") : 0) +
		 (run->r->most ? losses_of(l, "limited") : 0);
	if (cost >= 0)
		snprintf(share, sizeof(share), "   %.2f%% of CPU", cost);
	i = print_begin(run, hits > others ? hits - others : 0, seconds, text, size);
	i += snprintf(text + i, size - i, "%s   %s", share, lost ? "LOST " : "none lost");
	if (lost && i < size)
		snprintf(text + i, size - i, "%s", print_count(number, lost));
}

void running_print_profile(const struct running *run, unsigned long long hits,
			   unsigned long long missed, double seconds, char *text, size_t size)
{
	size_t len = print_begin(run, hits, seconds, text, size);
	char number[UNITS_TEXT];

	snprintf(text + len, size - len, "%s   cost not known   %s%s",
		 request_wants_all(run->r) ? "" : " before any choice",
		 missed ? "MISSED " : "none missed", missed ? print_count(number, missed) : "");
}

/* Hits of the question, losses of all events. */
static void add_beside(struct losses *l, const struct losses *all)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (balance_knows(all->names[i]))
			l->values[i] = all->values[i];
}

static void draw_profile(const struct running *run)
{
	unsigned long long hits, missed;
	char line[200];

	if (!run->profile(run->stock, &hits, &missed))
		return;
	running_print_profile(run, hits, missed, (now_ns() - run->since) / 1e9, line,
			      sizeof(line));
	progress_draw(line);
}

static void draw(const struct running *run)
{
	char path[PATH_MAX], line[200], *text;
	double seconds = (now_ns() - run->since) / 1e9;
	unsigned long long ns;
	struct losses l, all;

	snprintf(path, sizeof(path), "%s/kprobe_losses", run->session->dir);
	text = read_file(path);
	if (!text)
		return;
	losses_read(&l, text, run->session->group, run->event);
	losses_read(&all, text, run->session->group, NULL);
	if (run->beside)
		add_beside(&l, &all);
	free(text);
	running_print(run, &l, seconds, cost_of(run->session->dir, run->session->group, run->event,
						&ns) ? cost_share(ns, seconds) : -1,
		      line, sizeof(line));
	progress_draw(line);
}

bool running_turn(struct running *run, struct wait *w, unsigned long long next)
{
	unsigned long long now = now_ns(), took;

	if (!run->on)
		return false;
	if (w->resized || now >= run->next) {
		if (run->profile)
			draw_profile(run);
		else
			draw(run);
		took = now_ns() - now;
		run->next = now + took + (took * SHARE > STEP ? took * SHARE : STEP);
	}
	w->resized = false;
	return !w->asked && !w->stopped && !(next && now >= next);
}
