// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
#include <string.h>
#include "mounts.h"

/* A word of a line: text and length. */
struct word {
	const char *text;
	size_t len;
};

/* The word at *pos, which is moved to the blank or newline after it. */
static struct word next_word(const char **pos)
{
	struct word word;

	*pos += strspn(*pos, " \t");
	word.text = *pos;
	word.len = strcspn(*pos, " \t\n");
	*pos += word.len;
	return word;
}

static const char *next_line(const char *pos)
{
	pos += strcspn(pos, "\n");
	return *pos ? pos + 1 : pos;
}

static bool word_is(struct word word, const char *text)
{
	return word.len == strlen(text) && !memcmp(word.text, text, word.len);
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* In mount points, \ooo replaces a blank, tab, newline, backslash or #. */
static bool unescape(struct word word, char *out, size_t size)
{
	size_t i = 0, n = 0;

	while (i < word.len) {
		const char *s = word.text + i;

		if (n + 1 >= size)
			return false;
		if (*s == '\\' && word.len - i >= 4 && is_octal(s[1]) && is_octal(s[2]) &&
		    is_octal(s[3])) {
			out[n++] = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			i += 4;
		} else {
			out[n++] = *s;
			i++;
		}
	}
	if (!size)
		return false;
	out[n] = '\0';
	return true;
}

bool mounts_next(const char **pos, const char *type, char *dir, size_t size)
{
	while (**pos) {
		struct word place, fstype;

		next_word(pos);		/* what is mounted */
		place = next_word(pos);
		fstype = next_word(pos);
		*pos = next_line(*pos);
		if (word_is(fstype, type) && unescape(place, dir, size))
			return true;
	}
	return false;
}

bool mounts_has(const char *mounts, const char *type, const char *dir)
{
	char found[4096];

	while (mounts_next(&mounts, type, found, sizeof(found)))
		if (!strcmp(found, dir))
			return true;
	return false;
}

bool filesystems_has(const char *filesystems, const char *type)
{
	while (*filesystems) {
		struct word last = { "", 0 }, word;

		/* The name is the last word, "nodev" may come first. */
		while ((word = next_word(&filesystems)).len)
			last = word;
		if (word_is(last, type))
			return true;
		filesystems = next_line(filesystems);
	}
	return false;
}
