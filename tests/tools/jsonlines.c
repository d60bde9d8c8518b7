// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jsonlines.c - do lines of JSON fit a schema?
 *
 *	jsonlines SCHEMA < LINES
 *
 * Knows of JSON Schema what tools/probe-events/schema.json needs: type, const, enum, required,
 * properties, additionalProperties, items, oneOf and $ref to definitions.  Another word is an
 * error, so nothing that the schema demands goes unchecked.  The first line has to be a "start",
 * the last an "end".  Status 0: all fit; then the number of lines of each type is printed.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

static json *root;

static bool fits(json *schema, json *value);

static json *get(json *o, const char *name)
{
	json *member = NULL;

	json_object_object_get_ex(o, name, &member);
	return member;
}

static bool has_type(json *value, const char *type)
{
	enum json_type is = json_object_get_type(value);

	return (!strcmp(type, "string") && is == json_type_string) ||
	       (!strcmp(type, "integer") && is == json_type_int) ||
	       (!strcmp(type, "number") && (is == json_type_int || is == json_type_double)) ||
	       (!strcmp(type, "array") && is == json_type_array) ||
	       (!strcmp(type, "object") && is == json_type_object);
}

static bool fits_type(json *type, json *value)
{
	size_t i;

	if (json_object_is_type(type, json_type_string))
		return has_type(value, json_object_get_string(type));
	for (i = 0; i < json_object_array_length(type); i++)
		if (has_type(value, json_object_get_string(json_object_array_get_idx(type, i))))
			return true;
	return false;
}

static bool in_enum(json *list, json *value)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++)
		if (json_object_equal(json_object_array_get_idx(list, i), value))
			return true;
	return false;
}

static bool fits_one(json *list, json *value)
{
	size_t i, fitting = 0;

	for (i = 0; i < json_object_array_length(list); i++)
		fitting += fits(json_object_array_get_idx(list, i), value);
	return fitting == 1;
}

static bool has_required(json *list, json *value)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++)
		if (!get(value, json_object_get_string(json_object_array_get_idx(list, i))))
			return false;
	return true;
}

static bool fits_members(json *schema, json *value)
{
	json *properties = get(schema, "properties"), *others = get(schema, "additionalProperties");

	if (!json_object_is_type(value, json_type_object))
		return true;
	json_object_object_foreach(value, name, member) {
		json *property = properties ? get(properties, name) : NULL;

		if (property ? !fits(property, member) :
		    !others ? false : json_object_is_type(others, json_type_boolean) ?
		    !json_object_get_boolean(others) : !fits(others, member))
			return false;
	}
	return true;
}

static bool fits_items(json *items, json *value)
{
	size_t i;

	for (i = 0; i < json_object_array_length(value); i++)
		if (!fits(items, json_object_array_get_idx(value, i)))
			return false;
	return true;
}

static bool fits_word(json *schema, const char *word, json *rule, json *value)
{
	static const char ref[] = "#/definitions/";
	const char *text = json_object_get_string(rule);

	if (!strcmp(word, "type"))
		return fits_type(rule, value);
	if (!strcmp(word, "const"))
		return json_object_equal(rule, value);
	if (!strcmp(word, "enum"))
		return in_enum(rule, value);
	if (!strcmp(word, "oneOf"))
		return fits_one(rule, value);
	if (!strcmp(word, "required"))
		return has_required(rule, value);
	if (!strcmp(word, "properties") || !strcmp(word, "additionalProperties"))
		return fits_members(schema, value);
	if (!strcmp(word, "items"))
		return fits_items(rule, value);
	if (!strcmp(word, "$ref") && !strncmp(text, ref, sizeof(ref) - 1) &&
	    get(get(root, "definitions"), text + sizeof(ref) - 1))
		return fits(get(get(root, "definitions"), text + sizeof(ref) - 1), value);
	if (!strcmp(word, "$schema") || !strcmp(word, "title") || !strcmp(word, "description") ||
	    !strcmp(word, "definitions"))
		return true;
	fprintf(stderr, "jsonlines: %s: not known\n", word);
	exit(2);
}

/* A type that is wrong makes other words meaningless: it is looked at first. */
static bool fits(json *schema, json *value)
{
	json *type = get(schema, "type");

	if (type && !fits_type(type, value))
		return false;
	json_object_object_foreach(schema, word, rule)
		if (!fits_word(schema, word, rule, value))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	size_t size = 0, nr = 0, i, count[16] = {};
	char *text = NULL, type[16][16] = {}, last[16] = "";

	root = argc == 2 ? json_object_from_file(argv[1]) : NULL;
	if (!root) {
		fprintf(stderr, "jsonlines: no schema: %s\n", json_util_get_last_err());
		return 2;
	}
	while (getline(&text, &size, stdin) > 0) {
		json *line = json_tokener_parse(text);

		if (!line || !strchr(text, '\n') || !fits(root, line)) {
			printf("line %zu does not fit: %s\n", nr + 1, text);
			return 1;
		}
		snprintf(last, sizeof(last), "%s", json_object_get_string(get(line, "type")));
		if (!nr++ && strcmp(last, "start")) {
			puts("the first line is no start");
			return 1;
		}
		for (i = 0; *type[i] && strcmp(type[i], last); i++)
			;
		memcpy(type[i], last, sizeof(last));
		count[i]++;
		json_object_put(line);
	}
	if (strcmp(last, "end")) {
		puts("the last line is no end");
		return 1;
	}
	for (i = 0; count[i]; i++)
		printf("%s %zu\n", type[i], count[i]);
	return 0;
}
