// SPDX-License-Identifier: GPL-2.0
/*
 * code.c - compiled hits: where their code is, and who is led there.
 *
 * A piece is the code of one site, in pe_code_area.  A tree leads from the return address of a
 * function's call of us to its site's piece; all functions whose calls are only observed call
 * what the static call pe_entry_front is: a tree, or pe_entry_stub if there is no piece.  All
 * detours call pe_detour_front, which is a tree or pe_detour_stub.  A return has no tree: the probe
 * itself names the piece (pe_kretprobe::run), in place of its handler.
 *
 * Life of a piece:
 *
 *   live		its byte in live_bytes[] is 1: hits do what the code says
 *   stale	the byte is 0: hits look at it, and go on as without the piece.  It costs
 *		nothing and waits for nothing to make a piece stale, so whoever changes
 *		anything that the piece has as a constant does so first
 *   leaving	no tree leads there any more; but a task may be in it, or in the tree, as both
 *		are entered with preemption on
 *   free	pe_code_wait() has seen all tasks elsewhere
 *
 * Pieces are added and taken out together, with a new tree (pe_code_install()).  The new tree is
 * written where the one before the last was, so before the next one pe_code_wait() must have
 * been called.
 *
 * A CPU must not execute what it has fetched before the memory was written: the static call's
 * update makes all CPUs serialise, and only then leads there.  Before a return is led there,
 * serialise_all() does.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <asm/sync_core.h>
#include <pe/code.h>
#include <pe/kretprobe.h>
#include "arch/x86/code.h"
#include "arch/x86/emit_tree.h"
#include "kernel/arch.h"
#include "kernel/hit.h"
#include "kernel/kprobes.h"
#include "kernel/mech/code.h"
#include "kernel/mech/direct.h"
#include "kernel/mech/jump.h"
#include "kernel/mech/mech.h"
#include "kernel/return/return.h"
#include "kernel/site.h"
#include "kernel/wait.h"

#define UNIT		64u		/* of memory in the area */
#define NR_UNITS	(PE_CODE_AREA_SIZE / UNIT)
#define PIECE_MAX	6144u

static_assert(PE_TREE_SIZE(PE_CODE_SITES) <= PE_CODE_TREE_SIZE);

/**
 * struct pe_piece - the code of a site; all under pe_mutex
 * @list: in pieces or leaving
 * @kps: its probes; NULL: unregistered
 * @nr_kps: how many there were
 * @keep: memory that the code uses
 * @from: who calls it
 * @ret: return address of the call
 * @unit: where it is in the area
 * @nr_units: its length
 * @live: in live_bytes[]
 */
struct pe_piece {
	struct list_head list;
	struct pe_kprobe *kps[PE_CODE_PROBES];
	unsigned int nr_kps;
	void *keep;
	enum pe_code_from from;
	unsigned long ret;
	unsigned int unit, nr_units;
	u8 *live;
};

static LIST_HEAD(pieces);
static LIST_HEAD(leaving);
static unsigned int nr_pieces[PE_CODE_NR_FROM];
static DECLARE_BITMAP(used_units, NR_UNITS);
static DECLARE_BITMAP(used_bytes, PE_CODE_SITES);

/* Read by hits, within reach of the code. */
static u8 live_bytes[PE_CODE_SITES];

DEFINE_STATIC_CALL(pe_entry_front, pe_entry_stub);
DEFINE_STATIC_CALL(pe_detour_front, pe_detour_stub);

static void lead_entries(void (*to)(void))
{
	static_call_update(pe_entry_front, to ?: pe_entry_stub);
}

static void lead_detours(void (*to)(void))
{
	static_call_update(pe_detour_front, to ?: pe_detour_stub);
}

/*
 * What all calls of a kind go through.
 *
 * @trees: one is in use; the other one is free after pe_code_wait()
 * @current_tree: the one
 * @lead: let calls go to a tree; NULL: to the stub
 * @interpret: where calls go that no piece is for
 */
static struct front {
	struct {
		void (*tree)(void);
		char *code;
		unsigned int len;
	} trees[2];
	unsigned int current_tree;
	void (*lead)(void (*to)(void));
	char *interpret;
} fronts[PE_CODE_RETURN] = {
	[PE_CODE_ENTRY] = {
		.trees = {
			{ pe_code_tree_a, pe_code_tree_a_code },
			{ pe_code_tree_b, pe_code_tree_b_code },
		},
		.lead = lead_entries, .interpret = pe_code_interpret,
	},
	[PE_CODE_DETOUR] = {
		.trees = {
			{ pe_code_detour_tree_a, pe_code_detour_tree_a_code },
			{ pe_code_detour_tree_b, pe_code_detour_tree_b_code },
		},
		.lead = lead_detours, .interpret = pe_code_detour_interpret,
	},
};

