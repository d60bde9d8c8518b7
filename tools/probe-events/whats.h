/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * whats.h - the command line of verbs that take only functions, -d TIME and -f FORM.
 */
#ifndef PE_TOOL_WHATS_H
#define PE_TOOL_WHATS_H

#include <stddef.h>
#include "format.h"
#include "verb.h"

struct json_object;

/**
 * struct whats - what was typed
 * @what: functions, patterns, tracepoints: words of the command line
 * @nr: how many, one at least
 * @duration: ns; a second, if none was given
 * @format: text, json or csv
 */
struct whats {
	char **what;
	size_t nr;
	unsigned long long duration;
	const struct format *format;
};

/**
 * whats_parse() - understand the words
 * @w: gets what they ask for
 * @verb: whose help is shown
 * @argc: how many words, the verb included
 * @argv: the words; their order is changed
 *
 * Return: -1: go on; else the exit status, after a message or the help.
 */
int whats_parse(struct whats *w, const struct verb *verb, int argc, char **argv);

/**
 * whats_begin() - the answer begins: of JSON the line "start", and messages are lines, too
 * @w: what was typed
 * @verb: the verb's name
 * @commands: what is written to the session
 */
void whats_begin(const struct whats *w, const char *verb, const char *commands);

/**
 * whats_end() - the answer ends: of JSON the line "end"
 * @w: what was typed
 * @status: this program's
 * @name: of @o; NULL: there is none
 * @o: goes into the line; NULL: nothing does
 */
void whats_end(const struct whats *w, int status, const char *name, struct json_object *o);

#endif
