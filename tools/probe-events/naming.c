// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * naming.c - names in place of a key's numbers: KEY.enum and errno.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "errors.h"
#include "naming.h"
#include "recipe.h"

const char *naming_begin(struct naming *n, const struct request *r, struct types *t)
{
	const char *wrong = NULL, *modifier;
	char name[64], expr[256];
	size_t i;

	for (i = 0; i < r->nr_keys && !wrong; i++) {
		if (recipe_is_errno(r, r->keys[i])) {
			n->of[i] = NAMING_ERRNO;
			n->any = true;
		}
		modifier = recipe_field(r->keys[i], name, sizeof(name));
		if (strcmp(modifier, ".enum"))
			continue;
		snprintf(expr, sizeof(expr), "%.*s", (int)(modifier - r->keys[i]), r->keys[i]);
		wrong = types_enum(t, r->what, expr, &n->enums[i]);
		n->of[i] = wrong ? NAMING_NONE : NAMING_ENUM;
		n->at = r->keys[i];
		n->any = true;
	}
	return wrong;
}

bool naming_has(const struct naming *n, size_t key, long long *number, const char **name)
{
	switch (n->of[key]) {
	case NAMING_ENUM:
		*name = enum_name(&n->enums[key], *number);
		return true;
	case NAMING_ERRNO:
		if (*number >= 0 || *number < -ERROR_MOST)
			*number = 0;
		*name = *number ? error_name(*number) : "ok";
		return true;
	case NAMING_NONE:
		break;
	}
	return false;
}

static long long number_of(const char *text)
{
	return *text == '-' ? strtoll(text, NULL, 10) : (long long)strtoull(text, NULL, 0);
}

/* A column's texts, each with its end, one after the other. */
static void put_column(const struct naming *n, const struct table *t, size_t key, size_t column,
		       FILE *out)
{
	const char *name;
	long long number;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		number = number_of(t->groups[i].keys[column]);
		naming_has(n, key, &number, &name);
		fprintf(out, "%lld%s%s", number, name ? " " : "", name ?: "");
		fputc('\0', out);
	}
}

int naming_apply(const struct naming *n, struct table *t)
{
	size_t columns[REQUEST_KEYS], keys, i, k, size, nr = 0;
	FILE *out = open_memstream(&t->names, &size);
	char *text;

	if (!out)
		return -1;
	for (keys = 0; keys < REQUEST_KEYS; keys++) {
		size_t column = table_key(t, keys);

		if (n->of[keys] == NAMING_NONE || column >= t->nr_columns)
			continue;
		put_column(n, t, keys, column, out);
		columns[nr++] = column;
	}
	if (fclose(out))
		return -1;
	for (k = 0, text = t->names; k < nr; k++) {
		t->columns[columns[k]].type = COLUMN_NAMED;
		for (i = 0; i < t->nr; i++, text += strlen(text) + 1)
			t->groups[i].keys[columns[k]] = text;
	}
	return 0;
}

void naming_free(struct naming *n)
{
	size_t i;

	for (i = 0; i < REQUEST_KEYS; i++)
		enum_free(&n->enums[i]);
	*n = (struct naming){};
}
