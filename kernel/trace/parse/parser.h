/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parser.h - shared by the parsers of a command, used by no other file.
 *
 *   cmd_parse.c	the command's head
 *   arg_parse.c	the words after it
 *   fetch_parse.c	the expression in one of them
 */
#ifndef PE_PARSER_H
#define PE_PARSER_H

#include "lex.h"
#include "parse_err.h"
#include "spec.h"

/**
 * struct pe_arg_parser - the state of the argument parser
 * @spec: strings go into its pool
 * @env: facts about the place
 * @err: the first error
 * @arg: being filled
 * @col: column of the argument's word in the command
 * @off: column in the word, for errors
 * @op: index of the last operation placed
 * @type: as typed; @type.p is NULL if no type was typed
 * @type_off: column of @type in the argument's body
 * @on_entry: $argN is a parameter
 * @on_return: $retval is there, and $argN as it was at entry
 *
 * The column @off moves as in the kernel's parser, because users compare our
 * columns with the kernel's.  It enters a dereference's brace and does not come
 * back: an error in the type of a dereferenced argument is shown to the right
 * of the type.  It does not count the "u" of a user dereference.  But a caret
 * is never more than one column past the text.
 *
 * The kernel has room for 15 operations and an end mark:
 *
 *   - a load, which takes two for an @SYM
 *   - one for each dereference
 *   - one for a bitfield, and one for an array
 *   - one to store, unless a dereference stores
 */
struct pe_arg_parser {
	struct pe_spec *spec;
	const struct pe_parse_env *env;
	struct pe_parse_err *err;
	struct pe_arg *arg;
	unsigned int col;
	unsigned int off;
	unsigned int op;
	struct pe_str type;
	unsigned int type_off;
	bool on_entry;
	bool on_return;
};

#define PE_OP_END	15

/* parser.c */

/* The @i-th word of the command, as expanded so far. */
struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i);

/* Return @ret; the error is at @p->off, or at a column of the word. */
int pe_arg_fail(struct pe_arg_parser *p, enum pe_parse_errno code, int ret);
int pe_arg_fail_at(struct pe_arg_parser *p, unsigned int off,
		   enum pe_parse_errno code, int ret);

/* A copy with a NUL in the pool. */
int pe_pool_add(struct pe_spec *spec, struct pe_str s, u16 *at);

/**
 * pe_defer() - record an error to be reported later
 * @when: when to report it; the first of several counts
 *
 * The kernel looks at names after it has looked up the symbol.  It looks at symbols
 * among the arguments after all else is known to be good.  It shows only the
 * first error.
 */
void pe_defer(struct pe_spec *spec, enum pe_defer when, enum pe_parse_errno code,
	      unsigned int pos, int ret);

/* Report deferred errors: 0, or the errno of the deferred one, now in @err. */
int pe_deferred(const struct pe_spec *spec, enum pe_defer when, struct pe_parse_err *err);

/* fetch_parse.c */

/* Fill @p->arg->fetch from an expression without its type. */
int pe_fetch_parse(struct pe_arg_parser *p, struct pe_str s);

#endif
