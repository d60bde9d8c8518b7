/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * verb.h - the verbs: first words of the command line.
 */
#ifndef PE_TOOL_VERB_H
#define PE_TOOL_VERB_H

/* Exit statuses of our own.  A command that is run has its own status. */
enum {
	PE_EXIT_MISSING		= 1,	/* what was asked for, or needed */
	PE_EXIT_USAGE		= 2,	/* the command line is wrong; exec says 125 */
	PE_EXIT_LOST		= 3,	/* measured, but not all that came */
	PE_EXIT_LIMIT		= 4,	/* measured until a limit was reached */
	PE_EXIT_NOTHING		= 5,	/* nothing was hit, and something had to be */
	PE_EXIT_FAILED		= 125,	/* we could not do our part */
	PE_EXIT_CANNOT_RUN	= 126,	/* the command is there and does not run */
	PE_EXIT_NO_COMMAND	= 127,	/* no such command */
};

/**
 * struct verb - one of probe-events' commands
 * @name: the word
 * @summary: half a line for the list of verbs
 * @run: carries it out and returns the exit status; argv[0] is the word
 * @help: what `probe-events NAME --help` prints
 *
 * A new verb is a file of its own, a line here, one in main.c's table, and a word of `verbs` in the
 * Makefile.
 */
struct verb {
	const char *name;
	const char *summary;
	int (*run)(const struct verb *verb, int argc, char **argv);
	const char *help;
};

extern const struct verb verb_check;
extern const struct verb verb_count;
extern const struct verb verb_doctor;
extern const struct verb verb_exec;
extern const struct verb verb_find;
extern const struct verb verb_inside;
extern const struct verb verb_lat;
extern const struct verb verb_limit;
extern const struct verb verb_list;
extern const struct verb verb_report;
extern const struct verb verb_rm;
extern const struct verb verb_top;
extern const struct verb verb_trace;
extern const struct verb verb_watch;

#endif