/* A tree has been replaced since the last wait; only its user looks. */
static bool must_wait;

static const struct pe_code_user *user;		/* pe_mutex; hits read it */

/* Assembler; code jumps there.  (checkpatch wants exports behind definitions.) */
#define EXPORT_CODE(name)	EXPORT_SYMBOL_GPL(name)
EXPORT_CODE(pe_entry_stub);


/* ---- pieces ---- */

static unsigned long piece_addr(const struct pe_piece *piece)
{
	return (unsigned long)pe_code_area + piece->unit * UNIT;
}

static void piece_free(struct pe_piece *piece)
{
	list_del(&piece->list);
	bitmap_clear(used_units, piece->unit, piece->nr_units);
	__clear_bit(piece->live - live_bytes, used_bytes);
	kfree(piece->keep);
	kfree(piece);
}

/* A piece of @len bytes, stale and in no tree; or NULL and why. */
static struct pe_piece *piece_new(unsigned int len, struct pe_code_request *req)
{
	unsigned long live = find_first_zero_bit(used_bytes, PE_CODE_SITES);
	unsigned int n = DIV_ROUND_UP(len, UNIT);
	unsigned long unit = bitmap_find_next_zero_area(used_units, NR_UNITS, 0, n, 0);
	struct pe_piece *piece;

	req->why = "no room for more code";
	req->again = unit >= NR_UNITS || live >= PE_CODE_SITES;
	if (req->again)
		return NULL;
	req->why = "no memory";
	piece = kzalloc(sizeof(*piece), GFP_KERNEL);
	if (!piece)
		return NULL;
	piece->unit = unit;
	piece->nr_units = n;
	piece->live = &live_bytes[live];
	bitmap_set(used_units, unit, n);
	__set_bit(live, used_bytes);
	list_add(&piece->list, &pieces);
	return piece;
}

static void make_stale(struct pe_kprobe *kp)
{
	if (kp->code)
		WRITE_ONCE(*kp->code->live, 0);
}

/* What do usual returns call? */
static void lead_return(struct pe_kprobe *kp, unsigned long to)
{
	struct pe_kretprobe *rp = to_kretprobe(kp);

	WRITE_ONCE(rp->run, to ? (pe_kretprobe_handler_t)to : rp->handler);
}

static void serialise(void *unused)
{
	sync_core();
}

static void serialise_all(void)
{
	on_each_cpu(serialise, NULL, 1);
}

/* ---- text ---- */

/* No CPU executes what is there.  A page at a time: who writes text takes no more. */
void pe_code_write(unsigned long to, const u8 *code, unsigned int len)
{
	unsigned int n;

	for (; len; to += n, code += n, len -= n) {
		n = min_t(unsigned int, len, PAGE_SIZE - offset_in_page(to));
		pe_text_write_slot((void *)to, code, n);
	}
}

int pe_tree_by_ret(const void *a, const void *b)
{
	const struct pe_tree_leaf *x = a, *y = b;

	return x->ret < y->ret ? -1 : x->ret > y->ret;
}

/* Memory to make a tree in, allocated before anything is changed. */
struct tree_work {
	struct pe_tree_leaf leaves[PE_CODE_SITES];
	u8 code[PE_CODE_TREE_SIZE];
};

/* Write a tree of all pieces.  Return: its length. */
static unsigned int write_tree(struct tree_work *work, const struct front *front, char *to)
{
	struct pe_emit e = {
		.code = work->code, .size = sizeof(work->code), .addr = (unsigned long)to,
	};
	const struct pe_piece *piece;
	unsigned int n = 0;

	list_for_each_entry(piece, &pieces, list) {
		if (piece->from == front - fronts)
			work->leaves[n++] = (struct pe_tree_leaf){
				.ret = piece->ret, .to = piece_addr(piece),
			};
	}
	sort(work->leaves, n, sizeof(work->leaves[0]), pe_tree_by_ret, NULL);
	pe_emit_tree(&e, pe_at(PE_RBP, 8), work->leaves, n, (unsigned long)front->interpret);
	if (WARN_ON_ONCE(e.bad))
		return 0;
	pe_code_write((unsigned long)to, work->code, e.len);
	return e.len;
}

