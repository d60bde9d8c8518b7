// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "request.h"
#include "whats.h"

#define SECOND 1000000000ULL

int whats_parse(struct whats *w, const struct verb *verb, int argc, char **argv)
{
	int i;

	*w = (struct whats){ .what = argv + 1, .duration = SECOND };
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-d") && i + 1 < argc &&
		    parse_time(argv[i + 1], &w->duration)) {
			i++;
			continue;
		}
		if (*argv[i] == '-' || strpbrk(argv[i], " \t\n")) {
			complain_at(argv[i],
				    "%s: %s: neither a function nor -d TIME (probe-events %s --help)",
				    verb->name, argv[i], verb->name);
			return PE_EXIT_USAGE;
		}
		w->what[w->nr++] = argv[i];
	}
	if (w->nr)
		return -1;
	complain("%s: which function? (probe-events %s --help)", verb->name, verb->name);
	return PE_EXIT_USAGE;
}
