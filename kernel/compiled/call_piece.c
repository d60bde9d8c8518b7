// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * call_piece.c - code for the calls of functions with return probes.
 *
 * A piece of a call has, in this order:
 *
 *   1. the user's code of the function's other probes, if there are some; else a look whether
 *	the piece is live
 *   2. the engine's code that enters the call (emit_call.c), with the user's code
 *	that fills the probes' data; rare cases of the first part may be after it
 *   3. the user's code of the return
 *
 * A tree leads to the first.  The jump at the end of the function's call slot leads to the third;
 * without a piece, it leads to pe_return_leave.  Calls in progress may return to the slot at any
 * time, so the jump is changed as live text.  A call that returns there has been entered by this
 * piece, an older one, or C code: all make the same frame, and the code looks for its own set in
 * it.
 *
 * If the user has no code for a function with return probes, the engine makes the second part
 * alone, where nothing else has to be done at the entry.  Then returns go to pe_return_leave.
 *
 * A piece knows its site until one of these:
 *
 *   - it leaves, in the round after it has become stale;
 *   - the site loses its point (pe_call_lose_point()): the slots may then be another function's.
 *
 * The two lead the call slot back.
 */
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <pe/code.h>
#include <pe_arch/emitters.h>
#include <pe_arch/hit_entry.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/site.h"
#include "kernel/return/return.h"

/* The inputs for making a call piece.  @leave: set: offset of its third part. */
struct making {
	struct pe_call_env env;
	struct pe_call_code code;
	struct pe_code_request *req;
	unsigned int leave;
};

static void pe_code_call_describe(struct making *m, const struct pe_site *site)
{
	const struct pe_return_set *set = pe_return_set_of(site);
	unsigned int head = (set->n > 1 ? 2 : 1) * sizeof(long);

	pe_arch_call_env(&m->env);
	m->code = (struct pe_call_code){
		.ret = pe_arch_stub_return(site->addr),
		.set = (unsigned long)set,
		.mask = set->n > 1 ? BIT(set->n) - 1 : 0,
		.words = set->point->stack_words,
		.data = set->member[set->n - 1].offset - head,
		.entries = (s64)(unsigned long __force)&set->counters->entries,
		.call = pe_arch_return_call(set->point->slot) + PE_RETURN_CALL,
	};
}

/* Tell the user's code about the frame. */
static void pe_tell_frame(struct pe_code_request *req, const struct making *m,
			  const struct pe_site *site)
{
	const struct pe_return_set *set = pe_return_set_of(site);
	unsigned int i;

	req->frame = (struct pe_code_frame){
		.set = m->code.set, .mask = m->code.mask, .ret = m->code.ret,
		.returns = (s64)(unsigned long __force)&set->counters->returns,
	};
	for (i = 0; i < set->n; i++)
		req->frame.data_at[req->nr_hits + i] = set->member[i].offset;
}

/* The second part. */
static void pe_code_call_emit_enter(struct pe_emit *e, void *data)
{
	struct making *m = data;

	pe_emit_call_frame(e, &m->env, &m->code);
	if (m->req->save)
		m->req->save(e, m->req);
	pe_emit_call_go(e, &m->env, &m->code);
}

static void pe_emit_call(struct pe_emit *e, u64 live, void *data)
{
	struct making *m = data;
	struct pe_code_request *req = m->req;

	m->code.live = live;
	m->code.slow = (struct pe_label){};
	m->code.stale = (struct pe_label){};
	if (req->nr_hits) {
		req->emit(e, PE_CODE_CALL, live, req);
	} else {
		pe_emit_call_look(e, &m->code);
		pe_code_call_emit_enter(e, m);
	}
	m->leave = e->len;
	if (req->emit)
		req->emit(e, PE_CODE_RETURN, live, req);
}

static struct pe_piece *pe_make_piece(struct making *m, struct pe_site *site)
{
	struct pe_piece *piece = pe_piece_make(m->req, PE_CODE_CALL, pe_emit_call, m);

	if (!piece)
		return NULL;
	piece->ret = m->code.ret;
	if (m->req->emit) {
		if (pe_arch_return_lead(site->point->slot, pe_piece_addr(piece) + m->leave)) {
			m->req->why = "the code would reach too far";
			pe_piece_drop(piece);
			return NULL;
		}
		piece->leads = true;
	}
	piece->site = site;
	site->call = piece;
	return piece;
}

/*
 * A piece for @req, stale and in no tree; or NULL and why.  If the engine has made one by itself,
 * that leaves only if there is another: otherwise each round would free some memory, and be a
 * reason for the next one.
 */
struct pe_piece *pe_call_compile(struct pe_code_request *req)
{
	struct pe_site *site = req->kps[0]->site;
	struct pe_piece *own = site->call, *piece;
	struct making m = { .req = req };

	lockdep_assert_held(&pe_mutex);
	pe_code_call_describe(&m, site);
	pe_tell_frame(req, &m, site);
	req->frame.enter = pe_code_call_emit_enter;
	req->frame.enter_data = &m;
	piece = pe_make_piece(&m, site);
	if (piece && own) {
		own->site = NULL;
		pe_piece_leave(own);
	}
	return piece;
}

/* The engine's own, without a user. */
static void pe_make_own(struct pe_site *site)
{
	struct pe_code_request nothing = {};
	struct making m = { .req = &nothing };

	pe_code_call_describe(&m, site);
	pe_make_piece(&m, site);
}

static bool pe_no_member_enters(const struct pe_return_set *set)
{
	unsigned int i;

	for (i = 0; i < set->n; i++) {
		if (set->member[i].rp->entry)
			return false;
	}
	return true;
}

/* For all calls that lack a piece and can have one. */
void pe_calls_make(void)
{
	struct pe_site *site;
	int bucket;

	lockdep_assert_held(&pe_mutex);
	hash_for_each(pe_sites, bucket, site, hash) {
		cond_resched();
		if (site->call || pe_call_site_check(site) ||
		    !list_empty(&site->probes[PE_CLIENT_HITS]) ||
		    !pe_no_member_enters(pe_return_set_of(site)))
			continue;
		pe_make_own(site);
	}
}

/* Returns go on as without the piece, and the site is free for another one. */
void pe_call_disown(struct pe_piece *piece)
{
	lockdep_assert_held(&pe_mutex);
	if (!piece->site)
		return;
	if (piece->leads)
		WARN_ON_ONCE(pe_arch_return_lead(piece->site->point->slot, 0));
	piece->leads = false;
	piece->site->call = NULL;
	piece->site = NULL;
}

/* The site is about to lose its point; its probes have changed before. */
void pe_call_lose_point(struct pe_site *site)
{
	if (!site->call)
		return;
	pe_piece_stale(site->call);
	pe_call_disown(site->call);
}
