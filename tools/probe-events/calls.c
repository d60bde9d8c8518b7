// SPDX-License-Identifier: GPL-2.0
/*
 * calls.c - the modules' file inside of an event.
 *
 * pid 4211 comm rsync state D since 12.412345678 cpu - args ns=12412345678
 *
 * A task's name may have any words in it, but none of those after the last " state ".
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"

/* The last @word in @line, or NULL. */
static char *last_of(char *line, const char *word)
{
	char *found = NULL, *at;

	for (at = strstr(line, word); at; at = strstr(at + 1, word))
		found = at;
	return found;
}

static bool read_call(char *line, struct call_line *call)
{
	unsigned long long s = 0, ns = 0;
	char *state = last_of(line, " state "), *since, *cpu, *end;
	int comm = 0;

	if (sscanf(line, "pid %ld comm %n", &call->pid, &comm) != 1 || !comm || !state ||
	    state < line + comm)
		return false;
	since = strstr(state, " since ");
	cpu = since ? strstr(since, " cpu ") : NULL;
	end = cpu ? strstr(cpu, " args") : NULL;
	if (!end)
		return false;
	call->state = state[strlen(" state ")];
	since += strlen(" since ");
	call->exact = *since != '~';
	since += !call->exact;
	if (sscanf(since, "%llu.%9llu", &s, &ns) != 2)
		return false;
	call->ns = s * 1000000000ULL + ns;
	call->cpu = cpu + strlen(" cpu ");
	call->comm = line + comm;
	call->args = end + strlen(" args") + (end[strlen(" args")] == ' ');
	*state = '\0';
	*end = '\0';
	return true;
}

bool calls_next(char **text, struct call_line *call)
{
	char *line;

	while (*text && (line = strsep(text, "\n")))
		if (read_call(line, call))
			return true;
	return false;
}

bool calls_arg(const struct call_line *call, const char *name, unsigned long long *value)
{
	size_t len = strlen(name);
	const char *at = call->args;
	char *end;

	for (; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strncmp(at, name, len) || at[len] != '=')
			continue;
		*value = strtoull(at + len + 1, &end, 0);
		return end != at + len + 1;
	}
	return false;
}

unsigned long calls_in_flight(const char *text)
{
	const char *at = strstr(text, "\n# "), *last = *text == '#' ? text : NULL;

	for (; at; at = strstr(at + 1, "\n# "))
		last = at;
	at = last ? strstr(last, ", in_flight ") : NULL;
	return at ? strtoul(at + strlen(", in_flight "), NULL, 10) : 0;
}
