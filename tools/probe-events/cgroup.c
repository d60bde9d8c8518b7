// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * cgroup.c - option -G: which cgroup is meant.
 */
#define _GNU_SOURCE
#include <linux/magic.h>
#include <bpf/btf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "cgroup.h"
#include "mounts.h"
#include "nearest.h"
#include "prototypes.h"
#include "report.h"
#include "safe.h"
#include "text.h"
#include "verb.h"

#define ROOT_ID 1	/* of the hierarchy: in each, its first directory */

/* ---- which name may have been meant ---- */

/* The directories in a directory, a line each, as far as they can be shown; for free(). */
static char *list_below(const char *dir)
{
	char *text = NULL;
	size_t size, i, len;
	DIR *d = opendir(dir);
	FILE *out = open_memstream(&text, &size);
	struct dirent *entry;

	while (d && out && (entry = readdir(d))) {
		for (i = 0; (len = entry->d_name[i] ? safe_length(entry->d_name + i) : 0); i += len)
			;
		if (entry->d_type == DT_DIR && *entry->d_name != '.' && !entry->d_name[i])
			fprintf(out, "%s\n", entry->d_name);
	}
	if (d)
		closedir(d);
	if (out)
		fclose(out);
	return text;
}

/* The first directory of a path that is not there decides. */
static int complain_of_path(const char *name, const char *path)
{
	char dir[2 * PATH_MAX], *slash, *names;
	const char *part, *near;
	size_t len, found = 0;
	struct stat st;

	snprintf(dir, sizeof(dir), "%s", path);
	do {
		slash = strrchr(dir, '/');
		*slash = '\0';
	} while (slash > dir && stat(dir, &st));
	part = path + (slash - dir) + 1;
	len = strcspn(part, "/");
	names = list_below(*dir ? dir : "/");
	near = names ? nearest_name(part, len, names, &found) : NULL;
	if (near)
		complain_at(name, "no such cgroup: %s (meant: %s/%.*s?)", name, dir, (int)found,
			    near);
	else
		complain_at(name, "no such cgroup: %s (%s has no %.*s)", name, *dir ? dir : "/",
			    (int)len, part);
	free(names);
	return -1;
}

/* ---- which one it is ---- */

static const char partial[] =
	"this mount does not show the root of all cgroups (cgroup namespace?); -G counts from it";

static const char unmounted[] =
	"-G needs cgroup2, which is not mounted: mount -t cgroup2 none /mnt (not version 1)";

/* Levels are counted from the hierarchy's root, which a mount need not show. */
static int count_levels(int dir, const char *path, unsigned int *level)
{
	struct stat at, above;
	int fd = dir, up;

	for (*level = 0; !fstat(fd, &at) && at.st_ino != ROOT_ID; ++*level) {
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd != dir)
			close(fd);
		fd = up;
		if (fd < 0)
			return complain("%s: %s", path, strerror(errno));
		if (!fstat(fd, &above) &&
		    (above.st_dev != at.st_dev || above.st_ino == at.st_ino)) {
			close(fd);
			return complain("%s: %s", path, partial);
		}
	}
	if (fd != dir)
		close(fd);
	return 0;
}

/* Does this kernel keep them in a cgroup?  Without type data to tell, the modules refuse. */
static bool keeps_ids(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool keeps = prototypes_struct_has(btf, "cgroup", "ancestor_ids");

	btf__free(btf);
	return keeps;
}

static int take(struct request *r, int dir, const char *path)
{
	struct statfs fs;
	struct stat st;

	if (fstatfs(dir, &fs) || fstat(dir, &st))
		return complain("%s: %s", path, strerror(errno));
	if (fs.f_type == CGROUP_SUPER_MAGIC)
		return complain("%s is a cgroup of version 1: -G knows those of cgroup2", path);
	if (fs.f_type != CGROUP2_SUPER_MAGIC)
		return complain("%s is no cgroup: it is not in a file system of the type cgroup2",
				path);
	r->in.id = st.st_ino;
	r->in.by_ids = keeps_ids();
	return count_levels(dir, path, &r->in.level);
}

/* Where cgroup2 is mounted: at its usual place, if it is there, too. */
static int find_mount(char *dir, size_t size)
{
	static const char usual[] = "/sys/fs/cgroup";
	char *mounts = read_text("/proc/self/mounts");
	const char *pos = mounts;
	bool found;

	if (!mounts)
		return -1;
	if (mounts_has(mounts, "cgroup2", usual))
		found = snprintf(dir, size, "%s", usual);
	else
		found = mounts_next(&pos, "cgroup2", dir, size);
	free(mounts);
	return found ? 0 : complain("%s", unmounted);
}

/* As /sys/fs/cgroup has it, and /proc/PID/cgroup; or a whole path. */
static int find(struct request *r)
{
	char mount[PATH_MAX], path[2 * PATH_MAX];
	int dir = *r->cgroup == '/' ? open(r->cgroup, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	const char *name = r->cgroup + strspn(r->cgroup, "/");
	size_t len;
	int ret;

	snprintf(path, sizeof(path), "%s", r->cgroup);
	if (dir < 0 || !*name) {
		if (dir >= 0)
			close(dir);
		if (find_mount(mount, sizeof(mount)))
			return -1;
		len = strlen(mount);
		if (!strncmp(r->cgroup, mount, len) && r->cgroup[len] == '/')
			name = r->cgroup + len + 1;
		snprintf(path, sizeof(path), "%s/%s", mount, name);
		for (len = strlen(path); len > 1 && path[len - 1] == '/'; len--)
			path[len - 1] = '\0';
		dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	if (dir < 0)
		return errno == ENOENT ? complain_of_path(r->cgroup, path) :
		       complain("%s: %s", path, strerror(errno));
	r->in.path = realpath(path, NULL);
	ret = take(r, dir, path);
	close(dir);
	return ret;
}

int cgroup_prepare(struct request *r)
{
	return r->cgroup && find(r) ? PE_EXIT_MISSING : 0;
}

void cgroup_end(struct request *r)
{
	struct stat st;

	if (r->in.path && !r->quiet && (stat(r->in.path, &st) || st.st_ino != r->in.id))
		fprintf(stderr, "probe-events: the cgroup %s has been removed meanwhile\n",
			r->cgroup);
	free(r->in.path);
	r->in.path = NULL;
}
