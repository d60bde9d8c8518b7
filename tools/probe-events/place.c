// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * place.c - our files at /sys/kernel/tracing, in a mount namespace of our own.
 *
 * Tools take the first mount of type tracefs that /proc/mounts lists, and open
 * whatever is at that path.  Without such a mount they make one.  So where the
 * kernel has a tracefs, it stays mounted, and our files cover it everywhere.  On a
 * kernel without one, tracefs is our own type and only has to be mounted.
 */
#define _GNU_SOURCE
#include <linux/magic.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "mirror.h"
#include "mounts.h"
#include "place.h"
#include "report.h"
#include "text.h"

#define PROBES "/sys/kernel/probes"
#define DEBUG "/sys/kernel/debug"
#define FLAGS (MS_NOSUID | MS_NODEV | MS_NOEXEC)
#define MODULE "/sys/module/probe_events"

static const char hint[] = "load it with: modprobe probe_events";

/* The type of our file system on this kernel; NULL after a message. */
static const char *our_type(void)
{
	char *text = read_text("/proc/filesystems");
	const char *type = NULL;

	if (!text)
		return NULL;
	if (filesystems_has(text, "probefs"))
		type = "probefs";
	else if (filesystems_has(text, "tracefs") && !access(MODULE, F_OK))
		type = "tracefs";
	else
		complain("the module probe_events is not loaded; %s", hint);
	free(text);
	return type;
}

static int enter_namespace(void)
{
	if (unshare(CLONE_NEWNS))
		return complain("cannot make a mount namespace: %s%s", strerror(errno),
				errno == EPERM ? " (are you root?)" : "");
	/* Slave: our mounts are not seen outside, and a disk unmounted outside is not held here. */
	if (!mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		return 0;
	if (errno == EINVAL)	/* our mounts would be seen outside */
		return complain("/ is not a mount point; "
				"in a chroot, before chroot: mount --bind DIR DIR");
	return complain("cannot detach the mounts under / from the system's: %s",
			strerror(errno));
}

/* EBUSY: this very file system is already on top there. */
static int mount_at(const char *type, const char *dir)
{
	if (mount(type, dir, type, FLAGS, NULL) && errno != EBUSY)
		return complain("cannot mount %s at %s: %s", type, dir, strerror(errno));
	return 0;
}

static int mount_unless_there(const char *type, const char *dir)
{
	char *mounts = read_text("/proc/self/mounts");
	bool there;

	if (!mounts)
		return -1;
	there = mounts_has(mounts, type, dir);
	free(mounts);
	return there ? 0 : mount_at(type, dir);
}

/*
 * Older tools know tracefs by its place in debugfs, where it mounts itself when
 * it is visited.  A debugfs that cannot be mounted or visited cannot mislead a tool.
 */
static int visit_debugfs(void)
{
	char *mounts, dir[PATH_MAX], inside[PATH_MAX + 16];
	const char *pos;
	struct stat st;

	mounts = read_text("/proc/self/mounts");
	if (!mounts)
		return -1;
	pos = mounts;
	if (!mounts_next(&pos, "debugfs", dir, sizeof(dir)))
		mount("debugfs", DEBUG, "debugfs", FLAGS, NULL);
	else
		do {
			snprintf(inside, sizeof(inside), "%s/tracing/.", dir);
			(void)stat(inside, &st);
		} while (mounts_next(&pos, "debugfs", dir, sizeof(dir)));
	free(mounts);
	(void)stat(DEBUG "/tracing/.", &st);
	return 0;
}

/* Is there a mount of this type at dir in the part of the text before end? */
static bool listed_before(const char *mounts, const char *end, const char *type, const char *dir)
{
	char found[PATH_MAX];

	while (mounts_next(&mounts, type, found, sizeof(found)) && mounts < end)
		if (!strcmp(found, dir))
			return true;
	return false;
}

/*
 * A mount point that another mount hides from us is hidden from the tools, too.  If a single
 * file of a tracefs is mounted somewhere, no tool takes it for a directory.
 */
static int cover_all(const char *type)
{
	char *mounts = read_text("/proc/self/mounts"), dir[PATH_MAX];
	const char *pos;
	struct stat st;
	int ret = 0;

	if (!mounts)
		return -1;
	for (pos = mounts; !ret && mounts_next(&pos, "tracefs", dir, sizeof(dir));)
		if (!listed_before(mounts, pos, "tracefs", dir) && !stat(dir, &st) &&
		    S_ISDIR(st.st_mode))
			ret = mount_at(type, dir);
	free(mounts);
	return ret;
}

/* Our working directory may be in the kernel's tracefs, where we would still see its files. */
static int enter_again(void)
{
	struct statfs fs;
	char *cwd;
	int ret;

	if (statfs(".", &fs) || fs.f_type != TRACEFS_MAGIC)
		return 0;
	cwd = getcwd(NULL, 0);
	ret = cwd ? chdir(cwd) : -1;
	if (ret)
		complain("our files have no directory %s: %s", cwd ? cwd : ".", strerror(errno));
	free(cwd);
	return ret;
}

const char *place_of_files(void)
{
	const char *type = our_type(), *dir;
	char *mounts = type ? read_text("/proc/self/mounts") : NULL;

	if (!mounts)
		return NULL;
	dir = strcmp(type, "tracefs") ? PROBES : TRACING;
	if (!mounts_has(mounts, type, dir)) {
		complain("the files of the module are not at %s: mount -t %s %s %s",
			 dir, type, type, dir);
		dir = NULL;
	}
	free(mounts);
	return dir;
}

int place_mirrors(void)
{
	const char *type = our_type();

	if (!type)
		return -1;
	if (!strcmp(type, "tracefs"))
		return complain("this kernel has no tracing, so there are no mirrors");
	if (enter_namespace() || mount_unless_there(type, PROBES) || mount_at("tracefs", TRACING))
		return -1;
	return make_mirrors(PROBES);
}

int place_files(void)
{
	const char *type = our_type();

	if (!type || enter_namespace() || mount_unless_there("tracefs", TRACING))
		return -1;
	if (strcmp(type, "tracefs") && (visit_debugfs() || cover_all(type)))
		return -1;
	return enter_again();
}
