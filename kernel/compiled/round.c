// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * round.c - compiled hits: where their code is, and how long.
 *
 * A piece is the code of one site, in pe_code_area (piece.c).  Trees lead calls to their
 * site's piece (tree.c).  The piece of a function with return probes also has code for its
 * returns, and the function's call slot leads there (call_piece.c).  Code that the user's pieces
 * share is after the area, written once (pe_code_share()).
 *
 * Life of a piece:
 *
 *   live		its byte in live_bytes[] is 1: hits do what the code says
 *   stale	the byte is 0: hits look at it, and go on as without the piece.  It costs
 *		nothing and waits for nothing to make a piece stale, so a caller that
 *		changes anything that the piece has as a constant does so first
 *   leaving	no tree and no call slot leads there any more; but a task may be in it, or in a
 *		tree, as both are entered with preemption on
 *   free	when no task can be there (retire.c)
 *
 * A round, pe_code_round(), has these steps:
 *
 *   1. The user notes what it will free after the round, and makes code stale that has to be
 *	made again.
 *   2. Stale pieces lose their probes and call slots, so others can be made for these.
 *   3. The user asks for pieces, site by site.  Then the engine makes some by itself, of calls.
 *	A new piece is *fresh*: its byte is 0, and nothing leads there.
 *   4. New trees lead to all pieces but those that were taken out.  Fresh ones go live, unless
 *	their site has changed since.
 *   5. Pieces that were taken out are retired.
 *   6. A quiescence (retire.c): the trees before these may be written again, in the next round.
 *   7. The user frees what it has noted.
 *
 * The user's mutex is held from 1 to 5.  pe_mutex is taken for 2, for each piece in 3, and for
 * the rest, so sites may change in between.  Without memory for trees all pieces go.
 *
 * The user makes rounds when something has changed.  Without a user, the work below does: so
 * calls of functions with return probes have code in any case.
 */
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <pe/code.h>
#include <pe_arch/code_memory.h>
#include <pe_arch/emitters.h>
#include <pe_arch/hit_entry.h>
#include "kernel/arch.h"
#include "kernel/compiled/round.h"
#include "kernel/engine.h"
#include "kernel/jump/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"
#include "kernel/return/return.h"

/* Held for a round; outside pe_mutex, and the user's. */
static DEFINE_MUTEX(pe_code_round_mutex);

/*
 * Changes after which pieces may be missing, or stale; and how many of them have been in a round
 * that is past step 5.  pe_mutex.
 */
static unsigned int pe_code_changes, pe_code_settled;

static const struct pe_code_user *pe_code_user_now;		/* pe_mutex; hits read it */

#define ROUND_DELAY	(HZ / 50)	/* changes within it share a round of the work */

static void pe_make_round(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_round_work, pe_make_round);

/* Assembler; code jumps there.  (checkpatch wants exports after definitions.) */
#define EXPORT_CODE(name)	EXPORT_SYMBOL_GPL(name)
EXPORT_CODE(pe_detour_stub);

/* ---- requests ---- */

/* A piece that its probes still have has become stale in this round: the next one takes it out. */
static bool pe_has_changed(const struct pe_code_request *req, const struct pe_code_request *now)
{
	unsigned int i;

	for (i = 0; i < now->nr; i++) {
		if (now->kps[i]->code)
			return true;
	}
	return now->nr != req->nr || now->nr_hits != req->nr_hits ||
	       memcmp(now->kps, req->kps, req->nr * sizeof(*req->kps));
}

static const char *pe_cannot_grant(const struct pe_code_request *req)
{
	struct pe_code_request now;
	const char *why = pe_code_site_probes(req->kps[0], &now, pe_code_user_now);

	return why ?: pe_has_changed(req, &now) ? "its probes have just changed" : NULL;
}

static void pe_code_own(struct pe_piece *piece, const struct pe_code_request *req)
{
	unsigned int i;

	for (i = 0; i < req->nr; i++) {
		piece->kps[i] = req->kps[i];
		req->kps[i]->code = piece;
	}
	piece->keep = req->keep;
}

