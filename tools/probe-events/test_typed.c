// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_typed.c - messages show the line that was typed, with a caret below the word they are about.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "report.h"
#include "typed.h"

static int failed;

/* The words of a line, which are cut at its blanks. */
static void type(const char *line)
{
	static char *words[32];
	static char *text;
	int nr = 0;

	free(text);
	text = strdup(line);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		words[nr++] = word;
	words[nr] = NULL;
	typed_begin(nr, words);
}

/* @typed and @marks, one above the other: marks has a caret below the word, or none. */
static void maps(const char *typed, const char *marks, const char *command, const char *caret)
{
	int column, wanted = strchr(marks, '^') ? strchr(marks, '^') - marks : -1;

	type(typed);
	column = typed_of_command(command, strchr(caret, '^') - caret);
	if (column == wanted)
		return;
	fprintf(stderr, "%s\n%*s^ %d, wanted %d\n", typed, column < 0 ? 0 : column, "", column,
		wanted);
	failed = 1;
}

static void names(const char *typed, const char *marks, const char *message)
{
	int wanted = strchr(marks, '^') ? strchr(marks, '^') - marks : -1;

	type(typed);
	if (typed_named(message) == wanted)
		return;
	fprintf(stderr, "%s: %d\n", typed, typed_named(message));
	failed = 1;
}

/* What a message is on standard error. */
static void says(const char *wanted, const char *what, const char *command, int where)
{
	char text[1024] = "";
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	complain_of(what, command, where);
	dup2(before, STDERR_FILENO);
	close(before);
	pread(fileno(file), text, sizeof(text) - 1, 0);
	fclose(file);
	if (!strcmp(text, wanted))
		return;
	fprintf(stderr, "said:\n%swanted:\n%s", text, wanted);
	failed = 1;
}

/* Commands as recipe.c makes them, and carets where the modules put them. */
static void test_commands(void)
{
	maps("lat do_fsyn by comm",
	     "    ^",
	     "r:lat do_fsyn ns=$elapsed comm=$comm",
	     "      ^");
	maps("count kfree_skb by skb.lenn",
	     "                       ^",
	     "p:count kfree_skb skb_lenn=skb->lenn",
	     "                                ^");
	/* The same name in two keys: the argument's name says which. */
	maps("count f by skb.len,sk.lenn,sk.len",
	     "                      ^",
	     "p:count f skb_len=skb->len sk_lenn=sk->lenn sk_len=sk->len",
	     "                                       ^");
	/* What the spelling has put between was not typed: the key is. */
	maps("count f by sk.state",
	     "           ^",
	     "p:count f sk_state=sk->__sk_common.state_x",
	     "                       ^");
	maps("count vfs_read,no_such by func",
	     "               ^",
	     "p:count no_such",
	     "        ^");
	maps("count 'tcp_zz*' by func",
	     "       ^",
	     "f:count tcp_zz* ",
	     "        ^");
	maps("count vfs_read+0x999",
	     "               ^",
	     "p:count vfs_read+0x999",
	     "                 ^");
	maps("trace t:sched_swich",
	     "        ^",
	     "t:trace sched_swich",
	     "        ^");
	maps("trace f by file:ustrng",
	     "                ^",
	     "p:trace f comm=$comm file=file:ustrng",
	     "                               ^");
	/* Of filters the field, and the value. */
	maps("trace f by n if m eq 1",
	     "                ^",
	     "(m == 1)",
	     " ^");
	maps("count f if skb.len eq zz and a lt 2",
	     "           ^",
	     "(skb_len == \"zz\" && a < 2)",
	     " ^");
	/* What is wrong at the end is so with the word before that. */
	maps("count f -C 99",
	     "           ^",
	     "cpu & CPUS{99}",
	     "              ^");
	maps("count f if comm eq 57",
	     "                   ^",
	     "(comm == 57)",
	     "            ^");
}

static void test_options(void)
{
	/* Options that have become a part of it. */
	maps("count f --fail",
	     "        ^",
	     "r:count f ret=$retval",
	     "              ^");
	maps("count f -L 5ms -p 3",
	     "        ^",
	     "r:count f ns=$elapsed",
	     "             ^");
	maps("count f --one 400%",
	     "        ^",
	     "limit count cpu=2% one=400%",
	     "                   ^");
	/* Neither the event's name, nor what the command that is run has. */
	maps("count f -- no_such count",
	     "",
	     "p:count no_such",
	     "        ^");
	maps("count @open",
	     "",
	     "p:count do_sys_openat2",
	     "        ^");
	maps("count f",
	     "",
	     "p:count f",
	     "  ^");
	maps("count f",
	     "",
	     "p:count f",
	     "          ^");
}

