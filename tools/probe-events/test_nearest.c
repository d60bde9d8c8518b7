// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <string.h>
#include "nearest.h"

static int failed;

static void check(const char *wanted, const char *names, const char *nearest)
{
	size_t len = 0;
	const char *found = nearest_name(wanted, strlen(wanted), names, &len);

	if (!found == !nearest && (!found || (len == strlen(nearest) &&
					      !memcmp(found, nearest, len))))
		return;
	printf("%s: got %.*s, wanted %s\n", wanted, found ? (int)len : 4, found ?: "none",
	       nearest ?: "none");
	failed = 1;
}

int main(void)
{
	static const char slices[] = "init.scope\nsystem.slice\nuser.slice\nsystem-x.slice\n";
	char longest[600];

	check("system.slcie", slices, "system.slice");
	check("ystem.slice", slices, "system.slice");
	check("user", slices, "user.slice");
	check("system", slices, "system.slice");
	check("machine.slice", slices, NULL);
	check("system.slice", "", NULL);
	check("a", "b\n", "b");
	check("ab", "cd\n", NULL);
	check("", slices, NULL);
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	check(longest, slices, NULL);
	check("aaa", longest, NULL);
	return failed;
}