/* Lead all calls to the pieces that there are. */
static void switch_tree(struct tree_work *work, struct front *front)
{
	unsigned int next = !front->current_tree, len = 0;

	if (nr_pieces[front - fronts])
		len = write_tree(work, front, front->trees[next].code);
	front->lead(len ? front->trees[next].tree : NULL);
	/* Tasks may still be in the old one; it counts no more. */
	front->trees[front->current_tree].len = 0;
	front->trees[next].len = len;
	front->current_tree = next;
}

/* ---- requests ---- */

static const char *cannot_grant(const struct pe_code_request *req)
{
	struct pe_kprobe *kps[PE_CODE_PROBES];
	unsigned int nr;
	const char *why = pe_code_site_probes(req->kps[0], kps, &nr);

	if (!why && (nr != req->nr || memcmp(kps, req->kps, nr * sizeof(*kps))))
		why = "its probes have just changed";
	return why;
}

/* The piece has its code. */
static void own(struct pe_piece *piece, const struct pe_code_request *req,
		enum pe_code_from from)
{
	unsigned int i;

	piece->nr_kps = req->nr;
	for (i = 0; i < req->nr; i++) {
		piece->kps[i] = req->kps[i];
		req->kps[i]->code = piece;
	}
	piece->keep = req->keep;
	piece->from = from;
	if (from == PE_CODE_ENTRY)
		piece->ret = pe_arch_stub_return(req->kps[0]->addr);
	else if (from == PE_CODE_DETOUR)
		piece->ret = pe_jump_return(req->kps[0]->site);
	nr_pieces[from]++;
}

static void disown(struct pe_piece *piece)
{
	unsigned int i;

	for (i = 0; i < piece->nr_kps; i++) {
		if (piece->kps[i] && pe_code_is_return(piece->kps[i]))
			lead_return(piece->kps[i], 0);
		if (piece->kps[i])
			piece->kps[i]->code = NULL;
		piece->kps[i] = NULL;
	}
}

static enum pe_code_from from_where(const struct pe_kprobe *kp)
{
	if (pe_code_is_return(kp))
		return PE_CODE_RETURN;
	return kp->site->mech == &pe_mech_ftrace ? PE_CODE_ENTRY : PE_CODE_DETOUR;
}

static void compile(struct pe_code_request *req)
{
	enum pe_code_from from = from_where(req->kps[0]);
	struct pe_emit e = {};
	struct pe_piece *piece;
	u8 *code;

	req->emit(&e, from, (unsigned long)live_bytes, req->data);
	if (e.bad || e.len > PIECE_MAX) {
		req->why = "the code would not fit";
		return;
	}
	piece = piece_new(e.len, req);
	code = piece ? kmalloc(e.len, GFP_KERNEL) : NULL;
	if (!code) {
		if (piece)
			piece_free(piece);
		return;
	}
	e = (struct pe_emit){ .code = code, .size = e.len, .addr = piece_addr(piece) };
	req->emit(&e, from, (unsigned long)piece->live, req->data);
	if (e.bad) {
		req->why = "the code would reach too far";
		piece_free(piece);
	} else {
		pe_code_write(piece_addr(piece), code, e.len);
		own(piece, req, from);
		req->why = NULL;
	}
	kfree(code);
}

/* Stale pieces get out of the next tree.  Return: are there any? */
static bool leave_stale(void)
{
	struct pe_piece *piece, *next;
	bool any = false;

	list_for_each_entry_safe(piece, next, &pieces, list) {
		if (*piece->live)
			continue;
		disown(piece);
		list_move(&piece->list, &leaving);
		nr_pieces[piece->from]--;
		any = true;
	}
	return any;
}

/* Without memory for a tree there can be none: what has been taken out must be out. */
static void all_stale(void)
{
	struct pe_piece *piece;

	list_for_each_entry(piece, &pieces, list)
		WRITE_ONCE(*piece->live, 0);
}

/* After a tree that leads to all @pieces is in use.  */
static void go_live(void)
{
	struct pe_piece *piece;

	if (nr_pieces[PE_CODE_RETURN])
		serialise_all();
	list_for_each_entry(piece, &pieces, list) {
		WRITE_ONCE(*piece->live, 1);
		if (piece->from == PE_CODE_RETURN && piece->kps[0])
			lead_return(piece->kps[0], piece_addr(piece));
	}
}

