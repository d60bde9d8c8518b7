// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "match.h"

static int failed;

/* ret is -2, count 4096, big above 63 bits and a text, comm "mysqld"; there is nothing else. */
static bool field(void *ctx, const char *name, struct field *value)
{
	(void)ctx;
	*value = (struct field){};
	if (!strcmp(name, "ret"))
		value->number = -2;
	else if (!strcmp(name, "count"))
		value->number = 4096;
	else if (!strcmp(name, "big"))
		value->text = "18446744073709551615";
	else if (!strcmp(name, "comm"))
		value->text = "mysqld";
	else
		return false;
	return true;
}

/* A filter, its words separated by blanks: '1' it passes, '0' not, or what is wrong with it. */
static void check(const char *filter, const char *wanted)
{
	char *copy = strdup(filter), *rest = copy;
	const char *words[64], *wrong, *got;
	size_t nr = 0;

	while (*filter && (words[nr] = strsep(&rest, " ")))
		nr++;
	wrong = match_check(words, nr);
	got = wrong ?: match(words, nr, field, NULL) ? "1" : "0";
	if (wrong ? !strstr(wrong, wanted) : strcmp(got, wanted)) {
		printf("if %s: got '%s', wanted '%s'\n", filter, got, wanted);
		failed = 1;
	}
	free(copy);
}

int main(void)
{
	check("", "1");
	check("ret lt 0", "1");
	check("ret ge -2", "1");
	check("ret gt -2", "0");
	check("ret == 0xfffffffffffffffe", "0");
	check("count eq 0x1000", "1");
	check("count & 4096", "1");
	check("count & 1", "0");
	check("big eq 18446744073709551615", "1");
	check("big gt 9223372036854775807", "1");
	check("comm eq mysqld", "1");
	check("comm ne mysqld", "0");
	check("comm has sql", "1");
	check("comm ~ my*", "1");
	check("comm ~ sql", "0");
	check("comm lt z", "0");
	check("ret eq abc", "0");
	check("nothing eq 1", "0");
	check("ret eq ENOENT", "1");
	check("ret ne -enoent", "0");
	check("ret eq EACCES", "0");
	check("count eq ENOENT", "0");
	check("comm eq ENOENT", "0");
	check("not nothing eq 1", "1");
	check("not ret lt 0 or comm eq mysqld", "1");
	/* "and" binds stronger; "not" strongest */
	check("ret eq 5 and ret eq 6 or comm eq mysqld", "1");
	check("ret eq 5 and ( ret eq 6 or comm eq mysqld )", "0");
	check("not ( ret eq 5 or ret eq 6 )", "1");
	check("ret", "FIELD lt|le");
	check("ret is 5", "FIELD lt|le");
	check("( ret lt 0", "a ) is missing");
	check("ret lt 0 comm eq a", "joined by and, or");
	check("ret lt 0 )", "joined by and, or");
	check("ret lt 0 and", "FIELD lt|le");
	check("! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ret lt 0", "nested too deep");
	return failed;
}
