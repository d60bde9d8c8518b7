/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * again.h - what a session of another program has counted, as its question says.
 *
 * A session tells what was typed, as its comment.  Its table is read, and left as it is.
 */
#ifndef PE_TOOL_AGAIN_H
#define PE_TOOL_AGAIN_H

#include "naming.h"
#include "preset.h"
#include "request.h"
#include "session.h"
#include "show.h"
#include "types.h"
#include "words.h"

/**
 * struct again - a session of count, lat or top
 * @show: shows it: @out and the size are for the caller to set
 * @r: its question
 * @part: what is in its table is not all: its program cuts it off, each interval
 * @preset: of @r
 * @words: names of numbers
 * @types: the kernel's type data, for @naming
 * @naming: names of keys' numbers
 * @session: as @show reads it
 * @typed: the comment, of which @argv has the words
 * @argv: the command that was typed
 */
struct again {
	struct show show;
	struct request r;
	bool part;
	/* private */
	struct preset preset;
	struct words words;
	struct types types;
	struct naming naming;
	struct session session;
	char *typed, *argv[64];
};

/**
 * again_begin() - be ready to show it
 * @a: gets it, for again_end(); it stays where it is
 * @dir: where our files are
 * @id: the session's number
 * @typed: its comment
 *
 * Nothing is asked of the kernel yet.
 *
 * Return: NULL, or why it cannot be shown: a static text, or one of @a's.
 */
const char *again_begin(struct again *a, const char *dir, const char *id, const char *typed);

/** again_end() - the end; also if it could not begin */
void again_end(struct again *a);

#endif
