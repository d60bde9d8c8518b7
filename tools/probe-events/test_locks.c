// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_locks.c - names of locks: by their kind, and that of a task's mm.
 */
#include <stdio.h>
#include <string.h>
#include "expect.h"
#include "locks.h"

static const char preset[] =
	"# lock - waits\nverbs lat\nr f lock=$arg1 kind=\\1:u8\nkinds kind rwsem mutex\n";
static const char plain[] = "# lock - waits\nverbs lat\nr f lock=$arg1\n";

static void expect_name(struct locks *l, const struct preset *p, unsigned long long lock,
			unsigned long long mm, const char *wanted)
{
	char text[LOCKS_TEXT];

	locks_print(l, p, lock, mm, text);
	if (strcmp(text, wanted)) {
		fprintf(stderr, "got %s, wanted %s\n", text, wanted);
		failed = 1;
	}
}

int main(void)
{
	/* As if the kernel's types said so, and as if it had no such variables. */
	struct locks known = { .mmap_lock = 0x88, .tried = true, .kallsyms = strdup("") };
	struct locks unknown = { .mmap_lock = -1, .tried = true, .kallsyms = strdup("") };
	unsigned long long mm = 0xffff888001234500;
	struct preset p, none;

	EXPECT(!preset_parse(&p, preset, NULL, 0) && !preset_parse(&none, plain, NULL, 0));
	expect_name(&known, &p, mm + 0x88 + 1, mm, "rwsem mmap_lock");
	expect_name(&known, &p, mm + 0x88 + 2, mm, "mutex mmap_lock");
	expect_name(&known, &none, mm + 0x88, mm, "mmap_lock");
	expect_name(&known, &p, mm + 0x80 + 1, mm, "rwsem 0xffff888001234580");
	expect_name(&known, &p, mm + 0x88 + 1, 0, "rwsem 0xffff888001234588");
	expect_name(&unknown, &p, mm + 0x88 + 1, mm, "rwsem 0xffff888001234588");
	/* A kernel thread has no mm; a kind that the preset does not name has no word. */
	expect_name(&known, &p, 0x88 + 2, 0, "mutex 0x88");
	expect_name(&known, &p, 0x1000 + 3, mm, "0x1000");
	expect_name(&known, &none, 0x1001, mm, "0x1001");
	locks_free(&known);
	locks_free(&unknown);
	preset_free(&p);
	preset_free(&none);
	return failed;
}
