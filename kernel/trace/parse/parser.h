/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * parser.h - shared by the parsers of a command, used by no other file.
 *
 *   cmd_parse.c	the command's head
 *   arg_words.c	the words after it that stand for others
 *   arg_parse.c	the words then
 *   fetch_parse.c	the expression in one of them
 *   cast_parse.c	casts in it
 *   btf_arg.c		names in it
 *   btf_fields.c	what follows a name
 *   arg_hints.c	what may have been meant
 */
#ifndef PE_PARSER_H
#define PE_PARSER_H

#include <linux/compiler.h>
#include <pe/btf.h>
#include "lex.h"
#include "parse_err.h"
#include "spec.h"

/**
 * struct pe_arg_parser - the state of the argument parser
 * @spec: the command
 * @placed: being filled
 * @env: facts about the place
 * @err: the first error
 * @arg: being filled
 * @word: the text of the argument's word
 * @col: its column in the command
 * @body: what follows its name
 * @at: the parser stands here, in @word
 * @odd: columns that the kernel does not count up to there
 * @part: what is being read
 * @op: index of the last operation placed
 * @type: as typed; @type.p is NULL if no type was typed
 * @type_at: where it is, or would be: at @body
 * @on_entry: $argN is a parameter
 * @on_return: $retval is there, and $argN as it was at entry
 * @bad_offset: the errno of an @SYM's offset that is no number, which is told last
 * @asked: @func is what there is
 * @func: the function's type, once a parser needs it
 * @structure: the last structure that a name has been looked up for
 * @last: the type that the fetch ends with; NULL: not known
 * @last_btf: the type data that has it
 * @last_bit: where in a byte that is, if it is a bitfield
 * @last_bits: its width then, or 0
 *
 * The parser enters a dereference and comes back to the text in it; so @at need not be past the
 * text that has been read.  The caret is below it, as parse_err.c has it.
 *
 * The kernel has room for 15 operations and an end mark:
 *
 *   - a load, which takes two for an @SYM
 *   - one for each dereference
 *   - one for a bitfield, and one for an array
 *   - one to store, unless a dereference stores
 */
struct pe_arg_parser {
	const struct pe_spec *spec;
	struct pe_placed *placed;
	const struct pe_parse_env *env;
	struct pe_parse_err *err;
	struct pe_arg *arg;
	const char *word;
	unsigned int col;
	const char *body;
	const char *at;
	int odd;
	enum pe_part part;
	unsigned int op;
	struct pe_str type;
	const char *type_at;
	int bad_offset;
	bool on_entry;
	bool on_return;
	bool asked;
	struct pe_btf_func func;
	struct pe_btf_struct structure;
	const struct btf_type *last;
	const struct btf *last_btf;
	u32 last_bit;
	u32 last_bits;
};

#define PE_OP_END	15

/* parser.c */

/* The text of the command's @i-th word, as it is parsed at a place; as it was typed in. */
struct pe_str pe_placed_word(const struct pe_placed *placed, unsigned int i);
struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i);

/* The column past the last one of @n words that is kept. */
unsigned int pe_words_end_col(const struct pe_word *words, unsigned int n);

/* Begin to read a word, that is at this column; it is all body until it is known to have a name. */
void pe_arg_begin(struct pe_arg_parser *p, struct pe_str word, unsigned int col);

/* Tell an error where the parser stands, or elsewhere in the word.  Return: -errno */
int pe_arg_fail(struct pe_arg_parser *p, enum pe_parse_errno code);
int pe_arg_fail_at(struct pe_arg_parser *p, const char *at, enum pe_parse_errno code);

/* One more operation. */
int pe_arg_op(struct pe_arg_parser *p);

/* A copy with a NUL in the pool. */
int pe_pool_add(struct pe_placed *placed, struct pe_str s, u16 *at);

/* arg_words.c */

/* Fill @p->placed->words. */
int pe_arg_words(struct pe_arg_parser *p);

/* fetch_parse.c */

/* Fill @p->arg->fetch from an expression without its type. */
int pe_fetch_parse(struct pe_arg_parser *p, struct pe_str s);

