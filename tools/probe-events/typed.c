// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * typed.c - the line as it was typed, and where in it something is wrong.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "typed.h"

#define SHOWN 96	/* bytes of a long line */

/* A word: where it is in memory, and in the line. */
struct word {
	const char *at;
	int len, column;
};

static struct word *words;
static char *line;
static int nr, nr_ours;		/* all, and those that are not the command's, after -- */

void typed_begin(int argc, char **argv)
{
	size_t size;
	FILE *out;
	int i;

	free(line);
	free(words);
	out = open_memstream(&line, &size);
	words = calloc(argc + 1, sizeof(*words));
	nr = out && words ? argc : 0;
	nr_ours = nr;
	for (i = 0; i < nr; i++) {
		if (i)
			fputc(' ', out);
		fflush(out);
		words[i] = (struct word){ argv[i], strlen(argv[i]), size };
		fputs(argv[i], out);
		if (nr_ours == nr && !strcmp(argv[i], "--"))
			nr_ours = i;
	}
	if (out && fclose(out))
		nr = 0;
	if (!nr)
		nr_ours = 0;
}

int typed_column(const char *at)
{
	int i;

	for (i = 0; at && i < nr; i++)
		if (at >= words[i].at && at <= words[i].at + words[i].len)
			return words[i].column + (at - words[i].at);
	return -1;
}

const char *typed_word(int column, int *len)
{
	int i;

	for (i = 0; i < nr; i++)
		if (column == words[i].column) {
			*len = words[i].len;
			return line + column;
		}
	return NULL;
}

/* An option may have its value in the same word: -d5. */
static bool is_option(const struct word *w, const char *name, size_t len)
{
	return (size_t)w->len >= len && !strncmp(line + w->column, name, len) &&
	       ((len == 2 && *name == '-') || (size_t)w->len == len);
}

static int find_option(const char *name, size_t len)
{
	int i;

	for (i = 1; i < nr_ours; i++)
		if (is_option(&words[i], name, len))
			return words[i].column;
	return -1;
}

/* Where an option's name ends: "-x", "--fail", "by"; 0: it is none. */
static size_t option_length(const char *text)
{
	size_t dashes = strspn(text, "-"), len;

	if (!strncmp(text, "by", 2) && !isalnum((unsigned char)text[2]))
		return 2;
	if (!dashes || dashes > 2 || !isalpha((unsigned char)text[dashes]))
		return 0;
	len = dashes;
	while (isalpha((unsigned char)text[len]) || (len > 2 && text[len] == '-'))
		len++;
	return dashes == 2 || len == 2 ? len : 0;
}

int typed_named(const char *message)
{
	const char *at;
	size_t len;
	int column = -1, found;

	for (at = message; *at; at++) {
		if (at > message && !strchr(" ,(:", at[-1]))
			continue;
		len = option_length(at);
		found = len ? find_option(at, len) : -1;
		if (found >= 0)
			column = found;
	}
	return column;
}

/* ---- from a command back to the words ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A whole name in a part of the line, but not that of an option. */
static int find_name(int from, int to, const char *name, size_t len)
{
	const char *at = line + from, *end = line + to;

	for (; (at = memmem(at, end - at, name, len)); at++)
		if ((at == line || (!is_name(at[-1]) && at[-1] != '-')) && !is_name(at[len]))
			return at - line;
	return -1;
}

/* Is a key, "skb.len:u32", what the field's name is made of, "skb_len"? */
static bool makes(const char *key, size_t key_len, const char *name, size_t len)
{
	size_t i = 0, k = 0;

	for (; i < key_len && key[i] != ':' && k < len; k++) {
		if (is_name(key[i]) && key[i] != '_') {
			if (key[i++] != name[k])
				return false;
			continue;
		}
		while (i < key_len && key[i] != ':' && (!is_name(key[i]) || key[i] == '_'))
			i++;
		if (name[k] != '_')
			return false;
	}
	return k == len && (i == key_len || key[i] == ':' || key[i] == '.');
}

/* The key or field of a filter that a field's name is made of; *to: its end. */
static int find_key(const char *name, size_t len, int *to)
{
	int i, from, end;

	for (i = 1; i < nr_ours; i++) {
		end = words[i].column + words[i].len;
		for (from = words[i].column; from < end; from = *to + 1) {
			*to = from + strcspn(line + from, ", ");
			if (makes(line + from, *to - from, name, len))
				return from;
		}
	}
	return -1;
}