static void pe_code_disown(struct pe_piece *piece)
{
	unsigned int i;

	for (i = 0; i < piece->nr_kps; i++) {
		if (piece->kps[i])
			piece->kps[i]->code = NULL;
		piece->kps[i] = NULL;
	}
	pe_call_disown(piece);
}

static void pe_emit_entry(struct pe_emit *e, u64 live, void *data)
{
	const struct pe_code_request *req = data;

	req->emit(e, PE_CODE_ENTRY, live, req);
}

static void pe_emit_detour(struct pe_emit *e, u64 live, void *data)
{
	const struct pe_code_request *req = data;

	req->emit(e, PE_CODE_DETOUR, live, req);
}

static struct pe_piece *pe_compile_hits(struct pe_code_request *req)
{
	const struct pe_site *site = req->kps[0]->site;
	struct pe_piece *piece;

	if (pe_code_site_is_entry(site)) {
		piece = pe_piece_make(req, PE_CODE_ENTRY, pe_emit_entry, req);
		if (piece)
			piece->ret = pe_arch_stub_return(site->addr);
		return piece;
	}
	piece = pe_piece_make(req, PE_CODE_DETOUR, pe_emit_detour, req);
	if (piece)
		piece->ret = pe_jump_return(site);
	return piece;
}

static void pe_code_compile(struct pe_code_request *req)
{
	struct pe_piece *piece = req->nr > req->nr_hits ? pe_call_compile(req) :
							  pe_compile_hits(req);

	if (!piece)
		return;
	pe_code_own(piece, req);
	req->why = NULL;
}

static void pe_leave_stale(void)
{
	struct pe_piece *piece, *next;

	list_for_each_entry_safe(piece, next, &pe_pieces, list) {
		if (*pe_piece_live(piece))
			continue;
		pe_code_disown(piece);
		pe_piece_leave(piece);
	}
}

/* Without memory for a tree there can be none: what has been taken out must be out. */
static void pe_code_all_stale(void)
{
	struct pe_piece *piece;

	list_for_each_entry(piece, &pe_pieces, list)
		pe_piece_stale(piece);
}

/* Step 2. */
static void pe_take_out(struct pe_code_round *round)
{
	mutex_lock(&pe_mutex);
	if (!round->trees) {
		pe_code_all_stale();
		pe_code_changes++;
	}
	round->changes = pe_code_changes;
	pe_leave_stale();
	mutex_unlock(&pe_mutex);
}

/* Step 3. */
void pe_code_add(const struct pe_code_round *round, struct pe_code_request *req)
{
	lockdep_assert_held(&pe_code_round_mutex);
	mutex_lock(&pe_mutex);
	req->again = false;
	req->why = round->trees ? pe_cannot_grant(req) : "no memory";
	if (!req->why)
		pe_code_compile(req);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_add);

static bool pe_any_fresh(void)
{
	const struct pe_piece *piece;

	list_for_each_entry(piece, &pe_pieces, list) {
		if (piece->fresh)
			return true;
	}
	return false;
}

/*
 * After trees that lead to all pieces are in use.  Pieces of earlier rounds are live, or have
 * become stale meanwhile: pe_code_stale() takes no lock that the engine's own rounds hold.
 */
static void pe_go_live(void)
{
	struct pe_piece *piece;

	list_for_each_entry(piece, &pe_pieces, list) {
		/* read by pe_emit_live()'s code */
		if (piece->fresh)
			WRITE_ONCE(*pe_piece_live(piece), 1);
		piece->fresh = false;
	}
}

/* Step 3, of the engine's own pieces, to 5.  Return: have trees been replaced? */
static bool pe_put_to_use(struct pe_code_round *round)
{
	bool switched;

	mutex_lock(&pe_mutex);
	if (round->trees) {
		pe_calls_make();
		pe_code_settled = round->changes;
	}
	round->freed = pe_pieces_leave();
	switched = pe_any_fresh() || round->freed;
	if (switched) {
		pe_fronts_switch(round->trees, &pe_pieces);
		pe_go_live();
		pe_pieces_retire();
	}
	mutex_unlock(&pe_mutex);
	return switched;
}

