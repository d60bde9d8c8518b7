// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <string.h>
#include "expect.h"
#include "mounts.h"

static const char table[] =
	"sysfs /sys sysfs rw,nosuid 0 0\n"
	"tracefs /sys/kernel/tracing tracefs rw 0 0\n"
	"debugfs /sys/kernel/debug debugfs rw 0 0\n"
	"tracefs /mnt/xtracefs xtracefs rw 0 0\n"
	"a\\040b /mnt/with\\040blank\\134and\\011tab tracefs rw 0 0\n"
	"tracefs /sys/kernel/tracing tracefs rw 0 0\n"
	"probefs /sys/kernel/probes probefs rw 0 0\n";

static void test_next(void)
{
	const char *pos = table;
	char dir[64];

	EXPECT(mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!strcmp(dir, "/sys/kernel/tracing"));
	EXPECT(mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!strcmp(dir, "/mnt/with blank\\and\ttab"));
	EXPECT(mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!strcmp(dir, "/sys/kernel/tracing"));
	EXPECT(!mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!*pos);
}

/* A buffer one byte too small, and one just large enough; a long mount does not hide the next. */
static void test_size(void)
{
	char dir[5], longer[6];
	const char *pos = "n /abcd tracefs rw 0 0\nn /abc tracefs rw 0 0";

	EXPECT(mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	EXPECT(!strcmp(dir, "/abc"));
	EXPECT(!mounts_next(&pos, "tracefs", dir, sizeof(dir)));
	pos = "n /abcd tracefs rw 0 0\n";
	EXPECT(mounts_next(&pos, "tracefs", longer, sizeof(longer)));
	EXPECT(!strcmp(longer, "/abcd"));
	pos = "n /abcd tracefs rw 0 0\n";
	EXPECT(!mounts_next(&pos, "tracefs", dir, 0));
}

static void test_odd(void)
{
	static const char *const none[] = {
		"", "\n", "\n\n\n", " ", "a", "a b", "a b\n", "tracefs tracefs\n", "a b c d e f",
		"a\nb tracefs\ntracefs tracefs debugfs\n", "n /d tracefsx", "n /d tracef", NULL
	};
	char dir[64];
	const char *const *text;

	for (text = none; *text; text++) {
		const char *pos = *text;

		EXPECT(!mounts_next(&pos, "tracefs", dir, sizeof(dir)));
		EXPECT(!*pos);
	}
	EXPECT(mounts_has("n /a\\04 tracefs", "tracefs", "/a\\04"));
	EXPECT(mounts_has("n /a\\0489 tracefs", "tracefs", "/a\\0489"));
	EXPECT(mounts_has("n /a\\043 tracefs", "tracefs", "/a#"));
	EXPECT(mounts_has("n /a\\ tracefs", "tracefs", "/a\\"));
}

static void test_has(void)
{
	EXPECT(mounts_has(table, "tracefs", "/sys/kernel/tracing"));
	EXPECT(mounts_has(table, "debugfs", "/sys/kernel/debug"));
	EXPECT(!mounts_has(table, "tracefs", "/sys/kernel/debug"));
	EXPECT(!mounts_has(table, "tracefs", "/sys/kernel/trac"));
	EXPECT(!mounts_has(table, "tracefs", "/mnt/xtracefs"));
}

static void test_filesystems(void)
{
	static const char text[] = "nodev\tsysfs\nnodev\ttracefs\n\text4\nnodev\tprobefs\n";

	EXPECT(filesystems_has(text, "sysfs"));
	EXPECT(filesystems_has(text, "tracefs"));
	EXPECT(filesystems_has(text, "ext4"));
	EXPECT(filesystems_has(text, "probefs"));
	EXPECT(!filesystems_has(text, "nodev"));
	EXPECT(!filesystems_has(text, "trace"));
	EXPECT(!filesystems_has(text, "robefs"));
	EXPECT(!filesystems_has("", "tracefs"));
	EXPECT(filesystems_has("tracefs", "tracefs"));
}

int main(void)
{
	test_next();
	test_size();
	test_odd();
	test_has();
	test_filesystems();
	return failed;
}