int pe_code_install(struct pe_code_request *reqs, unsigned int n)
{
	struct tree_work *work = kvmalloc(sizeof(*work), GFP_KERNEL);
	bool changed;
	unsigned int i;

	mutex_lock(&pe_mutex);
	if (!work)
		all_stale();
	changed = leave_stale();
	for (i = 0; i < n; i++) {
		reqs[i].again = false;
		reqs[i].why = work ? cannot_grant(&reqs[i]) : "no memory";
		if (!reqs[i].why)
			compile(&reqs[i]);
		changed |= !reqs[i].why;
	}
	if (changed) {
		for (i = 0; i < ARRAY_SIZE(fronts); i++)
			switch_tree(work, &fronts[i]);
		go_live();
		must_wait = true;
	}
	mutex_unlock(&pe_mutex);
	kvfree(work);
	return work ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(pe_code_install);

bool pe_code_wait(void)
{
	struct pe_piece *piece, *next;
	bool freed = false;

	if (!must_wait)
		return false;
	must_wait = false;
	pe_wait_for_hits();
	pe_wait_for_cpus();
	synchronize_rcu_tasks();
	mutex_lock(&pe_mutex);
	list_for_each_entry_safe(piece, next, &leaving, list) {
		piece_free(piece);
		freed = true;
	}
	mutex_unlock(&pe_mutex);
	return freed;
}
EXPORT_SYMBOL_GPL(pe_code_wait);

void pe_code_stale(struct pe_kprobe *kp)
{
	make_stale(kp);
}
EXPORT_SYMBOL_GPL(pe_code_stale);

bool pe_code_is_live(const struct pe_kprobe *kp)
{
	return kp->code && READ_ONCE(*kp->code->live);
}
EXPORT_SYMBOL_GPL(pe_code_is_live);

/* ---- what changes at the site ---- */

/* The site's probes, or their flags, are about to change.  pe_mutex held. */
void pe_code_site_changes(struct pe_site *site)
{
	struct pe_kprobe *kp;

	lockdep_assert_held(&pe_mutex);
	list_for_each_entry(kp, &site->probes[PE_CLIENT_HITS], node)
		make_stale(kp);
	list_for_each_entry(kp, &site->probes[PE_CLIENT_RETURNS], node)
		make_stale(kp);
	pe_direct_site_changes(site);
	if (user)
		user->wanted();
}

/* The probe is unlinked from its site. */
void pe_code_forget(struct pe_kprobe *kp)
{
	struct pe_piece *piece = kp->code;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	make_stale(kp);
	for (i = 0; piece && i < piece->nr_kps; i++) {
		if (piece->kps[i] == kp)
			piece->kps[i] = NULL;
	}
	kp->code = NULL;
}

/**
 * pe_code_rest_hit() - do the rest of a hit, which its code has left to C
 * @regs: of the function's entry
 * @data: the user's
 *
 * Context: that of code; preemption is off, and on again afterwards.
 */
void __no_stack_protector pe_code_rest_hit(struct pt_regs *regs, const void *data)
{
	const struct pe_code_user *who = READ_ONCE(user);	/* stays as long as the code */
	struct pe_hit hit;

	pe_hit_called(&hit, regs, PREEMPT_DISABLE_OFFSET);
	pe_hit_begin(hit.level);	/* the code has seen that no handler is running */
	who->rest(&hit, data);
	pe_hit_end(hit.level);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(pe_code_rest_hit);

void pe_code_set_user(const struct pe_code_user *new)
{
	mutex_lock(&pe_mutex);
	WRITE_ONCE(user, new);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_set_user);

void pe_code_usage(struct pe_code_usage *usage)
{
	unsigned int i;

	mutex_lock(&pe_mutex);
	*usage = (struct pe_code_usage){
		.used = bitmap_weight(used_units, NR_UNITS) * UNIT,
		.size = PE_CODE_AREA_SIZE + 2 * ARRAY_SIZE(fronts) * PE_CODE_TREE_SIZE,
	};
	for (i = 0; i < PE_CODE_NR_FROM; i++) {
		usage->sites += nr_pieces[i];
		if (i < ARRAY_SIZE(fronts))
			usage->used += fronts[i].trees[0].len + fronts[i].trees[1].len;
	}
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_code_usage);

void pe_code_places(struct pe_code_places *places)
{
	places->interpret[PE_CODE_ENTRY] = (unsigned long)pe_code_interpret;
	places->rest[PE_CODE_ENTRY] = (unsigned long)pe_code_rest;
	places->interpret[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_interpret;
	places->rest[PE_CODE_DETOUR] = (unsigned long)pe_code_detour_rest;
	places->detour_return = (unsigned long)pe_code_detour_return;
	places->busy = (unsigned long __force)pe_hit_cpu.busy;
}
EXPORT_SYMBOL_GPL(pe_code_places);
