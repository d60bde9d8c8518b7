// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * leftovers N - N threads that each read some bytes of /dev/zero, and then wait for ever.
 *
 * The kernel moves its stack by a random number of bytes in each system call.  So what a read has
 * left there is often in the part that is in use while the thread waits, but is not used.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define READS	20

static int zero;
static pthread_barrier_t ready;

static void *work(void *unused)
{
	char c;
	int i;

	(void)unused;
	pthread_barrier_wait(&ready);
	for (i = 0; i < READS; i++)
		if (read(zero, &c, 1) != 1)
			err(1, "read");
	poll(NULL, 0, -1);
	return NULL;
}

int main(int argc, char **argv)
{
	int i, n = argc == 2 ? atoi(argv[1]) : 0;
	pthread_t thread;

	if (n <= 0)
		errx(2, "usage: leftovers N");
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (zero < 0 || pthread_barrier_init(&ready, NULL, n + 1))
		err(1, "/dev/zero");
	for (i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, work, NULL))
			errx(1, "thread %d of %d", i, n);
	pthread_barrier_wait(&ready);
	poll(NULL, 0, -1);
	return 0;
}
