// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fileops - the answers of FILEs to calls that no shell makes: one line each.
 *
 * Writes of nothing, from a bad address, of a lot and at a position; lseek() to all ends;
 * reads of nothing and of a few bytes; poll(), ioctl(), truncation and opening in other ways.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MANY	200000

static const char *name;
static char *many;
static const void *volatile nowhere;

static long say(const char *what, long ret)
{
	printf("%s %s: %ld %s\n", name, what, ret, ret < 0 ? strerror(errno) : "");
	return ret;
}

static void say_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };

	say("poll", poll(&p, 1, 0));
	say("ready", p.revents);
}

static void seek(int fd)
{
	say("lseek 5", lseek(fd, 5, SEEK_SET));
	say("lseek on", lseek(fd, 2, SEEK_CUR));
	say("lseek end", lseek(fd, 0, SEEK_END));
	say("lseek -1", lseek(fd, -1, SEEK_SET));
	say("lseek 0", lseek(fd, 0, SEEK_SET));
}

static void for_writing(void)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0) {
		say("open for writing", fd);
		return;
	}
	say("write of nothing", write(fd, "", 0));
	say("write from nowhere", write(fd, nowhere, 1));
	say("write of a lot", write(fd, many, MANY));
	say("write of a page", write(fd, many, 4096));
	seek(fd);
	say("write at a place", pwrite(fd, "\1\1\1", 3, 7));
	say("ftruncate", ftruncate(fd, 0));
	say_poll(fd);
	say("read", read(fd, many, 0));
	close(fd);
}

static void for_reading(void)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK);
	char few[7];
	long n;

	if (fd < 0) {
		say("open for reading", fd);
		return;
	}
	say_poll(fd);
	say("read of nothing", read(fd, few, 0));
	seek(fd);
	say("ioctl", ioctl(fd, 0x1234));
	say("write", write(fd, "1", 1));
	while ((n = read(fd, few, sizeof(few))) > 0)
		;
	say("read at the end", n);
	close(fd);
}

static void otherwise(const char *what, int flags)
{
	int fd = open(name, flags, 0600);

	say(what, fd < 0 ? fd : 0);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	many = malloc(MANY);
	if (!many)
		return 2;
	memset(many, 'x', MANY);
	while (--argc) {
		name = *++argv;
		for_writing();
		for_reading();
		otherwise("append", O_RDWR | O_APPEND);
		otherwise("create", O_WRONLY | O_CREAT | O_EXCL);
		otherwise("directory", O_RDONLY | O_DIRECTORY);
		say("truncate", truncate(name, 0));
	}
	return 0;
}
