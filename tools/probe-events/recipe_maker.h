/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * recipe_maker.h - what the parts of recipe_make() share.
 */
#ifndef PE_TOOL_RECIPE_MAKER_H
#define PE_TOOL_RECIPE_MAKER_H

#include "recipe.h"

#define RECIPE_ARGS 16

/**
 * struct recipe_maker - what is being made
 * @r: the question
 * @verb: for what
 * @returns: the event is one of returns
 * @pattern: its functions are those of patterns, by f
 * @several: it has several functions
 * @common: of a list, what all of its functions return; NULL: there is one
 * @types: what is known of types
 * @result: of the function, if it is asked which results are errors
 * @errors_only: a failure is -4095 to -1, not all below 0
 * @wrong: what is wrong with the question
 * @at: the part of its words that is being looked at
 * @names: of arguments
 * @nr_names: how many
 * @args: " NAME=EXPR" of each
 */
struct recipe_maker {
	const struct request *r;
	enum recipe_verb verb;
	bool returns, pattern, several;
	const struct recipe_result *common;
	const struct recipe_types *types;
	struct recipe_result result;
	bool errors_only;
	const char *wrong, *at;
	char names[RECIPE_ARGS][64];
	size_t nr_names;
	FILE *args;
};

/**
 * struct recipe_builtin - a word for what all hits have
 * @word: as it is typed
 * @key: the key in the table; NULL: it is an argument
 * @field: the field in a filter
 * @argument: of the event
 * @shown: trace shows the argument
 * @record: trace has it without one
 */
struct recipe_builtin {
	const char *word, *key, *field, *argument;
	bool shown, record;
};

/** recipe_builtin() - the word that a text begins with, of this length; NULL: it is none */
const struct recipe_builtin *recipe_builtin(const char *word, size_t len);

/** recipe_add_fixed() - add the argument of such a word */
void recipe_add_fixed(struct recipe_maker *m, const struct recipe_builtin *b);

/**
 * recipe_add() - add the argument with the value of an expression
 * @m: the maker
 * @expr: the expression, which a type may follow
 * @len: of it
 * @is_enum: its enumeration's names are wanted
 * @name: gets the argument's name
 * @size: of @name
 */
void recipe_add(struct recipe_maker *m, const char *expr, size_t len, bool is_enum, char *name,
		size_t size);

/** recipe_make_one() - the commands for @m's request; NULL, or what is wrong: a constant */
const char *recipe_make_one(struct recipe *recipe, struct recipe_maker *m);

/**
 * recipe_make_list() - the same for a list
 * @recipe: gets the definitions, a line each
 * @r: the request
 * @like: for each of them; where it is wrong is in @at
 */
const char *recipe_make_list(struct recipe *recipe, const struct request *r,
			     struct recipe_maker *like);

/** recipe_has_pattern() - has the name characters of a pattern? */
bool recipe_has_pattern(const char *what);

/** recipe_filter() - all that a hit has to be, for free(); NULL if all hits are wanted */
char *recipe_filter(struct recipe_maker *m);

/** recipe_filters_errors() - is a result compared with the name of an error? */
bool recipe_filters_errors(const struct request *r);

#endif
