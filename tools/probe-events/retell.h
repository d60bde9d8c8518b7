/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * retell.h - an answer from what was saved: the verb report.
 */
#ifndef PE_TOOL_RETELL_H
#define PE_TOOL_RETELL_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include "answer.h"
#include "format.h"
#include "preset.h"
#include "request.h"
#include "rows.h"

#define RETELL_WORDS (REQUEST_WORDS + 16)

/** enum question - what is asked of the files; QUESTION_ANY: what they are of */
enum question { QUESTION_ANY, QUESTION_COUNT, QUESTION_LAT, QUESTION_TRACE };

/**
 * struct retelling - an answer in the making
 * @r: the question; its keys are the first file's if it has none
 * @question: what is asked
 * @redact: names and addresses become numbers
 * @words: of the filter, options included
 * @nr_words: how many
 * @format: of the answer
 * @out: gets it
 * @a: of it, the width and the like; the rest is set here
 * @path: of the file that is read
 * @started: the first file's beginning is known
 * @begun: this file's, or its part's, if it is several files in one
 * @ended: likewise its end
 * @incomplete: a file has no end, or an end that says so
 * @saved_timed: the files are answers of lat
 * @from_hits: the files are hits, not tables
 * @origin: where and when the first file was made
 * @what: of what it is
 * @preset: what the first file says of its preset; the request has it, if it says something
 * @summary: a text of @preset
 * @counts: likewise
 * @commands: of the first file, a line each
 * @unit: of what that adds up, "pages" or "ns"; "": it counts hits only
 * @keys: of the file, if the request has none
 * @found: some hit or row has the key
 * @asked: the filter asks for the word
 * @known: some hit or row has the word
 * @line: the line, for the filter
 * @rows: the table in the making
 * @losses: those of all files
 * @lines: gets hits that are listed, and cuts them on a terminal
 * @none: in place of a key that a hit does not have
 * @all: hits in all files
 * @matched: those that the filter admits
 * @shown: hits that were shown
 * @most: so many are shown; 0: all
 * @others: hits that the files have left out
 * @frees: hits that the files have taken out of their rows
 * @freed: pages of these
 * @gives_back: a file says how many
 * @table_full: hits that had no place in a table
 * @first: the time of the first line, in seconds
 * @last: that of the last one
 * @seconds: how long the longest file has counted
 */
struct retelling {
	struct request r;
	enum question question;
	bool redact;
	const char *words[RETELL_WORDS];
	size_t nr_words;
	const struct format *format;
	FILE *out;
	struct answer a;
	/* private */
	const char *path;		/* of the file that is read */
	bool started;			/* the first file's beginning is known */
	bool begun, ended;		/* this file's, or its part's, beginning is, and its end */
	bool incomplete;
	bool saved_timed, from_hits;
	struct origin origin;
	char *what;
	struct preset preset;
	char *summary, *counts;		/* its texts */
	char *commands;			/* of the first file, a line each */
	const char *unit;
	char *keys[REQUEST_KEYS];	/* of the file, if the request has none */
	bool found[REQUEST_KEYS];	/* some hit or row has the key */
	bool asked[RETELL_WORDS], known[RETELL_WORDS]; /* likewise, of the words of the filter */
	struct json_object *line;	/* for the filter */
	struct rows rows;
	struct losses losses;
	unsigned long long all, matched, shown, others, frees, table_full, freed;
	unsigned long most;
	bool gives_back;
	double first, last, seconds;
	FILE *lines;			/* gets hits that are listed, and cuts them on a terminal */
	struct json_object *none;	/* in place of a key that a hit does not have */
};

/**
 * retell() - read the files, and answer
 * @re: what is asked
 * @files: their paths
 * @nr: how many
 *
 * Return: the exit status.
 */
int retell(struct retelling *re, char **files, size_t nr);

#endif
