// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * preset.c - a question that is prepared: where to look, and how to show it.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "preset.h"

static const char no_memory[] = "no memory";

/* ---- the text, with its arguments ---- */

/* $1 and the like, but not $arg1: a word of the text that has none stands for nothing. */
static bool is_place(const char *at)
{
	return at[0] == '$' && at[1] >= '1' && at[1] <= '9' && !isalnum((unsigned char)at[2]);
}

/* A line may need an argument that is not there: then it is left out. */
static bool lacks_argument(const char *line, size_t len, size_t nr_args)
{
	size_t i;

	for (i = 0; i + 1 < len; i++)
		if (is_place(line + i) && (size_t)(line[i + 1] - '0') > nr_args)
			return true;
	return false;
}

static void put_line(const char *line, size_t len, char *const *args, FILE *out)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (i + 1 < len && is_place(line + i))
			fputs(args[line[++i] - '1'], out);
		else
			fputc(line[i], out);
	fputc('\n', out);
}

static char *fill_in(const char *text, char *const *args, size_t nr_args)
{
	char *filled = NULL;
	size_t size, len;
	FILE *out = open_memstream(&filled, &size);

	if (!out)
		return NULL;
	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (!lacks_argument(text, len, nr_args))
			put_line(text, len, args, out);
	}
	if (!fclose(out))
		return filled;
	free(filled);
	return NULL;
}

/* ---- lines ---- */

static const char *add_probe(struct preset *p, char *line, bool optional)
{
	struct preset_probe *probe;

	if (p->nr_probes == PRESET_PROBES)
		return "the preset has too many probes";
	probe = &p->probes[p->nr_probes++];
	*probe = (struct preset_probe){ .ways = { line }, .nr = 1, .optional = optional };
	return NULL;
}

static const char *add_way(struct preset *p, char *line)
{
	struct preset_probe *probe = p->nr_probes ? &p->probes[p->nr_probes - 1] : NULL;

	if (!probe || probe->nr == PRESET_WAYS)
		return "the preset has a way too many, or to nothing";
	probe->ways[probe->nr++] = line;
	return NULL;
}

static const char *add_entry(struct preset *p, const char *line)
{
	struct preset_probe *probe = p->nr_probes ? &p->probes[p->nr_probes - 1] : NULL;

	if (!probe || *probe->ways[0] != 'r')
		return "the preset has an entry of what does not return";
	probe->entry = line;
	return NULL;
}

static const char *add_words(struct preset_words *words, char *line)
{
	char *word;

	while ((word = strsep(&line, " "))) {
		if (!*word)
			continue;
		if (words->nr == PRESET_WORDS)
			return "the preset has too many words in a line";
		words->of[words->nr++] = word;
	}
	return NULL;
}

/* So many words, no more and no fewer. */
static const char *take_words(const char **to, size_t nr, char *line)
{
	struct preset_words words = {};
	const char *wrong = add_words(&words, line);

	if (wrong || words.nr != nr)
		return wrong ?: "the preset has a line with too few words, or too many";
	memcpy(to, words.of, nr * sizeof(*to));
	return NULL;
}

static const char *parse_head(struct preset *p, char *line)
{
	char *dash = strstr(line, " - ");

	if (strncmp(line, "# ", 2) || !dash)
		return "the preset's first line is not '# NAME - summary'";
	snprintf(p->name, sizeof(p->name), "%.*s", (int)(dash - line - 2), line + 2);
	p->summary = dash + 3;
	return NULL;
}

static bool is_command(const char *line)
{
	return strchr("prtf", line[0]) && line[1] == ' ';
}

static const char *parse_line(struct preset *p, char *line)
{
	char *rest = line, *word;

	if (is_command(line))
		return add_probe(p, line, false);
	word = strsep(&rest, " ");
	if (!rest)
		rest = word + strlen(word);
	if (!strcmp(word, "?") && is_command(rest))
		return add_probe(p, rest, true);
	if (!strcmp(word, "|") && is_command(rest))
		return add_way(p, rest);
	if (!strcmp(word, "entry"))
		return add_entry(p, rest);
	if (!strcmp(word, "kinds"))
		return add_words(&p->kinds, rest);
	if (!strcmp(word, "verbs"))
		return add_words(&p->verbs, rest);
	if (!strcmp(word, "shows"))
		return add_words(&p->columns, rest);
	if (!strcmp(word, "skip"))
		return add_words(&p->skip, rest);
	if (!strcmp(word, "weigh"))
		return take_words(&p->weigh, 1, rest);
	if (!strcmp(word, "frees"))
		return take_words(&p->frees, 1, rest);
	if (!strcmp(word, "spent"))
		return take_words(&p->spent, 1, rest);
	if (!strcmp(word, "beside"))
		return take_words(p->beside, 2, rest);
	if (!strcmp(word, "counts"))
		return take_words(&p->counts, 1, rest);
	if (!strcmp(word, "inode")) {
		p->inode = true;
		return NULL;
	}
	if (strcmp(word, "filter"))
		return "the preset has a line that is none";
	p->filter = rest;
	return NULL;
}

