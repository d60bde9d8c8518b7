// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * dat_out.c - records as trace-cmd has them: trace.dat, made by trace-cmd itself.
 *
 * libtracecmd has no public way to write a file.  But `trace-cmd restore` makes one of pages that
 * were read from buffers, and of the formats in a directory that is laid out as tracefs is:
 *
 *	trace-cmd restore -c -t DIRECTORY -o HEAD
 *	trace-cmd restore -i HEAD -o FILE CPU0 CPU1...
 *
 * Of our files only those that the session's records need are in the directory, as links.  Pages
 * and head are in files that have no name, so they are gone when this program is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dat_out.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#define FD_PATH 32	/* /proc/self/fd/N */

/* Where programs are looked for, as execvp() does. */
static bool is_program(const char *name)
{
	const char *dirs = getenv("PATH"), *at = dirs ? dirs : "/usr/sbin:/usr/bin:/sbin:/bin";
	char path[PATH_MAX];
	bool found = false;
	size_t len;

	for (; !found && at; at = at[len] ? at + len + 1 : NULL) {
		len = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)len, len ? at : ".", name);
		found = !access(path, X_OK);
	}
	return found;
}

/* A file beside @path, where there is room for what becomes @path. */
static int unnamed_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[PATH_MAX];
	int fd;

	snprintf(name, sizeof(name), "%.*s.probe-events-XXXXXX",
		 slash ? (int)(slash - path) + 1 : 0, path);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return complain("%s: %s", name, strerror(errno));
	unlink(name);
	return fd;
}

int dat_out_needs(void)
{
	return is_program("trace-cmd") ? 0 :
	       complain("-f dat needs trace-cmd: apt-get install trace-cmd");
}

int dat_out_begin(struct dat_out *d, const char *path)
{
	int nr = sysconf(_SC_NPROCESSORS_CONF);

	if (dat_out_needs())
		return -1;
	d->path = path;
	d->cpus = calloc(nr, sizeof(*d->cpus));
	if (!d->cpus)
		return complain("no memory");
	for (; d->nr_cpus < nr; d->nr_cpus++) {
		d->cpus[d->nr_cpus] = unnamed_file(path);
		if (d->cpus[d->nr_cpus] < 0)
			return -1;
	}
	return 0;
}

int dat_out_page(void *ctx, int cpu, const void *page, size_t size)
{
	struct dat_out *d = ctx;
	ssize_t len;

	for (; size; page = (const char *)page + len, size -= len) {
		len = write(d->cpus[cpu], page, size);
		if (len < 0)
			return complain("%s: %s", d->path, strerror(errno));
	}
	return 0;
}

/* ---- the directory ---- */

/* Task names are copied: they must not change while trace-cmd reads them. */
static int copy_names(const char *dir, const struct session *s)
{
	char path[PATH_MAX], *text;
	FILE *out;
	int err;

	snprintf(path, sizeof(path), "%s/saved_cmdlines", s->dir);
	text = read_text(path);
	if (!text)
		return -1;
	snprintf(path, sizeof(path), "%s/saved_cmdlines", dir);
	out = fopen(path, "wxe");
	err = !out || (fputs(text, out) < 0) | fclose(out);
	free(text);
	return err ? complain("%s: %s", path, strerror(errno)) : 0;
}

/* What is in it: links to files of the session's, and the names of tasks. */
static int fill(const char *dir, const struct session *s, const char *const *events)
{
	char name[PATH_MAX], target[PATH_MAX];

	snprintf(name, sizeof(name), "%s/events", dir);
	if (mkdir(name, 0700))
		return complain("%s: %s", name, strerror(errno));
	for (; *events; events++) {
		snprintf(name, sizeof(name), "%s/events/%s", dir, *events);
		snprintf(target, sizeof(target), "%s/events/%s", s->dir, *events);
		if (symlink(target, name))
			return complain("%s: %s", name, strerror(errno));
	}
	return copy_names(dir, s);
}

static void remove_all(const char *dir, const char *const *events)
{
	char name[PATH_MAX];

	for (; *events; events++) {
		snprintf(name, sizeof(name), "%s/events/%s", dir, *events);
		unlink(name);
	}
	snprintf(name, sizeof(name), "%s/events", dir);
	rmdir(name);
	snprintf(name, sizeof(name), "%s/saved_cmdlines", dir);
	unlink(name);
	rmdir(dir);
}

/* ---- trace-cmd ---- */

