// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "functions.h"

static int failed;

static const char kallsyms[] =
	"ffffffff81000000 T __pfx_vfs_read\n"
	"ffffffff81000010 T vfs_read\n"
	"ffffffff81000100 t vfs_read.cold\n"
	"ffffffff81000200 T vfs_readv\n"
	"ffffffff81000300 t twice\n"
	"ffffffff81000400 t twice\n"
	"ffffffff81000500 D vfs_data\n"
	"ffffffff81000600 t vfs_constprop.0\n"
	"ffffffff81000700 t noinstr_one\n"
	"ffffffffc0000010 t vfs_read\t[some_module]\n"
	"ffffffffc0000020 W weak_one\t[some_module]";

static const char blacklist[] =
	"0xffffffff81000700-0xffffffff81000800\tnoinstr_one\tcode that must not be instrumented\n"
	"0xffffffff81000700-0xffffffff81000800\tnoinstr_one\tanother reason\n"
	"0x0000000000000000-0x0000000000000000\thidden\thidden\n"
	"0xffffffff810003f0-0xffffffff81000401\ttwice\tthe second one\n"
	"no range\n";

static const char traceable[] =
	"vfs_read\nvfs_readv\ntwice\nweak_one [some_module]\nunknown\n";

static void check(const char *pattern, const char *black, const char *trace, const char *wanted)
{
	char *symbols = strdup(kallsyms), *ranges = strdup(black);
	char *names = trace ? strdup(trace) : NULL;
	char got[1024] = "";
	struct functions found;
	size_t i;

	if (functions_find(&found, symbols, pattern) ||
	    functions_refuse(&found, ranges, names))
		exit(1);
	for (i = 0; i < found.nr; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s:%s:%llx:%s\n",
			 found.of[i].module, found.of[i].name, found.of[i].addr & 0xfff,
			 found.of[i].refused ?: "");
	if (strcmp(got, wanted)) {
		printf("%s: got\n%swanted\n%s", pattern, got, wanted);
		failed = 1;
	}
	functions_free(&found);
	free(symbols);
	free(ranges);
	free(names);
}

#define UNTRACEABLE "ftrace does not trace this function\n"

int main(void)
{
	check("vfs_read", "", NULL, ":vfs_read:10:\nsome_module:vfs_read:10:\n");
	check("fs_rea", "", NULL, ":vfs_read:10:\nsome_module:vfs_read:10:\n:vfs_readv:200:\n");
	check("vfs_*v", "", NULL, ":vfs_readv:200:\n");
	check("vfs_*", "", traceable, ":vfs_constprop.0:600:" UNTRACEABLE ":vfs_read:10:\n"
	      "some_module:vfs_read:10:" UNTRACEABLE ":vfs_readv:200:\n");
	check("twice", blacklist, traceable, ":twice:300:\n:twice:400:the second one\n");
	check("noinstr_one", blacklist, NULL,
	      ":noinstr_one:700:code that must not be instrumented\n");
	check("weak_one", blacklist, traceable, "some_module:weak_one:20:\n");
	check("nothing", blacklist, traceable, "");
	check("vfs_data", blacklist, traceable, "");
	return failed;
}
