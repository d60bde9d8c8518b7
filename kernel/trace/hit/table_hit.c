// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table_hit.c - a hit is counted in a bank.  [P][H]
 *
 * A row is found by its key's hash, in one of PE_TABLE_PROBES places.  To take a free place, a
 * hit claims its tag, writes the key, and then says in the tag that the key is there.  A hit that
 * interrupts it and meets the claimed tag does not wait: it goes on to the next place.  So a
 * key may have two rows in a bank.  The merge adds them up (table/merge.c).  A bank is of one CPU,
 * so if that is all of the key, all rows have the same one, and the hash is not asked for a place.
 *
 * A hit that finds no place is counted in one more row, that of all others.  So each hit is in
 * exactly one row.
 *
 * Barriers: pe_table:A orders a key before the tag that says it is there.  Only hits of the same
 * CPU read both meanwhile, so the compiler is all that has to be stopped.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/local.h>
#include "kernel/trace/parse/hist.h"
#include "table_hit.h"

#define MIX_1		0x9e3779b97f4a7c15ULL
#define TEXT_WORDS	4	/* of a text, on the average */

static void pe_shape_needs(struct pe_table_shape *shape, const struct pe_hist *hist,
			   const struct pe_hist_field *field)
{
	static const u8 needs[] = {
		[PE_HIST_TIME] = PE_NEED_TIME,
		[PE_HIST_TGID] = PE_NEED_TGID,
		[PE_HIST_CALLER] = PE_NEED_CALLER,
		[PE_HIST_COMM] = PE_NEED_COMM,
		[PE_HIST_STACK_TRACE] = PE_NEED_STACK,
		[PE_HIST_EXPR] = 0,
	};
	unsigned int i;

	shape->needs |= needs[field->source];
	if (field->mod == PE_MOD_EXECNAME)
		shape->needs |= PE_NEED_COMM;
	for (i = field->at; field->source == PE_HIST_EXPR && i <= hist->nodes[field->at].last; i++)
		shape->needs |= needs[hist->nodes[i].left.source] |
				needs[hist->nodes[i].right.source];
}

static void pe_shape_key(struct pe_table_shape *shape, const struct pe_hist_field *key)
{
	shape->nr_keys += key->source == PE_HIST_COMM ? PE_NOTE_WORDS : 1;
	if (key->source == PE_HIST_STACK_TRACE)
		shape->depth = key->depth;
	shape->texts += key->source == PE_HIST_STRING;
	if (key->mod == PE_MOD_EXECNAME)
		shape->nr_notes = PE_NOTE_WORDS;
}

static void pe_shape_val(struct pe_table_shape *shape, const struct pe_hist_field *val)
{
	u8 op = PE_OP_SUM;

	if (val->mod == PE_MOD_MIN)
		op = val->is_signed ? PE_OP_MIN_SIGNED : PE_OP_MIN;
	else if (val->mod == PE_MOD_MAX)
		op = val->is_signed ? PE_OP_MAX_SIGNED : PE_OP_MAX;
	shape->op[shape->nr_vals++] = op;
	if (val->mod == PE_MOD_DIST)
		shape->op[shape->nr_vals++] = val->is_signed ? PE_OP_MAX_SIGNED : PE_OP_MAX;
}

void pe_table_shape(struct pe_table_shape *shape, const struct pe_hist *hist)
{
	unsigned int i;

	*shape = (struct pe_table_shape){ .dist = -1, .secret = MIX_1 };
	for (i = 0; i < hist->nr_keys; i++) {
		pe_shape_needs(shape, hist, &hist->keys[i]);
		pe_shape_key(shape, &hist->keys[i]);
	}
	for (i = 0; i < hist->nr_vars; i++)
		pe_shape_needs(shape, hist, &hist->vars[i].value);
	for (i = 0; i < hist->nr_saves; i++)
		pe_shape_needs(shape, hist, &hist->saves[i].value);
	for (i = 0; i < hist->nr_vals; i++) {
		pe_shape_needs(shape, hist, &hist->vals[i]);
		if (hist->vals[i].mod == PE_MOD_DIST) {
			shape->dist = i;
			shape->nr_keys++;
		}
		pe_shape_val(shape, &hist->vals[i]);
	}
	shape->by_cpu = shape->nr_keys == 1 && hist->keys[0].source == PE_HIST_CPU;
	shape->row_size = offsetof(struct pe_table_row, word) +
			  (shape->nr_keys + shape->nr_notes + shape->nr_vals) * sizeof(local_t);
}

