// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * errors.c - names of errors, as functions of the kernel return them.
 *
 * Those above 511 are for the kernel only, so the C library has no names for them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "errors.h"

static const struct {
	unsigned int nr;
	const char *name;
} internal[] = {
	{ 512, "ERESTARTSYS" }, { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
	{ 515, "ENOIOCTLCMD" }, { 516, "ERESTART_RESTARTBLOCK" }, { 517, "EPROBE_DEFER" },
	{ 518, "EOPENSTALE" }, { 519, "ENOPARAM" }, { 521, "EBADHANDLE" }, { 522, "ENOTSYNC" },
	{ 523, "EBADCOOKIE" }, { 524, "ENOTSUPP" }, { 525, "ETOOSMALL" }, { 526, "ESERVERFAULT" },
	{ 527, "EBADTYPE" }, { 528, "EJUKEBOX" }, { 529, "EIOCBQUEUED" },
	{ 530, "ERECALLCONFLICT" },
	/* Second names of others: not for error_name(). */
	{ EWOULDBLOCK, "EWOULDBLOCK" }, { EDEADLOCK, "EDEADLOCK" }, { ENOTSUP, "ENOTSUP" },
};

#define NR_INTERNAL (sizeof(internal) / sizeof(*internal))

const char *error_name(long long result)
{
	const char *name = result < 0 && result >= -ERROR_MOST ? strerrorname_np(-result) : NULL;
	size_t i;

	for (i = 0; !name && i < NR_INTERNAL; i++)
		if (result == -(long long)internal[i].nr)
			name = internal[i].name;
	return name;
}

unsigned int error_number(const char *name, size_t len)
{
	unsigned int nr;
	size_t i;

	if (len && *name == '-') {
		name++;
		len--;
	}
	for (nr = 1; nr <= ERROR_MOST; nr++) {
		char digits[8];
		const char *is = error_name(-(long long)nr);

		snprintf(digits, sizeof(digits), "%u", nr);
		if ((is && strlen(is) == len && !strncasecmp(is, name, len)) ||
		    (strlen(digits) == len && !strncmp(digits, name, len)))
			return nr;
	}
	for (i = 0; i < NR_INTERNAL; i++)
		if (strlen(internal[i].name) == len && !strncasecmp(internal[i].name, name, len))
			return internal[i].nr;
	return 0;
}
