/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hist_internal.h - what the readers of histogram triggers share.  [P]
 */
#ifndef PE_HIST_INTERNAL_H
#define PE_HIST_INTERNAL_H

#include <linux/types.h>
#include "hist.h"
#include "lex.h"

/*
 * ".sym-offset" becomes this before anything else is read, as in the kernel: it is no subtraction,
 * and it is not found in the command if it is wrong.
 */
#define PE_HIST_SYM_OFFSET	"symXoffset"

/**
 * struct pe_hist_def - a variable's definition, unread
 * @name: before the "="
 * @expr: after it
 */
struct pe_hist_def {
	struct pe_str name;
	struct pe_str expr;
};

/**
 * struct pe_hist_parser - a command that is being read
 * @hist: filled
 * @command: the whole text, as it was written
 * @layout: the event's fields
 * @scope: what other triggers have
 * @defs: variables that the command defines
 * @nr_defs: how many there are
 * @err: the first error
 */
struct pe_hist_parser {
	struct pe_hist *hist;
	const char *command;
	const struct pe_layout *layout;
	const struct pe_hist_scope *scope;
	const struct pe_hist_def *defs;
	unsigned int nr_defs;
	struct pe_parse_err *err;
};

/* The use of a field. */
enum pe_hist_role {
	PE_HIST_KEY,
	PE_HIST_VAL,
	PE_HIST_VAR,		/* also what save() keeps */
	PE_HIST_OPERAND,
};

/* hist_field.c */

/* A number, a field or a variable.  0 or -errno, as the functions below. */
int pe_hist_atom(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text,
		 enum pe_hist_role role);

/* hist_expr.c */

int pe_hist_key(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text);
int pe_hist_val(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text);
/* The value of a variable. */
int pe_hist_var_value(const struct pe_hist_parser *p, struct pe_hist_field *field,
		      struct pe_str text);

/* hist_var.c */

/* NAME=EXPR[,NAME=EXPR]..., added to @defs. */
int pe_hist_read_defs(struct pe_hist_parser *p, struct pe_hist_def *defs, struct pe_str text);
int pe_hist_read_vars(const struct pe_hist_parser *p);

/* hist_ref.c */

/* $NAME, or GROUP.EVENT.$NAME; the first two are "" in the former case. */
int pe_hist_read_ref(const struct pe_hist_parser *p, struct pe_hist_field *field,
		     struct pe_str group, struct pe_str event, struct pe_str name);

/* hist_action.c */

/* HANDLER.ACTION, as far as it can be read before fields and variables are known. */
int pe_hist_read_action(const struct pe_hist_parser *p, struct pe_str text);

/* hist_text.c: texts that are kept in hist->texts, and places in the command. */

/* Error @code at the text @where; returns @ret. */
int pe_hist_fail(const struct pe_hist_parser *p, int code, struct pe_str where, int ret);
int pe_hist_bad_modifier(const struct pe_hist_parser *p, struct pe_str where);

unsigned int pe_hist_put_begin(struct pe_hist *hist);
bool pe_hist_put(struct pe_hist *hist, const char *format, ...) __printf(2, 3);
/* Does all that has been put fit? */
bool pe_hist_put_end(struct pe_hist *hist, unsigned int begin);
/* A copy; 0: there is no room. */
unsigned int pe_hist_keep(struct pe_hist *hist, struct pe_str text);

#endif
