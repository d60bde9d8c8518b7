// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_limiting.c - options and the variable as words for the modules; lines of kprobes/cost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cost.h"
#include "limiting.h"
#include "request.h"

static int failed;

static void same(const char *what, const char *wanted, const char *got)
{
	if (!strcmp(got, wanted))
		return;
	printf("%s: got '%s', wanted '%s'\n", what, got, wanted);
	failed = 1;
}

/* What the words of a command line, with a variable, ask the modules for. */
static void words(const char *env, const char *line, const char *wanted)
{
	char copy[200], text[LIMITS_TEXT], *argv[20], *rest = copy;
	const char *wrong;
	struct request r;
	int argc = 0;

	if (env)
		setenv("PROBE_EVENTS_LIMIT", env, 1);
	else
		unsetenv("PROBE_EVENTS_LIMIT");
	snprintf(copy, sizeof(copy), "%s", line);
	while (argc < 20 && (argv[argc] = strtok_r(NULL, " ", &rest)))
		argc++;
	wrong = request_parse(&r, argc, argv);
	if (!wrong)
		limits_words(&r.limits, r.most, text);
	same(line, wanted, wrong ?: text);
}

static void all_words(void)
{
	words(NULL, "count f", "cpu=2% one=25%");
	words(NULL, "count f --cpu 5", "cpu=5% one=25%");
	words(NULL, "count --one 0.5% f by comm -d 3", "cpu=2% one=0.5%");
	words(NULL, "count f --rate 10k --ttl 1500ms", "cpu=2% one=25% rate=10k/s ttl=2");
	words(NULL, "count f --rate 10/s", "cpu=2% one=25% rate=10/s");
	words(NULL, "count f --no-limit", "");
	words(NULL, "count f --no-limit -M 7", "hits=7");
	words(NULL, "count f --ttl 5 --no-limit", "ttl=5");
	words("cpu=1%", "count f --no-limit --one 9", "one=9%");
	words(NULL, "count f -M 7", "cpu=2% one=25% hits=7");
	/* Hits that a rate leaves out are no hits after the last one. */
	words(NULL, "count f -M 7 --rate 5/s", "-M ends after the last hit, --rate leaves some out before: one of them");
	words(NULL, "trace f --rate 5/s if a gt 1 -M 7",
	      "-M ends after the last hit, --rate leaves some out before: one of them");
	words("rate=5/s cpu=9%", "count f -M 7", "cpu=9% hits=7");
	words("rate=5/s", "count f -M 7", "cpu=2% one=25% hits=7");
	words("rate=5/s ttl=60", "count f -M 7", "cpu=2% one=25% ttl=60 hits=7");
	words("ttl=60", "count f -M 7", "ttl=60 hits=7");
	words("rate=5/s cpu=9%", "count f", "cpu=9% rate=5/s");
	words("none", "count f", "");
	words("none", "count f --cpu 3", "cpu=3%");
	words("cpu=9% ttl=60", "count f", "cpu=9% ttl=60");
	words("one=9%", "count f --one 8%", "one=8%");
	words(NULL, "count f --cpu", "--cpu wants a share: 5%");
	words(NULL, "count f --cpu x", "--cpu wants a share: 5%");
	words(NULL, "count f --one 5w", "--one wants a share: 50%");
	words(NULL, "count f --rate -d", "--rate wants hits in a second: 10k");
	words(NULL, "count f --ttl soon", "--ttl wants a time: 500ms, 10s, 5m, 24h");
	words(NULL, "count f --no-limits", "no such option");
}

static void ends(void)
{
	same("none", "1", limits_is_end("", 0) ? "1" : "0");
	same("-M", "1", limits_is_end("hits 5 of 5", 5) ? "1" : "0");
	same("hits", "0", limits_is_end("hits 5 of 5", 0) ? "1" : "0");
	same("share", "0", limits_is_end("cpu 3% of 2%", 5) ? "1" : "0");
}

static void lines(void)
{
	char text[] = "event\tplace\thits\tprice\tis\tns\tcpu\tstate\tlimit\n"
		      "s1/a\tf+0x1\t12\t50\tcompiled\t600\t0.1%\tarmed\tcpu=2% one=25%\n"
		      "#\ttotal\t-\t-\t-\t600\t0.1%\t1003 ms\t-\n", *rest = text, all[200];
	struct cost_line line;

	if (!cost_next(&rest, &line))
		same("a line", "there", "not there");
	snprintf(all, sizeof(all), "%s %s %s %s %s %llu %s %s %s", line.event, line.place,
		 line.hits, line.price, line.is, line.ns, line.cpu, line.state, line.limit);
	same("a line", "s1/a f+0x1 12 50 compiled 600 0.1% armed cpu=2% one=25%", all);
	if (!cost_next(&rest, &line))
		same("the sum", "there", "not there");
	same("the sum", "#", line.event);
	if (cost_next(&rest, &line))
		same("the end", "there", "not there");
}

int main(void)
{
	all_words();
	ends();
	lines();
	return failed;
}
