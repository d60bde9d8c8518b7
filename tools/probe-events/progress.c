// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * progress.c - one line on standard error that is replaced, and wiped at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <term.h>
#include <time.h>
#include <unistd.h>
#include "live.h"
#include "progress.h"
#include "report.h"
#include "units.h"

#define PATIENCE 300000000ULL	/* ns without a word */
#define LINE 512

static bool shown;
static atomic_bool drawn;		/* progress_guard() reads it at any moment */
static char clear[32];			/* from the cursor to the line's end */
static unsigned long long since, last;	/* of progress_part() */

/* What waits for the end of progress_begin(). */
static pthread_t teller;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended;
static bool telling, over;
static const char *doing;

/* Not wait.h: names of its headers are macros of <term.h>. */
static unsigned long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Without what some terminals say of delays, as in "\033[K$<3>". */
static bool can_draw(void)
{
	const char *el;
	int err;

	if (!isatty(STDERR_FILENO) || setupterm(NULL, STDERR_FILENO, &err))
		return false;
	el = tigetstr("el");
	if (!el || el == (char *)-1)
		return false;
	snprintf(clear, sizeof(clear), "%.*s", (int)strcspn(el, "$"), el);
	return *clear;
}

/* Neither a terminal, nor a pipe, whose reader may write to the same terminal. */
bool progress_beside(FILE *out)
{
	struct stat st;

	return shown && !fstat(fileno(out), &st) && !isatty(fileno(out)) &&
	       (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode));
}

/* Another program has the terminal now: this one is in the background. */
static bool is_behind(void)
{
	return tcgetpgrp(STDERR_FILENO) != getpgrp();
}

void progress_allow(bool wanted)
{
	shown = wanted && can_draw();
	since = now();
	last = since;
	report_first(shown ? progress_wipe : NULL);
}

bool progress_shown(void)
{
	return shown;
}

/* In one write, so that nothing comes between. */
static void put(const char *text, size_t len)
{
	char line[LINE];
	int nr = snprintf(line, sizeof(line), "\r%.*s%s", (int)len, text, clear);

	if (write(STDERR_FILENO, line, nr) < 0)
		shown = false;		/* the terminal has gone */
}

void progress_draw(const char *text)
{
	struct live l = { .out = stderr };
	size_t len = strlen(text);

	if (!shown || is_behind())
		return;
	live_resize(&l);
	if (len > LINE / 2)
		len = LINE / 2;
	/* The last column stays free: some terminals go on to the next line there. */
	drawn = true;
	put(text, live_fit(text, len, l.width - 1));
}

void progress_wipe(void)
{
	if (drawn && !is_behind())
		put("", 0);
	drawn = false;
}

/* Only what may be called from a handler.  The signal does what it did before when this returns. */
static void wipe_and_die(int signal)
{
	if (drawn && !is_behind() &&
	    (write(STDERR_FILENO, "\r", 1) < 0 ||
	     write(STDERR_FILENO, clear, strlen(clear)) < 0))
		drawn = false;
	raise(signal);
}

void progress_guard(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction wipe = { .sa_handler = wipe_and_die, .sa_flags = SA_RESETHAND }, before;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!sigaction(all[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(all[i], &wipe, NULL);
}

/* ---- what tells nothing itself ---- */

static bool wait_until(unsigned long long at)
{
	struct timespec ts = { .tv_sec = at / 1000000000, .tv_nsec = at % 1000000000 };

	while (!over && pthread_cond_timedwait(&ended, &lock, &ts) != ETIMEDOUT)
		;
	return !over;
}

static void *tell(void *arg)
{
	unsigned long long begin = now(), at = begin + PATIENCE;
	char text[LINE];

	(void)arg;
	pthread_mutex_lock(&lock);
	for (; wait_until(at); at = now() + PROGRESS_STEP) {
		snprintf(text, sizeof(text), "%s  %.1f s", doing, (now() - begin) / 1e9);
		progress_draw(text);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

void progress_begin(const char *what)
{
	pthread_condattr_t clock;
	sigset_t all, before;

	if (!shown)
		return;
	doing = what;
	over = false;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&ended, &clock);
	pthread_condattr_destroy(&clock);
	/* Signals are for the thread that waits for them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	telling = !pthread_create(&teller, NULL, tell, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_end(void)
{
	int err = errno;

	if (!telling)
		return;
	pthread_mutex_lock(&lock);
	over = true;
	pthread_cond_signal(&ended);
	pthread_mutex_unlock(&lock);
	pthread_join(teller, NULL);
	pthread_cond_destroy(&ended);
	telling = false;
	progress_wipe();
	errno = err;
}

/* Is it time to tell what progress_part() or progress_records() know? */
static bool due(void)
{
	unsigned long long at = shown ? now() : 0;

	if (!shown || at - since < PATIENCE || at - last < PROGRESS_STEP)
		return false;
	last = at;
	return true;
}

void progress_part(unsigned long long done, unsigned long long all)
{
	char text[LINE];

	if (!all || !due())
		return;
	snprintf(text, sizeof(text), "reading  %llu%%", done < all ? 100 * done / all : 100);
	progress_draw(text);
}

void progress_records(unsigned long long nr)
{
	char text[LINE], number[UNITS_TEXT];

	if (!due())
		return;
	snprintf(text, sizeof(text), "reading  %s records", print_count(number, nr));
	progress_draw(text);
}
