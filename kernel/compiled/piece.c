// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * piece.c - pieces: the memory of compiled hits, and what is in it.  All under pe_mutex.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <pe_arch/code_memory.h>
#include <pe_arch/emitters.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/probe/retire.h"

#define UNIT		16u		/* of memory in the area */
#define NR_UNITS	(PE_CODE_AREA_SIZE / UNIT)
#define PIECE_MAX	6144u

/* In struct pe_piece. */
static_assert(NR_UNITS <= U16_MAX && PE_CODE_PIECES <= U16_MAX && PE_CODE_PROBES <= U8_MAX);

LIST_HEAD(pe_pieces);
static LIST_HEAD(pe_code_piece_leaving);
static unsigned int pe_nr_pieces[PE_CODE_NR_FRONTS];
static DECLARE_BITMAP(pe_used_units, NR_UNITS);
static DECLARE_BITMAP(pe_used_bytes, PE_CODE_PIECES);

/* Read by hits, within reach of the code. */
static u8 pe_live_bytes[PE_CODE_PIECES];

unsigned long pe_piece_addr(const struct pe_piece *piece)
{
	return (unsigned long)pe_code_area + piece->unit * UNIT;
}

u8 *pe_piece_live(const struct pe_piece *piece)
{
	return &pe_live_bytes[piece->live];
}

size_t pe_pieces_used(void)
{
	lockdep_assert_held(&pe_mutex);
	return bitmap_weight(pe_used_units, NR_UNITS) * UNIT;
}

/* It is on no list. */
static void pe_piece_free(struct pe_piece *piece)
{
	lockdep_assert_held(&pe_mutex);
	bitmap_clear(pe_used_units, piece->unit, piece->nr_units);
	__clear_bit(piece->live, pe_used_bytes);
	kfree(piece->keep);
	kfree(piece);
}

/* A piece that nothing leads to. */
void pe_piece_drop(struct pe_piece *piece)
{
	lockdep_assert_held(&pe_mutex);
	pe_nr_pieces[piece->from]--;
	list_del(&piece->list);
	pe_piece_free(piece);
}

static bool pe_is_full(enum pe_code_from from, struct pe_code_request *req)
{
	req->again = pe_nr_pieces[from] >= (from == PE_CODE_CALL ? PE_CODE_CALLS : PE_CODE_SITES);
	if (req->again)
		req->why = "no room for more code";
	return req->again;
}

/* A piece of @len bytes, stale and in no tree; or NULL and why. */
static struct pe_piece *pe_piece_new(unsigned int len, enum pe_code_from from,
				     struct pe_code_request *req)
{
	unsigned long live = find_first_zero_bit(pe_used_bytes, PE_CODE_PIECES);
	unsigned int n = DIV_ROUND_UP(len, UNIT);
	unsigned long unit = bitmap_find_next_zero_area(pe_used_units, NR_UNITS, 0, n, 0);
	struct pe_piece *piece;

	req->why = "no room for more code";
	req->again = unit >= NR_UNITS || live >= PE_CODE_PIECES;
	if (req->again)
		return NULL;
	req->why = "no memory";
	piece = kzalloc(struct_size(piece, kps, req->nr), GFP_KERNEL);
	if (!piece)
		return NULL;
	piece->from = from;
	piece->fresh = true;
	piece->nr_kps = req->nr;
	piece->unit = unit;
	piece->nr_units = n;
	piece->live = live;
	bitmap_set(pe_used_units, unit, n);
	__set_bit(live, pe_used_bytes);
	list_add(&piece->list, &pe_pieces);
	pe_nr_pieces[from]++;
	return piece;
}

/* The length of the code, or 0: an operand does not fit.  @shorts: empty; filled. */
static unsigned int pe_code_piece_measure(pe_piece_make_t *make, void *data,
					  struct pe_short_jumps *shorts)
{
	struct pe_emit e = { .shorts = shorts };

	make(&e, (unsigned long)pe_live_bytes, data);
	shorts->known = true;
	e = (struct pe_emit){ .shorts = shorts };
	make(&e, (unsigned long)pe_live_bytes, data);
	return e.bad ? 0 : e.len;
}

static int pe_piece_write(struct pe_piece *piece, unsigned int len, pe_piece_make_t *make,
			  void *data, struct pe_short_jumps *shorts)
{
	struct pe_emit e = {
		.code = kmalloc(len, GFP_KERNEL), .size = len, .addr = pe_piece_addr(piece),
		.shorts = shorts,
	};

	if (!e.code)
		return -ENOMEM;
	make(&e, (unsigned long)pe_piece_live(piece), data);
	if (!e.bad)
		pe_code_write(pe_piece_addr(piece), e.code, e.len);
	kfree(e.code);
	return e.bad ? -ERANGE : 0;
}

/*
 * A piece that is stale, and in no tree; or NULL, and @req->why and @req->again.  @make is called
 * three times, and makes the same each time.
 */
struct pe_piece *pe_piece_make(struct pe_code_request *req, enum pe_code_from from,
			       pe_piece_make_t *make, void *data)
{
	struct pe_short_jumps shorts = {};
	struct pe_piece *piece;
	unsigned int len;
	int err;

	lockdep_assert_held(&pe_mutex);
	if (pe_is_full(from, req))
		return NULL;
	len = pe_code_piece_measure(make, data, &shorts);
	if (!len || len > PIECE_MAX) {
		req->why = "the code would not fit";
		return NULL;
	}
	piece = pe_piece_new(len, from, req);
	if (!piece)
		return NULL;
	err = pe_piece_write(piece, len, make, data, &shorts);
	if (!err)
		return piece;
	req->why = err == -ENOMEM ? "no memory" : "the code would reach too far";
	pe_piece_drop(piece);
	return NULL;
}

/* Hits do not do any more what it says, also if it has been made in this round. */
void pe_piece_stale(struct pe_piece *piece)
{
	lockdep_assert_held(&pe_mutex);
	piece->fresh = false;
	WRITE_ONCE(*pe_piece_live(piece), 0);	/* read by pe_emit_live()'s code */
}

/* The piece will be in no tree any more; it knows no probes and no site.  In a round. */
void pe_piece_leave(struct pe_piece *piece)
{
	lockdep_assert_held(&pe_mutex);
	pe_piece_stale(piece);
	list_move(&piece->list, &pe_code_piece_leaving);
	pe_nr_pieces[piece->from]--;
}

bool pe_pieces_leave(void)
{
	lockdep_assert_held(&pe_mutex);
	return !list_empty(&pe_code_piece_leaving);
}

static void pe_piece_gone(struct pe_retired *retired)
{
	mutex_lock(&pe_mutex);
	pe_piece_free(container_of(retired, struct pe_piece, retired));
	mutex_unlock(&pe_mutex);
}

/* No tree leads to those that leave: each is freed when no task is in it. */
void pe_pieces_retire(void)
{
	struct pe_piece *piece, *next;

	lockdep_assert_held(&pe_mutex);
	list_for_each_entry_safe(piece, next, &pe_code_piece_leaving, list) {
		list_del(&piece->list);
		pe_retire(&piece->retired, pe_piece_gone);
	}
}
