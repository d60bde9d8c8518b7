/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * hist.h - a histogram trigger: what a table counts hits by.
 *
 *   hist_parse.c	the parts of a trigger: keys, values, order, size
 *   hist_field.c	a field, a number or a variable
 *   hist_expr.c	expressions: keys, values, variables
 *   hist_var.c		variables
 *   hist_ref.c		references to those of other triggers
 *   hist_action.c	what is done when a variable is the largest, or has changed
 *   hist_text.c	texts that a trigger keeps
 *
 * The result says what the user has asked for.  ../hit/table_hit.c makes rows of it,
 * ../table/ keeps and prints them.
 */
#ifndef PE_HIST_H
#define PE_HIST_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "lex.h"
#include "limits.h"

struct pe_layout;
struct pe_parse_err;
struct pe_table_hits;

#define PE_HIST_PREFIX		"hist:"		/* of every command */
#define PE_HIST_KEYS		3
#define PE_HIST_VALS		3
#define PE_HIST_SORTS		2
#define PE_HIST_SIZE		2048		/* rows */
#define PE_HIST_DIST_SIZE	65536		/* with .dist: a row is a key and a step */
#define PE_HIST_STACK		16		/* addresses of a stack */
#define PE_HIST_MAX_STACK	127
#define PE_HIST_MAX_TEXT	255		/* bytes of a text that is a key */
#define PE_HIST_VARS		16		/* variables, with those of actions */
#define PE_HIST_REFS		16
#define PE_HIST_OPERATORS	3		/* of an expression */
#define PE_HIST_NODES		32		/* operators of all expressions */
#define PE_HIST_ACTIONS		8
#define PE_HIST_TEXTS		2048		/* bytes of names and expressions */
#define PE_HIST_EXPR_TEXT	255		/* of one expression */

/* The source of a key or a value. */
enum pe_hist_source {
	PE_HIST_NUMBER,		/* .size bytes at .offset of the record */
	PE_HIST_STRING,		/* the record's data_loc word at .offset */
	PE_HIST_CPU,
	PE_HIST_TIME,
	PE_HIST_TGID,
	PE_HIST_CALLER,
	PE_HIST_COMM,
	PE_HIST_STACK_TRACE,
	PE_HIST_HITCOUNT,	/* 1 */
	PE_HIST_CONST,		/* .constant */
	PE_HIST_REF,		/* variable .at of ->refs */
	PE_HIST_EXPR,		/* node .at of ->nodes */
};

/* How it is changed before it is counted, or printed. */
enum pe_hist_mod {
	PE_MOD_NONE,
	PE_MOD_HEX,
	PE_MOD_SYM,
	PE_MOD_SYM_OFFSET,
	PE_MOD_EXECNAME,
	PE_MOD_SYSCALL,
	PE_MOD_STACKTRACE,
	PE_MOD_LOG2,
	PE_MOD_USECS,
	PE_MOD_BUCKETS,
	PE_MOD_PERCENT,
	PE_MOD_GRAPH,
	PE_MOD_DIST,
	PE_MOD_MAX,
	PE_MOD_MIN,
	PE_NR_MODS,
};

extern const char *const pe_hist_mods[PE_NR_MODS];

/**
 * struct pe_hist_field - a key or a value
 * @source: enum pe_hist_source
 * @mod: enum pe_hist_mod
 * @is_signed: of PE_HIST_NUMBER
 * @size: likewise, 1, 2, 4 or 8
 * @offset: in the record; of PE_HIST_NUMBER and PE_HIST_STRING
 * @depth: of PE_HIST_STACK_TRACE, addresses at most
 * @usecs: a time in microseconds, or an expression that begins with one
 * @at: see enum pe_hist_source
 * @text: of PE_HIST_EXPR, its text in ->texts
 * @buckets: of PE_MOD_BUCKETS, the width of one; not 0
 * @constant: of PE_HIST_CONST
 * @name: of the field, as rows show it; see pe_hist_field_name()
 */
struct pe_hist_field {
	u8 source;
	u8 mod;
	bool is_signed;
	u8 size;
	u16 offset;
	u16 depth;
	bool usecs;
	u8 at;
	u16 text;
	union {
		u64 buckets;
		u64 constant;
	};
	char name[PE_MAX_ARG_NAME_LEN];
};

#define PE_HIST_NEG	'n'	/* the operator of -(EXPR), which has no right operand */

