/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * test_said.h - what a question becomes, as a text that tests compare.
 */
#ifndef PE_TOOL_TEST_SAID_H
#define PE_TOOL_TEST_SAID_H

#include <stdio.h>
#include <string.h>
#include "recipe.h"
#include "request.h"

/* The recipe of a question by its verb's first letter; NULL, or what is wrong. */
static inline const char *make_said(struct recipe *recipe, const struct request *r, char verb,
				    const struct recipe_types *types)
{
	return recipe_make(recipe, r, verb == 'l' ? RECIPE_LAT : verb == 't' ? RECIPE_TRACE :
			   RECIPE_COUNT, types);
}

/* Is the recipe, or else @wrong, as wanted?  Return: 0 or 1. */
static inline int differs(const char *question, const struct recipe *recipe, const char *wrong,
			  const char *wanted)
{
	char got[4096];

	if (wrong)
		snprintf(got, sizeof(got), "%s", wrong);
	else
		snprintf(got, sizeof(got), "%s\n%s%s%s", recipe->definition,
			 recipe->trigger ?: "", recipe->filter ? " if " : "",
			 recipe->filter ?: "");
	if (!strcmp(got, wanted))
		return 0;
	printf("%s: got\n%s\nwanted\n%s\n", question, got, wanted);
	return 1;
}

#endif
