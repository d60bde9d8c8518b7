// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * leaderless - a process whose first thread ends before its second.
 *
 * Prints "LEADER THREAD", their numbers.  The first thread ends at once.  The second, and
 * the process with it, ends at the end of the input.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *second(void *unused)
{
	char c;

	(void)unused;
	printf("%d %d\n", getpid(), gettid());
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	return NULL;
}

int main(void)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, second, NULL);
	if (errno)
		err(1, "pthread_create");
	pthread_exit(NULL);
}
