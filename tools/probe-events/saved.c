// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * saved.c - answers that were saved: lines of JSON, or the page that has them.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "progress.h"
#include "report.h"
#include "saved.h"

#define DATA "<pre id=\"data\">"

/* What is not one object, all of it, is no line of ours. */
static struct json_object *parse(struct json_tokener *tokener, const char *line, size_t len)
{
	struct json_object *o;

	json_tokener_reset(tokener);
	o = json_tokener_parse_ex(tokener, line, len);
	if (o && json_tokener_get_error(tokener) == json_tokener_success &&
	    json_tokener_get_parse_end(tokener) == len &&
	    json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}

static int read_line(const char *path, size_t nr, struct json_tokener *tokener, const char *line,
		     size_t len, saved_each *each, void *ctx)
{
	struct json_object *o = parse(tokener, line, len), *value;
	int ret = -1;

	if (!o)
		complain("%s: line %zu is not of -f json or -f html", path, nr);
	else if (!json_object_object_get_ex(o, "v", &value) || json_object_get_int(value) != 1)
		complain("%s: line %zu is of a newer version", path, nr);
	else if (!json_object_object_get_ex(o, "type", &value) ||
		 !json_object_is_type(value, json_type_string))
		complain("%s: line %zu has no type", path, nr);
	else
		ret = each(ctx, o);
	json_object_put(o);
	return ret;
}

/* The part of a line that is JSON; NULL: none.  @page: it is a page; @data: we are in its data. */
static char *data_of(char *line, bool page, bool *data)
{
	char *at;

	if (!page)
		return *line ? line : NULL;
	if (!*data) {
		at = strstr(line, DATA);
		*data = at;
		return at ? at + strlen(DATA) : NULL;
	}
	*data = strncmp(line, "</pre>", 6);
	return *data ? line : NULL;
}

/* A last line without its newline is taken if it is whole; else what is before it counts. */
static int read_last(const char *path, size_t nr, struct json_tokener *tokener, const char *line,
		     size_t len, saved_each *each, void *ctx)
{
	struct json_object *o = parse(tokener, line, len);
	bool whole = o;

	json_object_put(o);
	if (whole || nr == 1)
		return read_line(path, nr, tokener, line, len, each, ctx);
	complain("%s: its last line is cut: it is incomplete", path);
	return SAVED_CUT;
}

static int read_lines(const char *path, FILE *in, struct json_tokener *tokener, saved_each *each,
		      void *ctx)
{
	bool page = false, data = false, last;
	char *line = NULL, *at;
	unsigned long long done = 0;
	size_t room = 0, nr = 0;
	struct stat st;
	ssize_t len;
	int ret = 0;

	if (fstat(fileno(in), &st) || !S_ISREG(st.st_mode))
		st.st_size = 0;
	while (!ret && (len = getline(&line, &room, in)) >= 0) {
		progress_part(done += len, st.st_size);
		last = line[len - 1] != '\n';
		if (!last)
			line[--len] = '\0';
		page |= !nr++ && !strncmp(line, "<!DOCTYPE html>", 15);
		at = data_of(line, page, &data);
		if (at)
			ret = (last ? read_last : read_line)(path, nr, tokener, at,
							     len - (at - line), each, ctx);
	}
	if (ferror(in))
		ret = complain("%s: %s", path, strerror(errno));
	free(line);
	return ret;
}

int saved_read(const char *path, saved_each *each, void *ctx)
{
	struct json_tokener *tokener = json_tokener_new();
	FILE *in = fopen(path, "re");
	int ret;

	/* Bytes that are no text are in hex. */
	if (tokener)
		json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
	if (!tokener || !in)
		ret = complain("%s: %s", path, strerror(errno));
	else
		ret = read_lines(path, in, tokener, each, ctx);
	if (tokener)
		json_tokener_free(tokener);
	if (in)
		fclose(in);
	return ret;
}

/* A byte of hex, or -1. */
static int byte_of(const char *hex)
{
	char digits[3] = { hex[0], hex[0] ? hex[1] : '\0' }, *end;
	long byte = strtol(digits, &end, 16);

	return end == digits + 2 ? byte : -1;
}

char *saved_text(struct json_object *o)
{
	struct json_object *value;
	const char *hex;
	char *text, *to;
	int byte;

	if (json_object_is_type(o, json_type_string))
		return strdup(json_object_get_string(o));
	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, "hex", &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	hex = json_object_get_string(value);
	text = malloc(strlen(hex) / 2 + 1);
	for (to = text; to && (byte = byte_of(hex)) > 0; hex += 2)
		*to++ = byte;
	if (to)
		*to = '\0';
	return text;
}

/* Names are those of the C language, so that nothing else hides in one. */
static bool is_name(const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return i;
}

bool saved_name(struct json_object *o, long long *number, const char **name)
{
	struct json_object *value;
	char *end;

	*name = NULL;
	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, "number", &value))
		return false;
	*number = strtoll(json_object_get_string(value) ?: "", &end, 10);
	if (*end)
		return false;
	if (!json_object_object_get_ex(o, "name", &value))
		return true;
	*name = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
	return is_name(*name);
}
