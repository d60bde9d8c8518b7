/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * table_hit.h - tables as hits see them: a bank of rows for each CPU.
 *
 * A hit works in its CPU's bank of the current epoch, with preemption off.  It uses single
 * instructions on memory, which no interrupt can split, and takes no lock.  Process context
 * changes the epoch, waits for a grace period, and then has the other banks for itself.
 *
 * A row is what has been counted for one key:
 *
 *	tag | text, size | hits | key words | notes | values
 *
 * Key words: one of each key, two of a task's name; then the step of a distribution, which is
 * a key that no command has named.  A text or a stack has its length as key word, and its bytes in
 * the bank's pool.  Notes are what the first hit of a row leaves there: the task's name for
 * .execname.
 */
#ifndef PE_TABLE_HIT_H
#define PE_TABLE_HIT_H

#include <linux/types.h>
#include <asm/local.h>
#include "kernel/trace/parse/hist.h"

#define PE_KEY_WORDS	(2 * PE_HIST_KEYS + 1)
#define PE_NOTE_WORDS	2
#define PE_VAL_WORDS	(PE_HIST_VALS + 1)	/* .dist has two: sum and maximum */

#define PE_TABLE_PROBES	8	/* places where a row may be, one after the other */

/* Values of a hit beside its record. */
enum pe_table_need {
	PE_NEED_TIME	= 1 << 0,
	PE_NEED_TGID	= 1 << 1,
	PE_NEED_CALLER	= 1 << 2,
	PE_NEED_COMM	= 1 << 3,
	PE_NEED_STACK	= 1 << 4,
};

/*
 * How a value word grows.  pe_shape_val(), pe_row_clear_vals(), pe_row_add(), pe_line_add()
 * (view.c) and pe_emit_limit() (emit_count.c) know each: nothing finds one that they lack.
 */
enum pe_table_op {
	PE_OP_SUM,
	PE_OP_MAX,
	PE_OP_MAX_SIGNED,
	PE_OP_MIN,
	PE_OP_MIN_SIGNED,
};

/**
 * struct pe_table_shape - what the words of a row are; constant
 * @nr_keys: key words
 * @nr_notes: words after them
 * @nr_vals: words after those
 * @row_size: bytes of a row
 * @op: enum pe_table_op of each value word
 * @needs: enum pe_table_need
 * @depth: addresses of a stack at most
 * @texts: keys that are texts; 0 or 1
 * @dist: the value that is a distribution, -1: none is
 * @by_cpu: the CPU's number is all of the key, so that the first place of a bank has its row
 * @secret: of the hash, odd; pe_table_shape() sets a constant, the table a random number
 */
struct pe_table_shape {
	u8 nr_keys;
	u8 nr_notes;
	u8 nr_vals;
	u16 row_size;
	u8 op[PE_VAL_WORDS];
	u8 needs;
	u8 depth;
	u8 texts;
	s8 dist;
	bool by_cpu;
	u64 secret;
};

/**
 * struct pe_table_from - a hit, as far as the table's shape needs it
 * @rec: its record
 * @len: bytes of @rec
 * @cpu: where
 * @time: by the table's clock
 * @tgid: of the current task
 * @caller: return address
 * @comm: the current task's name, as two words
 * @stack: callers, innermost first
 * @nr_stack: how many
 * @ref: values of the trigger's references
 */
struct pe_table_from {
	const void *rec;
	unsigned int len;
	unsigned int cpu;
	u64 time;
	u64 tgid;
	u64 caller;
	u64 comm[PE_NOTE_WORDS];
	const u64 *stack;
	unsigned int nr_stack;
	const u64 *ref;
};

/**
 * struct pe_table_key - the key of a hit
 * @hash: of all of it
 * @place: where its row is looked for first, before the bank's mask
 * @word: key words
 * @note: notes
 * @text: bytes of the text, if a key is one
 * @text_len: how many
 * @stack: addresses of the stack, if a key is one
 * @nr_stack: how many
 */
struct pe_table_key {
	u64 hash;
	u32 place;
	u64 word[PE_KEY_WORDS];
	u64 note[PE_NOTE_WORDS];
	const char *text;
	unsigned int text_len;
	const u64 *stack;
	unsigned int nr_stack;
};

#define PE_ROW_CLAIMED	1	/* by a hit that has not written the key yet */
#define PE_ROW_READY	3	/* otherwise; 0: the row is free */

/**
 * struct pe_table_row - a row, in a bank or in a table's base
 * @tag: 0, or the hash with PE_ROW_* in its last two bits
 * @pool: of the text and the stack, in words
 * @pool_size: their words
 * @hits: how many
 * @word: key words, notes, values
 */
struct pe_table_row {
	local_t tag;
	u32 pool;
	u32 pool_size;
	local_t hits;
	local_t word[];
};

/**
 * struct pe_bank - rows of one CPU and epoch
 * @mask: of a key's place, to the number of a row
 * @nr_rows: places that a hash may choose, a power of 2; what follows the last one lets a search
 *	go on without a look at where it is
 * @pool_words: room in the pool
 * @end: where the row of all others is, in bytes from the first
 * @pool_used: more than that if it was full
 * @used: rows that have been claimed
 * @paused: those that came while the trigger was paused
 * @filtered: those that did not pass the trigger's filter
 * @unset: those that found a variable not set
 * @rows: pe_bank_all_rows() of them, then the row of all others; then the pool
 */