static void test_words(void)
{
	names("count f -M 5 -p 3", "        ^", "-M ends too early (trace -M can); -a, with a command");
	names("count f -k5 -d 3", "            ^", "-k waits for nothing: no -d, -i, -o");
	names("count f --fail", "        ^", "a pointer: --fail wants a result");
	names("watch f by comm", "        ^", "by, -i and -k are not for watch");
	names("watch f bytes", "", "by, -i and -k are not for watch");
	names("count f -- x -M 5", "", "-M counts all hits");
	names("count f-M", "", "-M counts all hits");
}

static void advise(const char *what, const char *word, size_t len, bool filter, char *text,
		   size_t size)
{
	if (strncmp(what, "no such", 7))
		snprintf(text, size, "%s %.*s", filter ? "field" : "key", (int)len, word);
}

/* Of a name that the modules do not know, and of no other word. */
static void test_keys(void)
{
	report_advice(advise);
	type("count f by a,cmm.log2 if tidd eq 3");
	says("probe-events: This variable is not found (its parameters are a)\n"
	     "  count f by a,cmm.log2 if tidd eq 3\n"
	     "               ^\n"
	     "  key cmm\n",
	     "This variable is not found (its parameters are a)", "p:count f a=a cmm=cmm tidd=tidd",
	     18);
	says("probe-events: No BTF entry\n"
	     "  count f by a,cmm.log2 if tidd eq 3\n"
	     "                           ^\n"
	     "  field tidd\n", "No BTF entry", "p:count f a=a cmm=cmm tidd=tidd", 27);
	says("probe-events: This variable is not found\n"
	     "  count f by a,cmm.log2 if tidd eq 3\n"
	     "               ^\n"
	     "  meant: comb\n",
	     "This variable is not found (did you mean comb?)", "p:count f cmm=cmm", 14);
	says("probe-events: no such symbol\n"
	     "  count f by a,cmm.log2 if tidd eq 3\n"
	     "        ^\n", "no such symbol", "p:count f", 8);
	type("trace f,g");
	says("probe-events: This variable is not found\n"
	     "  trace f,g\n"
	     "        ^\n", "This variable is not found", "p:trace f comm=$comm", 8);
	report_advice(NULL);
}

static void test_lines(void)
{
	char typed[300], wanted[1200];

	type("lat do_fsyn by comm");
	says("probe-events: no such symbol\n"
	     "  lat do_fsyn by comm\n"
	     "      ^\n"
	     "  meant: do_fsync\n",
	     "no such symbol (did you mean do_fsync?)", "r:lat do_fsyn ns=$elapsed", 6);
	/* A hint that is a command, or more than a name, stays as it is. */
	says("probe-events: bad (did you mean p:x f?)\n"
	     "  lat do_fsyn by comm\n"
	     "      ^\n", "bad (did you mean p:x f?)", "r:lat do_fsyn", 6);
	/* What was not typed is shown as it was written. */
	says("probe-events: bad\n"
	     "  Command: p:x f\n"
	     "               ^\n", "bad", "p:x f", 4);
	/* Of others, a file or the kernel: on a terminal it is shown, not obeyed. */
	says("probe-events: b\\x1bad\n"
	     "  Command: p:\\x1b f\n"
	     "                  ^\n", "b\033ad", "p:\033 f", 4);
	/* Characters are columns, bytes of them are not; a line has no others that move a cursor. */
	type("lat \303\244\033b,x");
	says("probe-events: bad\n"
	     "  lat \303\244?b,x\n"
	     "          ^\n", "bad", "p:x x", 4);
	/* A byte inside of a character comes first. */
	type("\200zz foo");
	says("probe-events: bad\n  \200zz foo\n     ^\n", "bad", "p:foo foo", 6);
	/* Of a long line the part around the word. */
	memset(typed, 'a', 200);
	memcpy(typed, "lat ", 4);
	sprintf(typed + 200, ",no_such by comm");
	type(typed);
	sprintf(wanted, "probe-events: bad\n  ...%.*s,no_such by comm\n%*s^\n", 47, typed + 153, 53,
		"");
	says(wanted, "bad", "p:lat no_such", 6);
}

int main(void)
{
	says("probe-events: bad\n  Command: p:x f\n               ^\n", "bad", "p:x f", 4);
	test_commands();
	test_options();
	test_words();
	test_keys();
	test_lines();
	return failed;
}
