// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_stock_recipe.c - questions for the kernel's own tracefs, and what is refused there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "stock_recipe.h"

/* Functions return a pointer, enumerations have a word. */
static struct recipe_result result(void *ctx, const char *function)
{
	(void)ctx;
	return (struct recipe_result){ *function == 'x' ? RESULT_UNKNOWN : RESULT_POINTER,
				       *function == 'x' ? "s32" : "s64", NULL };
}

static const char *number(void *ctx, const char *function, const char *expr)
{
	(void)ctx;
	(void)function;
	(void)expr;
	return "s32";
}

static const char *ask(struct stock_recipe *s, struct request *r, const char *typed)
{
	static const struct recipe_types types = { NULL, result, number, NULL };
	static char text[200];
	char *rest = text, *words[32];
	int nr = 0;
	const char *wrong;

	snprintf(text, sizeof(text), "%s", typed);
	while (nr < 32 && (words[nr] = strsep(&rest, " ")))
		nr++;
	*s = (struct stock_recipe){};
	wrong = request_parse(r, nr, words);
	return wrong ?: stock_recipe_make(s, r, !strcmp(words[0], "lat") ? RECIPE_LAT :
					  !strcmp(words[0], "count") ? RECIPE_COUNT : RECIPE_TRACE,
					  &types);
}

/* "p|r ARGS; TRIGGER; FILTER" */
static void asks(const char *typed, const char *wanted)
{
	struct stock_recipe s;
	struct request r;
	char got[400];
	const char *wrong = ask(&s, &r, typed);

	snprintf(got, sizeof(got), "%s %s; %s; %s", s.base.returns ? "r" : "p", s.args ?: "",
		 s.trigger ?: "", s.filter ?: "");
	if (strcmp(wrong ?: got, wanted)) {
		printf("%s: got\n%s\nwanted\n%s\n", typed, wrong ?: got, wanted);
		failed = 1;
	}
	stock_recipe_free(&s);
}

static void refuses(const char *typed, const char *part)
{
	struct stock_recipe s;
	struct request r;
	const char *wrong = ask(&s, &r, typed);

	if (!wrong || !strstr(wrong, part)) {
		printf("%s: got %s, wanted %s\n", typed, wrong ?: "no refusal", part);
		failed = 1;
	}
	stock_recipe_free(&s);
}

int main(void)
{
	asks("count x by comm,tid",
	     "p comm=$comm; hist:keys=comm,common_pid:vals=hitcount:size=65536; ");
	asks("count x", "p comm=$comm; hist:keys=common_cpu:vals=hitcount:size=65536; ");
	asks("count x by ret,caller --fail",
	     "r comm=$comm ret=$retval:s32; "
	     "hist:keys=ret,__probe_ret_ip.sym:vals=hitcount:size=65536; ret < 0");
	asks("count x by arg2.hex,caller if tid eq 7",
	     "p comm=$comm arg2=$arg2 caller=+0($stack):x64; "
	     "hist:keys=arg2.hex,caller.sym:vals=hitcount:size=65536; (common_pid == 7)");
	asks("lat x by comm -L 2us if comm eq a",
	     "r comm=$comm; hist:keys=comm,ns.log2:vals=hitcount,ns:size=65536; "
	     "((comm == \"a\")) && ns > 2000");
	asks("lat x", "r comm=$comm; hist:keys=ns.log2:vals=hitcount,ns:size=65536; ");
	asks("trace x by arg1 if arg1 gt 3", "p comm=$comm arg1=$arg1; ; (arg1 > 3)");
	asks("count pointer by errno --fail",
	     "r comm=$comm ret=$retval:s64; hist:keys=ret:vals=hitcount:size=65536; "
	     "(ret >= -4095 && ret < 0)");
	asks("trace x by errno", "r comm=$comm ret=$retval:s32; ; ");
	asks("count x by arg2.enum",
	     "p comm=$comm arg2=$arg2:s32; hist:keys=arg2:vals=hitcount:size=65536; ");
	refuses("count x by errno", "--fail or -x");
	refuses("count x*", "one function");
	refuses("count t:x", "one function");
	refuses("count @x", "one function");
	refuses("count a,b", "list");
	refuses("count e:g/x", "event");
	refuses("count x by pid", "tid");
	refuses("count x by func", "one function");
	refuses("count x by stack", "trace -g");
	refuses("count x+4 by caller", "entry or return");
	refuses("lat x by caller", "caller");
	refuses("lat x by a,b,c", "two keys");
	refuses("trace x by ns", "lat only");
	refuses("trace x if ns gt 5", "lat only");
	refuses("count x -L 1", "lat only");
	refuses("count x -M 5", "-M");
	refuses("count x -i 5", "-i");
	refuses("count x -k 5", "-k");
	refuses("count x -p 5", "-t");
	refuses("count x --rate 5", "limits");
	refuses("count x by arg1.log2", ".hex");
	refuses("count x -- true", "-a");
	return failed;
}
