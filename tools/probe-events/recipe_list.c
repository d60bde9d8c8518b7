// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * recipe_list.c - a list of functions: each has a definition, all of one event.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "recipe.h"
#include "recipe_maker.h"
#include "request.h"

/*
 * One type for all results, as an event has to have.  Where they differ, a failure is only what is
 * one for all of them, and s32 has the lower half of each.
 */
static const char *common_result(struct recipe_result *common, const struct request *r,
				 const struct recipe_types *types)
{
	const char *list = r->what;
	struct recipe_result next;
	bool first = true;
	char *part;

	*common = (struct recipe_result){ RESULT_UNKNOWN, "s32", NULL };
	for (; list && types->result; first = false) {
		part = request_part(&list);
		if (!part)
			return "no memory";
		next = types->result(types->ctx, part);
		free(part);
		if (first || next.kind == RESULT_NEVER)
			*common = next;
		else if (strcmp(next.type, common->type))
			*common = (struct recipe_result){ RESULT_POINTER, "s32", NULL };
		else if (next.kind != common->kind)
			common->kind = RESULT_POINTER;
		if (next.kind == RESULT_NEVER)
			break;
	}
	return NULL;
}

bool recipe_has_pattern(const char *what)
{
	return strpbrk(what, "*?[");
}

static const char *check_list(const char *what, const char **at)
{
	const char *list = what, *wrong = NULL;
	char *part;

	while (list && !wrong) {
		*at = list;
		part = request_part(&list);
		if (!part)
			return "no memory";
		if (!*part)
			wrong = "a function is missing in the list: a,b,c";
		else if (!strncmp(part, "t:", 2) || !strncmp(part, "e:", 2) || *part == '@')
			wrong = "a list is of functions; events and presets: one at a time";
		else if (recipe_has_pattern(what) && strchr(part, '+'))
			wrong = "a pattern and a place in a function are no list: one at a time";
		free(part);
	}
	return wrong;
}

const char *recipe_make_list(struct recipe *recipe, const struct request *r,
			     struct recipe_maker *like)
{
	const char *list = r->what, *wrong = check_list(r->what, &like->at);
	struct recipe_result common;
	struct request one = *r;
	char *all = NULL, *part;
	size_t size;
	FILE *out;

	if (!wrong)
		wrong = common_result(&common, r, like->types);
	out = wrong ? NULL : open_memstream(&all, &size);
	if (!out)
		return wrong ?: "no memory";
	like->r = &one;
	like->common = &common;
	while (list && !wrong) {
		struct recipe_maker m;

		like->at = list;
		m = *like;
		part = request_part(&list);
		one.what = part;
		recipe_free(recipe);
		wrong = part ? recipe_make_one(recipe, &m) : "no memory";
		if (m.at != part)	/* it is of a key, or a field */
			like->at = m.at;
		if (!wrong)
			fprintf(out, "%s%s", recipe->definition, list ? "\n" : "");
		free(part);
	}
	if (fclose(out) && !wrong)
		wrong = "no memory";
	if (wrong) {
		free(all);
		recipe_free(recipe);
		return wrong;
	}
	free(recipe->definition);
	recipe->definition = all;
	return NULL;
}