const char *typed_key(int column, int *len, bool *filter)
{
	int i, of = -1;

	for (i = 1; i < nr_ours && words[i].column < column; i++)
		if (words[i].len == 2 && (!memcmp(line + words[i].column, "by", 2) ||
					  !memcmp(line + words[i].column, "if", 2)))
			of = words[i].column;
	for (*len = 0; column >= 0 && is_name(line[column + *len]); ++*len)
		;
	if (of < 0 || !*len)
		return NULL;
	*filter = line[of] == 'i';
	return line + column;
}

/* What an option has become. */
static int find_cause(const char *name, size_t len)
{
	static const char * const causes[][2] = {
		{ "ret", "--fail" }, { "ret", "-x" }, { "retval", "--fail" }, { "retval", "-x" },
		{ "ns", "-L" }, { "elapsed", "-L" }, { "pid", "-p" }, { "common_pid", "-t" },
		{ "comm", "-n" }, { "in_cgroup", "-G" }, { "in_level", "-G" }, { "cpu", "--cpu" },
		{ "cpu", "-C" }, { "one", "--one" }, { "rate", "--rate" }, { "ttl", "--ttl" },
		{ "ttl", "-k" }, { "ttl", "--keep" }, { "hits", "-M" },
	};
	int column = -1;
	size_t i;

	for (i = 0; i < sizeof(causes) / sizeof(*causes) && column < 0; i++)
		if (strlen(causes[i][0]) == len && !strncmp(causes[i][0], name, len))
			column = find_option(causes[i][1], strlen(causes[i][1]));
	return column;
}

int typed_of_command(const char *command, int where)
{
	const char *begin, *at, *equals;
	int column = -1, from, to = 0;
	size_t len, before;

	if (where < 0 || nr_ours < 2 || (size_t)where > strlen(command))
		return -1;
	/* At the end the word before it is meant. */
	if (!command[where])
		while (where && !is_name(command[where]))
			where--;
	for (begin = command + where; begin > command && begin[-1] != ' '; begin--)
		;
	/* The kind of a probe, and a name that was not typed. */
	if (begin == command && strchr("pfrt", *begin) && strchr(": ", begin[1]))
		return -1;
	for (at = command + where; *at && *at != ' ' && !is_name(*at); at++)
		;
	while (at > begin && is_name(*at) && is_name(at[-1]))
		at--;
	for (len = 0; is_name(at[len]); len++)
		;
	equals = strpbrk(begin, "= ");
	before = equals && *equals == '=' ? equals - begin : 0;
	from = before ? find_key(begin, before, &to) : -1;
	if (from >= 0) {
		column = len ? find_name(from, to, at, len) : -1;
		return column >= 0 ? column : from;
	}
	if (len)
		column = find_name(words[1].column, words[nr_ours - 1].column +
				   words[nr_ours - 1].len, at, len);
	if (column < 0 && len)
		column = find_key(at, len, &to);
	if (column < 0 && before)
		column = find_cause(begin, before);
	return column < 0 && len ? find_cause(at, len) : column;
}

/* ---- the line ---- */

/* As one character each on a terminal, whatever it is. */
static void put_part(const char *text, size_t len, FILE *out)
{
	size_t i;

	for (i = 0; i < len; i++)
		fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], out);
}

static int width_of(const char *text, int len)
{
	int i, width = 0;

	for (i = 0; i < len; i++)
		width += (text[i] & 0xc0) != 0x80;
	return width;
}

void typed_show(int column, FILE *out)
{
	int from = 0, to;

	if (column < 0)
		return;
	to = strlen(line);
	if (to > SHOWN && column > SHOWN / 2)
		from = column - SHOWN / 2;
	while (from && (line[from] & 0xc0) == 0x80)
		from--;
	if (to - from > SHOWN)
		to = from + SHOWN;
	while ((line[to] & 0xc0) == 0x80)
		to++;
	fputs(from ? "  ..." : "  ", out);
	put_part(line + from, to - from, out);
	fprintf(out, "%s\n%*s^\n", line[to] ? "..." : "",
		(from ? 5 : 2) + width_of(line + from, column - from), "");
}
