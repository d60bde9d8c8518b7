// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * sockets ROUNDS - talk to oneself: TCP and UDP over the loopback device, and Unix sockets.
 *
 * Every byte that is sent must arrive unchanged.
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char out[8192], in[sizeof(out)];

/* @n is at most what a socket's buffer takes without a reader. */
static void transfer(int from, int to, size_t n)
{
	struct pollfd poller = { .fd = to, .events = POLLIN };
	size_t got = 0;
	ssize_t len;

	if (send(from, out, n, 0) != (ssize_t)n)
		err(1, "send");
	while (got < n) {
		if (poll(&poller, 1, 60000) != 1)
			errx(1, "nothing came");
		len = recv(to, in + got, n - got, 0);
		if (len <= 0)
			err(1, "recv");
		got += len;
	}
	if (memcmp(in, out, n))
		errx(1, "not what was sent");
}

static int bound(int type, struct sockaddr_in *addr)
{
	socklen_t len = sizeof(*addr);
	int fd = socket(AF_INET, type, 0);

	*addr = (struct sockaddr_in){ .sin_family = AF_INET };
	addr->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (void *)addr, sizeof(*addr)) ||
	    getsockname(fd, (void *)addr, &len))
		err(1, "bind");
	return fd;
}

static void tcp(void)
{
	struct sockaddr_in addr;
	int listener = bound(SOCK_STREAM, &addr), client, server, ep;
	struct epoll_event event = { .events = EPOLLIN };

	if (listen(listener, 1))
		err(1, "listen");
	client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(client, (void *)&addr, sizeof(addr)))
		err(1, "connect");
	ep = epoll_create1(0);
	if (epoll_ctl(ep, EPOLL_CTL_ADD, listener, &event) ||
	    epoll_wait(ep, &event, 1, 60000) != 1)
		err(1, "epoll");
	server = accept(listener, NULL, NULL);
	transfer(client, server, sizeof(out));
	transfer(server, client, 1000);
	shutdown(client, SHUT_RDWR);
	close(ep);
	close(client);
	close(server);
	close(listener);
}

static void udp(void)
{
	struct sockaddr_in addr;
	int server = bound(SOCK_DGRAM, &addr), client = socket(AF_INET, SOCK_DGRAM, 0);

	if (connect(client, (void *)&addr, sizeof(addr)))
		err(1, "connect");
	transfer(client, server, 1200);
	close(client);
	close(server);
}

static void local(int type)
{
	int fd[2];

	if (socketpair(AF_UNIX, type, 0, fd))
		err(1, "socketpair");
	transfer(fd[0], fd[1], 4096);
	transfer(fd[1], fd[0], 100);
	close(fd[0]);
	close(fd[1]);
}

int main(int argc, char **argv)
{
	int rounds = argc == 2 ? atoi(argv[1]) : 0;
	size_t i;

	if (rounds <= 0)
		errx(2, "usage: sockets ROUNDS");
	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + (i >> 8);
	while (rounds--) {
		tcp();
		udp();
		local(SOCK_STREAM);
		local(SOCK_DGRAM);
	}
	return 0;
}
