/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * recipe.h - a question as commands for the modules' files.
 *
 * Pure: what a parameter's type says comes from the caller.
 */
#ifndef PE_TOOL_RECIPE_H
#define PE_TOOL_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "request.h"

/* Arguments that only the filter of -G is interested in. */
#define RECIPE_CGROUP	"in_cgroup"
#define RECIPE_LEVEL	"in_level"

/* The event of what a preset reads when calls begin. */
#define RECIPE_ENTRY	"entry"

/**
 * recipe_spell() - how the modules write a field: what a dot in the tool means
 * @ctx: the caller's
 * @function: whose parameters are meant
 * @expr: "skb.sk.sk_state"
 * @out: gets "skb->sk->__sk_common.skc_state", or whatever its type demands
 *
 * Return: false if nothing is known of it; then it is taken as it is.
 */
typedef bool recipe_spell(void *ctx, const char *function, const char *expr, FILE *out);

/**
 * struct recipe_result - what a function returns
 * @kind: failures are: RESULT_NUMBER and, with type data lacking, RESULT_UNKNOWN: all below 0;
 *	  RESULT_POINTER: -4095 to -1; RESULT_NEVER: none
 * @type: as which it is to be recorded
 * @wrong: of RESULT_NEVER, why
 */
struct recipe_result {
	enum { RESULT_UNKNOWN, RESULT_NUMBER, RESULT_POINTER, RESULT_NEVER } kind;
	const char *type;
	const char *wrong;
};

/**
 * struct recipe_types - what is known of types; a function may be NULL
 * @spell: spells fields
 * @result: what a function returns
 * @number: the type to record an enumeration in, which is a parameter or a field; NULL: its own
 * @ctx: for these
 */
struct recipe_types {
	recipe_spell *spell;
	struct recipe_result (*result)(void *ctx, const char *function);
	const char *(*number)(void *ctx, const char *function, const char *expr);
	void *ctx;
};

/** enum recipe_verb - what is to become of the hits */
enum recipe_verb { RECIPE_COUNT, RECIPE_LAT, RECIPE_TRACE };

/**
 * struct recipe - the commands
 * @event: the event's name, in the session's group
 * @entries: of trace, those that define RECIPE_ENTRY: what is read when calls begin; NULL: none
 * @definition: the command that defines it; of a list and a preset several, with newlines between
 * @filter: what a hit has to be; NULL: all are wanted
 * @trigger: what counts; NULL of trace
 * @returns: the event is one of returns
 * @several: it has several functions
 * @assumed: nothing is known of its result, which is taken as an int
 * @at: if something is wrong: the part of the question's words that is; NULL: of none
 */
struct recipe {
	const char *event;
	char *definition;
	char *entries;
	char *filter;
	char *trigger;
	bool returns, several, assumed;
	const char *at;
};

/**
 * recipe_field() - the event's field that a key stands for
 * @key: "skb.len.hex"
 * @name: gets "skb_len"
 * @size: of @name
 *
 * Return: the key's modifier, ".hex", or "".
 */
const char *recipe_field(const char *key, char *name, size_t size);

/** recipe_is_errno() - is a key the error that a function returns? */
bool recipe_is_errno(const struct request *r, const char *key);

/**
 * recipe_make() - the commands for a question
 * @recipe: gets them, for recipe_free()
 * @r: the question
 * @verb: for what
 * @types: what is known of types
 *
 * Return: NULL, or what is wrong with the question: a static text, or one of @types.
 */
const char *recipe_make(struct recipe *recipe, const struct request *r, enum recipe_verb verb,
			const struct recipe_types *types);

/** recipe_tell() - of option -v: the commands, and what is assumed, on standard error */
void recipe_tell(const struct recipe *recipe, const char *what, const char *commands);

/** recipe_free() - the end of recipe_make()'s result */
void recipe_free(struct recipe *recipe);

#endif
