// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * calls.c - the modules' file inside of an event.
 *
 * pid 4211 comm rsync state D since 12.412345678 cpu - func vfs_rmdir args ns=12412345678
 *
 * A task's name may be empty, and may have any words in it, as may the text of an argument.  But
 * what follows a name would not fit into the 15 bytes of one: the first place where that can be
 * read is the true one.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"

/* " state D since ~12.412345678 cpu - func vfs_rmdir args": @text begins with that. */
static bool read_rest(char *text, struct call_line *call)
{
	unsigned long long s, ns;
	int since = 0, cpu = 0, end = 0, func = 0, args = 0;

	if (sscanf(text, " state %c since %n", &call->state, &since) != 1 || !since)
		return false;
	call->exact = text[since] != '~';
	text += since + !call->exact;
	if (sscanf(text, "%llu.%9llu cpu %n%*[-0-9]%n func %n%*s%n", &s, &ns, &cpu, &end, &func,
		   &args) != 2 || !args || strncmp(text + args, " args", strlen(" args")))
		return false;
	call->args = text + args + strlen(" args");
	call->args += *call->args == ' ';
	text[end] = '\0';
	text[args] = '\0';
	call->ns = s * 1000000000ULL + ns;
	call->cpu = text + cpu;
	call->func = text + func;
	return true;
}

static bool read_call(char *line, struct call_line *call)
{
	char *comm, *state;
	int at = 0;

	if (sscanf(line, "pid %ld comm%n", &call->pid, &at) != 1 || line[at] != ' ')
		return false;
	comm = line + at + 1;
	for (state = strstr(comm, " state "); state; state = strstr(state + 1, " state ")) {
		if (!read_rest(state, call))
			continue;
		*state = '\0';
		call->comm = comm;
		return true;
	}
	return false;
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

const char *calls_last(const struct call_line *call, const char *name)
{
	size_t len = strlen(name);
	const char *at = call->args;

	for (; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (!strncmp(at, name, len) && at[len] == '=')
			return at + len + 1;
	}
	return NULL;
}

bool calls_in_flight(const char *text, unsigned long *in_flight)
{
	const char *at = strstr(text, "\n# "), *last = *text == '#' ? text : NULL;

	for (; at; at = strstr(at + 1, "\n# "))
		last = at;
	at = last ? strstr(last, ", in_flight ") : NULL;
	if (at)
		*in_flight = strtoul(at + strlen(", in_flight "), NULL, 10);
	return at;
}
