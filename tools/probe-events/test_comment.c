// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * test_comment.c - what was typed is what is read back, or it is known that it is not.
 */
#include <stdio.h>
#include <string.h>
#include "comment.h"
#include "expect.h"

/* As the modules show it. */
static void show(char *to, const char *text)
{
	for (; *text; text++)
		to += sprintf(to, *text >= ' ' && *text <= '~' ? "%c" : "\\x%02x",
			      (unsigned char)*text);
}

static void same(const char *what, const char *wanted, const char *got)
{
	if (!strcmp(wanted, got))
		return;
	fprintf(stderr, "%s: got <%s>, wanted <%s>\n", what, got, wanted);
	failed = 1;
}

static void back(const char *wanted, int argc, char **argv)
{
	char text[COMMENT_ROOM], shown[4 * COMMENT_ROOM], *words[64];
	int i;

	EXPECT(comment_make(text, argc, argv));
	same("comment", wanted, text);
	show(shown, text);
	EXPECT(comment_split(shown, words, 64) == argc);
	for (i = 0; i < argc; i++)
		same("word", argv[i], words[i]);
	EXPECT(!words[argc]);
}

#define BACK(wanted, ...) do {						\
	char *argv[] = { __VA_ARGS__ };					\
									\
	back(wanted, sizeof(argv) / sizeof(*argv), argv);		\
} while (0)

/* @len bytes in all: what fits is whole, what does not ends with a mark. */
static void check_length(size_t len)
{
	static char longest[2 * COMMENT_ROOM];
	char *argv[] = { "count", longest, "by", "comm" }, *words[64];
	char text[COMMENT_ROOM], all[3 * COMMENT_ROOM];
	bool fits = len < COMMENT_ROOM;

	memset(longest, 'f', sizeof(longest));
	longest[len - strlen("count  by comm")] = '\0';
	EXPECT(comment_make(text, 4, argv) == fits);
	EXPECT(strlen(text) < COMMENT_ROOM);
	EXPECT(strlen(text) == (fits ? len : COMMENT_ROOM - 1));
	snprintf(all, sizeof(all), "count %s by comm", longest);
	EXPECT(!strncmp(text, all, fits ? len : COMMENT_ROOM - 5));
	EXPECT(fits || !strcmp(text + COMMENT_ROOM - 5, " ..."));
	EXPECT(comment_split(text, words, 64) == (fits ? 4 : -1));
}

static void split(const char *text, int wanted, const char *last)
{
	char copy[COMMENT_ROOM], *words[4];
	int nr;

	snprintf(copy, sizeof(copy), "%s", text);
	nr = comment_split(copy, words, 4);
	if (nr != wanted)
		fprintf(stderr, "%s: %d words, wanted %d\n", text, nr, wanted);
	EXPECT(nr == wanted);
	if (nr > 0)
		same(text, last, words[nr - 1]);
}

int main(void)
{
	size_t len;

	BACK("count f by comm -k 24h", "count", "f", "by", "comm", "-k", "24h");
	BACK("lat f -n 'Web Content' -k 1h", "lat", "f", "-n", "Web Content", "-k", "1h");
	BACK("count f if comm eq '' -d 1", "count", "f", "if", "comm", "eq", "", "-d", "1");
	BACK("count f if comm eq a\\x27b", "count", "f", "if", "comm", "eq", "a'b");
	BACK("count f if comm eq 'a \\x27 \\x5c \"'", "count", "f", "if", "comm", "eq", "a ' \\ \"");
	BACK("count f -n \\x5cx41", "count", "f", "-n", "\\x41");
	BACK("count f -n a\\x09b", "count", "f", "-n", "a\tb");
	BACK("count f if comm eq '...'", "count", "f", "if", "comm", "eq", "...");
	BACK("count f -n W\u00e9b", "count", "f", "-n", "W\u00e9b");
	for (len = 20; len < COMMENT_ROOM + 20; len++)
		check_length(len);
	/* Of other programs, and of older ones. */
	split("", 0, "");
	split("   ", 0, "");
	split(" a  b ", 2, "b");
	split("a b c", 3, "c");
	split("a b c d", -1, "");
	split("a 'b c", -1, "");
	split("a b'c d'e", 2, "bc de");
	split("a \\x", 2, "\\x");
	split("a \\x4", 2, "\\x4");
	split("a \\x41", 2, "A");
	/* Control characters come out as what they are, and are not shown; but for the end of a text. */
	split("a \\x1b[2J\\x00\\x7f", 2, "\x1b[2J\\x00\x7f");
	split("a ...", -1, "");
	return failed;
}
