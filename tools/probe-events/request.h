/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * request.h - what the words after a verb ask for.
 *
 *	VERB WHAT [by KEY[,KEY]] [if FILTER] [OPTIONS] [-- COMMAND...]
 *
 * Pure: nothing here touches the system.
 */
#ifndef PE_TOOL_REQUEST_H
#define PE_TOOL_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include "limiting.h"

#define REQUEST_ARGS	4	/* words after a preset's name */
#define REQUEST_KEYS	12	/* columns of trace */
#define TABLE_KEYS	3	/* the modules' tables have no more */
#define REQUEST_WORDS	32	/* of a filter */
#define REQUEST_INTERVAL 50000000 /* ns: a table takes 10 to 50 ms */

struct preset;

/**
 * struct cgroup - one of cgroup2
 * @id: its number
 * @level: below the root, which is 0
 * @by_ids: before 6.1 a cgroup keeps the numbers of those above it, not pointers to them
 * @path: its directory, without links; NULL: not known
 */
struct cgroup {
	unsigned long long id;
	unsigned int level;
	bool by_ids;
	char *path;
};

/**
 * struct request - a question
 * @what: function, place, pattern, a list of these, tracepoint, e:GRP/EVENT or @PRESET
 * @args: the words after @PRESET
 * @nr_args: how many
 * @preset: what @PRESET or e:GRP/EVENT stands for; NULL: @what is neither; from the caller
 * @keys: what "by" is followed by
 * @nr_keys: how many; 0: one answer for all
 * @filter: the words after "if"
 * @nr_filter: how many
 * @pids: of option -p: thread groups, with commas between; NULL: all
 * @tids: of option -t: tasks, likewise
 * @cpus: of option -C: a list as 0-3,8; NULL: all
 * @comm: of option -n; NULL: any name
 * @cgroup: of option -G: only tasks in it or below it; NULL: all
 * @in: the cgroup; from the caller
 * @fail: only calls that fail
 * @longer: of option -L: nanoseconds; 0: any
 * @duration: of option -d: nanoseconds; 0: until a signal, or the command's end
 * @interval: of option -i: nanoseconds between two tables; 0: one at the end
 * @keep: of option -k: nanoseconds; 0: what is armed goes with this program
 * @rows: of option -r or -n: how many are shown; 0: all
 * @sort: of option -s: the column that gives the order; NULL: calls
 * @reverse: of option -r: the other way round
 * @unit: of option -u: ns, us, ms or s; NULL: by size
 * @format: of option -f: its name; NULL: text
 * @output: of option -o: the file that gets the answer; NULL: standard output
 * @save: of option -w: the file that gets the same as JSON, too; NULL: none
 * @errors: of option -x: names of errors, with commas between: only calls that fail so; NULL: any
 * @clock: of option -T: the time of day is told
 * @verbose: of option -v: what is written to the session is told
 * @ascii: no bars of blocks
 * @expect: it is a failure if nothing is hit
 * @dry_run: show what would be written
 * @quiet: no progress
 * @all: of option -a: with a command, the whole machine
 * @fine: a histogram has a row for each step, not only for each octave
 * @stock: of option --engine: "kernel", the kernel's own tracefs
 * @stacks: of option -g: each hit with its stack
 * @most: of option -M: end after so many hits; 0: no limit
 * @limits: what it may cost
 * @parameters: the kernel has type data, so a function's parameters are known; from the caller
 * @command: what to run; NULL: nothing
 * @at: the word at fault if something is wrong; NULL: none is
 *
 * All texts are parts of the words.
 */
struct request {
	const char *what;
	char *args[REQUEST_ARGS];
	size_t nr_args;
	struct preset *preset;
	const char *keys[REQUEST_KEYS];
	size_t nr_keys;
	const char *filter[REQUEST_WORDS];
	size_t nr_filter;
	const char *pids;
	const char *tids;
	const char *cpus;
	const char *comm;
	const char *cgroup;
	struct cgroup in;
	bool fail;
	unsigned long long longer;
	unsigned long long duration;
	unsigned long long interval;
	unsigned long long keep;
	unsigned long rows;
	const char *sort;
	bool reverse;
	const char *unit;
	const char *format;
	const char *output;
	const char *save;
	const char *errors;
	bool clock;
	bool verbose;
	bool ascii;
	bool expect;
	bool dry_run;
	bool quiet;
	bool all;
	bool stacks;
	bool stock;
	bool fine;
	unsigned long most;
	struct limits limits;
	bool parameters;
	char **command;
	const char *at;
};

/**
 * request_parse() - understand the words
 * @r: gets what they ask for
 * @argc: how many words, the verb included
 * @argv: the words; lists of keys are cut in place
 *
 * Return: NULL, or what is wrong, for the user: a static text.
 */
const char *request_parse(struct request *r, int argc, char **argv);

/**
 * parse_time() - 500ms, 10s, 5m, 24h; a plain number is seconds
 * @text: the time
 * @ns: gets nanoseconds, never 0
 *
 * Return: false if it is no time, or too long.
 */
bool parse_time(const char *text, unsigned long long *ns);

/** request_is_list() - is WHAT several functions, a,b,c?  "FUNC,2" is one, the second so called */
bool request_is_list(const char *what);

/**
 * request_part() - the next function of such a list
 * @list: where it begins; is moved past it, and NULL after the last one
 *
 * Return: its text, for free(); NULL without memory.
 */
char *request_part(const char **list);

/* Has it been asked for in this form, by -f? */
bool request_form_is(const struct request *r, const char *form);

/* Are all hits of the event wanted?  Then its limit may count them: it does so before a filter. */
bool request_wants_all(const struct request *r);

#endif