/* Its words, without the last of the messages that are no error. */
static void tell_words(int said)
{
	char text[512] = "", *line, *rest, *last = NULL;

	if (pread(said, text, sizeof(text) - 1, 0) > 0)
		for (line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			last = line + strspn(line, " ");
	complain("trace-cmd restore: %s", last ?: "it fails without a word");
}

/* With all the files that are open here: it gets some of them by number. */
static void become(const struct dat_out *d, int head, int said, char **words)
{
	int cpu;

	for (cpu = 0; cpu < d->nr_cpus; cpu++)
		fcntl(d->cpus[cpu], F_SETFD, 0);
	fcntl(head, F_SETFD, 0);
	dup2(said, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	execvp(words[0], words);
	dprintf(STDERR_FILENO, "%s\n", strerror(errno));
	_exit(127);
}

static int run(const struct dat_out *d, int head, char **words)
{
	int said = memfd_create("said", MFD_CLOEXEC), status = -1;
	pid_t pid = said < 0 ? -1 : fork();

	if (pid < 0) {
		complain("trace-cmd: %s", strerror(errno));
	} else if (!pid) {
		become(d, head, said, words);
	} else {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (status)
			tell_words(said);
	}
	if (said >= 0)
		close(said);
	return status ? -1 : 0;
}

/* The head: formats, symbols, names of tasks. */
static int make_head(const struct dat_out *d, const struct session *s, char *head_path, int head)
{
	const char * const events[] = { "header_page", "header_event", "ftrace", s->group, NULL };
	char dir[] = "/tmp/probe-events-XXXXXX";
	char *words[8] = { "trace-cmd", "restore", "-c", "-t", dir, "-o", head_path, NULL };
	int ret;

	if (!mkdtemp(dir))
		return complain("%s: %s", dir, strerror(errno));
	ret = fill(dir, s, events) || run(d, head, words) ? -1 : 0;
	remove_all(dir, events);
	return ret;
}

/* The head and the pages. */
static int join(const struct dat_out *d, char *head_path, int head)
{
	char (*paths)[FD_PATH] = calloc(d->nr_cpus, sizeof(*paths));
	char **words = calloc(d->nr_cpus + 7, sizeof(*words));
	char *first[6] = { "trace-cmd", "restore", "-i", head_path, "-o", (char *)d->path };
	int cpu, ret = paths && words ? 0 : complain("no memory");

	if (!ret) {
		memcpy(words, first, sizeof(first));
		for (cpu = 0; cpu < d->nr_cpus; cpu++) {
			snprintf(paths[cpu], FD_PATH, "/proc/self/fd/%d", d->cpus[cpu]);
			words[6 + cpu] = paths[cpu];
		}
		ret = run(d, head, words);
	}
	free(words);
	free(paths);
	return ret;
}

int dat_out_end(const struct dat_out *d, const struct session *s)
{
	char head_path[FD_PATH];
	int head = unnamed_file(d->path), ret;

	if (head < 0)
		return -1;
	snprintf(head_path, sizeof(head_path), "/proc/self/fd/%d", head);
	progress_begin("writing");
	ret = make_head(d, s, head_path, head) || join(d, head_path, head) ? -1 : 0;
	progress_end();
	close(head);
	return ret;
}

void dat_out_free(struct dat_out *d)
{
	while (d->nr_cpus)
		close(d->cpus[--d->nr_cpus]);
	free(d->cpus);
}

/* ---- a snapshot ---- */

/* A sub-buffer of the session's instance is a page: its size has not been changed. */
static int copy_cpu(struct dat_out *d, const struct session *s, int cpu)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	char path[PATH_MAX], *page = malloc(size);
	ssize_t len = 0;
	int fd, ret = page ? 0 : complain("no memory");

	snprintf(path, sizeof(path), "%s/instances/%s/per_cpu/cpu%d/snapshot_raw", s->dir,
		 s->group, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)	/* else there is no such CPU */
		ret = complain("%s: %s", path, strerror(errno));
	while (!ret && fd >= 0 && (len = read(fd, page, size)) > 0) {
		memset(page + len, 0, size - len);
		ret = dat_out_page(d, cpu, page, size);
	}
	if (len < 0 && errno != EAGAIN)
		ret = complain("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(page);
	return ret;
}

int dat_out_snapshot(const char *path, const struct session *s)
{
	struct dat_out d = {};
	int cpu, ret = dat_out_begin(&d, path);

	for (cpu = 0; !ret && cpu < d.nr_cpus; cpu++)
		ret = copy_cpu(&d, s, cpu);
	if (!ret)
		ret = dat_out_end(&d, s);
	dat_out_free(&d);
	return ret;
}
