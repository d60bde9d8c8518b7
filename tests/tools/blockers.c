// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * blockers N FILE - N threads that each read a byte from FILE, which may take long.
 *
 * Exit status 0 if all reads have ended without an error.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define STACK	(64 * 1024)

static int file;

static void *block(void *unused)
{
	char c;

	(void)unused;
	/* pread() shares no position: read() would let in one thread at a time. */
	if (pread(file, &c, 1, 0) < 0)
		err(1, "pread");
	return NULL;
}

int main(int argc, char **argv)
{
	int i, n = argc == 3 ? atoi(argv[1]) : 0;
	pthread_attr_t attr;
	pthread_t *threads;

	if (n <= 0)
		errx(2, "usage: blockers N FILE");
	file = open(argv[2], O_RDONLY | O_CLOEXEC);
	if (file < 0)
		err(1, "%s", argv[2]);
	threads = calloc(n, sizeof(*threads));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (i = 0; i < n; i++) {
		if (pthread_create(&threads[i], &attr, block, NULL))
			errx(1, "thread %d of %d", i, n);
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
