// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * vars_hit.c - variables of keys, for all CPUs.  [P][H]
 *
 * Barriers: pe_vars:A orders a row or node before the exchange that makes it known; cmpxchg() does.
 * The address depends on the number that a hit has read.
 *
 * pe_vars:B orders a variable before the bit that says it is set.
 *
 * pe_vars:C orders the reading of a node before the second look at the number: if that is the
 * same, the node has been what it was.  A number comes back only with another count in its upper
 * half.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include "kernel/trace/parse/hist.h"
#include "table_hit.h"
#include "vars_hit.h"

#define NUMBER		0xffffffffULL		/* the lower half of a word */
#define ONE_COUNT	(NUMBER + 1)

void pe_vars_shape(struct pe_vars_map *map, const struct pe_table_shape *shape,
		   const struct pe_hist *hist, unsigned int rows, unsigned int contexts)
{
	unsigned int i, saved = 0, key;

	for (i = 0; i < hist->nr_saves; i++)
		saved += pe_saved_words(&hist->saves[i].value);
	*map = (struct pe_vars_map){
		.secret = shape->secret, .nr_keys = pe_table_words(shape),
		.texts = shape->texts ? PE_SAVED_TEXT : 0, .depth = shape->depth,
		.nr_vars = hist->nr_vars, .nr_tracks = hist->nr_actions,
		.nr_rows = rows + 1 + contexts,
	};
	key = map->nr_keys + map->texts + map->depth;
	map->row_words = 1 + key + map->nr_vars + map->nr_tracks;
	map->node_words = 1 + max(saved, key + PE_NOTE_WORDS);
	/* All rows can be handed out; each context may have one node more; none is number 0. */
	map->nr_nodes = map->nr_tracks ? map->nr_tracks * map->nr_rows + contexts + 1 : 1;
	for (map->nr_slots = 2; map->nr_slots < 2 * map->nr_rows; )
		map->nr_slots *= 2;
}

size_t pe_vars_words(const struct pe_vars_map *map)
{
	return map->nr_slots + (size_t)map->nr_rows * map->row_words +
	       (size_t)map->nr_nodes * map->node_words;
}

void pe_vars_init(struct pe_vars_map *map, u64 *words)
{
	map->slots = words;
	map->rows = map->slots + map->nr_slots;
	map->nodes = map->rows + (size_t)map->nr_rows * map->row_words;
	atomic_long_set(&map->rows_used, 1);
	atomic_long_set(&map->nodes_used, 1);
}

static struct pe_vars_row *pe_vars_row(const struct pe_vars_map *map, u64 slot)
{
	return (struct pe_vars_row *)(map->rows + (slot & NUMBER) * map->row_words);
}

static struct pe_vars_node *pe_vars_node(const struct pe_vars_map *map, u64 track)
{
	return (struct pe_vars_node *)(map->nodes + (track & NUMBER) * map->node_words);
}

static u64 *pe_key_text(const struct pe_vars_map *map, struct pe_vars_row *row)
{
	return row->word + map->nr_keys;
}

static u64 *pe_var_words(const struct pe_vars_map *map, struct pe_vars_row *row)
{
	return pe_key_text(map, row) + map->texts + map->depth;
}

static u64 *pe_track_words(const struct pe_vars_map *map, struct pe_vars_row *row)
{
	return pe_var_words(map, row) + map->nr_vars;
}

/* ---- rows ---- */

static bool pe_vars_has_key(const struct pe_vars_map *map, struct pe_vars_row *row,
			    const struct pe_table_key *key)
{
	const u64 *text = pe_key_text(map, row), *stack = text + map->texts;

	if (memcmp(row->word, key->word, map->nr_keys * sizeof(u64)))
		return false;
	/* The lengths are key words, so they are equal, if these are keys of the same kinds. */
	if (key->text_len > map->texts * sizeof(u64) || key->nr_stack > map->depth)
		return false;
	if (key->text_len && memcmp(text, key->text, key->text_len))
		return false;
	return !key->nr_stack || !memcmp(stack, key->stack, key->nr_stack * sizeof(u64));
}

void pe_vars_write_key(const struct pe_vars_map *map, u64 *words, const struct pe_table_key *key)
{
	u64 *text = words + map->nr_keys;

	memcpy(words, key->word, map->nr_keys * sizeof(u64));
	if (key->text_len)
		memcpy(text, key->text, key->text_len);
	if (key->nr_stack)
		memcpy(text + map->texts, key->stack, key->nr_stack * sizeof(u64));
}

/* The row in a slot, if it is the key's; NULL: another's, or none. */
static struct pe_vars_row *pe_vars_match(const struct pe_vars_map *map, u64 slot, u64 hash,
					 const struct pe_table_key *key)
{
	struct pe_vars_row *row = pe_vars_row(map, slot);

	if ((slot ^ hash) & ~NUMBER)
		return NULL;
	return pe_vars_has_key(map, row, key) ? row : NULL;
}

static u64 *pe_vars_slot(const struct pe_vars_map *map, u64 hash, unsigned int i)
{
	return &map->slots[((hash >> 32) + i) & (map->nr_slots - 1)];
}

struct pe_vars_row *pe_vars_find(const struct pe_vars_map *map, const struct pe_table_key *key,
				 unsigned int nr)
{
	u64 hash, slot;
	struct pe_vars_row *row;
	unsigned int i;

	if (nr != map->nr_keys)
		return NULL;
	hash = pe_key_hash(map->secret, nr, key);
	for (i = 0; i < PE_VARS_PROBES; i++) {
		slot = READ_ONCE(*pe_vars_slot(map, hash, i));	/* pe_vars:A */
		if (!slot)
			return NULL;
		row = pe_vars_match(map, slot, hash, key);
		if (row)
			return row;
	}
	return NULL;
}

