/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * view.h - a table, before its rows are joined: addresses become those of functions; a preset's
 * stacks become callers, and its locks get names.
 */
#ifndef PE_TOOL_VIEW_H
#define PE_TOOL_VIEW_H

#include "functions.h"
#include "locks.h"
#include "preset.h"
#include "request.h"
#include "table.h"

/**
 * struct view - how a question's tables are read
 * @preset: the preset, or an empty one
 * @r: the question
 * @symbols: by address
 * @load: loads them, unless they are there: 0, or -1 after a message
 * @ctx: for @load
 * @shape: for table_read_as()
 * @caller: the column of stacks, from which callers are taken
 * @lock: the column of locks
 * @mm: the column of address spaces
 * @weigh: the column that weighs rows
 * @spent: the column of times that were spent
 * @freed: the column that says how many of a row's hits are frees
 * @locks: names of locks
 * @to: memory for a key's text
 */
struct view {
	const struct preset *preset;
	const struct request *r;
	const struct functions *symbols;
	int (*load)(void *ctx);
	void *ctx;
	struct table_shape shape;
	/* private */
	size_t caller, lock, mm, weigh, spent, freed;	/* columns */
	struct locks locks;
	char *to;
};

/**
 * view_begin() - be ready to read tables
 * @v: gets it, for view_end()
 * @r: the question
 * @symbols: by address
 * @load: is called before they are needed
 * @ctx: for @load
 */
void view_begin(struct view *v, const struct request *r, const struct functions *symbols,
		int (*load)(void *ctx), void *ctx);

/** view_end() - the end */
void view_end(struct view *v);

#endif
