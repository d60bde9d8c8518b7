/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * saved.h - answers that were saved: lines of JSON, or the page that has them.
 */
#ifndef PE_TOOL_SAVED_H
#define PE_TOOL_SAVED_H

#include <json-c/json.h>
#include <stdbool.h>

#define SAVED_CUT 1

/**
 * saved_each() - gets the lines, in their order
 * @ctx: the caller's
 * @line: an object of -f json; the caller's, too, only meanwhile
 *
 * Return: 0, or -1 after a message: then there are no more.
 */
typedef int saved_each(void *ctx, struct json_object *line);

/**
 * saved_read() - read a file
 * @path: of -f json or -f html
 * @each: gets the lines
 * @ctx: for @each
 *
 * Return: 0, or -1 after a message; SAVED_CUT after a message: its end is missing.
 */
int saved_read(const char *path, saved_each *each, void *ctx);

/** saved_text() - a text of json_text(), hex or not, for free(); NULL if it is none */
char *saved_text(struct json_object *o);

/**
 * saved_name() - a number with a name of json_named()
 * @o: what may be one
 * @number: gets the number
 * @name: gets the name, which belongs to @o; NULL: it has none
 *
 * Return: false if it is none.
 */
bool saved_name(struct json_object *o, long long *number, const char **name);

#endif
