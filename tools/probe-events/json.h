/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * json.h - the parts of lines of JSON.
 */
#ifndef PE_TOOL_JSON_H
#define PE_TOOL_JSON_H

#include <json-c/json.h>
#include <stdio.h>
#include "answer.h"

/** json_named() - {"number":N,"name":"X"}; @name: NULL: it has none */
struct json_object *json_named(long long number, const char *name);

/** json_number() - a number; above 2^53 it is a text, as readers may keep numbers as double */
struct json_object *json_number(unsigned long long value);

/** json_signed() - likewise */
struct json_object *json_signed(long long value);

/** json_text() - bytes of the kernel's: what is not UTF-8 is {"hex": "..."} */
struct json_object *json_text(const char *text);

/**
 * json_line() - a new line
 * @type: its type
 * @at: its time, seconds of the monotonic clock
 */
struct json_object *json_line(const char *type, double at);

/** json_print() - write a line; it is gone then */
void json_print(struct json_object *line, FILE *out);

/**
 * json_shown() - the end of hits that were saved
 * @a: the answer; what its table counts are the hits that pass the filter
 * @shown: how many of them are lines
 * @status: this program's
 * @out: gets it
 */
void json_shown(const struct answer *a, unsigned long long shown, int status, FILE *out);

/** json_note() - a line with something that is to be known of the answer */
void json_note(const char *what, FILE *out);

#endif