size_t pe_pool_words(const struct pe_table_shape *shape, unsigned int rows)
{
	return rows * (TEXT_WORDS * (size_t)shape->texts + shape->depth);
}

size_t pe_bank_size(const struct pe_table_shape *shape, unsigned int rows)
{
	return sizeof(struct pe_bank) + (size_t)(pe_bank_all_rows(rows) + 1) * shape->row_size +
	       (size_t)pe_pool_words(shape, rows) * sizeof(u64);
}

void pe_row_clear_vals(const struct pe_table_shape *shape, struct pe_table_row *row)
{
	static const u64 start[] = {
		[PE_OP_SUM] = 0,
		[PE_OP_MAX] = 0,
		[PE_OP_MAX_SIGNED] = 1ULL << 63,
		[PE_OP_MIN] = ~0ULL,
		[PE_OP_MIN_SIGNED] = ~0ULL >> 1,
	};
	local_t *word = row->word + shape->nr_keys + shape->nr_notes;
	unsigned int i;

	for (i = 0; i < shape->nr_vals; i++)
		local_set(&word[i], start[shape->op[i]]);
}

void pe_bank_init(const struct pe_table_shape *shape, struct pe_bank *bank, unsigned int rows)
{
	memset(bank, 0, pe_bank_size(shape, rows) - pe_pool_words(shape, rows) * sizeof(u64));
	bank->nr_rows = rows;
	bank->mask = rows - 1;
	bank->end = pe_bank_all_rows(rows) * shape->row_size;
	bank->pool_words = pe_pool_words(shape, rows);
	pe_row_clear_vals(shape, pe_bank_other(shape, bank));
}

/* ---- a hit's key and values ---- */

static u64 pe_read_number(const struct pe_hist_field *field, const void *rec)
{
	const void *at = rec + field->offset;
	u64 v = 0;

	memcpy(&v, at, field->size);
	if (!field->is_signed)
		return v;
	switch (field->size) {
	case 1:
		return (s64)(s8)v;
	case 2:
		return (s64)(s16)v;
	case 4:
		return (s64)(s32)v;
	}
	return v;
}

static u64 pe_mod_apply(const struct pe_hist_field *field, u64 v)
{
	switch (field->mod) {
	case PE_MOD_LOG2:
		return v <= 1 ? 0 : 64 - __builtin_clzll(v - 1);
	case PE_MOD_BUCKETS:
		return v - v % field->buckets;
	case PE_MOD_USECS:
		return field->source == PE_HIST_TIME ? v / 1000 : v;
	}
	return v;
}

static u64 pe_read_field_of(const struct pe_hist_field *field, const struct pe_table_from *from)
{
	switch (field->source) {
	case PE_HIST_NUMBER:
		return pe_read_number(field, from->rec);
	case PE_HIST_CPU:
		return from->cpu;
	case PE_HIST_TIME:
		return from->time;
	case PE_HIST_TGID:
		return from->tgid;
	case PE_HIST_CALLER:
		return from->caller;
	case PE_HIST_CONST:
		return field->constant;
	case PE_HIST_REF:
		return from->ref[field->at];
	}
	return 1;
}

/* Operands have higher numbers than the operator, so they are calculated before it. */
static u64 pe_expr_value(const struct pe_hist *hist, const struct pe_hist_field *field,
			 const struct pe_table_from *from)
{
	const struct pe_hist_node *node;
	unsigned int i = hist->nodes[field->at].last - field->at + 1;
	u64 v[PE_HIST_OPERATORS], left, right;

	while (i--) {
		node = &hist->nodes[field->at + i];
		if (node->left.source == PE_HIST_EXPR)
			left = v[node->left.at - field->at];
		else
			left = pe_mod_apply(&node->left, pe_read_field_of(&node->left, from));
		if (node->right.source == PE_HIST_EXPR)
			right = v[node->right.at - field->at];
		else
			right = pe_mod_apply(&node->right, pe_read_field_of(&node->right, from));
		v[i] = pe_hist_calculate(node->op, left, right);
	}
	return v[0];
}

u64 pe_table_number(const struct pe_hist *hist, const struct pe_hist_field *field,
		    const struct pe_table_from *from)
{
	if (field->source == PE_HIST_EXPR)
		return pe_expr_value(hist, field, from);
	return pe_mod_apply(field, pe_read_field_of(field, from));
}

