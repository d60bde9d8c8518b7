// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * origin.c - where and when an answer was found.
 */
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include "origin.h"

void origin_here(struct origin *from)
{
	struct utsname uts;
	time_t now = time(NULL);
	struct timespec mono;
	struct tm tm;

	*from = (struct origin){};
	if (!clock_gettime(CLOCK_MONOTONIC, &mono))
		from->at = mono.tv_sec + mono.tv_nsec / 1e9;
	if (!uname(&uts)) {
		memcpy(from->host, uts.nodename, sizeof(uts.nodename));
		memcpy(from->kernel, uts.release, sizeof(uts.release));
	}
	if (gmtime_r(&now, &tm))
		strftime(from->time, sizeof(from->time), "%Y-%m-%dT%H:%M:%SZ", &tm);
}