struct pe_bank {
	u32 mask;
	u32 nr_rows;
	u32 pool_words;
	u32 end;
	local_t pool_used;
	local_t used;
	local_t paused;
	local_t filtered;
	local_t unset;
	u64 rows[];
};

/* Key words without the step of a distribution. */
static inline unsigned int pe_table_words(const struct pe_table_shape *shape)
{
	return shape->nr_keys - (shape->dist >= 0);
}

/* table_hit.c */

/* The shape of what a trigger asks for. */
void pe_table_shape(struct pe_table_shape *shape, const struct pe_hist *hist);

/* Words of texts and stacks that so many rows have room for. */
size_t pe_pool_words(const struct pe_table_shape *shape, unsigned int rows);
/* Bytes of a bank with room for @rows rows, a power of 2. */
size_t pe_bank_size(const struct pe_table_shape *shape, unsigned int rows);
/* Make an empty bank of @bank, which has that many bytes. */
void pe_bank_init(const struct pe_table_shape *shape, struct pe_bank *bank, unsigned int rows);

/* Row @i of @rows of them. */
static inline struct pe_table_row *pe_table_row(const struct pe_table_shape *shape, void *rows,
						unsigned int i)
{
	return rows + (size_t)i * shape->row_size;
}

/* How many rows a bank has if a hash may choose @rows places. */
static inline unsigned int pe_bank_all_rows(unsigned int rows)
{
	return rows + PE_TABLE_PROBES - 1;
}

/* The row of all hits that have none. */
static inline struct pe_table_row *pe_bank_other(const struct pe_table_shape *shape,
						 struct pe_bank *bank)
{
	return pe_table_row(shape, bank->rows, pe_bank_all_rows(bank->nr_rows));
}

static inline u64 *pe_bank_pool(const struct pe_table_shape *shape, struct pe_bank *bank)
{
	return (u64 *)pe_table_row(shape, bank->rows, pe_bank_all_rows(bank->nr_rows) + 1);
}

/**
 * pe_table_key() - the key of a hit  [H]
 * @key: filled
 * @hist: keys of the hit's trigger
 * @shape: of its table
 * @from: the hit
 *
 * @key refers to what @from refers to.
 */
void pe_table_key(struct pe_table_key *key, const struct pe_hist *hist,
		  const struct pe_table_shape *shape, const struct pe_table_from *from);

/* The hash of a key's first @nr words, its text and its stack.  [H] */
u64 pe_key_hash(u64 secret, unsigned int nr, const struct pe_table_key *key);

/* The first value of a hash. */
static inline u64 pe_table_seed(u64 secret)
{
	return 0xbf58476d1ce4e5b9ULL ^ (secret << 32 | secret >> 32);
}

/* A number of a hit: of a key, a value or a variable.  [H] */
u64 pe_table_number(const struct pe_hist *hist, const struct pe_hist_field *field,
		    const struct pe_table_from *from);
/* A text in a record, and its length.  No NUL is among them.  [H] */
unsigned int pe_table_text(const struct pe_hist_field *field, const struct pe_table_from *from,
			   const char **text);

/* The value words of a hit.  [H] */
void pe_table_vals(u64 *val, const struct pe_hist *hist, const struct pe_table_shape *shape,
		   const struct pe_table_from *from);

/**
 * pe_bank_count() - count a hit in its row, or in that of all others  [H]
 * @shape: of the table
 * @bank: of this CPU
 * @key: its key
 * @val: its value words
 *
 * Any context, preemption off; a hit may interrupt another one at any instruction.
 */
void pe_bank_count(const struct pe_table_shape *shape, struct pe_bank *bank,
		   const struct pe_table_key *key, const u64 *val);

/* Do the key words, the text and the stack of a row equal those of @key?  @pool is the row's. */
bool pe_row_has_key(const struct pe_table_shape *shape, const struct pe_table_row *row,
		    const u64 *pool, const struct pe_table_key *key);

/* Value words of a row that has counted nothing. */
void pe_row_clear_vals(const struct pe_table_shape *shape, struct pe_table_row *row);
/* Add @hits hits with the value words @val. */
void pe_row_add(const struct pe_table_shape *shape, struct pe_table_row *row, u64 hits,
		const u64 *val);

/*
 * Steps of a distribution.  Values below 64 are exact; above, each octave has 32 equal steps.  The
 * middle of a step is at most 1/64 of the value away.  The last step has what is negative.
 */
#define PE_STEPS	1920
#define PE_STEP_NEG	PE_STEPS

static inline unsigned int pe_step_of(u64 v)
{
	unsigned int e;

	if (v < 64)
		return v;
	e = 63 - __builtin_clzll(v) - 5;
	return e * 32 + (v >> e);
}

static inline u64 pe_step_lower(unsigned int i)
{
	return i < 64 ? i : (u64)((i & 31) + 32) << (i / 32 - 1);
}

static inline u64 pe_step_width(unsigned int i)
{
	return i < 64 ? 1 : 1ULL << (i / 32 - 1);
}

#endif
