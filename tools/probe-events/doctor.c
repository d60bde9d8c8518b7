// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * doctor.c - say why no probe fires on this machine, and what to do about it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include "patient.h"
#include "report.h"
#include "verb.h"

static int run_doctor(const struct verb *verb, int argc, char **argv)
{
	struct patient patient = { .root = "" };
	struct utsname uts;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (argc > 1) {
		complain_at(argv[1], "doctor: no such option: %s", argv[1]);
		return PE_EXIT_USAGE;
	}
	if (uname(&uts)) {
		complain("uname: %s", strerror(errno));
		return PE_EXIT_MISSING;
	}
	patient.machine = uts.machine;
	patient.release = uts.release;
	return examine(&patient, stdout) ? PE_EXIT_MISSING : 0;
}

const struct verb verb_doctor = {
	.name = "doctor",
	.summary = "say why no probe fires on this machine, and what mends it",
	.run = run_doctor,
	.help =
"usage: probe-events doctor\n"
"\n"
"Checks one by one what a probe needs on this machine: the processor, the kernel and its\n"
"configuration, rights, lockdown, headers, the module, its signature, the files, switches.\n"
"Changes nothing. Each line begins with one of three words:\n"
"\n"
"    good     it is as it has to be\n"
"    remark   probes work, but perhaps not as you expect\n"
"    missing  without it no probe can fire\n"
"\n"
"Below what is missing stands the command that mends it, or, in brackets, what to do.\n"
"\n"
"    probe-events doctor || echo not yet\n"
"\n"
"Exit status: 0, or 1 if something is missing; 2 if the command line is wrong.\n",
};
