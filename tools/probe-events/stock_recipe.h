/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * stock_recipe.h - a question for the kernel's own tracefs.
 *
 * What is the same there comes from recipe.h; what that kernel cannot do is refused here.  Pure.
 */
#ifndef PE_TOOL_STOCK_RECIPE_H
#define PE_TOOL_STOCK_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include "recipe.h"
#include "request.h"
#include "stock_hist.h"

/**
 * struct stock_recipe - what is defined
 * @returns: the event is one of returns
 * @place: the function
 * @args: "comm=$comm ret=$retval:s32"
 * @filter: what a hit has to be; NULL: all are wanted
 * @trigger: what counts, without the filter; NULL of trace
 * @keys: of the trigger, in its order; of lat the last one is the time
 * @nr_keys: how many
 * @base: for hits of trace
 */
struct stock_recipe {
	bool returns;
	const char *place;
	char *args, *filter, *trigger;
	struct stock_key keys[TABLE_KEYS + 2];
	size_t nr_keys;
	struct recipe base;
};

/**
 * stock_recipe_make() - a question for the kernel
 * @s: gets it, for stock_recipe_free()
 * @r: the question
 * @verb: for what
 * @types: what is known of types
 *
 * Return: NULL, or why it cannot be asked there: a static text.
 */
const char *stock_recipe_make(struct stock_recipe *s, const struct request *r,
			      enum recipe_verb verb, const struct recipe_types *types);

/** stock_recipe_free() - the end */
void stock_recipe_free(struct stock_recipe *s);

#endif
