/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist.h - a histogram trigger: what a table counts hits by.
 *
 *   hist_parse.c	the parts of a trigger: keys, values, order, size
 *   hist_field.c	one key or value: its field and its modifier
 *
 * The result says what the user has asked for.  ../hit/table_hit.c makes rows of it,
 * ../table/ keeps and prints them.
 */
#ifndef PE_HIST_H
#define PE_HIST_H

#include <linux/types.h>
#include "lex.h"
#include "limits.h"

struct pe_layout;
struct pe_parse_err;

#define PE_HIST_PREFIX		"hist:"		/* of every command */
#define PE_HIST_KEYS		3
#define PE_HIST_VALS		3
#define PE_HIST_SORTS		2
#define PE_HIST_SIZE		2048		/* rows */
#define PE_HIST_DIST_SIZE	65536		/* with .dist: a row is a key and a step */
#define PE_HIST_STACK		16		/* addresses of a stack */
#define PE_HIST_MAX_STACK	127
#define PE_HIST_MAX_TEXT	255		/* bytes of a text that is a key */

/* Where a key or a value comes from. */
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
 * @buckets: of PE_MOD_BUCKETS, the width of one; not 0
 * @name: of the field, as rows show it
 */
struct pe_hist_field {
	u8 source;
	u8 mod;
	bool is_signed;
	u8 size;
	u16 offset;
	u16 depth;
	u64 buckets;
	char name[PE_MAX_ARG_NAME_LEN];
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
	const char *filter;
};

/* hist_parse.c */

/**
 * pe_hist_parse() - read a histogram trigger
 * @hist: filled
 * @command: PE_HIST_PREFIX, and what followed it in the line; without blanks at its end
 * @layout: the event's fields
 * @err: zeroed by the caller; its column is one of @command
 *
 * As the kernel's, the column of an error is the first place where the text that is wrong
 * occurs in the command.
 *
 * Return: 0 or -errno.
 */
int pe_hist_parse(struct pe_hist *hist, const char *command, const struct pe_layout *layout,
		  struct pe_parse_err *err);

/**
 * pe_hist_same() - would the kernel take two triggers of an event for the same?
 * @a: one
 * @b: the other
 *
 * The filter is not compared.
 */
bool pe_hist_same(const struct pe_hist *a, const struct pe_hist *b);

/**
 * struct pe_hist_parser - a command that is being read
 * @hist: filled
 * @command: the whole text
 * @layout: the event's fields
 * @err: the first error
 */
struct pe_hist_parser {
	struct pe_hist *hist;
	const char *command;
	const struct pe_layout *layout;
	struct pe_parse_err *err;
};

/* hist_field.c */

/* Error @code at the text @where; returns @ret. */
int pe_hist_fail(const struct pe_hist_parser *p, int code, struct pe_str where, int ret);

/* Read the key or value @text.  0 or -errno. */
int pe_hist_key(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text);
int pe_hist_val(const struct pe_hist_parser *p, struct pe_hist_field *field, struct pe_str text);

#endif
