// SPDX-License-Identifier: GPL-2.0
/*
 * direct.c - functions with return probes, and no other probe at the entry: their calls lead
 * straight to the direct slot.
 *
 * All functions whose calls are diverted call what the static call pe_divert_front is: a tree
 * (arch/x86/emit_tree.c), or pe_entry_stub_divert if there is none.  The tree leads from the
 * return address of the function's call of us to its direct slot, and all other calls to
 * pe_entry_stub_divert, which asks C code.  The result is the same.
 *
 * Life of a leaf of the tree:
 *
 *   live	its byte in live_bytes[] is 1
 *   stale	the byte is 0: the call leads to pe_entry_stub_divert.  It waits for nothing
 *		to make a leaf stale, so whoever changes a site does so first
 *		(pe_direct_site_changes())
 *   leaving	no tree has it; but a task may be in the old tree, where preemption may be on
 *   free	wait_for_tree() has seen all tasks elsewhere.  Only then its byte may be used
 *		for another leaf
 *
 * A call that has found the byte 1 goes to the slot, however late.  It is a call that has begun
 * before the change.  The slot itself stays until no task can be on its way there (return/set.c).
 *
 * When a batch has been settled, a new tree is made.  It is written where the one before the
 * last was, so this has to wait until no task can be there.  While that takes time, calls of the
 * sites that have changed do without a leaf.  A work waits, and then makes up for it.
 */
#include <linux/bitmap.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/static_call.h>
#include <linux/workqueue.h>
#include <pe/kretprobe.h>
#include <pe_arch/hit.h>
#include "arch/x86/code.h"
#include "arch/x86/emit_tree.h"
#include "kernel/arch.h"
#include "kernel/kprobes.h"
#include "kernel/mech/code.h"
#include "kernel/mech/direct.h"
#include "kernel/mech/mech.h"
#include "kernel/return/return.h"
#include "kernel/site.h"
#include "kernel/wait.h"

static_assert(PE_TREE_LIVE_SIZE(PE_DIRECT_SITES) <= PE_DIRECT_TREE_SIZE);

/**
 * struct pe_direct - a leaf; all under pe_mutex
 * @list: in leaves or leaving
 * @ret: return address of the function's call
 * @to: the direct slot
 * @live: in live_bytes[]
 */
struct pe_direct {
	struct list_head list;
	unsigned long ret, to;
	u8 *live;
};

static LIST_HEAD(leaves);
static LIST_HEAD(leaving);
static DECLARE_BITMAP(used_bytes, PE_DIRECT_SITES);

/* Read by calls, within reach of the trees. */
static u8 live_bytes[PE_DIRECT_SITES];

/* The tree that is in use; the other one may be written unless must_wait.  pe_mutex. */
static void (*const trees[2])(void) = { pe_direct_tree_a, pe_direct_tree_b };
static unsigned int current_tree;
static bool must_wait;

/* The sites are not those of the tree any more; pe_mutex. */
static bool dirty;

static void wait_for_tree(struct work_struct *work);
static DECLARE_WORK(wait_work, wait_for_tree);

DEFINE_STATIC_CALL(pe_divert_front, pe_entry_stub_divert);

/* Memory to make a tree in. */
struct tree_work {
	struct pe_tree_leaf leaves[PE_DIRECT_SITES];
	u8 code[PE_DIRECT_TREE_SIZE];
};

/* Calls that begin after the return are diverted by C code.  pe_mutex held. */
void pe_direct_site_changes(struct pe_site *site)
{
	lockdep_assert_held(&pe_mutex);
	if (!site->direct && !site->point)
		return;
	dirty = true;
	if (!site->direct)
		return;
	WRITE_ONCE(*site->direct->live, 0);
	site->direct = NULL;
}

/* Where do the calls lead?  0: C code has to see them. */
static unsigned long leads_to(const struct pe_site *site)
{
	if (site->mech != &pe_mech_ftrace || site->state != PE_SITE_DIVERTING || !site->point ||
	    !list_empty(&site->probes[PE_CLIENT_HITS]))
		return 0;
	return pe_arch_return_direct(site->point->slot);
}

