// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * redact.c - what was saved, without names that are private.
 *
 * What is not known to be harmless is replaced: every text but those of functions and events, and
 * every number that may be an address of the kernel.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "redact.h"
#include "report.h"
#include "saved.h"

/* "comm" of "comm:mysqld", and so on: what it was, and its number. */
static struct json_object *seen;

/* Such a key or an argument has the name of a function of the kernel's. */
static bool is_code(const char *name)
{
	static const char * const names[] = { "func", "caller", "stack", "event" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Numbers above 2^53 are texts; a time may be long, but has its name. */
static bool is_address(const char *name, struct json_object *value)
{
	long long number = json_object_get_int64(value);

	return (number < -(1LL << 46) || number > 1LL << 46) && strcmp(name, "ns");
}

/* A function whose name was not known is an address, too. */
static bool is_unnamed(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) &&
	       !strncmp(json_object_get_string(value), "0x", 2);
}

/* The number that a value has from now on: comm-1.  NULL after a message. */
static struct json_object *number_of(const char *kind, struct json_object *value)
{
	struct json_object *of, *nr;
	const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
	char name[96];

	if (!seen)
		seen = json_object_new_object();
	if (!json_object_object_get_ex(seen, kind, &of)) {
		of = json_object_new_object();
		json_object_object_add(seen, kind, of);
	}
	if (!json_object_object_get_ex(of, text, &nr)) {
		nr = json_object_new_int(json_object_object_length(of) + 1);
		json_object_object_add(of, text, nr);
	}
	snprintf(name, sizeof(name), "%.60s-%d", kind, json_object_get_int(nr));
	return json_object_new_string(name);
}

static int replace(struct json_object *o, const char *name)
{
	struct json_object *value = json_object_object_get(o, name);
	struct json_object *number = value ? number_of(name, value) : NULL;

	if (value && !number)
		return complain("no memory");
	if (number)
		json_object_object_add(o, name, number);
	return 0;
}

static int redact_stack(struct json_object *stack)
{
	struct json_object *number;
	size_t i;

	for (i = 0; i < json_object_array_length(stack); i++) {
		if (!is_unnamed(json_object_array_get_idx(stack, i)))
			continue;
		number = number_of("func", json_object_array_get_idx(stack, i));
		if (!number || json_object_array_put_idx(stack, i, number))
			return complain("no memory");
	}
	return 0;
}

static bool is_private(const char *name, struct json_object *value)
{
	const char *word;
	long long number;

	if (saved_name(value, &number, &word))	/* of an error, or an enumeration's */
		return false;
	if (json_object_is_type(value, json_type_int))
		return is_address(name, value);
	return !is_code(name) || is_unnamed(value);
}

/* Keys of a row, arguments of a hit: a value is a text, bytes in hex, a number or a stack. */
static int redact_values(struct json_object *values)
{
	/* Replacing a value leaves the list of names as it is. */
	json_object_object_foreach(values, name, value) {
		if (json_object_is_type(value, json_type_array) ? redact_stack(value) :
		    is_private(name, value) && replace(values, name))
			return -1;
	}
	return 0;
}

int redact(struct json_object *line)
{
	struct json_object *o;

	/* A filter may have any name in it; what was recorded by trace-cmd is a file. */
	json_object_object_del(line, "commands");
	/* So may a preset of one's own. */
	if (json_object_object_get_ex(line, "preset", &o) &&
	    json_object_is_type(o, json_type_object)) {
		json_object_object_del(o, "summary");
		json_object_object_del(o, "counts");
	}
	if (json_object_object_get_ex(line, "what", &o) &&
	    strchr(json_object_get_string(o) ?: "", '/') && replace(line, "what"))
		return -1;
	if (json_object_object_get_ex(line, "func", &o) && is_unnamed(o) && replace(line, "func"))
		return -1;
	if (replace(line, "host") || replace(line, "comm"))
		return -1;
	if (json_object_object_get_ex(line, "key", &o) &&
	    json_object_is_type(o, json_type_object) && redact_values(o))
		return -1;
	if (json_object_object_get_ex(line, "names", &o) &&
	    json_object_is_type(o, json_type_object) && redact_values(o))
		return -1;
	if (json_object_object_get_ex(line, "stack", &o) &&
	    json_object_is_type(o, json_type_array) && redact_stack(o))
		return -1;
	if (json_object_object_get_ex(line, "args", &o) &&
	    json_object_is_type(o, json_type_object))
		return redact_values(o);
	return 0;
}