/* The length of "this_cpu_ptr(" or "this_cpu_read(" at the beginning of @s, or 0. */
size_t pe_this_cpu_head(struct pe_str s);

/* Load parameter @i, from 0: as it is at the entry, or was there. */
int pe_fetch_param(struct pe_arg_parser *p, unsigned int i);

/* One more dereference, outside those that are already there. */
int pe_fetch_deref(struct pe_arg_parser *p, s32 offset, bool user);

/* cast_parse.c */

/**
 * struct pe_cast - a cast of what a fetch gives to a pointer, and fields of what it points to
 * @type: "STRUCT", or "STRUCT,MEMBER": the pointer is that of the member
 * @fields: the text after the first arrow
 */
struct pe_cast {
	struct pe_str type, fields;
};

/* Casts in each other. */
#define PE_MAX_CASTS	3

/* Split a cast; @s keeps what is cast, and the parser stands there. */
int pe_cast_parse(struct pe_arg_parser *p, struct pe_str *s, struct pe_cast *cast);

/* The name of a register, without the percent sign? */
bool pe_is_register(struct pe_str name);

/* arg_hints.c */

/*
 * Say more of the error that has just been told, unless more is said of it already.  The others
 * find out what to say of it.  Return: @ret
 */
__printf(3, 4)
int pe_arg_hint(struct pe_arg_parser *p, int ret, const char *fmt, ...);
int pe_hint_register(struct pe_arg_parser *p, struct pe_str s, int ret);
int pe_hint_variable(struct pe_arg_parser *p, struct pe_str s, int ret);	/* no dollar sign */
int pe_hint_type(struct pe_arg_parser *p, struct pe_str s, int ret);
int pe_hint_string(struct pe_arg_parser *p, int ret);
int pe_hint_param(struct pe_arg_parser *p, struct pe_str s, int ret);
int pe_hint_field(struct pe_arg_parser *p, const struct btf_type *t, struct pe_str s, int ret);

/* btf_fields.c */

/**
 * struct pe_names - the first name of an expression, and what follows it
 * @first: the name
 * @index: "[N]..." after it, or empty
 * @rest: the text after the dot or arrow
 * @more: there is one
 * @arrow: it is an arrow
 */
struct pe_names {
	struct pe_str first, index, rest;
	bool more, arrow;
};

int pe_names_split(struct pe_arg_parser *p, struct pe_str s, struct pe_names *n);

/* Go past the dot or arrow, if there is one. */
void pe_names_step(struct pe_arg_parser *p, const struct pe_names *n);

/* The rest of the fetch, after the name of the value so far, which is of this type. */
int pe_btf_value(struct pe_arg_parser *p, struct pe_names *n, const struct btf *btf, u32 type);

/*
 * "FIELD.FIELD->FIELD" of @p->structure, which begins @less bytes before what the fetch so far
 * points to.
 */
int pe_btf_fields(struct pe_arg_parser *p, struct pe_str s, u32 less);

/* "FIELD.FIELD" of @p->structure: how many bytes after its begin that is. */
int pe_btf_offset(struct pe_arg_parser *p, struct pe_str s, u32 *offset);

/* btf_arg.c */

/* Cast the fetch so far, and follow the fields. */
int pe_btf_cast(struct pe_arg_parser *p, const struct pe_cast *cast);

/* Is the function's type known?  It is in @p->func then. */
bool pe_arg_has_func(struct pe_arg_parser *p);

/* Its parameters as the user counts them, from 0; as pe_btf_nr_params() and pe_btf_param(). */
unsigned int pe_arg_nr_params(const struct pe_arg_parser *p);
const char *pe_arg_param(const struct pe_arg_parser *p, unsigned int i, u32 *type);

/* The same as pe_fetch_parse() for an expression that begins with a name, or with $retval. */
int pe_btf_arg_parse(struct pe_arg_parser *p, struct pe_str s);

/* Type and bits of an argument whose fetch ended with a type. */
int pe_btf_arg_type(struct pe_arg_parser *p);

#endif
