/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * whats.h - the command line of verbs that take only functions and -d TIME.
 */
#ifndef PE_TOOL_WHATS_H
#define PE_TOOL_WHATS_H

#include <stddef.h>
#include "verb.h"

/**
 * struct whats - what was typed
 * @what: functions, patterns, tracepoints: words of the command line
 * @nr: how many, one at least
 * @duration: ns; a second, if none was given
 */
struct whats {
	char **what;
	size_t nr;
	unsigned long long duration;
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

#endif