/* A number from a counter, below @nr; 0: there is none left. */
static u32 pe_take_number(atomic_long_t *used, u32 nr)
{
	long i;

	if (atomic_long_read(used) >= nr)
		return 0;
	i = atomic_long_fetch_inc(used);
	return i < nr ? i : 0;
}

/* Put a row into the slot, which was free; what is in it then. */
static u64 pe_vars_put(struct pe_vars_map *map, u64 *slot, u64 hash,
		       const struct pe_table_key *key, struct pe_vars_spare *spare)
{
	u64 mine, found;

	if (!spare->row)
		spare->row = pe_take_number(&map->rows_used, map->nr_rows);
	if (!spare->row)
		return 0;
	pe_vars_write_key(map, pe_vars_row(map, spare->row)->word, key);
	mine = (hash & ~NUMBER) | spare->row;
	found = cmpxchg(slot, 0, mine);		/* pe_vars:A */
	if (found)
		return found;
	spare->row = 0;
	return mine;
}

struct pe_vars_row *pe_vars_get(struct pe_vars_map *map, const struct pe_table_key *key,
				struct pe_vars_spare *spare)
{
	u64 hash = pe_key_hash(map->secret, map->nr_keys, key), *slot, found;
	struct pe_vars_row *row;
	unsigned int i;

	for (i = 0; i < PE_VARS_PROBES; i++) {
		slot = pe_vars_slot(map, hash, i);
		found = READ_ONCE(*slot);		/* pe_vars:A */
		if (!found)
			found = pe_vars_put(map, slot, hash, key, spare);
		if (!found)
			break;
		row = pe_vars_match(map, found, hash, key);
		if (row)
			return row;
	}
	atomic_long_inc(&map->full);
	return NULL;
}

/* ---- variables ---- */

void pe_vars_set(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i, u64 v)
{
	WRITE_ONCE(pe_var_words(map, row)[i], v);
	/* pe_vars:B; fully ordered, as all of these that return something */
	atomic_long_fetch_or(1L << i, &row->set);
}

bool pe_vars_read(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		  bool once, u64 *v)
{
	long set;

	if (once)
		set = atomic_long_fetch_andnot(1L << i, &row->set);	/* pe_vars:B */
	else
		set = atomic_long_read(&row->set);
	smp_rmb();	/* pe_vars:B */
	*v = READ_ONCE(pe_var_words(map, row)[i]);
	return set >> i & 1;
}

/* ---- actions ---- */

/* The value that is kept; false: the word has changed meanwhile. */
static bool pe_kept_value(const struct pe_vars_map *map, const u64 *track, u64 now, u64 *v)
{
	*v = 0;
	if (!(now & NUMBER))
		return true;
	*v = READ_ONCE(pe_vars_node(map, now)->value);
	smp_rmb();	/* pe_vars:C */
	return READ_ONCE(*track) == now;
}

/* A node with the value in it, which no other hit sees. */
static bool pe_make_node(struct pe_vars_map *map, u64 v, const struct pe_vars_fill *how,
			 struct pe_vars_spare *spare)
{
	struct pe_vars_node *node;

	if (!spare->node)
		spare->node = pe_take_number(&map->nodes_used, map->nr_nodes);
	if (!spare->node)
		return false;
	node = pe_vars_node(map, spare->node);
	WRITE_ONCE(node->value, v);	/* read by pe_kept_value() */
	how->fill(how, node->word);
	return true;
}

static bool pe_is_wanted(unsigned int handler, u64 v, u64 kept)
{
	return handler == PE_HIST_ONMAX ? v > kept : v != kept;
}

bool pe_vars_wants(const struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		   unsigned int handler, u64 v)
{
	const u64 *track = &pe_track_words(map, row)[i];
	u64 kept;

	/* If it changes meanwhile, pe_vars_track() has to find out. */
	return !pe_kept_value(map, track, READ_ONCE(*track), &kept) ||
	       pe_is_wanted(handler, v, kept);
}

bool pe_vars_track(struct pe_vars_map *map, struct pe_vars_row *row, unsigned int i,
		   unsigned int handler, u64 v, const struct pe_vars_fill *how,
		   struct pe_vars_spare *spare)
{
	u64 *track = &pe_track_words(map, row)[i], now, kept, mine;
	bool made = false;
	unsigned int round;

	for (round = 0; round < PE_VARS_ROUNDS; round++) {
		now = READ_ONCE(*track);
		if (!pe_kept_value(map, track, now, &kept))
			continue;
		if (!pe_is_wanted(handler, v, kept))
			return false;
		if (!made && !pe_make_node(map, v, how, spare))
			break;
		made = true;
		mine = ((now & ~NUMBER) + ONE_COUNT) | spare->node;
		if (cmpxchg(track, now, mine) != now)	/* pe_vars:A */
			continue;
		spare->node = now & NUMBER;
		return true;
	}
	atomic_long_inc(&map->unkept);
	return false;
}

bool pe_vars_kept(const struct pe_vars_map *map, const struct pe_vars_row *row, unsigned int i,
		  u64 *words)
{
	const u64 *track = &pe_track_words(map, (struct pe_vars_row *)row)[i];
	unsigned int look;
	u64 now;

	for (look = 0; look < PE_VARS_LOOKS; look++) {
		now = READ_ONCE(*track);
		if (!(now & NUMBER))
			return false;
		memcpy(words, pe_vars_node(map, now), map->node_words * sizeof(u64));
		smp_rmb();	/* pe_vars:C */
		if (READ_ONCE(*track) == now)
			return true;
	}
	return false;
}