/* The text of a data_loc word, up to a NUL.  Nothing after the record is looked at. */
unsigned int pe_table_text(const struct pe_hist_field *field, const struct pe_table_from *from,
			   const char **text)
{
	unsigned int at, len;
	u32 loc;

	memcpy(&loc, from->rec + field->offset, sizeof(loc));
	at = loc & 0xffff;
	len = loc >> 16;
	if (at > from->len)
		at = from->len;
	len = min(len, from->len - at);
	len = min(len, PE_HIST_MAX_TEXT + 0U);
	*text = from->rec + at;
	return strnlen(*text, len);
}

/*
 * The program that is probed may choose the keys.  All bits of a product by a secret, folded:
 * without the secret it cannot find keys that share a place.
 */
static u64 pe_hash_mix(u64 hash, u64 word, u64 secret)
{
	unsigned __int128 p = (unsigned __int128)(hash ^ word) * secret;

	return (u64)p ^ (u64)(p >> 64);
}

/* A text's words in the pool: its last one has zeros after the text. */
static u64 pe_text_word(const struct pe_table_key *key, unsigned int i)
{
	unsigned int rest = key->text_len - 8 * i;
	u64 word = 0;

	memcpy(&word, key->text + 8 * i, min(rest, 8U));
	return word;
}

/*
 * The last product is once more: one product of keys that follow each other at equal distances lies
 * at equal distances, too, and for one secret in a hundred these are few places.  Its lower half is
 * the hash, and its upper half, which all bits of the key change, says where the row is.
 */
static unsigned __int128 pe_key_product(u64 secret, unsigned int nr,
					const struct pe_table_key *key)
{
	u64 hash = pe_table_seed(secret);
	unsigned int i;

	for (i = 0; i < nr; i++)
		hash = pe_hash_mix(hash, key->word[i], secret);
	for (i = 0; 8 * i < key->text_len; i++)
		hash = pe_hash_mix(hash, pe_text_word(key, i), secret);
	for (i = 0; i < key->nr_stack; i++)
		hash = pe_hash_mix(hash, key->stack[i], secret);
	return (unsigned __int128)hash * secret;
}

u64 pe_key_hash(u64 secret, unsigned int nr, const struct pe_table_key *key)
{
	return pe_key_product(secret, nr, key);
}

static unsigned int pe_signed_step(const struct pe_hist_field *field, u64 v)
{
	return field->is_signed && (s64)v < 0 ? PE_STEP_NEG : pe_step_of(v);
}

void pe_table_key(struct pe_table_key *key, const struct pe_hist *hist,
		  const struct pe_table_shape *shape, const struct pe_table_from *from)
{
	const struct pe_hist_field *field;
	unsigned __int128 product;
	u64 *word = key->word;
	unsigned int i;

	key->text_len = 0;
	key->nr_stack = 0;
	for (i = 0; i < hist->nr_keys; i++) {
		field = &hist->keys[i];
		switch (field->source) {
		case PE_HIST_STRING:
			key->text_len = pe_table_text(field, from, &key->text);
			*word++ = key->text_len;
			break;
		case PE_HIST_STACK_TRACE:
			key->stack = from->stack;
			key->nr_stack = from->nr_stack;
			*word++ = key->nr_stack;
			break;
		case PE_HIST_COMM:
			*word++ = from->comm[0];
			*word++ = from->comm[1];
			break;
		default:
			*word++ = pe_table_number(hist, field, from);
		}
	}
	if (shape->dist >= 0) {
		field = &hist->vals[shape->dist];
		*word = pe_signed_step(field, pe_table_number(hist, field, from));
	}
	key->note[0] = from->comm[0];
	key->note[1] = from->comm[1];
	product = pe_key_product(shape->secret, shape->nr_keys, key);
	key->hash = product;
	key->place = product >> 64;
}

void pe_table_vals(u64 *val, const struct pe_hist *hist, const struct pe_table_shape *shape,
		   const struct pe_table_from *from)
{
	const struct pe_hist_field *field;
	unsigned int i;

	for (i = 0; i < hist->nr_vals; i++) {
		field = &hist->vals[i];
		*val = pe_table_number(hist, field, from);
		if (i == shape->dist) {
			val[1] = val[0];
			val++;
		}
		val++;
	}
}

/* ---- a bank ---- */

bool pe_row_has_key(const struct pe_table_shape *shape, const struct pe_table_row *row,
		    const u64 *pool, const struct pe_table_key *key)
{
	const u64 *at = pool + row->pool;
	unsigned int i;

	for (i = 0; i < shape->nr_keys; i++)
		if ((u64)local_read(&row->word[i]) != key->word[i])
			return false;
	/* The lengths are key words, so they are equal. */
	for (i = 0; 8 * i < key->text_len; i++)
		if (*at++ != pe_text_word(key, i))
			return false;
	for (i = 0; i < key->nr_stack; i++)
		if (*at++ != key->stack[i])
			return false;
	return true;
}

