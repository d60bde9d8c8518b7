/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * vars_hit.h - variables of histogram triggers, as hits see them.
 *
 * A variable belongs to a key, and hits on any CPU read what one on another has set.  So these
 * are not in banks: a table with variables or actions has one map for all CPUs.
 *
 *	slots	find a row by its key's hash: hash | number of the row
 *	rows	a key and its variables; written once, except for the variables
 *	nodes	what an action keeps: the variable's value and saved fields
 *
 * Memory is allocated with the map.  A hit takes a row or a node that is not in use, fills
 * it, and puts its number into a slot or a row with one exchange.  No hit waits: the second one
 * finds the first, and keeps what it has taken for the next time, in its struct pe_vars_spare.
 */
#ifndef PE_VARS_HIT_H
#define PE_VARS_HIT_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "kernel/trace/parse/hist.h"
#include "table_hit.h"

#define PE_VARS_PROBES	64	/* slots where a row may be */
#define PE_VARS_ROUNDS	64	/* of an exchange in which others came first */
#define PE_VARS_LOOKS	1000	/* at what is kept, while hits change it */
#define PE_VARS_MB	64	/* of a map at most */

struct pe_vars_spares;

#define PE_SAVED_TEXT	32	/* words of a text that is saved */

/**
 * struct pe_vars_row - a key's variables
 * @set: a bit for each variable that is set
 * @word: the key's words, text and stack; variables; a word for each action
 */
struct pe_vars_row {
	atomic_long_t set;
	u64 word[];
};

/**
 * struct pe_vars_node - what an action keeps
 * @value: of its variable
 * @word: saved fields, or a key
 */
struct pe_vars_node {
	u64 value;
	u64 word[];
};

/**
 * struct pe_vars_map - the variables of a table
 * @secret: of hashes
 * @nr_keys: key words
 * @texts: words for a text of a key
 * @depth: for a stack
 * @nr_vars: variables of a row
 * @nr_tracks: words for actions
 * @row_words: of a row
 * @node_words: of a node
 * @nr_slots: a power of 2, at least twice the rows
 * @nr_rows: the first is of no key: what is the largest of all keys
 * @nr_nodes: from 1 on
 * @rows_used: may be more than @nr_rows
 * @nodes_used: likewise
 * @full: hits that found no row
 * @unkept: values that an action wanted and could not keep
 * @no_snapshot: snapshots that could not be taken
 * @slots: 0, or the upper half of a hash and the number of a row
 * @rows: @nr_rows
 * @nodes: @nr_nodes
 * @spares: of each CPU; the owner's
 */
struct pe_vars_map {
	u64 secret;
	u8 nr_keys;
	u8 texts;
	u8 depth;
	u8 nr_vars;
	u8 nr_tracks;
	u16 row_words;
	u16 node_words;
	u32 nr_slots;
	u32 nr_rows;
	u32 nr_nodes;
	atomic_long_t rows_used;
	atomic_long_t nodes_used;
	atomic_long_t full;
	atomic_long_t unkept;
	atomic_long_t no_snapshot;
	u64 *slots;
	u64 *rows;
	u64 *nodes;
	struct pe_vars_spares __percpu *spares;
};

/* Numbers that a context of a CPU has taken and not used; 0: none. */
struct pe_vars_spare {
	u32 row;
	u32 node;
};

/* vars_hit.c */

/* All sizes of a map, from a table's shape, a trigger, and so many rows and contexts. */
void pe_vars_shape(struct pe_vars_map *map, const struct pe_table_shape *shape,
		   const struct pe_hist *hist, unsigned int rows, unsigned int contexts);

/* Words of the three arrays together. */
size_t pe_vars_words(const struct pe_vars_map *map);
/* Is that more than PE_VARS_MB? */
static inline bool pe_vars_too_large(const struct pe_vars_map *map)
{
	return pe_vars_words(map) > (PE_VARS_MB << 20) / sizeof(u64);
}

/* @words: so many, zeroed. */
void pe_vars_init(struct pe_vars_map *map, u64 *words);

/* The row of a key with @nr words, or NULL.  [H] */
struct pe_vars_row *pe_vars_find(const struct pe_vars_map *map, const struct pe_table_key *key,
				 unsigned int nr);
/* The same; it is made if need be.  NULL: there is no room.  [H] */
struct pe_vars_row *pe_vars_get(struct pe_vars_map *map, const struct pe_table_key *key,
				struct pe_vars_spare *spare);

/* Variable @i of a row.  [H] */
void pe_vars_set(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i, u64 v);
/* Is it set?  @once: then it is not any more; of several readers one finds it set.  [H] */
bool pe_vars_read(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		  bool once, u64 *v);

/**
 * struct pe_vars_fill - what is to be kept beside a value
 * @fill: writes it, node_words - 1 words, which have what was kept before in them
 * @data: for it
 */
struct pe_vars_fill {
	void (*fill)(const struct pe_vars_fill *how, u64 *word);
	const void *data;
};

/**
 * pe_vars_track() - an action's variable has a value  [H]
 * @map: the map
 * @row: of the key
 * @i: number of the action
 * @handler: enum pe_hist_handler
 * @v: the value
 * @how: what to keep
 * @spare: of this CPU and context
 *
 * Return: was it larger, or another, than what was kept?  Then it is kept.
 */
bool pe_vars_track(struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		   unsigned int handler, u64 v, const struct pe_vars_fill *how,
		   struct pe_vars_spare *spare);

/* Would pe_vars_track() keep it at this moment?  [H] */
bool pe_vars_wants(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		   unsigned int handler, u64 v);

/*
 * The kept value and fields, at one moment: node_words words.  False: nothing, or another at each
 * of PE_VARS_LOOKS looks.  Process context.
 */
bool pe_vars_kept(const struct pe_vars_map *map, const struct pe_vars_row *row, unsigned int i,
		  u64 *words);

/* The words of a key, its text and its stack, as rows have them.  [H] */
void pe_vars_write_key(const struct pe_vars_map *map, u64 *words, const struct pe_table_key *key);

/* The row of no key. */
static inline struct pe_vars_row *pe_vars_all(const struct pe_vars_map *map)
{
	return (struct pe_vars_row *)map->rows;
}

/* Words of a saved field. */
static inline unsigned int pe_saved_words(const struct pe_hist_field *field)
{
	if (field->source == PE_HIST_STRING)
		return PE_SAVED_TEXT;
	return field->source == PE_HIST_COMM || field->mod == PE_MOD_EXECNAME ? PE_NOTE_WORDS : 1;
}

#endif
