/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table.h - the modules' file `table`, and what becomes of it: rows by key, percentiles.
 *
 * Pure: the text comes from the caller.
 */
#ifndef PE_TOOL_TABLE_H
#define PE_TOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define TABLE_COLUMNS 16

/**
 * enum column_type - how a column's texts are to be read
 * @COLUMN_TEXT: a text
 * @COLUMN_NUMBER: a number
 * @COLUMN_ADDRESS: a number, the address of a symbol
 * @COLUMN_STACK: addresses, the innermost first
 * @COLUMN_STEP: the step of a distribution
 * @COLUMN_NAMED: a number, and if it has a name, that after a blank
 */
enum column_type {
	COLUMN_TEXT, COLUMN_NUMBER, COLUMN_ADDRESS, COLUMN_STACK, COLUMN_STEP, COLUMN_NAMED,
};

/**
 * struct column - one of them
 * @name: as in the file
 * @type: how its texts are to be read
 * @key: it is a key, not a value
 */
struct column {
	const char *name;
	enum column_type type;
	bool key;
};

/**
 * struct step_count - how many values fell into a step of a distribution
 * @step: its number; -1 for values below 0
 * @hits: how many
 */
struct step_count {
	int step;
	unsigned long long hits;
};

/**
 * struct group - all rows of one key: a row of the answer
 * @keys: the fields of one of its rows, by column: those of keys are the same in all
 * @hits: of all rows
 * @sum: of the first value
 * @max: of the first value
 * @weight: of all rows, as a shape weighs them; 0 without one
 * @steps: the distribution, in order
 * @nr_steps: how many steps there are
 */
struct group {
	char **keys;
	unsigned long long hits;
	long long sum;
	unsigned long long max;
	unsigned long long weight;
	struct step_count *steps;
	size_t nr_steps;
};

/**
 * struct balance - where all hits have gone
 * @rows: into rows
 * @other: into no row, as the table was full
 * @paused: came while it was paused
 * @cleared: had been in rows
 * @filtered: a filter refused them
 * @frees: of @rows, those that a shape takes out: they give back
 */
struct balance {
	unsigned long long rows, other, paused, cleared, filtered, frees;
};

/**
 * struct table - the file
 * @columns: in the file's order
 * @nr_columns: how many
 * @balance: where all hits have gone
 * @now: seconds of the monotonic clock when it was read
 * @seconds: how long the table has counted
 * @freed: what @balance.frees have given back, as a shape weighs it
 * @groups: rows by key
 * @nr: how many groups there are
 * @fields: texts of all rows, @nr_columns each
 * @steps: memory of the steps of all @groups
 * @text: its own text, if it is a sum: tally.c
 * @names: texts of COLUMN_NAMED: naming.c
 */
struct table {
	struct column columns[TABLE_COLUMNS];
	size_t nr_columns;
	struct balance balance;
	double now, seconds;
	unsigned long long freed;
	struct group *groups;
	size_t nr;
	char **fields;	/* of all rows, @nr_columns each */
	struct step_count *steps;
	char *text;	/* its own, if it is a sum: tally.c */
	char *names;	/* of COLUMN_NAMED: naming.c */
};

/**
 * table_read() - understand the file
 * @t: gets it, for table_free()
 * @text: the whole file; cut in place, and needed as long as @t
 *
 * Groups are in order of hits, the most first.
 *
 * Return: NULL, or what is wrong with the file: a static text.
 */
const char *table_read(struct table *t, char *text);

/**
 * struct table_shape - how rows are changed before those of one key are joined
 * @begin: before the first row: columns may lose @key, and @t->text gets room for new texts
 * @row: change the row's fields
 * @frees: take those hits out of a row that give back, and count them in @t; first
 * @weight: what a row is worth, before @row
 * @ctx: for these
 */
struct table_shape {
	int (*begin)(void *ctx, struct table *t, size_t rows);
	void (*frees)(void *ctx, struct table *t, char **fields);
	void (*row)(void *ctx, const struct table *t, char **fields);
	unsigned long long (*weight)(void *ctx, const struct table *t, char **fields);
	void *ctx;
};

/** table_read_as() - table_read(), with a shape; NULL: none */
const char *table_read_as(struct table *t, char *text, const struct table_shape *shape);

/** table_name() - of COLUMN_NAMED's text the name, or the number if it has none */
const char *table_name(const char *text);

/**
 * table_has_keys() - is it the table of a question?
 * @t: the table
 * @nr: how many keys the question has; if it has none, the table has that of the CPU
 */
bool table_has_keys(const struct table *t, size_t nr);

/** table_hits() - the column that counts, which a key may share its name with; @nr_columns: none */
size_t table_hits(const struct table *t);

/** table_free() - the end of table_read()'s result */
void table_free(struct table *t);

/**
 * table_key() - the column of one of the question's keys
 * @t: the table
 * @key: its number in the question
 *
 * The table's key columns are those of the question, in its order; what else there is among the
 * keys is the step.
 *
 * Return: its number; @t->nr_columns if there is none.
 */
size_t table_key(const struct table *t, size_t key);

/** table_sum() - @a + @b, or the nearest that there is: a saved file may say any numbers */
long long table_sum(long long a, long long b);

/** table_same() - rows of two tables of one trigger have the same key */
bool table_same(const struct table *t, const struct group *a, const struct group *b);

/**
 * table_merge() - one group of all
 * @t: the table
 * @g: gets it; its steps are for free()
 *
 * Return: 0, or -1 without memory.
 */
int table_merge(const struct table *t, struct group *g);

/**
 * group_percentile() - a value that so many are not above
 * @g: the group
 * @percent: above 0, up to 100, with one decimal at most
 *
 * Return: the middle of the step with the value of that rank, at most 1.6 % off, and never above
 * the greatest value; 0 for one below 0, and without a distribution.
 */
unsigned long long group_percentile(const struct group *g, double percent);

/**
 * step_lower() - the smallest value of a step
 * @step: its number, from 0
 *
 * Values below 64 are exact; each octave above has 32 steps of one width.
 */
unsigned long long step_lower(unsigned int step);

/** step_of() - the step that a value is in */
unsigned int step_of(unsigned long long value);

#endif
