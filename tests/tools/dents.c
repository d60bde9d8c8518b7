// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * dents - list a directory as the kernel gives it, and check what programs rely on.
 *
 *   dents DIR		"N names, D directories"
 *
 * Fails if a name or a position comes twice, a position or an inode number does not
 * fit a 32-bit program, a number is not that of stat(), or reading on from a
 * position that was given does not begin with the name that followed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Large enough for the longest name; so small that listings take many calls. */
#define ROOM	512

struct dent {
	uint64_t ino;
	int64_t off;			/* of what follows */
	unsigned short reclen;
	unsigned char type;
	char name[];
};

struct seen {
	char *name;
	uint64_t ino;
	int64_t off;
	unsigned char type;
};

static struct seen *all;
static size_t nr, room;

static ssize_t get(int fd, void *buf)
{
	ssize_t len = syscall(SYS_getdents64, fd, buf, ROOM);

	if (len < 0)
		err(1, "getdents64");
	return len;
}

static void add(const struct dent *d)
{
	if (nr == room) {
		room = room ? 2 * room : 1024;
		all = realloc(all, room * sizeof(*all));
		if (!all)
			err(1, "memory");
	}
	all[nr++] = (struct seen){ strdup(d->name), d->ino, d->off, d->type };
}

static void list(int fd)
{
	char buf[ROOM] __attribute__((aligned(8)));
	ssize_t len, at;

	while ((len = get(fd, buf)) > 0) {
		for (at = 0; at < len; at += ((struct dent *)(buf + at))->reclen)
			add((struct dent *)(buf + at));
	}
}

static void check_one(int fd, const struct seen *s)
{
	bool is_dir = s->type == DT_DIR;
	struct stat st;

	if (s->off < 0 || s->off > INT32_MAX)
		errx(1, "%s: the next position is %lld", s->name, (long long)s->off);
	if (!s->ino || s->ino > UINT32_MAX)
		errx(1, "%s: inode number %llu", s->name, (unsigned long long)s->ino);
	if (!strcmp(s->name, "..") || !strcmp(s->name, "."))
		return;
	if (fstatat(fd, s->name, &st, AT_SYMLINK_NOFOLLOW))
		err(1, "%s", s->name);
	if (st.st_ino != s->ino)
		errx(1, "%s: number %llu, listed with %llu", s->name,
		     (unsigned long long)st.st_ino, (unsigned long long)s->ino);
	if (S_ISDIR(st.st_mode) != is_dir)
		errx(1, "%s: listed as type %d", s->name, s->type);
}

/* From the position after all[i], the next name is that of all[i + 1]. */
static void check_seek(int fd, size_t i)
{
	char buf[ROOM] __attribute__((aligned(8)));
	const struct dent *d = (struct dent *)buf;
	ssize_t len;

	if (lseek(fd, all[i].off, SEEK_SET) != all[i].off)
		err(1, "lseek to %lld", (long long)all[i].off);
	len = get(fd, buf);
	if (i + 1 == nr ? len != 0 : !len || strcmp(d->name, all[i + 1].name))
		errx(1, "after %s at %lld: '%s'", all[i].name, (long long)all[i].off,
		     len ? d->name : "");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct seen *)a)->name, ((const struct seen *)b)->name);
}

static int by_off(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->off > y->off) - (x->off < y->off);
}

int main(int argc, char **argv)
{
	size_t i, dirs = 0;
	int fd;

	if (argc != 2)
		errx(2, "usage: dents DIR");
	fd = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		err(1, "%s", argv[1]);
	list(fd);
	for (i = 0; i < nr; i++) {
		check_one(fd, &all[i]);
		dirs += all[i].type == DT_DIR;
	}
	for (i = 0; i < nr; i += 1 + nr / 200)
		check_seek(fd, i);
	check_seek(fd, nr - 1);
	qsort(all, nr, sizeof(*all), by_off);
	for (i = 1; i < nr; i++)
		if (all[i].off == all[i - 1].off)
			errx(1, "%s and %s: the same position", all[i - 1].name, all[i].name);
	qsort(all, nr, sizeof(*all), by_name);
	for (i = 1; i < nr; i++)
		if (!strcmp(all[i].name, all[i - 1].name))
			errx(1, "%s comes twice", all[i].name);
	printf("%zu names, %zu directories\n", nr - 2, dirs - 2);
	return 0;
}
