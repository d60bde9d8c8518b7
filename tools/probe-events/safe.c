// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * safe.c - texts that others have chosen, on a terminal.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "safe.h"
#include "utf8.h"

size_t safe_length(const char *text)
{
	unsigned int code;
	size_t len = utf8_read(text, &code);

	return len && !utf8_hidden(code) ? len : 0;
}

bool safe_for(const char *text, FILE *out)
{
	return safe_length(text) || !isatty(fileno(out));
}

char *safe_text(const char *text)
{
	char *copy = malloc(4 * strlen(text) + 1), *to = copy;

	while (copy && *text) {
		size_t len = safe_length(text);

		if (len)
			to = mempcpy(to, text, len);
		else
			to += sprintf(to, "\\x%02x", (unsigned char)*text);
		text += len ?: 1;
	}
	if (copy)
		*to = '\0';
	return copy;
}

void put_safe(const char *text, int width, FILE *out)
{
	int is = 0;

	while (*text) {
		size_t len = safe_length(text);

		if (len)
			is += (fwrite(text, 1, len, out), 1);
		else
			is += fprintf(out, "\\x%02x", (unsigned char)*text);
		text += len ?: 1;
	}
	fprintf(out, "%*s", width > is ? width - is : 0, "");
}
