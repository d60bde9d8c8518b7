/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * kept.h - what was before a slow call, in a file: the verb watch.
 */
#ifndef PE_TOOL_KEPT_H
#define PE_TOOL_KEPT_H

#include <stddef.h>

struct session;

/**
 * struct kept - the files
 * @what: whose calls they are of
 * @output: the first one's name, NULL: made of the time
 * @unit: of times, NULL: by size
 * @before: nanoseconds that are kept
 * @kb: size of each CPU's buffer
 * @dat: whose buffers become files for trace-cmd; NULL: they are text
 * @nr: how many there are
 */
struct kept {
	const char *what, *output, *unit;
	unsigned long long before;
	const struct session *dat;
	unsigned long kb, nr;
};

/**
 * kept_write() - write one, and tell of it
 * @k: the files
 * @trace: the text of the buffers, whose last line of the event lat is the call's
 *
 * Return: 0, or -1 after a message.
 */
int kept_write(struct kept *k, const char *trace);

#endif
