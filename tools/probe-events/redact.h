/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * redact.h - what was saved, without names that are private.
 */
#ifndef PE_TOOL_REDACT_H
#define PE_TOOL_REDACT_H

#include <json-c/json.h>

/**
 * redact() - replace names of tasks, texts, addresses and the machine by numbers
 * @line: of a saved file
 *
 * The same name gets the same number in all lines and files of this run.  Functions, events, errors
 * and other numbers stay.
 *
 * Return: 0, or -1 after a message.
 */
int redact(struct json_object *line);

#endif
