// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * paint.c - colours: what is lost is red, what is well is green, bars are blue.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "paint.h"

static const char * const sequences[] = { "\033[0m", "\033[31m", "\033[32m", "\033[34m" };

static const char *when = "auto";
static bool painted;		/* the answer is */

void paint_words(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--color"))
			when = argv[i + 1];
}

/* NO_COLOR counts if it is not empty; a terminal that is not known has no colours. */
bool paint_wanted(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (strcmp(when, "auto"))
		return !strcmp(when, "always");
	return !(no && *no) && term && *term && strcmp(term, "dumb") && isatty(fileno(out));
}

void paint_answer(FILE *out)
{
	painted = out && paint_wanted(out);
}

void paint(enum paint colour, FILE *out)
{
	if (painted)
		fputs(sequences[colour], out);
}

size_t paint_length(const char *text)
{
	size_t i, len;

	for (i = 0; *text == '\033' && i < sizeof(sequences) / sizeof(*sequences); i++) {
		len = strlen(sequences[i]);
		if (!strncmp(text, sequences[i], len))
			return len;
	}
	return 0;
}

const char *paint_sequence(enum paint colour)
{
	return sequences[colour];
}
