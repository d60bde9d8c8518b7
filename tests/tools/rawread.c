// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rawread - use trace_pipe_raw in every way, and look at the output.
 *
 *   read FILE OUT [SIZE]	blocking read()s of SIZE bytes (a page) until one gives 0
 *   drain FILE OUT [SIZE]	the same without blocking, until EAGAIN
 *   splice FILE OUT [MS]	blocking splice()s until one gives 0, MS between two
 *   splice-once FILE LEN [N]	one non-blocking splice(), right after N reads of a byte
 *				from /dev/zero: prints its result
 *   poll FILE MS [N]		prints "readable" or "timeout"; first N such reads
 *   edge FILE N		N times: make a record, wait for it in an epoll set with EPOLLET,
 *				read until EAGAIN; prints how often it was woken, and then for
 *				nothing
 *   wake FILE MS		blocking read; a thread does ioctl(fd, 0) every MS
 *   leave FILE DIR MS EMPTY	poll without waiting, make a record with DIR's trace_marker, remove
 *				it by DIR's trace if EMPTY is not 0, close all, and MS
 *				later remove the instance DIR
 *   fault FILE		read to a bad address, which gives EFAULT; then a blocking splice():
 *				prints its result
 *   hold FILE OUT		splice until nothing more comes, close FILE, say "held",
 *				wait for a line of input, write it to OUT
 *   count PAGES [SIZE]		"PAGES RECORDS LOST" of a file of pages, checked
 *
 * The parser shares no code with the ring's: it is written from the format.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PIPE_SIZE	(64 * 1024)

static void die(const char *what)
{
	fprintf(stderr, "rawread: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int must_open(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		die(path);
	return fd;
}

static int open_out(const char *path)
{
	return must_open(path, O_WRONLY | O_CREAT | O_TRUNC);
}

static void put(int fd, const void *buf, size_t size)
{
	if (write(fd, buf, size) != (ssize_t)size)
		die("write");
}

static void read_all(const char *from, const char *to, size_t size, int flags)
{
	int in = must_open(from, O_RDONLY | flags), out = open_out(to);
	char *buf = malloc(size);
	ssize_t n;

	while ((n = read(in, buf, size)) > 0)
		put(out, buf, n);
	if (n < 0 && !(flags && errno == EAGAIN))
		die("read");
}

/* Return: the result of splice(), after moving its data on to @out. */
static ssize_t splice_on(int in, const int *fds, int out)
{
	ssize_t n = splice(in, NULL, fds[1], NULL, PIPE_SIZE, SPLICE_F_MOVE), left, m;

	if (n > PIPE_SIZE) {
		fprintf(stderr, "rawread: %zd bytes instead of %d\n", n, PIPE_SIZE);
		exit(1);
	}
	for (left = n; left > 0; left -= m) {
		m = splice(fds[0], NULL, out, NULL, left, SPLICE_F_MOVE);
		if (m <= 0)
			die("splice from the pipe");
	}
	return n;
}

static void splice_all(const char *from, const char *to, int ms)
{
	int in = must_open(from, O_RDONLY), out = open_out(to), fds[2];
	ssize_t n;

	if (pipe(fds))
		die("pipe");
	while ((n = splice_on(in, fds, out)) > 0)
		usleep(ms * 1000);
	if (n < 0)
		die("splice");
}

/* Makes records in this process: a second program would make them later. */
static void read_zeros(int hits)
{
	int zero = must_open("/dev/zero", O_RDONLY);
	char c;

	while (hits--) {
		if (read(zero, &c, 1) != 1)
			die("/dev/zero");
	}
	close(zero);
}

static void splice_once(const char *from, size_t len, int hits)
{
	int in = must_open(from, O_RDONLY | O_NONBLOCK), fds[2];
	ssize_t n;

	if (pipe(fds))
		die("pipe");
	read_zeros(hits);
	n = splice(in, NULL, fds[1], NULL, len, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	if (n < 0)
		printf("%s\n", strerror(errno));
	else
		printf("%zd\n", n);
}

static void poll_once(const char *from, int ms, int hits)
{
	struct pollfd p = { .fd = must_open(from, O_RDONLY), .events = POLLIN };

	read_zeros(hits);
	puts(poll(&p, 1, ms) == 1 && p.revents & POLLIN ? "readable" : "timeout");
}

static void edge(const char *from, int rounds)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int in = must_open(from, O_RDONLY | O_NONBLOCK), ep = epoll_create1(0), woken = 0, i;
	char buf[4096];

	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, in, &event))
		die("epoll");
	for (i = 0; i < rounds; i++) {
		read_zeros(1);
		woken += epoll_wait(ep, &event, 1, 60000) == 1;
		while (read(in, buf, sizeof(buf)) > 0)
			;
		if (errno != EAGAIN)
			die("read");
	}
	printf("%d %d\n", woken, epoll_wait(ep, &event, 1, 300));
}

static void leave(const char *file, const char *dir, int ms, int empty)
{
	struct pollfd p = { .fd = must_open(file, O_RDONLY), .events = POLLIN };
	char path[256];
	int marker;

	snprintf(path, sizeof(path), "%s/trace_marker", dir);
	marker = must_open(path, O_WRONLY);
	if (poll(&p, 1, 0))
		die("poll");
	put(marker, "here", 4);
	close(marker);
	snprintf(path, sizeof(path), "%s/trace", dir);
	if (empty)
		close(must_open(path, O_WRONLY | O_TRUNC));
	close(p.fd);
	usleep(ms * 1000);
	if (rmdir(dir))
		die(dir);
}

static int wake_fd;
static int wake_ms;

/* Repeats the wake-up: the first one may come before the read. */
static void *wake(void *arg)
{
	for (;;) {
		usleep(wake_ms * 1000);
		if (ioctl(wake_fd, 0))
			die("ioctl");
	}
	return arg;
}