static unsigned int pe_key_pool_words(const struct pe_table_key *key)
{
	return DIV_ROUND_UP(key->text_len, 8) + key->nr_stack;
}

static void pe_write_key(const struct pe_table_shape *shape, struct pe_table_row *row, u64 *pool,
			 unsigned int at, const struct pe_table_key *key)
{
	unsigned int i;

	for (i = 0; i < shape->nr_keys; i++)
		local_set(&row->word[i], key->word[i]);
	for (i = 0; i < shape->nr_notes; i++)
		local_set(&row->word[shape->nr_keys + i], key->note[i]);
	row->pool = at;
	row->pool_size = pe_key_pool_words(key);
	for (i = 0; 8 * i < key->text_len; i++)
		pool[at++] = pe_text_word(key, i);
	for (i = 0; i < key->nr_stack; i++)
		pool[at++] = key->stack[i];
	pe_row_clear_vals(shape, row);
}

/*
 * Room in the pool, and where it begins; false: there is none.  Words that are not needed are left.
 */
static bool pe_take_pool(struct pe_bank *bank, unsigned int words, unsigned int *at)
{
	long end = local_add_return(words, &bank->pool_used);

	*at = end - words;
	return end <= bank->pool_words;
}

/* Claim a free row, and give it the key; false: a nested hit was first, or the pool is full. */
static bool pe_row_claim(const struct pe_table_shape *shape, struct pe_bank *bank,
			 struct pe_table_row *row, const struct pe_table_key *key)
{
	unsigned int at, words = pe_key_pool_words(key);

	if (words && !pe_take_pool(bank, words, &at))
		return false;
	if (!words)
		at = 0;
	if (local_cmpxchg(&row->tag, 0, (key->hash & ~3ULL) | PE_ROW_CLAIMED))
		return false;
	local_inc(&bank->used);
	pe_write_key(shape, row, pe_bank_pool(shape, bank), at, key);
	barrier();	/* pe_table:A */
	local_set(&row->tag, key->hash | PE_ROW_READY);
	return true;
}

static struct pe_table_row *pe_find_row(const struct pe_table_shape *shape, struct pe_bank *bank,
					const struct pe_table_key *key)
{
	unsigned int i, at = shape->by_cpu ? 0 : key->place & bank->mask;
	struct pe_table_row *row;
	u64 tag;

	for (i = 0; i < PE_TABLE_PROBES; i++, at++) {
		row = pe_table_row(shape, bank->rows, at);
		tag = local_read(&row->tag);
		barrier();	/* pe_table:A */
		if (!tag && pe_row_claim(shape, bank, row, key))
			return row;
		if (tag == (key->hash | PE_ROW_READY) &&
		    pe_row_has_key(shape, row, pe_bank_pool(shape, bank), key))
			return row;
	}
	return pe_bank_other(shape, bank);
}

/* A round fails only if a hit has come in between, which has changed the word. */
static void pe_word_limit(local_t *word, u64 v, bool is_max, bool is_signed)
{
	u64 sign = is_signed ? 1ULL << 63 : 0;
	u64 old = local_read(word), seen;

	while (is_max ? (v ^ sign) > (old ^ sign) : (v ^ sign) < (old ^ sign)) {
		seen = local_cmpxchg(word, old, v);
		if (seen == old)
			return;
		old = seen;
	}
}

void pe_row_add(const struct pe_table_shape *shape, struct pe_table_row *row, u64 hits,
		const u64 *val)
{
	local_t *word = row->word + shape->nr_keys + shape->nr_notes;
	unsigned int i;

	for (i = 0; i < shape->nr_vals; i++) {
		switch (shape->op[i]) {
		case PE_OP_SUM:
			local_add(val[i], &word[i]);
			break;
		default:
			pe_word_limit(&word[i], val[i], shape->op[i] == PE_OP_MAX ||
				      shape->op[i] == PE_OP_MAX_SIGNED,
				      shape->op[i] == PE_OP_MAX_SIGNED ||
				      shape->op[i] == PE_OP_MIN_SIGNED);
		}
	}
	local_add(hits, &row->hits);
}

void pe_bank_count(const struct pe_table_shape *shape, struct pe_bank *bank,
		   const struct pe_table_key *key, const u64 *val)
{
	pe_row_add(shape, pe_find_row(shape, bank, key), 1, val);
}
