/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rows.h - a table of what was saved: rows and hits, added one by one.
 */
#ifndef PE_TOOL_ROWS_H
#define PE_TOOL_ROWS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include "request.h"
#include "table.h"

/**
 * struct rows - a table in the making
 * @nr_keys: how many keys a row has
 * @timed: rows have times
 * @worth: rows have pages, or time that was spent: struct group's @weight
 * @sum: the table so far: complete after rows_end(), for table_free()
 */
struct rows {
	size_t nr_keys;
	bool timed, worth;
	struct table sum;
	/* private: rows that are not in the table yet, as lines of the modules' file */
	FILE *out;
	char *text;
	size_t size, nr;
	bool texts[TABLE_KEYS], stacks[TABLE_KEYS], named[TABLE_KEYS];	/* else numbers */
	bool empty[TABLE_KEYS];
};

/**
 * rows_add() - add a row of -f json
 * @rows: the table; before the first only what is not private is set
 * @keys: the row's keys: texts, numbers, these with names, or stacks
 * @hits: how many hits
 * @ns: the row's times, as -f json has them; NULL: none
 * @worth: a number, the pages; or the row's "spent_ns"; NULL: none
 *
 * Return: 0, or -1 after a message.
 */
int rows_add(struct rows *rows, struct json_object *const *keys, unsigned long long hits,
	     struct json_object *ns, struct json_object *worth);

/** rows_hit() - add a hit, which took @ns; else as rows_add() */
int rows_hit(struct rows *rows, struct json_object *const *keys, unsigned long long ns);

/** rows_end() - no more is added; 0, or -1 after a message */
int rows_end(struct rows *rows);

/** rows_number() - a number of json_number(), which may be a text */
unsigned long long rows_number(struct json_object *o);

#endif
