// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * polls FILE STEP... - use poll() on FILE, which one descriptor has open, step by step.
 *
 *   read        from the start to the end
 *   print       what one read() gives
 *   bytes=N     read N bytes from the start
 *   nowhere     read from the start to an address that cannot be written, and say if it is refused
 *   take        write "take", and say if it is refused
 *   hits=N      read N bytes from /dev/zero, one by one
 *   now=WHAT    poll without waiting, for WHAT: in, pri, or both
 *   wait=WHAT   poll until there is something
 *   later=N     the same hits, when this process sleeps: from a child
 *
 * Each poll is a line: in, pri, both, err, or nothing; a wait of a minute is "never".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MINUTE 60000

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		die(path);
	return fd;
}

static void read_all(int fd)
{
	char buf[4096];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		die("lseek");
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		;
	if (n < 0)
		die("read");
}

static void print(int fd)
{
	char buf[4096];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n < 0)
		die("read");
	fwrite(buf, 1, n, stdout);
	fflush(stdout);
}

static void read_bytes(int fd, int n)
{
	char *buf = malloc(n);

	if (!buf || lseek(fd, 0, SEEK_SET) || read(fd, buf, n) != n)
		die("read");
	free(buf);
}

static void read_nowhere(int fd)
{
	void *nowhere = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (nowhere == MAP_FAILED || lseek(fd, 0, SEEK_SET))
		die("nowhere");
	puts(read(fd, nowhere, 4096) < 0 && errno == EFAULT ? "refused" : "read");
	munmap(nowhere, 4096);
}

static void hit(int times)
{
	int fd = must_open("/dev/zero", O_RDONLY);
	char byte;

	while (times--)
		if (read(fd, &byte, 1) != 1)
			die("/dev/zero");
	close(fd);
}

static char state_of(pid_t pid)
{
	char path[64], text[512], *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = must_open(path, O_RDONLY);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : '?';
}

/* It sleeps twice in a row: it is in poll(), not on its way there. */
static void hit_later(int times)
{
	pid_t parent = getpid();
	int asleep = 0;

	if (fork())
		return;
	while (asleep < 2) {
		usleep(20000);
		asleep = state_of(parent) == 'S' ? asleep + 1 : 0;
	}
	hit(times);
	_exit(0);
}

static void do_poll(int fd, const char *what, int ms)
{
	struct pollfd p = { .fd = fd };
	short got;

	if (strcmp(what, "pri"))
		p.events |= POLLIN;
	if (strcmp(what, "in"))
		p.events |= POLLPRI;
	if (poll(&p, 1, ms) < 0)
		die("poll");
	got = p.revents & (POLLIN | POLLPRI);
	puts(p.revents & POLLERR ? "err" : got == POLLIN ? "in" : got == POLLPRI ? "pri" :
	     got ? "both" : ms ? "never" : "nothing");
	fflush(stdout);
}

static int step(int fd, const char *word)
{
	const char *value = strchr(word, '=');

	value = value ? value + 1 : "";
	if (!strcmp(word, "read"))
		read_all(fd);
	else if (!strcmp(word, "print"))
		print(fd);
	else if (!strncmp(word, "bytes=", 6))
		read_bytes(fd, atoi(value));
	else if (!strcmp(word, "nowhere"))
		read_nowhere(fd);
	else if (!strcmp(word, "take"))
		puts(write(fd, "take", 4) == 4 ? "taken" : "refused");
	else if (!strncmp(word, "hits=", 5))
		hit(atoi(value));
	else if (!strncmp(word, "later=", 6))
		hit_later(atoi(value));
	else if (!strncmp(word, "now=", 4))
		do_poll(fd, value, 0);
	else if (!strncmp(word, "wait=", 5))
		do_poll(fd, value, MINUTE);
	else
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	int fd, i;

	if (argc < 3) {
		fprintf(stderr, "usage: polls FILE STEP...\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fd = must_open(argv[1], O_RDONLY);
	for (i = 2; i < argc; i++)
		if (step(fd, argv[i])) {
			fprintf(stderr, "polls: no such step: %s\n", argv[i]);
			return 2;
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
