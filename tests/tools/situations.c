// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * situations hold DIR	- hold the lock of a directory, as a reader, until killed
 * situations rst	- let the kernel send four TCP resets, and print FROM TO of each
 * situations mmap	- two threads that want the lock of their process's memory, until killed
 * situations threads A B	- two threads, one in each of two threaded cgroups of its own: the first reads
 *			  /dev/zero 30 times, the other 50 times
 *
 * What questions of probe-events are about, made on purpose.
 */
#define _GNU_SOURCE
#include <linux/userfaultfd.h>
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names are written to a page that is never provided. */
static void hold(const char *name)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int dir = open(name, O_RDONLY | O_DIRECTORY);
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (dir < 0)
		err(1, "%s", name);
	range.range.start = (unsigned long)page;
	range.range.len = 4096;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range))
		err(1, "userfaultfd");
	syscall(SYS_getdents64, dir, page, 4096);
	err(1, "getdents64 came back");
}

/* Each change of the memory takes the lock for writing. */
static void *map_and_unmap(void *arg)
{
	for (;;) {
		void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED || munmap(page, 4096))
			err(1, "mmap");
	}
	return arg;
}

static void map(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, map_and_unmap, NULL))
		errx(1, "no thread");
	map_and_unmap(NULL);
}

/* ---- threads ---- */

struct reader {
	const char *cgroup;
	int times;
};

static void *read_zero(void *arg)
{
	const struct reader *r = arg;
	char path[4096], byte;
	FILE *f;
	int i, fd = open("/dev/zero", O_RDONLY);

	snprintf(path, sizeof(path), "%s/cgroup.threads", r->cgroup);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%d", (int)syscall(SYS_gettid)) < 0 || fclose(f))
		err(1, "%s", path);
	for (i = 0; i < r->times; i++)
		if (read(fd, &byte, 1) != 1)
			err(1, "/dev/zero");
	close(fd);
	return NULL;
}

static void threads(const char *a, const char *b)
{
	struct reader readers[] = { { a, 30 }, { b, 50 } };
	pthread_t ids[2];
	int i;

	for (i = 0; i < 2; i++)
		if (pthread_create(&ids[i], NULL, read_zero, &readers[i]))
			errx(1, "no thread");
	for (i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
}

static int six;

static struct sockaddr_in6 address(int port)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in four = { .sin_family = AF_INET };

	a.sin6_port = htons(port);
	if (six)
		return a;
	four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	four.sin_port = htons(port);
	memcpy(&a, &four, sizeof(four));
	return a;
}

static socklen_t length(void)
{
	return six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/* The port is at the same place in both kinds of addresses. */
static int port_of(int fd)
{
	struct sockaddr_in6 a;
	socklen_t len = sizeof(a);

	if (getsockname(fd, (void *)&a, &len))
		err(1, "getsockname");
	return ntohs(a.sin6_port);
}

static int bound(int port)
{
	struct sockaddr_in6 a = address(port);
	int fd = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (void *)&a, length()))
		err(1, "bind");
	return fd;
}

static void tell(int from, int to)
{
	const char *format = six ? "[::1]:%d [::1]:%d\n" : "127.0.0.1:%d 127.0.0.1:%d\n";

	printf(format, from, to);
}

/* No task listens: the kernel answers for the port. */
static void refused(void)
{
	int port, client = bound(0), other = bound(0);
	struct sockaddr_in6 a;

	port = port_of(other);
	close(other);
	a = address(port);
	if (!connect(client, (void *)&a, length()))
		errx(1, "a task listens");
	tell(port, port_of(client));
	close(client);
}

/* A connection is closed with data that was not read. */
static void unread(void)
{
	int listener = bound(0), client = bound(0), server, port = port_of(listener);
	struct sockaddr_in6 a = address(port);
	struct pollfd poller = { .events = POLLIN };

	if (listen(listener, 1) || connect(client, (void *)&a, length()))
		err(1, "connect");
	server = accept(listener, NULL, NULL);
	poller.fd = server;
	if (server < 0 || send(client, "x", 1, 0) != 1 || poll(&poller, 1, 60000) != 1)
		err(1, "send");
	close(server);
	tell(port, port_of(client));
	close(client);
	close(listener);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "hold"))
		hold(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "threads")) {
		threads(argv[2], argv[3]);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "mmap"))
		map();
	if (argc != 2 || strcmp(argv[1], "rst"))
		errx(2, "usage: situations hold DIR | mmap | threads A B | rst");
	for (six = 0; six < 2; six++) {
		refused();
		unread();
	}
	return 0;
}