/**
 * struct pe_hist_node - an operator and its operands
 * @op: '+', '-', '*', '/' or PE_HIST_NEG
 * @last: of the first node of an expression, its last one; operands have higher numbers
 * @left: operand
 * @right: operand
 */
struct pe_hist_node {
	u8 op;
	u8 last;
	struct pe_hist_field left;
	struct pe_hist_field right;
};

/**
 * struct pe_hist_var - a variable that the trigger sets at each hit
 * @name: in ->texts
 * @value: what it becomes
 */
struct pe_hist_var {
	u16 name;
	struct pe_hist_field value;
};

/**
 * struct pe_hist_ref - a variable that the trigger reads
 * @table: whose; NULL: its own
 * @var: its number there
 * @once: reading it means that it is not set any more
 * @full: it was given with its event
 * @is_signed: of its value, as the next five
 * @size: likewise
 * @usecs: likewise
 * @is_constant: likewise
 * @constant: likewise
 * @name: "NAME", or "GROUP.EVENT.$NAME", in ->texts
 */
struct pe_hist_ref {
	struct pe_table_hits *table;
	u8 var;
	bool once;
	bool full;
	bool is_signed;
	u8 size;
	bool usecs;
	bool is_constant;
	u64 constant;
	u16 name;
};

/* When something is done, and what. */
enum pe_hist_handler {
	PE_HIST_ONMAX,
	PE_HIST_ONCHANGE,
};

enum pe_hist_do {
	PE_HIST_SAVE,
	PE_HIST_SNAPSHOT,
};

/**
 * struct pe_hist_action - HANDLER($VARIABLE).ACTION(...)
 * @handler: enum pe_hist_handler
 * @action: enum pe_hist_do
 * @var: number of the variable; pe_hist_finish() sets it
 * @track: what is between the handler's parentheses, in ->texts
 * @name: of the action as it was written, likewise
 * @params: likewise, what is between its parentheses
 */
struct pe_hist_action {
	u8 handler;
	u8 action;
	u8 var;
	u16 track;
	u16 name;
	u16 params;
};

/**
 * struct pe_hist_sort - what rows are sorted by
 * @field: 0: hitcount, then the values, then the keys
 * @descending: the largest first
 */
struct pe_hist_sort {
	u8 field;
	bool descending;
};

/**
 * struct pe_hist - a parsed trigger
 * @keys: @nr_keys of them
 * @vals: @nr_vals, without the hitcount that every row has
 * @sort: @nr_sorts; one at least
 * @nr_keys: one at least
 * @nr_vals: may be 0
 * @nr_sorts: see @sort
 * @size: rows at most, a power of 2
 * @no_hitcount: rows do not show it
 * @has_time: a key or value is the time, by @clock
 * @clock: name of a clock, as in trace_clock
 * @name: tables of one name are one; "": it has none
 * @pause: the command says so, as the next two do
 * @cont: likewise
 * @clear: likewise
 * @nr_vars: variables
 * @nr_refs: references
 * @nr_nodes: operators of expressions
 * @nr_actions: actions
 * @nr_saves: fields that save() keeps
 * @vars: in order of definition
 * @refs: each variable of another trigger once
 * @nodes: of expressions
 * @actions: in order of definition
 * @saves: as @vars; of the one action that is PE_HIST_SAVE
 * @nr_texts: bytes of @texts
 * @texts: names and expressions, each with a NUL; the first is ""
 * @filter: text of the filter, in the command; NULL: there is none.  Only while the
 *	command is there
 */
struct pe_hist {
	struct pe_hist_field keys[PE_HIST_KEYS];
	struct pe_hist_field vals[PE_HIST_VALS];
	struct pe_hist_sort sort[PE_HIST_SORTS];
	u8 nr_keys;
	u8 nr_vals;
	u8 nr_sorts;
	u32 size;
	bool no_hitcount;
	bool has_time;
	char clock[16];
	char name[PE_MAX_EVENT_NAME_LEN];
	bool pause;
	bool cont;
	bool clear;
	u8 nr_vars;
	u8 nr_refs;
	u8 nr_nodes;
	u8 nr_actions;
	u8 nr_saves;
	struct pe_hist_var vars[PE_HIST_VARS];
	struct pe_hist_ref refs[PE_HIST_REFS];
	struct pe_hist_node nodes[PE_HIST_NODES];
	struct pe_hist_action actions[PE_HIST_ACTIONS];
	struct pe_hist_var saves[PE_HIST_VARS];
	u16 nr_texts;
	char texts[PE_HIST_TEXTS];
	const char *filter;
};

