// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grid.h"
#include "live.h"
#include "paint.h"

static int failed;

static void is(const char *what, const char *wanted, const char *got)
{
	if (!strcmp(wanted, got))
		return;
	printf("%s: wanted\n%s\ngot\n%s\n", what, wanted, got);
	failed = 1;
}

/* A table with a name that has sequences of its own, and bars. */
static char *table(size_t width, FILE *answer)
{
	struct grid g = {};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	grid_column(&g, "NAME", true);
	grid_column(&g, "N", false);
	grid_column(&g, "", true);
	g.colours[2] = PAINT_BAR;
	grid_cell(&g, "a\033[31m");
	grid_cell(&g, "1");
	grid_cell(&g, "##");
	grid_cell(&g, "bb");
	grid_cell(&g, "22");
	grid_cell(&g, "");
	paint_answer(answer);
	grid_print(&g, width, out);
	paint_answer(NULL);
	grid_free(&g);
	fclose(out);
	return text;
}

static void words(const char *a, const char *b)
{
	char *argv[] = { "probe-events", "count", (char *)a, (char *)b, "x", NULL };

	paint_words(5, argv);
}

static void test_tables(void)
{
	static const char plain[] = "NAME        N\na\\x1b[31m   1  ##\nbb         22\n";
	char *text;

	words("--color", "never");
	text = table(0, stdout);
	is("never", plain, text);
	free(text);
	words("--color", "always");
	text = table(0, stdout);
	is("always", "NAME        N\na\\x1b[31m   1  \033[34m##\033[0m\nbb         22\n", text);
	free(text);
	text = table(0, NULL);
	is("not for people", plain, text);
	free(text);
	words("--", "--color");
	words("--color", "auto");
	text = table(0, tmpfile());
	is("auto, in a file", plain, text);
	free(text);
}

static void test_cut(void)
{
	static const char line[] = "ab\033[34m####\033[0m cd\n";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	live_cut(line, 4, 9, out);
	live_cut(line, 6, 9, out);
	live_cut(line, 90, 9, out);
	live_cut("abcd\n", 2, 9, out);
	fclose(out);
	is("lines that are cut", "ab\033[34m##\033[0m\nab\033[34m####\033[0m\033[0m\n"
	   "ab\033[34m####\033[0m cd\nab\n", text);
	free(text);
}

int main(void)
{
	test_tables();
	test_cut();
	return failed;
}
