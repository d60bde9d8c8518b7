/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
#ifndef PE_TOOL_DEFINITIONS_H
#define PE_TOOL_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct definition - a line of a file of definitions
 * @line: the command
 * @len: its bytes
 * @name: "GRP/EVENT" in it
 * @name_len: its bytes
 * @kernels: before the command, ">=6.5" or "<6.5": for these kernels only; or it is the command
 */
struct definition {
	const char *line;
	size_t len;
	const char *name;
	size_t name_len;
	const char *kernels;
};

/**
 * definition_next() - the next definition of a file
 * @pos: where the file's text begins; is moved past it
 * @def: filled
 *
 * "#" begins a comment, up to the end of the line.  Lines without a name define nothing.
 *
 * Return: false at the end.
 */
bool definition_next(const char **pos, struct definition *def);

/* Is it for the kernel of this release, "6.12.3-foo"? */
bool definition_for(const struct definition *def, const char *release);

/* Do both name the same event?  The second is an alternative to the first, if it comes next. */
bool definition_same(const struct definition *a, const struct definition *b);

/**
 * definition_listed() - is the event in a list of definitions?
 * @list: the text of static_events
 * @name: "GRP/EVENT"
 * @len: its bytes
 */
bool definition_listed(const char *list, const char *name, size_t len);

#endif
