/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * match.h - the filter after "if", of what was saved.  Pure.
 *
 * The modules' filters and libtraceevent's need an event's format.  A saved row has none, and the
 * same words have to mean the same for rows, hits and records.
 */
#ifndef PE_TOOL_MATCH_H
#define PE_TOOL_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* What is told of words that are no filter. */
#define FILTER_IS	"a filter is FIELD lt|le|gt|ge|eq|ne|has VALUE: if ret lt 0 and comm eq bash"

/**
 * struct field - a field's value
 * @text: of a text; NULL: it is a number
 * @name: of a number, which is compared with what is no number; NULL: it has none
 * @number: of a number; 128 bits have all of both signs
 */
struct field {
	const char *text;
	const char *name;
	__int128 number;
};

/**
 * match_field() - the caller's fields
 * @ctx: the caller's
 * @name: "comm"
 * @value: gets it
 *
 * Return: false if there is none of this name here.
 */
typedef bool match_field(void *ctx, const char *name, struct field *value);

/**
 * match_check() - what is wrong with a filter
 * @words: FIELD OPERATOR VALUE, joined by and, or, not, with parentheses
 * @nr: how many words; 0 is no filter
 *
 * Return: NULL: nothing; else a static text.
 */
const char *match_check(const char *const *words, size_t nr);

/**
 * match() - does it pass the filter?
 * @words: a filter without fault
 * @nr: how many words; 0: all pass
 * @field: finds fields; where there is none, the condition is false
 * @ctx: for @field
 */
bool match(const char *const *words, size_t nr, match_field *field, void *ctx);

/** match_number() - a whole number, decimal or 0x..., of the text's full length */
bool match_number(const char *text, __int128 *number);

#endif
