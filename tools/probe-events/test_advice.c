// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_advice.c - what is told of a word that is no key, or no number.
 */
#include <stdio.h>
#include <string.h>
#include "advice.h"

static const char unknown[] =
	"This variable is not found at this probe point (its parameters are a)";
static int failed;

static void advises(const char *what, const char *word, size_t len, bool filter,
		    const char *wanted)
{
	char text[128] = "before";

	advice(what, word, len, filter, text, sizeof(text));
	if (!strcmp(text, wanted))
		return;
	printf("%s: %s, wanted %s\n", word, text, wanted);
	failed = 1;
}

static void keys(const char *word, const char *wanted)
{
	advises(unknown, word, strlen(word), false, wanted);
}

static void numbers(const char *word, const char *wanted)
{
	advises("error: Expecting numeric field", word, strlen(word), true, wanted);
}

int main(void)
{
	static const char all[] = "keys of all functions: " ADVICE_KEYS;
	char longest[600];

	keys("cmm", "meant: comm");
	keys("com", "meant: comm");
	keys("comn", "meant: comm");
	keys("common", "meant: comm");
	keys("pids", "meant: pid");
	keys("cpus", "meant: cpu");
	keys("stak", "meant: stack");
	keys("callr", "meant: caller");
	keys("fucn", "meant: func");
	keys("errn", "meant: errno");
	keys("ert", all);
	keys("len", all);
	keys("process", all);
	keys("x", all);
	advises(unknown, "cmm.log2", 3, false, "meant: comm");
	/* Not all keys are fields of a filter. */
	advises(unknown, "stak", 4, true, "all hits have: " ADVICE_FIELDS);
	advises(unknown, "cmm", 3, true, "meant: comm");
	advises("no such symbol", "cmm", 3, false, "");
	advises("BTF is not available or not supported", "cmm", 3, false, "meant: comm");
	numbers("CHLD", "a number is wanted: the signal CHLD is 17");
	numbers("SIGKILL", "a number is wanted: the signal SIGKILL is 9");
	numbers("ENOENT", "a number is wanted: the error ENOENT is -2");
	numbers("many", "a number is wanted");
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	keys(longest, all);
	return failed;
}