void pe_code_round(struct pe_code_round *round)
{
	bool switched;

	mutex_lock(&pe_code_round_mutex);
	round->trees = pe_fronts_alloc();
	round->failed = !round->trees;
	if (round->mutex) {
		mutex_lock(round->mutex);
		round->begin(round);	/* 1 */
	}
	pe_take_out(round);		/* 2 */
	if (round->mutex)
		round->make(round);	/* 3 */
	switched = pe_put_to_use(round);	/* 3, 4, 5 */
	if (round->mutex)
		mutex_unlock(round->mutex);
	kvfree(round->trees);
	if (switched)
		pe_retire_wait();	/* 6 */
	if (round->mutex)
		round->end(round);	/* 7 */
	mutex_unlock(&pe_code_round_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_round);

void pe_code_stale(struct pe_kprobe *kp)
{
	if (kp->code)
		WRITE_ONCE(*pe_piece_live(kp->code), 0);	/* read by pe_emit_live()'s code */
}
EXPORT_SYMBOL_GPL(pe_code_stale);

bool pe_code_is_live(const struct pe_kprobe *kp)
{
	return kp->code && READ_ONCE(*pe_piece_live(kp->code));
}
EXPORT_SYMBOL_GPL(pe_code_is_live);

/* ---- what changes at the site ---- */

/* The site's probes, or their flags, are about to change.  pe_mutex held. */
void pe_code_site_changes(struct pe_site *site)
{
	struct pe_kprobe *kp;
	unsigned int kind;

	lockdep_assert_held(&pe_mutex);
	pe_site_for_each_probe(kp, kind, site) {
		if (kp->code)
			pe_piece_stale(kp->code);
	}
	if (site->call)
		pe_piece_stale(site->call);
	pe_code_changes++;
	if (pe_code_user_now)
		pe_code_user_now->wanted();
	else
		queue_delayed_work(system_unbound_wq, &pe_round_work, ROUND_DELAY);
}

/* The probe is unlinked from its site. */
void pe_code_forget(struct pe_kprobe *kp)
{
	struct pe_piece *piece = kp->code;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	if (!piece)
		return;
	pe_piece_stale(piece);
	for (i = 0; i < piece->nr_kps; i++) {
		if (piece->kps[i] == kp)
			piece->kps[i] = NULL;
	}
	kp->code = NULL;
}

/* ---- hits ---- */

/**
 * pe_code_rest_hit() - do the rest of a hit, which its code has left to C  [H]
 * @regs: of the hit
 * @data: the user's
 * @base: of the call's frame, at a return
 *
 * Context: that of code; preemption is off, and on again afterwards.
 */
void __pe_hit_text __no_stack_protector pe_code_rest_hit(struct pt_regs *regs, const void *data,
							 void *base)
{
	const struct pe_code_user *who =
		READ_ONCE(pe_code_user_now); /* stays as long as the code */
	struct pe_hit hit;

	pe_hit_called(&hit, regs, PREEMPT_DISABLE_OFFSET);
	pe_hit_begin(hit.level);	/* the code has seen that no handler is running */
	who->rest(&hit, data, base);
	pe_hit_end(hit.level);
	preempt_enable_notrace();
}

/* ---- users ---- */

/* Without a user: entries of calls have code, nothing else. */
static void pe_make_round(struct work_struct *work)
{
	struct pe_code_round round = {};

	pe_code_round(&round);
	if (round.failed)
		queue_delayed_work(system_unbound_wq, &pe_round_work, HZ);
}

void pe_code_set_user(const struct pe_code_user *new)
{
	mutex_lock(&pe_mutex);
	WRITE_ONCE(pe_code_user_now, new);	/* read by pe_code_rest_hit() */
	/* A change of which the one before has been told may still wait for a round. */
	if (!new && pe_code_settled != pe_code_changes)
		queue_delayed_work(system_unbound_wq, &pe_round_work, ROUND_DELAY);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_set_user);

/* While unloading: no site is armed, and there is no user. */
void pe_code_exit(void)
{
	cancel_delayed_work_sync(&pe_round_work);
	mutex_lock(&pe_mutex);
	pe_code_all_stale();
	mutex_unlock(&pe_mutex);
	pe_make_round(NULL);
	cancel_delayed_work_sync(&pe_round_work);
}

static bool pe_code_is_settled(void)
{
	bool settled;

	mutex_lock(&pe_mutex);
	settled = pe_code_settled == pe_code_changes;
	mutex_unlock(&pe_mutex);
	return settled;
}

/* A round comes for each change, and begins soon; but one may wait for tasks before it. */
void pe_kretprobes_settle(void)
{
	unsigned int tries;

	for (tries = 0; tries < 600 && !pe_code_is_settled(); tries++)
		msleep(50);
}
EXPORT_SYMBOL_GPL(pe_kretprobes_settle);

static unsigned int pe_count_users(void)
{
	const struct pe_piece *piece;
	unsigned int n = 0;

	list_for_each_entry(piece, &pe_pieces, list)
		n += piece->nr_kps > 0;
	return n;
}

void pe_code_usage(struct pe_code_usage *usage)
{
	mutex_lock(&pe_mutex);
	*usage = (struct pe_code_usage){
		.sites = pe_count_users(),
		.used = pe_pieces_used() + pe_fronts_used(),
		.size = PE_CODE_AREA_SIZE + pe_fronts_size(),
	};
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_usage);

const char *pe_code_site(struct pe_kprobe *kp, struct pe_code_request *req)
{
	const char *why;

	mutex_lock(&pe_mutex);
	why = pe_code_site_probes(kp, req, pe_code_user_now);
	mutex_unlock(&pe_mutex);
	return why;
}
EXPORT_SYMBOL_GPL(pe_code_site);

const char *pe_code_places(struct pe_code_places *places)
{
	*places = (struct pe_code_places){
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
		.interpret[PE_CODE_ENTRY] = (unsigned long)pe_code_interpret,
		.interpret[PE_CODE_CALL] = (unsigned long)pe_code_call_interpret,
		.rest[PE_CODE_ENTRY] = (unsigned long)pe_code_rest,
		.rest[PE_CODE_CALL] = (unsigned long)pe_code_call_rest,
		.rest[PE_CODE_RETURN] = (unsigned long)pe_code_return_rest,
		.finish[PE_CODE_ENTRY] = (unsigned long)pe_code_finish,
		.finish_bare[PE_CODE_ENTRY] = (unsigned long)pe_code_finish_bare,
#endif
		.interpret[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_interpret,
		.interpret[PE_CODE_RETURN] = (unsigned long)pe_return_leave,
		.rest[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_rest,
		.done[PE_CODE_ENTRY] = (unsigned long)pe_code_done,
		.done[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_return,
		.done[PE_CODE_RETURN] = (unsigned long)pe_code_done,
		.finish[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_finish,
		.finish_bare[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_finish_bare,
		.busy = (unsigned long __force)pe_hit_cpu.busy,
		.call_slots = (unsigned long)pe_call_slots,
		.call_slots_size = PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE,
		.tracers = { pe_graph_trampoline, pe_rethook_trampoline },
		.shared = (unsigned long)pe_code_shared,
	};
	return pe_arch_find_return(&places->ret) ? NULL : "this CPU needs every call counted";
}
EXPORT_SYMBOL_GPL(pe_code_places);

void pe_code_share(const u8 *code, unsigned int len)
{
	if (WARN_ON_ONCE(len > PE_CODE_SHARED_SIZE))
		return;
	mutex_lock(&pe_mutex);
	pe_code_write((unsigned long)pe_code_shared, code, len);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_share);