static void read_and_wake(const char *from, int ms)
{
	char buf[4096];
	pthread_t thread;

	wake_fd = must_open(from, O_RDONLY);
	wake_ms = ms;
	if (ioctl(wake_fd, 0x5a01) != -1 || errno != ENOTTY)
		die("ioctl of nothing");
	if (pthread_create(&thread, NULL, wake, NULL))
		die("pthread_create");
	printf("%zd\n", read(wake_fd, buf, sizeof(buf)));
}

static void *volatile nowhere;

static void fault(const char *from)
{
	int in = must_open(from, O_RDONLY), fds[2];

	if (pipe(fds))
		die("pipe");
	if (read(in, nowhere, 4096) != -1 || errno != EFAULT)
		die("read to nowhere");
	printf("%zd\n", splice(in, NULL, fds[1], NULL, 4096, SPLICE_F_MOVE));
}

static void hold(const char *from, const char *to)
{
	int in = must_open(from, O_RDONLY | O_NONBLOCK), out = open_out(to), fds[2];
	struct pollfd more = { .fd = in, .events = POLLIN };
	char buf[PIPE_SIZE];
	ssize_t n, held = 0, total = 0;

	if (pipe(fds))
		die("pipe");
	/* A page that is not full becomes readable only after a while. */
	while (poll(&more, 1, 3000) > 0) {
		n = splice(in, NULL, fds[1], NULL, PIPE_SIZE, 0);
		if (n <= 0)
			die("splice");
		held += n;
	}
	if (!held)
		die("nothing to hold");
	close(in);
	puts("held");
	fflush(stdout);
	if (getchar() == EOF)
		die("stdin");
	while (total < held) {
		n = read(fds[0], buf + total, held - total);
		if (n <= 0)
			die("read");
		total += n;
	}
	put(out, buf, held);
}

/* --- looking at pages --- */

static struct {
	uint64_t pages, records, lost, ts;
} sum;

static void bad(const char *what, unsigned int off)
{
	fprintf(stderr, "rawread: page %llu, byte %u: %s\n",
		(unsigned long long)sum.pages, off, what);
	exit(1);
}

/* Return: bytes of the record at @p; moves @ts. */
static unsigned int step(const uint8_t *p, unsigned int off, uint64_t *ts)
{
	uint32_t word, next;
	uint64_t wide;

	memcpy(&word, p, 4);
	memcpy(&next, p + 4, 4);
	wide = (uint64_t)next << 27 | word >> 5;
	switch (word & 31) {
	case 29:
		if (!(word >> 5))
			bad("end of page amid records", off);
		*ts += word >> 5;
		return 4 + next;
	case 30:
		*ts += wide;
		return 8;
	case 31:
		*ts = (*ts >> 59 << 59) | wide;
		return 8;
	}
	*ts += word >> 5;
	if (*ts < sum.ts)
		bad("time goes back", off);
	sum.ts = *ts;
	sum.records++;
	if (!(word & 31))
		return 4 + (next + 3) / 4 * 4;
	return 4 + (word & 31) * 4;
}

static void count_page(const uint8_t *page, unsigned int size)
{
	uint64_t ts, commit, lost = 0;
	unsigned int off, end, records = sum.records;

	memcpy(&ts, page, 8);
	memcpy(&commit, page + 8, 8);
	end = 16 + (commit & 0x7ffffff);
	if (end > size)
		bad("more bytes than the page has", 8);
	for (off = 16; off < end; )
		off += step(page + off, off, &ts);
	if (off != end)
		bad("a record leaves the data", off);
	if (sum.records == records)
		bad("an empty page", 8);
	if (commit >> 30 & 2) {
		if (!(commit >> 30 & 1) || end + 8 > size)
			bad("losses without their number", 8);
		memcpy(&lost, page + end, 8);
		end += 8;
	}
	for (off = end; off < size; off++)
		if (page[off])
			bad("rubbish after the data", off);
	sum.lost += lost;
	sum.pages++;
}

static void count(const char *path, unsigned int size)
{
	FILE *f = fopen(path, "r");
	uint8_t *page = malloc(size + 8);
	size_t n;

	if (!f || !page)
		die(path);
	while ((n = fread(page, 1, size, f)) == size)
		count_page(page, size);
	if (n)
		bad("part of a page", n);
	printf("%llu %llu %llu\n", (unsigned long long)sum.pages,
	       (unsigned long long)sum.records, (unsigned long long)sum.lost);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "", *file = argc > 2 ? argv[2] : NULL;
	const char *out = argc > 3 ? argv[3] : "";
	int number = argc > 4 ? atoi(argv[4]) : 0;

	if (!strcmp(mode, "read"))
		read_all(file, out, number ? number : 4096, 0);
	else if (!strcmp(mode, "drain"))
		read_all(file, out, number ? number : 4096, O_NONBLOCK);
	else if (!strcmp(mode, "splice"))
		splice_all(file, out, number);
	else if (!strcmp(mode, "splice-once"))
		splice_once(file, atoi(out), number);
	else if (!strcmp(mode, "poll"))
		poll_once(file, atoi(out), number);
	else if (!strcmp(mode, "edge"))
		edge(file, atoi(out));
	else if (!strcmp(mode, "leave"))
		leave(file, out, number, argc > 5 && atoi(argv[5]));
	else if (!strcmp(mode, "wake"))
		read_and_wake(file, atoi(out));
	else if (!strcmp(mode, "fault"))
		fault(file);
	else if (!strcmp(mode, "hold"))
		hold(file, out);
	else if (!strcmp(mode, "count"))
		count(file, *out ? atoi(out) : 4096);
	else
		return 2;
	return 0;
}
