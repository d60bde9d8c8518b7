// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * wait.c - wait until the time is over, the command ends, or a signal ends it.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "report.h"
#include "wait.h"

#define CPUS_TEXT 200

unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Milliseconds until then, at least one if it is not over; -1: for ever. */
static int time_left(unsigned long long until)
{
	unsigned long long now = now_ns();

	if (!until)
		return -1;
	if (now >= until)
		return 0;
	return (until - now) / 1000000 < INT_MAX ? (until - now) / 1000000 + 1 : INT_MAX;
}

int wait_begin(struct wait *w)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGWINCH, SIGQUIT };
	sigset_t mask;
	size_t i;

	sigemptyset(&mask);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		sigaddset(&mask, all[i]);
	if (w->keys)
		sigaddset(&mask, SIGTSTP);
	sigprocmask(SIG_BLOCK, &mask, &w->before);
	w->signals = signalfd(-1, &mask, SFD_CLOEXEC);
	return w->signals < 0 ? complain("signalfd: %s", strerror(errno)) : 0;
}

void wait_to_end(struct wait *w)
{
	while (!wait_round(w, 0)) {
		w->resized = false;
		w->asked = false;
	}
}

void wait_end(struct wait *w)
{
	if (w->signals >= 0)
		close(w->signals);
	w->signals = -1;
	sigprocmask(SIG_SETMASK, &w->before, NULL);
}

/* "limit GROUP/EVENT WHY" */
static void hear_limit(struct wait *w, const char *event)
{
	const char *name = strchr(event, '/'), *why = name ? strchr(name, ' ') : NULL;

	if (!why || *w->limited)
		return;
	snprintf(w->limited, sizeof(w->limited), "%s", why + 1);
	snprintf(w->event, sizeof(w->event), "%.*s", (int)(why - name - 1), name + 1);
}

/* "waiting GROUP/EVENT PLACE [NEAR]": NEAR is a tracepoint's name that may have been meant */
static void hear_awaited(struct wait *w, const char *event)
{
	const char *name = strchr(event, '/');
	char place[512], near[512], why[sizeof(w->told)];
	int found;

	if (!name)
		return;
	found = sscanf(name, "%*s %511s %511s", place, near);
	if (found < 1)
		return;
	snprintf(why, sizeof(why), found > 1 ? "no loaded module has %s (meant: t:%s?)" :
		 "no loaded module has %s", place, near);
	if (w->awaited)
		w->awaited(w->data, name + 1, why);
	else if (strcmp(why, w->told))	/* several events at a place: it is told once */
		mention("%s: its hits count as soon as one has", why);
	snprintf(w->told, sizeof(w->told), "%s", why);
}

static void add_cpu(char cpus[CPUS_TEXT], unsigned int cpu)
{
	size_t len = strlen(cpus), room = CPUS_TEXT - len;

	if (snprintf(cpus + len, room, "%s%u", len ? ", " : "", cpu) >= (int)room)
		cpus[len] = '\0';	/* no half of a number */
}

/* @cpus: those that have come online, as far as they are to be told together */
static void hear_line(struct wait *w, const char *line, char cpus[CPUS_TEXT])
{
	unsigned int cpu;

	if (!strncmp(line, "limit ", 6) && !w->several)
		hear_limit(w, line + 6);
	else if (!strncmp(line, "waiting ", 8))
		hear_awaited(w, line + 8);
	else if (sscanf(line, "cpu %u online", &cpu) == 1)
		add_cpu(cpus, cpu);
	else if (strncmp(line, "session ", 8))	/* its number */
		complain("%s", line);
}

/*
 * The session is told when its event waits for a module, a limit stops it, another user ends it, a
 * module goes, or a CPU comes.  A line that is not there to its end is kept for the next time.
 */
static bool hear_session(struct wait *w)
{
	char cpus[CPUS_TEXT] = "", *line = w->heard, *end;
	ssize_t len = read(w->session->fd, w->heard + w->nr_heard,
			   sizeof(w->heard) - 1 - w->nr_heard);

	if (len <= 0)
		return len < 0 && errno == EAGAIN;
	w->nr_heard += len;
	w->heard[w->nr_heard] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		hear_line(w, line, cpus);
		line = end + 1;
	}
	w->nr_heard -= line - w->heard;
	if (w->nr_heard == sizeof(w->heard) - 1)	/* no name is so long */
		w->nr_heard = 0;
	memmove(w->heard, line, w->nr_heard);
	if (*cpus)
		mention("CPU %s has come online: its hits count from now on", cpus);
	return true;
}

void wait_hear(struct wait *w)
{
	struct pollfd fd = { .fd = w->session->fd, .events = POLLIN };

	while (poll(&fd, 1, 0) > 0 && hear_session(w) && !*w->limited)
		;
}

/*
 * timeout(1) sends its signal to the process, and then to its group: that is no second one.  Only
 * the same is taken: another signal is one, and the end of the command must be heard.
 */
static void take_twin(const struct signalfd_siginfo *first)
{
	static const struct timespec soon = { .tv_nsec = 50 * 1000 * 1000 };
	sigset_t same;

	if (first->ssi_code != SI_USER)
		return;
	sigemptyset(&same);
	sigaddset(&same, first->ssi_signo);
	sigtimedwait(&same, NULL, &soon);
}

/* What a signal asks for; true: it is the end. */
static bool hear_signal(struct wait *w)
{
	struct signalfd_siginfo info;

	if (read(w->signals, &info, sizeof(info)) != sizeof(info))
		return false;
	switch (info.ssi_signo) {
	case SIGWINCH:
		w->resized = true;
		return false;
	case SIGQUIT:
		w->asked = true;
		return false;
	case SIGTSTP:
		w->stopped = true;
		return false;
	case SIGCHLD:
		return w->command && child_ended(w->child);
	}
	take_twin(&info);
	return true;
}

bool wait_round(struct wait *w, unsigned long long wake)
{
	struct pollfd fds[] = {
		{ .fd = w->signals, .events = POLLIN },
		{ .fd = w->session->fd, .events = POLLIN },
		{ .fd = w->keys ? STDIN_FILENO : -1, .events = POLLIN },
	};
	int n;

	if (!wake || (w->until && w->until < wake))
		wake = w->until;
	for (;;) {
		n = poll(fds, 3, time_left(wake));
		if (n > 0 && fds[1].revents && !hear_session(w)) {
			w->ended = true;
			return true;
		}
		if (*w->limited)
			return true;
		if (n > 0 && fds[0].revents && hear_signal(w))
			return true;
		if (w->until && !time_left(w->until))
			return true;
		if (w->resized || w->asked || w->stopped || (n > 0 && fds[2].revents))
			return false;
		if (wake && !time_left(wake))
			return false;
	}
}
