// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * comment.c - what was typed, as the comment of a session, and back.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comment.h"

#define CUT " ..."

/* As much of it as there is room for. */
struct line {
	char *text;
	size_t len, room;
	bool cut;
};

static void put(struct line *line, const char *text)
{
	size_t len = strlen(text);

	if (len > line->room - line->len) {
		line->cut = true;
		len = line->room - line->len;
	}
	memcpy(line->text + line->len, text, len);
	line->len += len;
}

static void put_word(struct line *line, const char *word)
{
	/* CUT alone, without quotes, is the mark. */
	bool bare = *word && !strchr(word, ' ') && strcmp(word, CUT + 1);
	const char *quote = bare ? "" : "'";
	char one[8];

	put(line, quote);
	for (; *word; word++) {
		unsigned char c = *word;

		snprintf(one, sizeof(one), c < ' ' || c == 127 || c == '\\' || c == '\'' ?
			 "\\x%02x" : "%c", c);
		put(line, one);
	}
	put(line, quote);
}

bool comment_make(char *text, int argc, char **argv)
{
	struct line line = { .text = text, .room = COMMENT_ROOM - 1 };
	int i;

	for (i = 0; i < argc; i++) {
		if (i)
			put(&line, " ");
		put_word(&line, argv[i]);
	}
	text[line.len] = '\0';
	if (line.cut)
		memcpy(text + line.room - strlen(CUT), CUT, sizeof(CUT));
	return !line.cut;
}

/* \xNN.  The reader of the words looks whether they can be shown. */
static bool take_byte(const char *text, char *byte)
{
	char digits[3] = "";
	unsigned long value;

	if (text[0] != '\\' || text[1] != 'x' || !isxdigit((unsigned char)text[2]) ||
	    !isxdigit((unsigned char)text[3]))
		return false;
	memcpy(digits, text + 2, 2);
	value = strtoul(digits, NULL, 16);
	if (!value)
		return false;
	*byte = value;
	return true;
}

/* A word is decoded in place; NULL: its quote is not closed.  Return: where the next begins. */
static char *take_word(char *text)
{
	bool quoted = false;
	char *to = text;

	while (*text && (quoted || *text != ' ')) {
		if (*text == '\'') {
			quoted = !quoted;
			text++;
		} else if (take_byte(text, to)) {
			text += 4;
			to++;
		} else {
			*to++ = *text++;
		}
	}
	if (quoted)
		return NULL;
	text += *text == ' ';
	*to = '\0';
	return text;
}

int comment_split(char *text, char **words, int most)
{
	size_t len = strlen(text);
	int nr = 0;

	if (len >= strlen(CUT) && !strcmp(text + len - strlen(CUT), CUT))
		return -1;
	for (text += strspn(text, " "); text && *text; text += text ? strspn(text, " ") : 0) {
		if (nr + 1 == most)
			return -1;
		words[nr++] = text;
		text = take_word(text);
		if (!text)
			return -1;
	}
	words[nr] = NULL;
	return nr;
}
