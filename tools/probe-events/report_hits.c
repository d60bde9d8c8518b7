// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * report_hits.c - hits that were saved: their fields, and how they are shown.
 *
 * Addresses are numbers: the machine that knew their names may be another one.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "errors.h"
#include "recipe.h"
#include "report_hits.h"
#include "safe.h"
#include "saved.h"
#include "units.h"

struct json_object *hit_value(struct json_object *line, const char *name)
{
	struct json_object *of, *value;
	char field[64];

	/* A row's keys have their names as they were typed, arguments those of fields. */
	if (json_object_object_get_ex(line, "key", &of))
		return json_object_object_get_ex(of, name, &value) ? value : NULL;
	if (json_object_object_get_ex(line, "names", &of) &&
	    json_object_object_get_ex(of, name, &value))
		return value;
	recipe_field(name, field, sizeof(field));
	if (strcmp(name, "args") && strcmp(name, "type") &&
	    json_object_object_get_ex(line, name, &value))
		return value;
	if (json_object_object_get_ex(line, "args", &of) &&
	    json_object_object_get_ex(of, field, &value))
		return value;
	return NULL;
}

bool hit_field(void *ctx, const char *name, struct field *value)
{
	struct json_object *o = hit_value(ctx, name);
	long long number;

	if (!o)
		return false;
	*value = (struct field){};
	if (saved_name(o, &number, &value->name))
		value->number = number;
	else if (json_object_is_type(o, json_type_int))
		value->number = json_object_get_int64(o);
	else
		value->text = json_object_get_string(o);	/* bytes are compared as hex */
	return true;
}

static void put_value(const struct request *r, const char *name, struct json_object *o, int width,
		      FILE *out)
{
	const char *error;
	char text[UNITS_TEXT];
	long long number;
	char *bytes;

	if (!o) {
		put_safe("-", width, out);
		return;
	}
	if (saved_name(o, &number, &error)) {
		snprintf(text, sizeof(text), "%lld", number);
		put_safe(error ?: text, width, out);
		return;
	}
	if (!json_object_is_type(o, json_type_int)) {
		bytes = saved_text(o);
		put_safe(bytes ?: json_object_get_string(o), width, out);
		free(bytes);
		return;
	}
	number = json_object_get_int64(o);
	error = error_name(number);
	if (!strcmp(name, "ns") && number >= 0)
		fprintf(out, "%-*s", width, print_time(text, number, r->unit));
	else if (!strcmp(name, "ret") && error)
		width -= fprintf(out, "-%s", error), fprintf(out, "%*s", width > 0 ? width : 0, "");
	else
		fprintf(out, "%-*lld", width, number);
}

static int width_of(const struct request *r, size_t i)
{
	const char *key = r->keys[i];
	int len = strlen(key);

	if (i + 1 == r->nr_keys)
		return 0;
	if (!strcmp(key, "comm") || !strcmp(key, "func") || !strcmp(key, "caller"))
		return 16;
	return len < 8 ? 8 : len;
}

void hit_heading(const struct request *r, FILE *out)
{
	char name[64];
	size_t i, k;

	fprintf(out, "%14s  %-7s  %-16s  %s", "SECONDS", "TID", "COMM", r->nr_keys ? "" : "FUNC");
	for (i = 0; i < r->nr_keys; i++) {
		snprintf(name, sizeof(name), "%s", r->keys[i]);
		for (k = 0; name[k]; k++)
			name[k] = toupper((unsigned char)name[k]);
		fprintf(out, "%s%-*s", i ? "  " : "", width_of(r, i), name);
	}
	fputc('\n', out);
}

void hit_line(const struct request *r, struct json_object *hit, FILE *out)
{
	struct json_object *args, *at;
	size_t i;

	json_object_object_get_ex(hit, "t", &at);
	fprintf(out, "%14.6f  ", json_object_get_double(at));
	put_value(r, "tid", hit_value(hit, "tid"), 7, out);
	fputs("  ", out);
	put_value(r, "comm", hit_value(hit, "comm"), 16, out);
	fputs("  ", out);
	for (i = 0; i < r->nr_keys; i++) {
		fputs(i ? "  " : "", out);
		put_value(r, r->keys[i], hit_value(hit, r->keys[i]), width_of(r, i), out);
	}
	if (!r->nr_keys) {
		put_value(r, "func", hit_value(hit, "func"), 0, out);
		if (json_object_object_get_ex(hit, "args", &args) &&
		    json_object_is_type(args, json_type_object)) {
			json_object_object_foreach(args, name, value) {
				fputs("  ", out);
				put_safe(name, 0, out);
				fputc('=', out);
				put_value(r, name, value, 0, out);
			}
		}
	}
	fputc('\n', out);
}
