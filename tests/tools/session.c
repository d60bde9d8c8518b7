// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * session FILE [COMMAND...] - clients of the file session, in what shells cannot do.
 *
 *   session write        stdin to a new session in one write, then lines that it reads, to the end
 *   session hold N FILE  N sessions, each with FILE as one write; then "ready", and waits
 *   session pass FILE    like hold 1, but a child gets the descriptor by SCM_RIGHTS and keeps it; the
 *                        parent ends.  Prints the child's pid
 *   session threads FILE two threads write FILE and a line that deletes what it has defined, in turns,
 *                        through one descriptor; prints how often each has succeeded
 *   session big N        one write of N bytes, of lines of comments
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[256 * 1024];

static int begin(void)
{
	int fd = open("session", O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		perror("session: open");
		exit(2);
	}
	return fd;
}

static size_t load(const char *name)
{
	int fd = name ? open(name, O_RDONLY) : 0;
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, text + have, sizeof(text) - have)) > 0)
		have += n;
	if (n < 0 || fd < 0) {
		perror(name);
		exit(2);
	}
	if (name)
		close(fd);
	return have;
}

static void put(int fd, size_t size)
{
	ssize_t n = write(fd, text, size);

	if (n == (ssize_t)size)
		return;
	fprintf(stderr, "session: write: %s\n", n < 0 ? strerror(errno) : "short");
	exit(1);
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static int do_write(void)
{
	char buf[4096];
	ssize_t n;
	int fd = begin();

	put(fd, load(NULL));
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (write(1, buf, n) != n)
			return 1;
	return n < 0;
}

static int do_hold(unsigned int nr, const char *name)
{
	size_t size = load(name);

	while (nr--)
		put(begin(), size);
	ready();
	pause();
	return 0;
}

static void send_fd(int sock, int fd)
{
	char data = 0, control[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec iov = { &data, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	if (sendmsg(sock, &msg, 0) != 1)
		exit(2);
}

/* The message stays in the socket, with the descriptor in it. */
static int do_pass(const char *name)
{
	size_t size = load(name);
	int pair[2], fd;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return 2;
	child = fork();
	if (!child) {
		close(pair[1]);
		close(1);
		pause();
		_exit(0);
	}
	fd = begin();
	put(fd, size);
	send_fd(pair[1], fd);
	printf("%d\n", child);
	return 0;
}

struct writer {
	int fd;
	const char *text;
	unsigned int done, refused;
};

static void *write_often(void *data)
{
	struct writer *w = data;
	size_t size = strlen(w->text);
	unsigned int i;

	for (i = 0; i < 200; i++) {
		if (write(w->fd, w->text, size) == (ssize_t)size)
			w->done++;
		else
			w->refused++;
	}
	return NULL;
}

static int do_threads(const char *name)
{
	size_t size = load(name);
	int fd = begin();
	struct writer w[2] = {
		{ .fd = fd, .text = text },
		{ .fd = fd, .text = "-:victim\n" },
	};
	pthread_t threads[2];
	int i;

	text[size] = '\0';
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_often, &w[i]);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%u %u %u %u\n", w[0].done, w[0].refused, w[1].done, w[1].refused);
	return 0;
}

static int do_big(size_t size)
{
	int fd = begin();

	memset(text, '\n', size);
	put(fd, size);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "write"))
		return do_write();
	if (argc == 4 && !strcmp(argv[1], "hold"))
		return do_hold(strtoul(argv[2], NULL, 0), argv[3]);
	if (argc == 3 && !strcmp(argv[1], "pass"))
		return do_pass(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "threads"))
		return do_threads(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "big"))
		return do_big(strtoul(argv[2], NULL, 0));
	fprintf(stderr, "usage: session write | hold N FILE | pass FILE | threads FILE | big N\n");
	return 2;
}
