// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * functions.c - the functions of a kernel, and which of them cannot be probed.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "functions.h"

/* The next line of a text, its newline replaced; NULL at the end. */
static char *next_line(char **text)
{
	char *line = strsep(text, "\n");

	return line && (*line || *text) ? line : NULL;
}

/* "NAME]" after a tab is the module's name; "" if there is none. */
static const char *module_of(char *rest)
{
	char *name = rest ? strchr(rest, '[') : NULL;

	if (!name)
		return "";
	name[strcspn(name, "]")] = '\0';
	return name + 1;
}

static int compare_names(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module, b->module);
}

static int compare(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;
	int order = compare_names(a, b);

	return order ? order : (a->addr > b->addr) - (a->addr < b->addr);
}

static bool is_function(char type, const char *name)
{
	const char *end = strrchr(name, '.');

	return strchr("tTwW", type) && strncmp(name, "__pfx_", 6) &&
	       !(end && !strcmp(end, ".cold"));
}

static int add(struct functions *found, size_t *room, const struct function *f)
{
	if (found->nr == *room) {
		struct function *more = reallocarray(found->of, *room * 2 + 64, sizeof(*more));

		if (!more)
			return -1;
		found->of = more;
		*room = *room * 2 + 64;
	}
	found->of[found->nr++] = *f;
	return 0;
}

/* Only those of this very name, if there is one. */
static void prefer_exact(struct functions *found, const char *name)
{
	size_t i, kept = 0;

	for (i = 0; i < found->nr; i++)
		if (!strcmp(found->of[i].name, name))
			found->of[kept++] = found->of[i];
	if (kept)
		found->nr = kept;
}

int functions_find(struct functions *found, char *kallsyms, const char *pattern)
{
	bool glob = strpbrk(pattern, "*?[");
	size_t room = 0;
	char *line;

	*found = (struct functions){};
	while ((line = next_line(&kallsyms))) {
		char *addr = strsep(&line, " "), *type = strsep(&line, " ");
		char *name = strsep(&line, "\t ");
		struct function f = { .name = name };

		if (!name || !is_function(*type, name) ||
		    (glob ? fnmatch(pattern, name, 0) : !strstr(name, pattern)))
			continue;
		f.addr = strtoull(addr, NULL, 16);
		f.module = module_of(line);
		if (add(found, &room, &f)) {
			functions_free(found);
			return -1;
		}
	}
	prefer_exact(found, pattern);
	if (found->nr)
		qsort(found->of, found->nr, sizeof(*found->of), compare);
	return 0;
}

static void refuse_range(struct functions *found, unsigned long long begin, unsigned long long end,
			 const char *why)
{
	size_t i;

	for (i = 0; i < found->nr; i++) {
		struct function *f = &found->of[i];

		if (f->addr >= begin && f->addr < end && !f->refused)
			f->refused = why;
	}
}

/* 0xBEGIN-0xEND, symbol and reason, with tabs between. */
static void refuse_listed(struct functions *found, char *blacklist)
{
	char *line;

	while ((line = next_line(&blacklist))) {
		char *range = strsep(&line, "\t"), *end;
		unsigned long long begin = strtoull(range, &end, 16);

		strsep(&line, "\t");
		if (line && *end == '-' && begin)
			refuse_range(found, begin, strtoull(end + 1, NULL, 16), line);
	}
}

/* Each line of the file marks what it names: names that are found are few, or all. */
static int refuse_untraceable(struct functions *found, char *traceable)
{
	bool *marked = calloc(found->nr ?: 1, sizeof(*marked));
	char *line;
	size_t i;

	if (!marked)
		return -1;
	while ((line = next_line(&traceable))) {
		struct function key = { .name = strsep(&line, "\t ") }, *at;

		key.module = module_of(line);
		/* Of several it finds any one. */
		at = found->nr ? bsearch(&key, found->of, found->nr, sizeof(key), compare_names) :
				 NULL;
		if (!at)
			continue;
		while (at > found->of && !compare_names(at - 1, &key))
			at--;
		for (i = at - found->of; i < found->nr && !compare_names(&found->of[i], &key); i++)
			marked[i] = true;
	}
	for (i = 0; i < found->nr; i++)
		if (!marked[i] && !found->of[i].refused)
			found->of[i].refused = "ftrace does not trace this function";
	free(marked);
	return 0;
}

int functions_refuse(struct functions *found, char *blacklist, char *traceable)
{
	refuse_listed(found, blacklist);
	return traceable ? refuse_untraceable(found, traceable) : 0;
}

void functions_free(struct functions *found)
{
	free(found->of);
	*found = (struct functions){};
}
