/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * types.h - what the kernel's type data says of a question: read when it is asked for first.
 */
#ifndef PE_TOOL_TYPES_H
#define PE_TOOL_TYPES_H

#include <stdbool.h>
#include "enums.h"
#include "prototypes.h"
#include "recipe.h"

#define TYPES_WRONG 400

/** struct types - all 0 at first, for types_free() */
struct types {
	/* private */
	struct prototypes *all;
	bool tried;
	char *where;		/* the function that was looked for last, with its module */
	char *of;		/* as it was named */
	char wrong[TYPES_WRONG];
};

/** types_recipe() - these for recipe_make() */
struct recipe_types types_recipe(struct types *t);

/**
 * types_enum() - the enumeration of a value
 * @t: the types
 * @function: whose
 * @expr: "ret", "arg2", or a parameter and its fields; a type after ":" does not matter
 * @e: gets it, for enum_free()
 *
 * Return: NULL, or what is wrong: a text of @t's.
 */
const char *types_enum(struct types *t, const char *function, const char *expr,
		       struct enumeration *e);

/** types_free() - the end */
void types_free(struct types *t);

#endif
