/* SPDX-License-Identifier: GPL-2.0 */
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

/** enum recipe_verb - what is to become of the hits */
enum recipe_verb { RECIPE_COUNT, RECIPE_LAT, RECIPE_TRACE };

/**
 * struct recipe - the commands
 * @event: the event's name, in the session's group
 * @definition: the command that defines it
 * @filter: what a hit has to be; NULL: all are wanted
 * @trigger: what counts; NULL of trace
 * @returns: the event is one of returns
 * @pattern: it has several functions
 */
struct recipe {
	const char *event;
	char *definition;
	char *filter;
	char *trigger;
	bool returns, pattern;
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

/**
 * recipe_make() - the commands for a question
 * @recipe: gets them, for recipe_free()
 * @r: the question
 * @verb: for what
 * @spell: spells fields
 * @ctx: for @spell
 *
 * Return: NULL, or what is wrong with the question: a static text.
 */
const char *recipe_make(struct recipe *recipe, const struct request *r, enum recipe_verb verb,
			recipe_spell *spell, void *ctx);

/** recipe_free() - the end of recipe_make()'s result */
void recipe_free(struct recipe *recipe);

#endif
