// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * redact.c - what was saved, without names that are private.
 *
 * What is not known to be harmless is replaced: every text but those of functions and events, and
 * every number that may be an address of the kernel.
 */
#include <ctype.h>
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
	static const char * const names[] = { "func", "caller", "event" };
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

static bool is_private(const char *name, struct json_object *value)
{
	const char *word;
	long long number;

	/* Of an error, or an enumeration's. */
	if (saved_name(value, &number, &word))
		return json_object_object_length(value) != (word ? 2 : 1);
	if (json_object_is_type(value, json_type_int))
		return is_address(name, value);
	return !is_code(name) || !json_object_is_type(value, json_type_string) || is_unnamed(value);
}

static bool is_stack(const char *name, struct json_object *value)
{
	return json_object_is_type(value, json_type_array) && !strcmp(name, "stack");
}

static int redact_stack(struct json_object *stack)
{
	struct json_object *number;
	size_t i;

	for (i = 0; i < json_object_array_length(stack); i++) {
		if (!is_private("func", json_object_array_get_idx(stack, i)))
			continue;
		number = number_of("func", json_object_array_get_idx(stack, i));
		if (!number || json_object_array_put_idx(stack, i, number))
			return complain("no memory");
	}
	return 0;
}

/* Keys of a row, arguments of a hit: a value is a text, bytes in hex, a number or a stack. */
static int redact_values(struct json_object *values)
{
	/* Replacing a value leaves the list of names as it is. */
	json_object_object_foreach(values, name, value) {
		if (is_stack(name, value) ? redact_stack(value) :
		    is_private(name, value) && replace(values, name))
			return -1;
	}
	return 0;
}

/* A hit is shown as it is, so a field that none of ours has is looked at as well. */
static int redact_hit(struct json_object *hit)
{
	int ret = 0;

	json_object_object_foreach(hit, name, value) {
		if (!strcmp(name, "type") ||
		    (!strcmp(name, "t") && json_object_is_type(value, json_type_double)))
			continue;
		if (json_object_is_type(value, json_type_object) &&
		    (!strcmp(name, "args") || !strcmp(name, "names") || !strcmp(name, "key")))
			ret = redact_values(value);
		else if (is_stack(name, value))
			ret = redact_stack(value);
		else if (is_private(name, value))
			ret = replace(hit, name);
		if (ret)
			return -1;
	}
	return 0;
}

/*
 * What was measured is a function or the like, and commands came of it.  Without any it is of a
 * recording, a file, whose name is kept only if it looks like a function's.
 */
static bool is_file(struct json_object *line, struct json_object *what)
{
	struct json_object *commands;
	const char *text = json_object_get_string(what);

	if (!json_object_is_type(what, json_type_string) || strchr(text, '/'))
		return true;
	if (json_object_object_get_ex(line, "commands", &commands) &&
	    json_object_is_type(commands, json_type_array) &&
	    json_object_array_length(commands))
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_:*?@,+", *text))
			return true;
	return false;
}

int redact(struct json_object *line)
{
	struct json_object *o;

	if (json_object_object_get_ex(line, "type", &o) &&
	    json_object_is_type(o, json_type_string) && !strcmp(json_object_get_string(o), "hit"))
		return redact_hit(line);
	if (json_object_object_get_ex(line, "what", &o) && is_file(line, o) &&
	    replace(line, "what"))
		return -1;
	/* A filter may have any name in it. */
	json_object_object_del(line, "commands");
	/* So may a preset of one's own. */
	if (json_object_object_get_ex(line, "preset", &o) &&
	    json_object_is_type(o, json_type_object)) {
		json_object_object_del(o, "summary");
		json_object_object_del(o, "counts");
	}
	if (replace(line, "host"))
		return -1;
	if (json_object_object_get_ex(line, "key", &o) &&
	    json_object_is_type(o, json_type_object))
		return redact_values(o);
	return 0;
}