/**
 * struct pe_hist_found - a variable of another trigger
 * @table: which it is a variable of
 * @hist: the trigger
 * @var: its number there
 */
struct pe_hist_found {
	struct pe_table_hits *table;
	const struct pe_hist *hist;
	unsigned int var;
};

/**
 * struct pe_hist_scope - what a trigger may refer to
 * @group: of its event
 * @event: likewise
 * @removes: the command only removes a trigger: its variables are there
 * @data: for the functions
 * @find: a variable by name, of event @group:@event if these are not "", else of any event in
 *	the instance.  0; -ENOENT; -EEXIST: several events have it
 * @defined: does another trigger of the same event have a variable of this name?
 */
struct pe_hist_scope {
	const char *group;
	const char *event;
	bool removes;
	void *data;
	int (*find)(const struct pe_hist_scope *scope, struct pe_str group, struct pe_str event,
		    struct pe_str name, struct pe_hist_found *found);
	bool (*defined)(const struct pe_hist_scope *scope, struct pe_str name);
};

/* hist_parse.c */

/**
 * pe_hist_parse() - read a histogram trigger
 * @hist: filled
 * @command: PE_HIST_PREFIX, and what followed it in the line; without blanks at its end
 * @work: a copy of it, which is changed
 * @layout: the event's fields
 * @scope: what other triggers have
 * @err: zeroed by the caller; its column is one of @command
 *
 * As the kernel's, the column of an error is the first place where the text that is wrong
 * occurs in the command.  If the kernel logs several errors, this is its first.
 *
 * Return: 0 or -errno.
 */
int pe_hist_parse(struct pe_hist *hist, const char *command, char *work,
		  const struct pe_layout *layout, const struct pe_hist_scope *scope,
		  struct pe_parse_err *err);

/**
 * pe_hist_finish() - read what actions refer to
 * @hist: from pe_hist_parse(), with the same other parameters
 * @command: likewise
 * @layout: likewise
 * @scope: likewise
 * @err: likewise
 *
 * Only a trigger that is new needs it.
 *
 * Return: 0 or -errno.
 */
int pe_hist_finish(struct pe_hist *hist, const char *command, const struct pe_layout *layout,
		   const struct pe_hist_scope *scope, struct pe_parse_err *err);

/**
 * pe_hist_same() - would the kernel take two triggers of an event for the same?
 * @a: one
 * @b: the other
 *
 * The filter is not compared.  Only the beginning of an expression is.
 */
bool pe_hist_same(const struct pe_hist *a, const struct pe_hist *b);

/*
 * Does save() keep fields of the same kinds in both?  Names do not say so if the events differ.
 * @a and @b are from pe_hist_finish().
 */
bool pe_hist_same_saves(const struct pe_hist *a, const struct pe_hist *b);

/* A variable's number; -1: there is none of that name. */
int pe_hist_find_var(const struct pe_hist *hist, struct pe_str name);

/* Are all keys and values fields, without expressions and variables? */
static inline bool pe_hist_is_plain(const struct pe_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++)
		if (hist->keys[i].source >= PE_HIST_CONST)
			return false;
	for (i = 0; i < hist->nr_vals; i++)
		if (hist->vals[i].source >= PE_HIST_CONST)
			return false;
	return !hist->nr_vars && !hist->nr_refs && !hist->nr_actions;
}

/* Does it take snapshots? */
static inline bool pe_hist_snaps(const struct pe_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_actions; i++)
		if (hist->actions[i].action == PE_HIST_SNAPSHOT)
			return true;
	return false;
}

/* Do rows have more than sums: variables or what actions keep? */
static inline bool pe_hist_has_vars(const struct pe_hist *hist)
{
	return hist->nr_vars || hist->nr_actions;
}

/* The user's name of a field, without its modifier. */
static inline const char *pe_hist_field_name(const struct pe_hist *hist,
					     const struct pe_hist_field *field)
{
	if (field->source == PE_HIST_EXPR)
		return hist->texts + field->text;
	if (field->source == PE_HIST_REF)
		return hist->texts + hist->refs[field->at].name;
	return field->name;
}

/* An operator with two operands, or with one and anything.  [H] */
static __always_inline u64 pe_hist_calculate(u8 op, u64 a, u64 b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b ? a / b : ~0ULL;
	}
	return -a;	/* PE_HIST_NEG */
}

#endif