static void leaf_free(struct pe_direct *leaf)
{
	list_del(&leaf->list);
	__clear_bit(leaf->live - live_bytes, used_bytes);
	kfree(leaf);
}

/* Without memory, or room, the site does without. */
static void leaf_make(struct pe_site *site, unsigned long to)
{
	unsigned long live = find_first_zero_bit(used_bytes, PE_DIRECT_SITES);
	struct pe_direct *leaf;

	if (live >= PE_DIRECT_SITES)
		return;
	leaf = kmalloc(sizeof(*leaf), GFP_KERNEL);
	if (!leaf)
		return;
	*leaf = (struct pe_direct){
		.ret = pe_arch_stub_return(site->addr),
		.to = to,
		.live = &live_bytes[live],
	};
	__set_bit(live, used_bytes);
	list_add(&leaf->list, &leaves);
	site->direct = leaf;
}

static void leave_stale(void)
{
	struct pe_direct *leaf, *next;

	list_for_each_entry_safe(leaf, next, &leaves, list) {
		if (!*leaf->live)
			list_move(&leaf->list, &leaving);
	}
}

static void make_leaves(void)
{
	struct pe_site *site;
	unsigned long to;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		to = site->direct ? 0 : leads_to(site);
		if (to)
			leaf_make(site, to);
	}
}

/* Lead calls to the leaves that there are. */
static void switch_tree(struct tree_work *work)
{
	void (*tree)(void) = trees[!current_tree];
	struct pe_emit e = {
		.code = work->code, .size = sizeof(work->code), .addr = (unsigned long)tree,
	};
	const struct pe_direct *leaf;
	unsigned int n = 0;

	list_for_each_entry(leaf, &leaves, list)
		work->leaves[n++] = (struct pe_tree_leaf){
			leaf->ret, leaf->to, (unsigned long)leaf->live
		};
	if (!n) {
		static_call_update(pe_divert_front, pe_entry_stub_divert);
		return;
	}
	sort(work->leaves, n, sizeof(work->leaves[0]), pe_tree_by_ret, NULL);
	pe_emit_tree(&e, pe_at(PE_RSP, 0), work->leaves, n, (unsigned long)pe_entry_stub_divert);
	if (WARN_ON_ONCE(e.bad))
		return;
	pe_code_write((unsigned long)tree, work->code, e.len);
	static_call_update(pe_divert_front, tree);
	current_tree = !current_tree;
	list_for_each_entry(leaf, &leaves, list)
		WRITE_ONCE(*leaf->live, 1);
}

static void make_tree(void)
{
	struct tree_work *work = kvmalloc(sizeof(*work), GFP_KERNEL);

	if (!work)
		return;		/* dirty: at the next occasion */
	dirty = false;
	leave_stale();
	make_leaves();
	switch_tree(work);
	kvfree(work);
	must_wait = true;
	schedule_work(&wait_work);
}

static void wait_for_tree(struct work_struct *work)
{
	struct pe_direct *leaf, *next;

	pe_wait_for_hits();
	pe_wait_for_cpus();
	synchronize_rcu_tasks();
	mutex_lock(&pe_mutex);
	list_for_each_entry_safe(leaf, next, &leaving, list)
		leaf_free(leaf);
	must_wait = false;
	pe_direct_settle();
	mutex_unlock(&pe_mutex);
}

/* A batch has been settled. */
void pe_direct_settle(void)
{
	lockdep_assert_held(&pe_mutex);
	if (dirty && !must_wait)
		make_tree();
}

static bool is_settled(void)
{
	bool settled;

	mutex_lock(&pe_mutex);
	settled = !dirty;
	mutex_unlock(&pe_mutex);
	return settled;
}

void pe_kretprobes_settle(void)
{
	while (!is_settled() && work_busy(&wait_work))
		flush_work(&wait_work);
}
EXPORT_SYMBOL_GPL(pe_kretprobes_settle);

/* While unloading: no site is armed.  Afterwards pe_ftrace_ops_exit() waits for tasks in a tree. */
void pe_direct_exit(void)
{
	struct pe_direct *leaf, *next;

	cancel_work_sync(&wait_work);
	list_splice_init(&leaving, &leaves);
	list_for_each_entry_safe(leaf, next, &leaves, list)
		leaf_free(leaf);
}
