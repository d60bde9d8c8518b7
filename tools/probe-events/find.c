// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * find.c - which function was meant, what its arguments are called, and whether it can be probed.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "functions.h"
#include "nearest.h"
#include "place.h"
#include "prototypes.h"
#include "report.h"
#include "text.h"
#include "verb.h"

#define LONGEST 100	/* bytes of a name that is compared */

/* Texts that functions are parts of, for free(). */
struct texts {
	char *kallsyms, *blacklist, *traceable;
};

static char *read_ours(const char *dir, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return read_file(path);
}

/* What our files say of the functions.  Without them nothing is said of probing. */
static int look_up_refused(struct functions *found, struct texts *texts)
{
	const char *dir = place_of_files();

	if (!dir)
		return 0;
	texts->blacklist = read_ours(dir, "kprobes/blacklist");
	texts->traceable = read_ours(dir, "available_filter_functions");
	if (!texts->blacklist)
		return complain("%s/kprobes/blacklist: %s", dir, strerror(errno));
	if (!strncmp(texts->blacklist, "0x0000000000000000-", 19))
		complain("kernel.kptr_restrict is 2: what is on the blacklist is not told");
	return functions_refuse(found, texts->blacklist, texts->traceable);
}

static void show(const struct functions *found)
{
	struct prototypes *types = prototypes_load();
	size_t i, refused = 0;

	if (!types)
		complain("parameters are not shown: this kernel has no type data (BTF)");
	for (i = 0; i < found->nr; i++) {
		const struct function *f = &found->of[i];

		printf("%s%s%s", f->module, *f->module ? ":" : "", f->name);
		prototypes_print(types, f->module, f->name, stdout);
		putchar('\n');
		if (f->refused) {
			printf("    cannot be probed: %s\n", f->refused);
			refused++;
		}
	}
	prototypes_free(types);
	printf("\n%zu function%s", found->nr, found->nr == 1 ? "" : "s");
	if (refused)
		printf(", %zu cannot be probed", refused);
	putchar('\n');
}

/* The function that may have been meant: two letters differ at most; for free(). */
static char *nearest(const char *name)
{
	char *kallsyms = strlen(name) <= LONGEST ? read_file("/proc/kallsyms") : NULL, *copy;
	size_t len = strlen(name), least = 3, is, of, i;
	struct functions all = {};
	const char *near = NULL;

	if (kallsyms && functions_find(&all, kallsyms, "*"))
		complain("no memory");
	for (i = 0; i < all.nr && least > 1; i++) {
		of = strlen(all.of[i].name);
		if (of >= len + least || len >= of + least || of > LONGEST)
			continue;
		is = nearest_distance(name, len, all.of[i].name, of);
		if (is < least) {
			least = is;
			near = all.of[i].name;
		}
	}
	copy = near ? strdup(near) : NULL;
	functions_free(&all);
	free(kallsyms);
	return copy;
}

static void complain_missing(const char *name)
{
	char *near = strpbrk(name, "*?[") ? NULL : nearest(name);

	if (near)
		complain_at(name, "no such function: %s (meant: %s?)", name, near);
	else
		complain_at(name, "no such function: %s", name);
	free(near);
}

static int find(const char *pattern)
{
	struct texts texts = { .kallsyms = read_text("/proc/kallsyms") };
	struct functions found = {};
	int status = PE_EXIT_MISSING;

	if (!texts.kallsyms)
		return status;
	if (functions_find(&found, texts.kallsyms, pattern)) {
		complain("no memory");
	} else if (!found.nr) {
		complain_missing(pattern);
	} else if (!look_up_refused(&found, &texts)) {
		show(&found);
		status = 0;
	}
	functions_free(&found);
	free(texts.kallsyms);
	free(texts.blacklist);
	free(texts.traceable);
	return status;
}

static int run_find(const struct verb *verb, int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(verb->help, stdout);
		return 0;
	}
	if (argc != 2 || argv[1][0] == '-' || !argv[1][0]) {
		complain_at(argc > 2 ? argv[2] : argv[1],
			    "find: which function? (probe-events find --help)");
		return PE_EXIT_USAGE;
	}
	return find(argv[1]);
}

const struct verb verb_find = {
	.name = "find",
	.summary = "find functions, their parameters, and why one cannot be probed",
	.run = run_find,
	.help =
"usage: probe-events find NAME\n"
"\n"
"Lists the kernel's and its modules' functions of that name or, if there is none, those\n"
"whose names contain it. NAME may be a pattern with * ? and [].\n"
"\n"
"    probe-events find do_fsyn\n"
"    do_fsync(unsigned int fd, int datasync) -> int\n"
"\n"
"    1 function\n"
"\n"
"Parameters come from the kernel's type data. A command names them without more:\n"
"\n"
"    echo 'r:sync do_fsync fd ret=$retval' >> /sys/kernel/probes/kprobe_events\n"
"\n"
"If the module is loaded, it is said which functions cannot be probed, and why.\n"
"\n"
"Exit status: 0, or 1 if there is no such function; 2 if the command line is wrong.\n",
};
