// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * named.c - names of errors and of signals, in place of numbers, in a filter.
 *
 * No type says that an int is a signal: its name does, which is one of a few all over the kernel.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <signal.h>
#include <string.h>
#include "errors.h"
#include "named.h"

int named_error(const char *name, size_t len)
{
	size_t sign = len && *name == '-';

	return len > sign && isalpha((unsigned char)name[sign]) ? -(int)error_number(name, len) : 0;
}

static bool is_name(const char *name, const char *of, size_t len)
{
	return name && strlen(name) == len && !strncasecmp(name, of, len);
}

int named_signal(const char *name, size_t len)
{
	int nr;

	if (len > 3 && !strncasecmp(name, "SIG", 3)) {
		name += 3;
		len -= 3;
	}
	for (nr = 1; nr < 32; nr++)
		if (is_name(sigabbrev_np(nr), name, len))
			return nr;
	/* The second name of POLL. */
	return is_name("IO", name, len) ? SIGIO : 0;
}

/* "kinfo.si_signo", "sig:u8" */
static bool is_signal(const char *field)
{
	static const char * const names[] = { "sig", "signr", "signo", "si_signo", "exit_signal" };
	size_t len = strcspn(field, ":"), begin = len, i;

	while (begin && field[begin - 1] != '.' && field[begin - 1] != '>')
		begin--;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == len - begin &&
		    !memcmp(names[i], field + begin, len - begin))
			return true;
	return false;
}

bool named_number(const char *field, const char *value, int *number)
{
	*number = 0;
	if (!strcmp(field, "ret"))
		*number = named_error(value, strlen(value));
	else if (is_signal(field))
		*number = named_signal(value, strlen(value));
	return *number;
}
