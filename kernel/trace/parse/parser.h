/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parser.h - what the parsers of a command share, and no other file uses.
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
 * struct pe_arg_parser - where the parser stands
 * @spec: strings go into its pool
 * @env: where the place lies
 * @err: the first error
 * @arg: being filled
 * @col: column of the argument's word in the command
 * @off: column in the word, for errors
 * @op: index of the last operation placed
 * @type: as typed; @type.p is NULL when it is not
 * @type_off: column of @type in the argument's body
 * @on_entry: $argN is a parameter
 * @on_return: $retval is there, and $argN as it was at entry
 *
 * @off runs along as the kernel's parser runs it: it enters a dereference's
 * brace and does not come back, so an error in the type of a dereferenced
 * argument is shown to the right of the type, and it does not count the "u" of a
 * user dereference.  People compare us with the kernel, so this is kept; but a
 * caret never stands more than one behind the text.
 *
 * The kernel has room for 15 operations and an end mark: a load (an @SYM takes
 * two), a dereference each, one to store unless a dereference does that, one for
 * a bitfield, one for an array.
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

/* The @i-th word of the command, as it is by now. */
struct pe_str pe_spec_word(const struct pe_spec *spec, unsigned int i);

/* Return @ret; at @p->off, or at a column of the word. */
int pe_arg_fail(struct pe_arg_parser *p, enum pe_parse_errno code, int ret);
int pe_arg_fail_at(struct pe_arg_parser *p, unsigned int off,
		   enum pe_parse_errno code, int ret);

/* A copy with a NUL in the pool. */
int pe_pool_add(struct pe_spec *spec, struct pe_str s, u16 *at);

/**
 * pe_defer() - an error that is not to be told yet
 * @when: to tell it; of several at one time the first counts
 *
 * The kernel looks at names after it has looked up the symbol, and at symbols among
 * the arguments when all else is known to be good; the first error is the one that is
 * shown.
 */
void pe_defer(struct pe_spec *spec, enum pe_defer when, enum pe_parse_errno code,
	      unsigned int pos, int ret);

/* It is time: 0, or the errno of what was deferred, which is in @err. */
int pe_deferred(const struct pe_spec *spec, enum pe_defer when, struct pe_parse_err *err);

/* fetch_parse.c */

/* Fill @p->arg->fetch from an expression without its type. */
int pe_fetch_parse(struct pe_arg_parser *p, struct pe_str s);

#endif
