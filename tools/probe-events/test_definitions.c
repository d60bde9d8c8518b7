// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/* definitions.c: lines of files of definitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "definitions.h"

static int failed;

static void expect(const char *what, const char *wanted, const char *got)
{
	if (!strcmp(wanted, got))
		return;
	printf("%s: wanted '%s', got '%s'\n", what, wanted, got);
	failed = 1;
}

/* "NAME=LINE;" for each */
static const char *all(const char *file)
{
	static char text[512];
	struct definition def;
	/* An exact copy, so that ASan sees a read after the end. */
	char *copy = strdup(file);
	const char *pos = copy;

	text[0] = '\0';
	while (definition_next(&pos, &def))
		sprintf(text + strlen(text), "%.*s=%.*s;", (int)def.name_len, def.name,
			(int)def.len, def.line);
	free(copy);
	return text;
}

static void test_next(void)
{
	expect("none", "", all(""));
	expect("blank", "", all("\n\n\x20\x20\n\t\n#x\n # t:a/b c\n"));
	expect("one", "a/b=t:a/b c;", all("t:a/b c"));
	expect("lines", "a/b=t:a/b c d=e;g/e=p:g/e f ;", all("t:a/b c d=e\n\n  p:g/e f # t:x/y z\n"));
	expect("no name", "", all("t sched_switch\nt:\nt: x\nx\nt:a/b\nt:a/b\n"));
	expect("the place has a colon", "e=p:e mod:f;", all("p mod:f\np:e mod:f"));
}

static void kernels(const char *wanted, const char *file, const char *release)
{
	const char *pos = file;
	struct definition def;
	char text[64] = "";

	while (definition_next(&pos, &def))
		if (definition_for(&def, release))
			strncat(text, def.name, def.name_len);
	expect(file, wanted, text);
}

static void test_kernels(void)
{
	static const char file[] = ">=6.5 t:a x\n  <6.5 t:b x\nt:c x\n<7 t:d x\n>=5.15.3\tt:e x";

	kernels("acde", file, "6.12.117+deb12-cloud-amd64");
	kernels("acde", file, "6.5.0");
	kernels("bcde", file, "6.4.99");
	kernels("bcd", file, "5.9");
	kernels("ace", file, "7.0-rc1");
	expect("the command alone", "a=t:a x;b=t:b x;", all(">=6.5 t:a x\n<6.5 t:b x"));
	expect("none", "", all("<6.5\n>=\n<\n>=6.5\t\nt:\n< "));
}

static void test_same(void)
{
	const char *pos = "t:a/b c\nt:a/b d\nt:a/bc c\n";
	struct definition a, b, c;

	definition_next(&pos, &a);
	definition_next(&pos, &b);
	definition_next(&pos, &c);
	expect("alternative", "1", definition_same(&a, &b) ? "1" : "0");
	expect("another", "0", definition_same(&a, &c) ? "1" : "0");
}

static void test_listed(void)
{
	static const char list[] = "t:a/b c x=a/d\nr:g/e f\n";

	expect("first", "1", definition_listed(list, "a/b", 3) ? "1" : "0");
	expect("last", "1", definition_listed(list, "g/e h", 3) ? "1" : "0");
	expect("none", "0", definition_listed(list, "a/d", 3) ? "1" : "0");
	expect("a part", "0", definition_listed(list, "a/", 2) ? "1" : "0");
	expect("empty", "0", definition_listed("", "a/b", 3) ? "1" : "0");
}

int main(void)
{
	test_next();
	test_kernels();
	test_same();
	test_listed();
	return failed;
}
