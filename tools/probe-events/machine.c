// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * machine.c - what all programs have armed on this machine, and what it costs, from look to look.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cost.h"
#include "losses.h"
#include "machine.h"

bool machine_owns(const char *id, const char *event)
{
	size_t len = strlen(id);

	return *event == 's' && !strncmp(event + 1, id, len) && event[1 + len] == '/';
}

/* Has a limit stopped an event of the session's? */
static bool is_stopped(const char *cost, const char *id)
{
	char *copy = strdup(cost), *rest = copy;
	struct cost_line line;
	bool stopped = false;

	while (!stopped && cost_next(&rest, &line))
		stopped = !strcmp(line.state, "tripped") && machine_owns(id, line.event);
	free(copy);
	return stopped;
}

size_t machine_state(const struct session_line *line, const char *cost, char *text, size_t size)
{
	size_t len = snprintf(text, size, "%.16s%s", line->state,
			      is_stopped(cost, line->id) ? ", stopped" : "");

	return len < size ? len : size - 1;
}

static int read_sessions(struct machine *m)
{
	char *rest = m->sessions;
	struct session_line line;
	size_t room = 0;

	while (sessions_next(&rest, &line)) {
		if (m->nr == room) {
			void *more = reallocarray(m->of, room * 2 + 16, sizeof(*m->of));

			if (!more)
				return -1;
			m->of = more;
			room = room * 2 + 16;
		}
		m->of[m->nr++] = (struct machine_session){
			.line = line, .hits = strtoull(line.hits, NULL, 10),
		};
	}
	return 0;
}

static int read_cost(struct machine *m)
{
	char *copy = strdup(m->cost), *rest = copy;
	struct cost_line line;
	size_t i;

	while (cost_next(&rest, &line)) {
		if (*line.event == '#') {
			m->ns = line.ns;
			m->cpu = strtod(line.cpu, NULL);
		}
		for (i = 0; *line.event == 's' && i < m->nr; i++)
			if (machine_owns(m->of[i].line.id, line.event))
				m->of[i].ns += line.ns;
	}
	free(copy);
	return copy ? 0 : -1;
}

static void read_losses(struct machine *m)
{
	static const char * const lost[] = { "recursion", "no_stack", "dropped", "full" };
	struct losses l;
	size_t i;

	losses_read(&l, m->losses, NULL, NULL);
	for (i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		m->lost += losses_of(&l, lost[i]);
	m->limited = losses_of(&l, "limited");
}

/* Counters only grow, but an event that goes takes its own along. */
static double growth(unsigned long long now, unsigned long long before)
{
	return now > before ? now - before : 0;
}

static void compare(struct machine *m, const struct machine *before, unsigned int cpus)
{
	double seconds = m->at - before->at;
	size_t i, k;

	if (!before->at || seconds <= 0)
		return;
	m->cpu = growth(m->ns, before->ns) / seconds / 1e7 / (cpus ?: 1);
	for (i = 0; i < m->nr; i++) {
		struct machine_session *s = &m->of[i];

		for (k = 0; k < before->nr && !s->seen; k++) {
			if (strcmp(s->line.id, before->of[k].line.id))
				continue;
			s->seen = true;
			s->rate = growth(s->hits, before->of[k].hits) / seconds;
			s->cpu = growth(s->ns, before->of[k].ns) / seconds / 1e7 / (cpus ?: 1);
		}
	}
}

int machine_look(struct machine *m, char *sessions, char *cost, char *losses, double now,
		 unsigned int cpus)
{
	struct machine next = { .sessions = sessions, .cost = cost, .losses = losses, .at = now };

	if (!sessions || !cost || !losses || read_sessions(&next) || read_cost(&next)) {
		machine_free(&next);
		machine_free(m);
		return -1;
	}
	read_losses(&next);
	compare(&next, m, cpus);
	machine_free(m);
	*m = next;
	return 0;
}

void machine_free(struct machine *m)
{
	free(m->of);
	free(m->sessions);
	free(m->cost);
	free(m->losses);
	*m = (struct machine){};
}