/* @text is the preset's from here on; NULL: there was no memory for it. */
static const char *parse_text(struct preset *p, char *text)
{
	char *rest = text, *line;
	const char *wrong;
	size_t i;

	*p = (struct preset){ .text = text };
	line = rest ? strsep(&rest, "\n") : NULL;
	wrong = line ? parse_head(p, line) : no_memory;
	while (!wrong && (line = strsep(&rest, "\n")))
		if (*line && *line != '#')
			wrong = parse_line(p, line);
	if (!wrong && !p->nr_probes)
		wrong = "the preset has no probes";
	for (i = 1; !wrong && i < p->nr_probes; i++)
		if (*p->probes[i].ways[0] != *p->probes[0].ways[0])
			wrong = "the preset has probes of different kinds";
	if (wrong)
		preset_free(p);
	return wrong;
}

const char *preset_parse(struct preset *p, const char *text, char *const *args, size_t nr_args)
{
	size_t i;

	*p = (struct preset){};
	for (i = 0; i < nr_args; i++)
		if (strpbrk(args[i], "\"\n"))
			return "a word after a preset's name has no quotes in it";
	return parse_text(p, fill_in(text, args, nr_args));
}

const char *preset_parse_plain(struct preset *p, const char *text)
{
	return parse_text(p, strdup(text));
}

void preset_free(struct preset *p)
{
	free(p->text);
	*p = (struct preset){};
}

/* ---- the event ---- */

bool preset_returns(const struct preset *p)
{
	const char *way = p->probes[0].ways[0];
	size_t place = strcspn(way + 2, " ");

	return *way == 'r' || memmem(way + 2, place, "%return", strlen("%return"));
}

const char *preset_command(const struct preset *p, size_t probe)
{
	const struct preset_probe *of = &p->probes[probe];

	return of->chosen < of->nr ? of->ways[of->chosen] : NULL;
}

void preset_define(const struct preset *p, const char *event, const char *args, FILE *out)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < p->nr_probes; i++) {
		const char *way = preset_command(p, i);

		if (!way)
			continue;
		fprintf(out, "%s%c:%s%s%s", between, *way, event, way + 1, args);
		between = "\n";
	}
}

char *preset_entry_command(const struct preset *p, size_t probe)
{
	const char *way = preset_command(p, probe), *entry = p->probes[probe].entry;
	char *command;

	if (!way || !entry || p->probes[probe].no_entry)
		return NULL;
	return asprintf(&command, "p %.*s %s", (int)strcspn(way + 2, " "), way + 2, entry) < 0 ?
	       NULL : command;
}

void preset_define_entries(const struct preset *p, const char *event, FILE *out)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < p->nr_probes; i++) {
		char *command = preset_entry_command(p, i);

		if (command) {
			fprintf(out, "%sp:%s%s", between, event, command + 1);
			between = "\n";
		}
		free(command);
	}
}

/* Is it what a probe reads when the call begins?  Then that is not read. */
static bool entry_refused(struct preset *p, const char *command, const char *place)
{
	size_t i;

	for (i = 0; *command == 'p' && i < p->nr_probes; i++) {
		char *own = preset_entry_command(p, i);
		bool same = own && !strncmp(own + 1, place, strnlen(place, strlen(own + 1)));

		free(own);
		if (!same)
			continue;
		p->probes[i].no_entry = true;
		return true;
	}
	return false;
}

bool preset_refused(struct preset *p, const char *command)
{
	const char *place = strchr(command, ' ');
	size_t i, len, most;

	if (place && entry_refused(p, command, place))
		return true;

	for (i = 0; place && i < p->nr_probes; i++) {
		struct preset_probe *probe = &p->probes[i];
		const char *way = preset_command(p, i);

		if (!way || *way != *command)
			continue;
		len = strlen(way + 1);
		most = strlen(place);
		if (strncmp(place, way + 1, len < most ? len : most))
			continue;
		probe->chosen++;
		return probe->optional || probe->chosen < probe->nr;
	}
	return false;
}

/* ---- fields ---- */

static size_t base_length(const char *key)
{
	return strcspn(key, ".");
}

/* Is there " NAME=" in a probe's arguments? */
static bool has_argument(const char *at, const char *key)
{
	size_t len = base_length(key);

	while ((at = strchr(at, ' '))) {
		at++;
		if (!strncmp(at, key, len) && at[len] == '=')
			return true;
	}
	return false;
}

/* All probes have the same fields. */
bool preset_field(const struct preset *p, const char *key)
{
	return has_argument(p->probes[0].ways[0], key);
}

bool preset_entry_field(const struct preset *p, const char *key)
{
	size_t len = base_length(key), i;

	for (i = 0; i < p->nr_probes; i++) {
		const char *entry = p->probes[i].entry;

		if (entry && ((!strncmp(entry, key, len) && entry[len] == '=') ||
			      has_argument(entry, key)))
			return true;
	}
	return false;
}

const char *preset_form(const struct preset *p, const char *key)
{
	size_t len = base_length(key), i;

	for (i = 0; p && i < p->columns.nr; i++) {
		const char *column = p->columns.of[i];

		if (base_length(column) == len && !strncmp(column, key, len))
			return column[len] ? column + len + 1 : "";
	}
	return "";
}

bool preset_skips(const struct preset *p, const char *function)
{
	size_t i;

	for (i = 0; i < p->skip.nr; i++)
		if (!fnmatch(p->skip.of[i], function, 0))
			return true;
	return false;
}

bool preset_for(const struct preset *p, const char *verb)
{
	size_t i;

	for (i = 0; i < p->verbs.nr; i++)
		if (!strcmp(p->verbs.of[i], verb))
			return true;
	return false;
}
