/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * report_hits.h - hits that were saved: their fields, and how they are shown.
 */
#ifndef PE_TOOL_REPORT_HITS_H
#define PE_TOOL_REPORT_HITS_H

#include <json-c/json.h>
#include <stdio.h>
#include "match.h"
#include "request.h"

/**
 * hit_value() - a field of a hit, or of a row's keys
 * @line: the object
 * @name: comm, tid, cpu, func, event or an argument; a key as it was typed
 *
 * Return: its value, which belongs to @line; NULL if it has none.
 */
struct json_object *hit_value(struct json_object *line, const char *name);

/** hit_field() - likewise, for match(); @ctx is the object */
bool hit_field(void *ctx, const char *name, struct field *value);

/** hit_heading() - the line before the first hit */
void hit_heading(const struct request *r, FILE *out);

/** hit_line() - a hit for people */
void hit_line(const struct request *r, struct json_object *hit, FILE *out);

#endif
