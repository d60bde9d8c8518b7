// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * exec.c - run a command that finds our files where it looks for the kernel's.
 *
 * The command replaces this process.  So its status, its signals, its terminal and
 * its process id are those of this process, and nothing has to pass them on.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "place.h"
#include "report.h"
#include "static.h"
#include "verb.h"

/* They give the kernel the number of an event, which is another one there, or none. */
static void tell_of_mirrors(const char *command)
{
	const char *slash = strrchr(command, '/'), *name = slash ? slash + 1 : command;

	if (!strcmp(name, "perf") || !strcmp(name, "bpftrace"))
		complain("%s records events of the kernel only; "
			 "with exec --mirror ours are among them", name);
}

/**
 * struct exec_options - what has been asked for
 * @mirror: --mirror
 * @is_static: --static
 * @definitions: of --static=DIR, or NULL
 * @help: --help
 */
struct exec_options {
	bool mirror, is_static, help;
	const char *definitions;
};

static int parse_options(int argc, char **argv, struct exec_options *o)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "mirror", no_argument, NULL, 'm' },
		{ "static", optional_argument, NULL, 's' },
		{}
	};
	const char *word;
	int option;

	opterr = 0;
	for (;;) {
		word = argv[optind];
		/* "+": the words after the command are the command's. */
		option = getopt_long(argc, argv, "+h", options, NULL);
		switch (option) {
		case -1:
			return 0;
		case 'h':
			o->help = true;
			return 0;
		case 'm':
			o->mirror = true;
			break;
		case 's':
			o->is_static = true;
			o->definitions = optarg;
			break;
		default:
			return complain_at(word, "exec: no such option: %s", word);
		}
	}
}

/* Our files where the command looks, with what it may miss there. */
static int place(const struct exec_options *o)
{
	if (o->mirror)
		return place_mirrors();
	if (place_files())
		return -1;
	return o->is_static ? define_static(TRACING, o->definitions) : 0;
}

static int run_exec(const struct verb *verb, int argc, char **argv)
{
	struct exec_options o = {};
	int err;

	if (parse_options(argc, argv, &o))
		return PE_EXIT_FAILED;
	if (o.help) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (optind == argc) {
		complain("exec: which command? (probe-events exec --help)");
		return PE_EXIT_FAILED;
	}
	if (o.mirror && o.is_static) {
		complain_at(NULL,
			    "exec: with --mirror COMMAND finds the kernel's own static events");
		return PE_EXIT_FAILED;
	}
	if (!o.mirror)
		tell_of_mirrors(argv[optind]);
	if (place(&o))
		return PE_EXIT_FAILED;
	execvp(argv[optind], argv + optind);
	err = errno;
	complain("cannot run %s: %s", argv[optind], strerror(err));
	return err == ENOENT ? PE_EXIT_NO_COMMAND : PE_EXIT_CANNOT_RUN;
}

const struct verb verb_exec = {
	.name = "exec",
	.summary = "run a command that finds our files at /sys/kernel/tracing",
	.run = run_exec,
	.help =
"usage: probe-events exec [--mirror | --static[=DIR]] [--] COMMAND [ARGS]...\n"
"\n"
"Runs COMMAND in a mount namespace of its own. The files of the module probe_events\n"
"are at /sys/kernel/tracing there, and wherever else tracefs is mounted,\n"
"/sys/kernel/debug/tracing included. So trace-cmd and other tools for tracefs work on\n"
"them unchanged. The rest of the system sees no difference.\n"
"\n"
"    probe-events exec trace-cmd record -e kprobes:open -- ls\n"
"    probe-events exec sh -c 'cat /sys/kernel/tracing/trace'\n"
"\n"
"perf and bpftrace give the kernel the numbers of events, and it knows only its own:\n"
"\n"
"    probe-events exec --mirror perf record -a -e kprobes:open\n"
"\n"
"--mirror makes each event that is defined one of the kernel's, too, which it remains.\n"
"COMMAND finds the kernel's own files then.\n"
"\n"
"Tools that want static events (sched:, syscalls:, ...) find some of ours after\n"
"\n"
"    probe-events exec --static opensnoop-perf\n"
"\n"
"They remain, and cost nothing unless they are enabled. DIR has other files of\n"
"definitions, *.events.\n"
"\n"
"Needs root, and the module loaded.\n"
"\n"
"Exit status: COMMAND's own; 127 if there is no such command, 126 if it cannot be run,\n"
"125 if our files could not be put into place.\n",
};
